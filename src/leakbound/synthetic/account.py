"""`account`: what publishing synthetic rows leaks, as a certificate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from leakbound.certificate import Certificate
from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.issue import certified
from leakbound.certificate.standing import Standing
from leakbound.errors import InvalidInput, Undecided, shown
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.base import NEIGHBOURING, Guarantee
from leakbound.guarantees.curves import Statements
from leakbound.guarantees.reading import listed
from leakbound.guarantees.renyi import RenyiDP
from leakbound.guarantees.tradeoff import TradeOff
from leakbound.numerics.ball import flint
from leakbound.numerics.validate import choice, probability, real
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.seeds.base import Bound, SeedModel, seed_model
from leakbound.synthetic.seeds.enclosed import EnclosedHiddenSeeds
from leakbound.synthetic.seeds.fixed import FixedSeeds
from leakbound.synthetic.seeds.hidden import HiddenSeeds

_NEGLIGIBLE = 1e-300
"""A delta that no search for a smaller one is worth, and below which `verify` sees no difference."""
_WIDEST = 1e3
"""A shift so wide that a search for less than post-processing has no use, and takes tables without end."""
_STEEPEST = 1e6
"""The same for the logarithm of a moment."""
_POST_PROCESSING = FrozenMap({"post_processing": True})


def account(
    *,
    features: int,
    outputs: int,
    rows: int,
    noise: float,
    sensitivity: float,
    norm_bound: float | None = None,
    seeds: SeedModel | type[SeedModel] | str,
    delta: float | None = None,
    epsilon: float | None = None,
    orders: float | Sequence[float] | None = None,
    epsilons: Sequence[float] | None = None,
    neighbouring: str = "replace-one",
    rigorous: bool = False,
) -> Certificate:
    """Certify what publishing synthetic rows of a perturbed linear generator leaks.

    Formula: the least of the seed model's own bound and of post-processing, (sensitivity / noise)-Gaussian DP. Exactly
    one question is asked: epsilon at a `delta`, delta at an `epsilon`, Renyi divergences at `orders`, or a trade-off
    curve by its statements at several `epsilons`. A `rigorous` certificate is proved, or not made at all: for hidden
    seeds all norms are covered by cells, which takes seconds to minutes and costs less than one part in 100.
    Reference: Pierquin, Bellet, Tommasi and Boussard (2025), and proofs/public-seeds.md, proofs/hidden-seeds.md.

    >>> certificate = account(
    ...     features=12, outputs=1, rows=1, noise=1.0, sensitivity=1.0, seeds="public", orders=[2.0]
    ... )
    >>> print(certificate)
    [proved] at most (2, 0.089192650...)-Renyi DP (replace-one) by account-public
    """
    publication = Publication(features, outputs, rows, noise, sensitivity, norm_bound)
    model = seed_model(seeds)
    if not isinstance(rigorous, bool):
        raise InvalidInput(f"rigorous must be True or False, but got rigorous={shown(rigorous)}.")
    if rigorous:
        flint()  # without balls nothing is proved
        model = EnclosedHiddenSeeds() if type(model) is HiddenSeeds else model
    relation = choice("neighbouring", neighbouring, NEIGHBOURING)
    asked = {"delta": delta, "epsilon": epsilon, "orders": orders, "epsilons": epsilons}
    given = {name: value for name, value in asked.items() if value is not None}
    if len(given) != 1:
        got = ", ".join(given) or "none"
        raise InvalidInput(f"Give exactly one of {', '.join(asked)}, but got {got}.")
    [(name, value)] = given.items()
    claim, evidence, clean = _ANSWERS[name](publication, model, value, relation)
    inputs = {**publication.inputs(), name: clean, "neighbouring": relation}
    issued = certified(
        claim, model.method, inputs, {"numbers": evidence}, model.all_assumptions(publication), model.references
    )
    if rigorous and issued.standing is not Standing.PROVED:
        raise Undecided("The numbers could not be enclosed closely enough to be proved; ask without rigorous.")
    return issued


def bounded_epsilon(publication: Publication, model: SeedModel, delta: float) -> Bound:
    """Return the least of a seed model's epsilon and that of post-processing.

    >>> published = Publication(features=12, outputs=1, rows=1, noise=1.0, sensitivity=1.0)
    >>> round(bounded_epsilon(published, seed_model("fixed"), 1e-5).value, 4)
    4.3772
    """
    plain = FixedSeeds().epsilon(publication, delta)
    if delta in (0.0, 1.0) or plain.value in (0.0, math.inf) or publication.shift > _WIDEST:
        return Bound(plain.value, _POST_PROCESSING)
    return _lesser(model.epsilon(publication, delta, within=plain.value), plain)


def _lesser(own: Bound, plain: Bound) -> Bound:
    return own if own.value <= plain.value else Bound(plain.value, _POST_PROCESSING)


def bounded_delta(publication: Publication, model: SeedModel, epsilon: float) -> Bound:
    """Return the least of a seed model's delta and that of post-processing.

    >>> published = Publication(features=12, outputs=1, rows=1, noise=1.0, sensitivity=1.0)
    >>> bounded_delta(published, seed_model("public"), 1.0).value < bounded_delta(published, FixedSeeds(), 1.0).value
    True
    """
    plain = FixedSeeds().delta(publication, epsilon)
    if plain.value < _NEGLIGIBLE or publication.shift > _WIDEST:
        return Bound(plain.value, _POST_PROCESSING)
    return _lesser(model.delta(publication, epsilon), plain)


def bounded_renyi(publication: Publication, model: SeedModel, order: float) -> Bound:
    """Return the least of a seed model's Renyi divergence and that of post-processing.

    >>> published = Publication(features=12, outputs=1, rows=1, noise=1.0, sensitivity=1.0)
    >>> bounded_renyi(published, seed_model("public"), 2.0).value < bounded_renyi(published, FixedSeeds(), 2.0).value
    True
    """
    plain = FixedSeeds().renyi(publication, order)
    if not order * plain.value < _STEEPEST or publication.shift > _WIDEST:
        return Bound(plain.value, _POST_PROCESSING)
    return _lesser(model.renyi(publication, order), plain)


_Answer = tuple[Guarantee, list[Any], object]


def _at_delta(publication: Publication, model: SeedModel, asked: object, relation: str) -> _Answer:
    delta = probability("delta", asked)
    found = bounded_epsilon(publication, model, delta)
    return ApproxDP(found.value, delta, neighbouring=relation), [found.evidence], delta


def _at_epsilon(publication: Publication, model: SeedModel, asked: object, relation: str) -> _Answer:
    epsilon = real("epsilon", asked, low=0, infinite=True)
    found = bounded_delta(publication, model, epsilon)
    return ApproxDP(epsilon, found.value, neighbouring=relation), [found.evidence], epsilon


def _at_orders(publication: Publication, model: SeedModel, asked: object, relation: str) -> _Answer:
    orders = (asked,) if isinstance(asked, (int, float)) else listed("orders", asked)
    clean = RenyiDP(orders, (0.0,) * len(orders)).orders
    found = [bounded_renyi(publication, model, order) for order in clean]
    claim = RenyiDP(clean, tuple(bound.value for bound in found), neighbouring=relation)
    return claim, [bound.evidence for bound in found], clean


def _at_epsilons(publication: Publication, model: SeedModel, asked: object, relation: str) -> _Answer:
    epsilons = tuple(real("epsilons", e, low=0, infinite=True) for e in listed("epsilons", asked))
    if not epsilons:
        raise InvalidInput("epsilons must hold at least one number, but got epsilons=(); give one.")
    found = [bounded_delta(publication, model, e) for e in epsilons]
    lines = tuple((e, bound.value) for e, bound in zip(epsilons, found, strict=True))
    return TradeOff(Statements(lines), neighbouring=relation), [bound.evidence for bound in found], epsilons


_ANSWERS: dict[str, Callable[[Publication, SeedModel, object, str], _Answer]] = {
    "delta": _at_delta,
    "epsilon": _at_epsilon,
    "orders": _at_orders,
    "epsilons": _at_epsilons,
}
