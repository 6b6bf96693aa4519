"""Composition: many uses on the same secret, by every theorem that applies; the smallest safe answer is returned."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from leakbound.errors import InvalidInput, MissingExtra, NoTheorem, shown
from leakbound.guarantees import convert, pld
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.base import MOST_USES, Guarantee, common_relation
from leakbound.guarantees.concentrated import ZeroConcentratedDP
from leakbound.guarantees.curves import Curve, DPCurve, GaussianCurve
from leakbound.guarantees.gaussian import GaussianDP
from leakbound.guarantees.profile import PrivacyProfile
from leakbound.guarantees.pure import PureDP
from leakbound.guarantees.reading import approx_from
from leakbound.guarantees.renyi import RenyiDP
from leakbound.guarantees.tradeoff import TradeOff
from leakbound.numerics.decimals import digits_for, double_above
from leakbound.numerics.divergences import two_point_hockey_stick
from leakbound.numerics.validate import choice, whole

Parts: TypeAlias = Sequence[tuple[Guarantee, int]]

ORDERS = (1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
"""The Renyi orders used where no part fixes its own."""

_MOST_OPTIMAL_USES = 2000


@dataclass(frozen=True)
class Composition:
    """A composed guarantee, the route that gave it, and what every applicable route gives."""

    guarantee: ApproxDP
    route: str
    routes: tuple[tuple[str, float], ...]


def total(parts: Iterable[Guarantee | tuple[Guarantee, int]]) -> Guarantee:
    """Compose guarantees of one kind into a guarantee of that kind.

    >>> total([PureDP(0.5), (PureDP(0.25), 4)])
    PureDP(neighbouring='as-stated', epsilon=1.5)
    """
    counted = counted_parts(parts)
    if len(found := sorted({part.kind for part, _ in counted})) > 1:
        raise InvalidInput(
            f"Guarantees of different kinds ({', '.join(found)}) compose only to a target; give delta or epsilon."
        )
    common_relation(counted)
    return type(counted[0][0]).total(counted)


def compose(
    parts: Iterable[Guarantee | tuple[Guarantee, int]],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    routes: Sequence[str] | None = None,
) -> Composition:
    """Compose guarantees, each used once or a given number of times, and read off delta at epsilon or epsilon at delta.

    Routes: basic, gaussian, zcdp, renyi, optimal, pld; each is tried where its theorem applies. References: Dwork et
    al. (2006), Bun and Steinke (2016), Mironov (2017), Kairouz, Oh and Viswanath (2017), Dong, Roth and Su (2022),
    Doroshenko et al. (2022).

    >>> from math import log
    >>> compose([(PureDP(log(3)), 10)], delta=0.0).guarantee.epsilon == PureDP(log(3)).compose(10).epsilon
    True
    """
    counted = counted_parts(parts)
    relation = common_relation(counted)
    wanted = tuple(ROUTES) if routes is None else tuple(choice("routes", name, ROUTES) for name in routes)
    answers: dict[str, ApproxDP] = {}
    for name in wanted:
        try:
            answer = ROUTES[name](counted, epsilon, delta, relation)
        except MissingExtra:
            if routes is not None:
                raise
            continue
        if answer is not None:
            answers[name] = answer
            if name in _EXACT:
                break
    if not answers:
        kinds = ", ".join(sorted({part.kind for part, _ in counted}))
        raise NoTheorem(
            f"No route composes {kinds} to (epsilon, delta) by {', '.join(wanted)}; convert the parts first."
        )
    asked_epsilon = epsilon is not None

    def number(answer: ApproxDP) -> float:
        return answer.delta if asked_epsilon else answer.epsilon

    best = min(answers, key=lambda name: number(answers[name]))
    return Composition(answers[best], best, tuple((name, number(answer)) for name, answer in answers.items()))


def counted_parts(parts: Iterable[Guarantee | tuple[Guarantee, int]]) -> tuple[tuple[Guarantee, int], ...]:
    """Return (guarantee, count) pairs, equal guarantees merged, from guarantees and pairs.

    >>> counted_parts([PureDP(1.0), (PureDP(1.0), 2)])[0][1]
    3
    """
    counts: dict[Guarantee, int] = {}
    if not isinstance(parts, Iterable):
        raise InvalidInput(f"parts must be a list of guarantees, but got {shown(parts)}; give a list.")
    for entry in parts:
        part, count = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, 1)
        if not isinstance(part, Guarantee):
            raise InvalidInput(f"parts must hold guarantees or (guarantee, count) pairs, but got {shown(entry)}.")
        counts[part] = counts.get(part, 0) + whole("count", count, low=1, high=MOST_USES)
    if not counts:
        raise InvalidInput("parts must hold at least one guarantee, but is empty; give one.")
    return tuple(counts.items())


def curve_of(part: Guarantee) -> Curve | None:
    """Return the curve a guarantee is equal to, or None where it fixes none."""
    if isinstance(part, PureDP):
        return DPCurve(part.epsilon, 0.0)
    if isinstance(part, ApproxDP):
        return DPCurve(part.epsilon, part.delta)
    if isinstance(part, GaussianDP):
        return GaussianCurve(part.mu)
    return part.curve if isinstance(part, (PrivacyProfile, TradeOff)) else None


def _basic(parts: Parts, epsilon: float | None, delta: float | None, relation: str) -> ApproxDP | None:
    stated = []
    for part, n in parts:
        curve = curve_of(part)
        if not isinstance(curve, DPCurve):
            return None
        stated.append((ApproxDP(curve.epsilon, curve.delta, neighbouring=relation), n))
    return convert.approx_to_approx(ApproxDP.total(stated), epsilon=epsilon, delta=delta)


def _gaussian(parts: Parts, epsilon: float | None, delta: float | None, relation: str) -> ApproxDP | None:
    curves = [(curve_of(part), n) for part, n in parts]
    if not all(isinstance(curve, GaussianCurve) for curve, _ in curves):
        return None
    gaussians = [(GaussianDP(curve.mu), n) for curve, n in curves if isinstance(curve, GaussianCurve)]
    mu = GaussianDP.total(gaussians).mu
    return convert.gdp_to_approx(GaussianDP(mu, neighbouring=relation), epsilon=epsilon, delta=delta)


def concentrated_total(parts: Parts, relation: str) -> ZeroConcentratedDP | None:
    """Return the total zCDP of parts that all have one, else None.

    >>> concentrated_total([(GaussianDP(1.0), 4)], "as-stated").rho
    2.0
    """
    concentrated = []
    for part, n in parts:
        curve = curve_of(part)
        if isinstance(part, ZeroConcentratedDP):
            concentrated.append((part, n))
        elif isinstance(curve, GaussianCurve):
            concentrated.append((convert.gdp_to_zcdp(GaussianDP(curve.mu, neighbouring=relation)), n))
        elif isinstance(curve, DPCurve) and curve.delta == 0:
            concentrated.append((convert.pure_to_zcdp(PureDP(curve.epsilon, neighbouring=relation)), n))
        else:
            return None
    return ZeroConcentratedDP.total(concentrated)


def _zcdp(parts: Parts, epsilon: float | None, delta: float | None, relation: str) -> ApproxDP | None:
    whole_run = concentrated_total(parts, relation)
    return None if whole_run is None else convert.zcdp_to_approx(whole_run, epsilon=epsilon, delta=delta)


def renyi_total(parts: Parts, relation: str) -> RenyiDP | None:
    """Return the total Renyi guarantee of parts that all have one at common orders, else None.

    >>> renyi_total([(GaussianDP(1.0), 4)], "as-stated").epsilons[3]
    4.0
    """
    fixed = [set(part.orders) for part, _ in parts if isinstance(part, RenyiDP)]
    orders = tuple(sorted(set.intersection(*fixed))) if fixed else tuple(map(float, ORDERS))
    tables = []
    for part, n in parts:
        curve = curve_of(part)
        if isinstance(part, RenyiDP):
            tables.append((part, n))
        elif isinstance(part, ZeroConcentratedDP) and orders:
            tables.append((convert.zcdp_to_renyi(part, orders=orders), n))
        elif curve is not None and orders and math.isfinite(curve.renyi(orders[0])):
            bounds = tuple(curve.renyi(a) for a in orders)
            tables.append((RenyiDP(orders, bounds, neighbouring=relation), n))
        else:
            return None
    return RenyiDP.total(tables)


def _renyi(parts: Parts, epsilon: float | None, delta: float | None, relation: str) -> ApproxDP | None:
    whole_run = renyi_total(parts, relation)
    return None if whole_run is None else convert.renyi_to_approx(whole_run, epsilon=epsilon, delta=delta)


def _optimal(parts: Parts, epsilon: float | None, delta: float | None, relation: str) -> ApproxDP | None:
    (part, n), *others = parts
    curve = curve_of(part)
    if others or not isinstance(curve, DPCurve) or n > _MOST_OPTIMAL_USES:
        return None
    if n == 1:
        return approx_from(curve.hockey_stick, epsilon=epsilon, delta=delta, neighbouring=relation)
    with digits_for(curve.delta):
        kept = (1 - Decimal(curve.delta)) ** n

    def delta_at(threshold: float) -> float:
        close = two_point_hockey_stick(curve.epsilon, threshold, n)
        with digits_for(curve.delta, close):
            return double_above(1 - kept * (1 - Decimal(close)))

    return approx_from(delta_at, epsilon=epsilon, delta=delta, neighbouring=relation)


def _pld(parts: Parts, epsilon: float | None, delta: float | None, relation: str) -> ApproxDP | None:
    curves = [(curve_of(part), n) for part, n in parts]
    usable = [(curve, n) for curve, n in curves if curve is not None and pld.covers(curve)]
    if len(usable) < len(curves) or sum(n for _, n in usable) > pld.MOST_USES:
        return None
    return approx_from(pld.composed(usable), epsilon=epsilon, delta=delta, neighbouring=relation)


Route: TypeAlias = Callable[[Parts, float | None, float | None, str], ApproxDP | None]

ROUTES: dict[str, Route] = {
    "gaussian": _gaussian,
    "optimal": _optimal,
    "basic": _basic,
    "zcdp": _zcdp,
    "renyi": _renyi,
    "pld": _pld,
}
"""Every route by name. The exact ones come first: where one applies, no other can be smaller and none is tried."""

_EXACT = ("gaussian", "optimal")
