"""Recomputation of compositions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from leakbound.certificate.check import Check
from leakbound.certificate.method import Method, Problem
from leakbound.certificate.recompute import answers, laws, losses
from leakbound.certificate.recompute.conversions import at_order, renyi_claim
from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import ball, enclose

Parts = list[tuple[Record, int]]


def parts_of(problem: Problem) -> Parts:
    """Return the claims that were composed, with their counts; equal claims count together, however sure each is."""
    counts: dict[Any, int] = {}
    for entry in problem.inputs.records("parts"):
        claim = entry.record("claim").entries
        counts[claim] = counts.get(claim, 0) + entry.whole("count", low=1)
    return [(Record("inputs.parts.claim", claim), count) for claim, count in counts.items()]


def confidence(problem: Problem) -> Check:
    """One minus the sum of the parts' failure probabilities."""
    entries = problem.inputs.records("parts")
    failure = sum((1 - Fraction(entry.number("confidence", high=1.0)) for entry in entries), Fraction(0))
    value = enclose(lambda: ball(1 - failure))
    return Check("confidence", problem.confidence, *value, problem.tolerance, larger_is_weaker=False)


def same_kind(problem: Problem) -> Iterator[Check]:
    """Sums, or sums of squares for Gaussian guarantees."""
    yield confidence(problem)
    parts, kind = parts_of(problem), problem.claim.text("kind")
    if any(part.text("kind") != kind for part, _ in parts):
        raise InvalidCertificate(f"Not every part is of the claim's kind {kind}; it does not fit.")
    if kind == "renyi":
        orders = tuple(
            a for a in parts[0][0].numbers("orders") if all(a in part.numbers("orders") for part, _ in parts)
        )
        yield from renyi_claim(problem, orders, lambda a: _sum(parts, lambda part: laws.renyi(part)(a)))
    elif kind == "gdp":
        yield answers.formula(problem, "mu", lambda: _root_sum(parts, lambda part: part.number("mu")))
    elif kind in ("profile", "tradeoff"):
        if any(part.text("family") != "gaussian" for part, _ in parts):
            raise InvalidCertificate("Only Gaussian curves compose in closed form; it does not fit.")
        mu = enclose(lambda: _root_sum(parts, lambda part: part.record("parameters").number("mu")))
        claimed = problem.claim.record("parameters").number("mu")
        yield Check("mu", claimed, *mu, problem.tolerance, larger_is_weaker=True)
    elif kind in _SUMMED:
        yield answers.formula(
            problem, _SUMMED[kind], lambda: _sum(parts, lambda part: ball(part.number(_SUMMED[kind])))
        )
        if kind == "approx-dp":
            delta = enclose(lambda: _sum(parts, lambda part: ball(part.number("delta"))))
            yield answers.number(problem, "delta", (min(1.0, delta[0]), min(1.0, delta[1])))
    else:
        raise InvalidCertificate(
            f"Claims of kind {kind} have no composition theorem of their own; it cannot be checked."
        )


_SUMMED = {"pure-dp": "epsilon", "approx-dp": "epsilon", "zcdp": "rho", "mutual-information": "nats"}


def _sum(parts: Parts, value: Callable[[Record], Any]) -> Any:
    terms = [value(part) if n == 1 else n * value(part) for part, n in parts]
    return sum(terms[1:], terms[0])


def _root_sum(parts: Parts, value: Callable[[Record], float]) -> Any:
    return _sum(parts, lambda part: ball(value(part)) ** 2).sqrt()


def basic(problem: Problem) -> Iterator[Check]:
    """Epsilons and deltas add; the total is read off its curve."""
    yield confidence(problem)
    curves = [(_stated(part), n) for part, n in parts_of(problem)]
    finite = all(e < math.inf for (e, _), _ in curves)
    # The total's epsilon and delta are not doubles: the curve is evaluated at both neighbours.
    epsilons = _around(sum((n * Fraction(e) for (e, _), n in curves), Fraction(0))) if finite else (math.inf, math.inf)
    deltas = _around(min(sum((n * Fraction(d) for (_, d), n in curves), Fraction(0)), Fraction(1)))

    def between(threshold: float) -> answers.Interval:
        ends = [
            answers.probability(lambda: laws.statements_profile([(e, d)], threshold))
            for e, d in zip(epsilons, deltas, strict=True)
        ]
        return ends[0][0], ends[1][1]

    yield from answers.approximate_between(problem, between)


def _around(value: Fraction) -> tuple[float, float]:
    return enclose(lambda: ball(value))


def _stated(part: Record) -> tuple[float, float]:
    kind = part.text("kind")
    if kind in ("pure-dp", "approx-dp"):
        return part.number("epsilon"), part.number("delta") if kind == "approx-dp" else 0.0
    if "family" in part and part.text("family") == "dp":
        return part.record("parameters").number("epsilon"), part.record("parameters").number("delta")
    raise InvalidCertificate(f"Basic composition takes pure and approximate guarantees, not {kind}; it does not fit.")


def gaussian(problem: Problem) -> Iterator[Check]:
    """Squares add; the total is read off the Gaussian profile."""
    yield confidence(problem)
    mus = [(_mu(part), n) for part, n in parts_of(problem)]
    total = (math.inf, math.inf)
    if all(mu < math.inf for mu, _ in mus):
        total = enclose(lambda: ball(sum((n * Fraction(mu) ** 2 for mu, n in mus), Fraction(0))).sqrt())

    def between(e: float) -> answers.Interval:
        ends = [answers.probability(lambda: laws.gaussian_profile(mu, e)) for mu in total]
        return ends[0][0], ends[1][1]

    yield from answers.approximate_between(problem, between)


def _mu(part: Record) -> float:
    if part.text("kind") == "gdp":
        return part.number("mu")
    if "family" in part and part.text("family") == "gaussian":
        return part.record("parameters").number("mu")
    raise InvalidCertificate("Gaussian composition takes Gaussian parts only; it does not fit.")


def renyi(problem: Problem) -> Iterator[Check]:
    """Renyi divergences add at the order of the evidence."""
    yield confidence(problem)
    order, parts = problem.evidence.number("order", low=1.0), parts_of(problem)
    total = enclose(lambda: _sum(parts, lambda part: laws.renyi(part)(order)))
    yield from at_order(problem, order, total[1])


def concentrated(problem: Problem) -> Iterator[Check]:
    """The divergences at order one add to rho, and rho times the order of the evidence is read off."""
    yield confidence(problem)
    order, parts = problem.evidence.number("order", low=1.0), parts_of(problem)
    for part, _ in parts:
        _refuse_not_concentrated(part)
    total = enclose(lambda: laws.concentrated_renyi(_sum(parts, lambda part: laws.renyi(part)(1.0)), order))
    yield from at_order(problem, order, total[1])


def _refuse_not_concentrated(part: Record) -> None:
    """Only of these does the divergence at order one, times the order, bound the divergence at every order."""
    kind = part.text("kind")
    family = part.text("family") if "family" in part else kind
    if family == "dp" and part.record("parameters").number("delta") == 0:
        return
    if family not in ("pure-dp", "gdp", "zcdp", "gaussian"):
        raise InvalidCertificate(
            f"Zero-concentrated composition takes concentrated parts, not {family}; it does not fit."
        )


def lattice(problem: Problem) -> Iterator[Check]:
    """Any curves: privacy losses on the lattice of the evidence, composed with proved rounding."""
    yield confidence(problem)
    step = problem.evidence.number("interval", low=1e-9, high=1e3)
    yield from answers.approximate_between(problem, losses.composed(parts_of(problem), step))


def optimal(problem: Problem) -> Iterator[Check]:
    """Equal pure or approximate uses: the exact hockey-stick divergence of so many coins."""
    yield confidence(problem)
    parts = parts_of(problem)
    if len(parts) != 1:
        raise InvalidCertificate(f"Optimal composition takes equal parts, but {len(parts)} differ; it does not fit.")
    (epsilon, delta), n = _stated(parts[0][0]), parts[0][1]

    def value(e: float) -> Any:
        close = ball(1.0) if epsilon == math.inf else _coins(epsilon, n, e)
        if n == 1:
            return ball(delta) + (1 - ball(delta)) * close
        return 1 - (1 - ball(delta)) ** n * (1 - close)

    yield from answers.approximate(problem, value)


def _coins(epsilon: float, n: int, threshold: float) -> Any:
    """Sum over flips of C(n, l) (p^(n-l) q^l - e^t q^(n-l) p^l), where that is positive."""
    if threshold == math.inf:
        return ball(0.0)
    e, t = ball(epsilon), ball(threshold)
    p, q = 1 / (1 + (-e).exp()), (-e).exp() / (1 + (-e).exp())
    total = ball(0.0)
    for flips in range(n + 1):
        # Which terms are positive is decided exactly, on the doubles.
        if (n - 2 * flips) * Fraction(epsilon) <= Fraction(threshold):
            break
        ways = math.comb(n, flips)
        total += ways * p ** (n - flips) * q**flips * -(t - (n - 2 * flips) * e).expm1()
    return total


_BASIC = ("stated-guarantee", "symmetric-relation", "fixed-parameters")

METHODS = {
    "compose-same-kind": Method(same_kind, assumptions=_BASIC[:2]),
    "compose-basic": Method(basic, assumptions=_BASIC),
    "compose-gaussian": Method(gaussian, assumptions=_BASIC),
    "compose-zcdp": Method(concentrated, assumptions=_BASIC),
    "compose-renyi": Method(renyi, assumptions=_BASIC),
    "compose-optimal": Method(optimal, assumptions=_BASIC),
    "compose-pld": Method(lattice, 1e-3, assumptions=_BASIC),
}
