"""Each kind of claim in plain words: its numbers on their safe side, a short form and what it means."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from typing import Any, TypeAlias

from leakbound.guarantees import Guarantee
from leakbound.report.numbers import displayed

Numbers: TypeAlias = Mapping[str, str]
_SHARES = ("delta", "failure", "bound")
_MOST_LISTED = 6
_CHANGE = "When the data change to neighbouring data,"


def numbers_of(claim: Guarantee, *, upper: bool) -> dict[str, str]:
    """Return the numbers of a claim by name, each rounded so that the claim only weakens.

    >>> from leakbound.guarantees import ApproxDP
    >>> numbers_of(ApproxDP(1 / 3, 1e-5), upper=True)
    {'epsilon': '0.333334', 'delta': '1e-05'}
    """
    found = {}
    for name, value in _flat(claim).items():
        up = claim.larger_is_weaker.get(name, True) == upper
        if isinstance(value, tuple):
            found[name] = _listed(value, up)
        else:
            found[name] = displayed(value, up=up) if isinstance(value, (int, float)) else str(value)
    return found


def _listed(values: tuple[Any, ...], up: bool) -> str:
    if len(values) > _MOST_LISTED or not all(isinstance(value, (int, float)) for value in values):
        return f"{len(values)} entries"
    return ", ".join(displayed(value, up=up) for value in values)


def short_and_meaning(claim: Guarantee, *, upper: bool) -> tuple[str, str]:
    """Return the claim in a few words and in a sentence.

    >>> from leakbound.guarantees import PureDP
    >>> short_and_meaning(PureDP(1.0), upper=True)[1]
    'When the data change to neighbouring data, no event becomes more than 2.71829 times as likely.'
    """
    numbers = numbers_of(claim, upper=upper)
    if claim.kind in _WORDS:
        return _WORDS[claim.kind](claim, numbers)
    listed = ", ".join(f"{name} {value}" for name, value in numbers.items())
    return f"{claim.title} ({listed})", f"This is {claim.title} with {listed}."


def promises_nothing(claim: Guarantee) -> bool:
    """Return whether an upper bound is so weak that everything satisfies it.

    >>> from leakbound.guarantees import ApproxDP
    >>> promises_nothing(ApproxDP(1.0, 1.0))
    True
    """
    for name, value in _flat(claim).items():
        if not claim.larger_is_weaker.get(name, False):
            continue
        least = min(value) if isinstance(value, tuple) and name == "epsilons" else value
        if least == math.inf or (name in _SHARES and value == 1):
            return True
    return False


def _flat(claim: Guarantee) -> dict[str, Any]:
    """Return the fields of a claim, a family's parameters among them."""
    fields = claim.claim()
    return {**{name: value for name, value in fields.items() if name != "parameters"}, **fields.get("parameters", {})}


def _factor(exponent: float) -> str:
    """Return e to a power, rounded up, or as a power where it is long."""
    if not exponent <= 100:
        return f"e^{displayed(exponent, up=True)}"
    with localcontext() as context:
        context.prec = 60
        return displayed(Decimal(exponent).exp(), up=True)


def _pure(claim: Any, n: Numbers) -> tuple[str, str]:
    return f"{n['epsilon']}-DP", f"{_CHANGE} no event becomes more than {_factor(claim.epsilon)} times as likely."


def _approx(claim: Any, n: Numbers) -> tuple[str, str]:
    return f"({n['epsilon']}, {n['delta']})-DP", (
        f"{_CHANGE} no event becomes more than {_factor(claim.epsilon)} times as likely, up to an added probability"
        f" of {n['delta']}."
    )


def _gaussian(_: Any, n: Numbers) -> tuple[str, str]:
    return f"{n['mu']}-GDP", (
        "Telling neighbouring data apart from the output is at least as hard as telling a draw of N(0, 1) from a draw"
        f" of N({n['mu']}, 1)."
    )


def _concentrated(_: Any, n: Numbers) -> tuple[str, str]:
    return f"{n['rho']}-zCDP", (
        f"The Renyi divergence between the outputs on neighbouring data is at most {n['rho']} times its order, at"
        " every order above 1."
    )


def _renyi(claim: Any, _: Numbers) -> tuple[str, str]:
    pairs = [
        f"{displayed(e, up=True)} at order {displayed(a, up=False)}"
        for a, e in zip(claim.orders[:_MOST_LISTED], claim.epsilons[:_MOST_LISTED], strict=True)
    ]
    if len(claim.orders) > _MOST_LISTED:
        pairs.append(f"so on at {len(claim.orders) - _MOST_LISTED} more orders")
    listed = ", ".join(pairs)
    return f"Renyi DP ({listed})", (
        f"The Renyi divergence between the outputs on neighbouring data is at most {listed}."
    )


def _kernel(_: Any, n: Numbers) -> tuple[str, str]:
    place = f"order {n['order']}, kernel {n['kernel']}, regularization {n['regularization']}"
    return f"{n['epsilon']} kernel Renyi DP ({place})", (
        f"The regularised kernel Renyi divergence between the outputs on neighbouring data is at most {n['epsilon']}"
        f" ({place})."
    )


def _curve(claim: Any, n: Numbers) -> str:
    if "family" not in n:
        return f"given by {len(claim.curve.lines)} lines"
    inside = ", ".join(f"{name} {value}" for name, value in n.items() if name != "family")
    return f"of the family {n['family']} with {inside}"


def _profile(claim: Any, n: Numbers) -> tuple[str, str]:
    at_one = displayed(claim.delta(1.0), up=True)
    return f"the privacy profile {_curve(claim, n)}", (
        f"The output is (epsilon, delta)-DP for every epsilon of at least 0, with delta read off the profile: {at_one}"
        " at epsilon 1."
    )


def _tradeoff(claim: Any, n: Numbers) -> tuple[str, str]:
    return f"the trade-off curve {_curve(claim, n)}", (
        "Every test that tells neighbouring data apart misses at least as often as the curve says at its rate of"
        " false alarms."
    )


def _mutual(claim: Any, n: Numbers) -> tuple[str, str]:
    about = "the declared secret" if claim.neighbouring == "declared-secret" else "what the relation changes"
    bits = "infinity" if claim.nats == math.inf else displayed(Decimal(claim.nats) / Decimal(2).ln(), up=True)
    return f"{n['nats']} nats of mutual information", (
        f"On average the output tells at most {n['nats']} nats ({bits} bits) about {about}."
    )


def _maximal(claim: Any, n: Numbers) -> tuple[str, str]:
    return f"{n['nats']} nats of max-information, failure {n['failure']}", (
        f"No event about data and output is more than {_factor(claim.nats)} times as likely as with fresh data, up to"
        f" an added probability of {n['failure']}."
    )


def _risk(_: Any, n: Numbers) -> tuple[str, str]:
    return n["bound"], f"The expected loss on a new record, a loss between 0 and 1, is at most {n['bound']}."


_WORDS: dict[str, Callable[[Any, Numbers], tuple[str, str]]] = {
    "approx-dp": _approx,
    "gdp": _gaussian,
    "kernel-renyi": _kernel,
    "max-information": _maximal,
    "mutual-information": _mutual,
    "profile": _profile,
    "pure-dp": _pure,
    "renyi": _renyi,
    "risk": _risk,
    "tradeoff": _tradeoff,
    "zcdp": _concentrated,
}
