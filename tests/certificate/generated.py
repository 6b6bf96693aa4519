"""Random certificates of every kind of claim and every method, from one seed, and what may be done to them."""

from __future__ import annotations

import contextlib
import functools
import math
import random
from collections.abc import Callable
from typing import Any

from leakbound.certificate import Certificate, issue
from leakbound.errors import NoTheorem
from leakbound.guarantees import (
    ARROWS,
    ApproxDP,
    Curve,
    DPCurve,
    Events,
    GaussianCurve,
    GaussianDP,
    Guarantee,
    KernelRenyiDP,
    LaplaceCurve,
    MaxInformation,
    MutualInformation,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    RiskBound,
    Statements,
    TradeOff,
    ZeroConcentratedDP,
)

RELATIONS = ("replace-one", "add-or-remove-one", "label-only", "declared-secret", "as-stated")


def number(rng: random.Random, low: float, high: float, *ends: float) -> float:
    """Return a log-uniform number, or one time in twelve an endpoint."""
    if ends and rng.random() < 1 / 12:
        return rng.choice(ends)
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def relation(rng: random.Random) -> str:
    return rng.choice(RELATIONS)


def epsilon(rng: random.Random) -> float:
    return number(rng, 1e-9, 1e2, 0.0, math.inf)


def delta(rng: random.Random) -> float:
    return number(rng, 1e-18, 1.0, 0.0, 1.0)


def orders(rng: random.Random) -> tuple[float, ...]:
    found = {1 + number(rng, 1e-4, 1e4, 0.0, math.inf) for _ in range(rng.randrange(1, 5))}
    return tuple(sorted(found))


def lines(rng: random.Random, one: Callable[..., float], two: Callable[..., float]) -> tuple[tuple[float, float], ...]:
    return tuple((one(rng), two(rng)) for _ in range(rng.randrange(1, 5)))


def family(rng: random.Random) -> Curve:
    kinds: tuple[Callable[[], Curve], ...] = (
        lambda: GaussianCurve(number(rng, 1e-6, 30)),
        lambda: LaplaceCurve(epsilon(rng)),
        lambda: DPCurve(epsilon(rng), delta(rng)),
    )
    return rng.choice(kinds)()


def event(rng: random.Random) -> tuple[float, float]:
    p = number(rng, 1e-12, 1.0, 0.0, 1.0)
    return p, p * number(rng, 1e-12, 1.0, 0.0, 1.0)


def profile_curve(rng: random.Random) -> Curve:
    if rng.random() < 0.6:
        return family(rng)
    return Events(tuple(event(rng) for _ in range(rng.randrange(1, 5))))


def tradeoff_curve(rng: random.Random) -> Curve:
    return family(rng) if rng.random() < 0.6 else Statements(lines(rng, epsilon, delta))


def renyi(rng: random.Random, at: tuple[float, ...] | None = None) -> RenyiDP:
    at = orders(rng) if at is None else at
    return RenyiDP(at, tuple(number(rng, 1e-9, 1e2, 0.0, math.inf) for _ in at), neighbouring=relation(rng))


GUARANTEES: dict[str, Callable[[random.Random], Guarantee]] = {
    "pure-dp": lambda rng: PureDP(epsilon(rng), neighbouring=relation(rng)),
    "approx-dp": lambda rng: ApproxDP(epsilon(rng), delta(rng), neighbouring=relation(rng)),
    "profile": lambda rng: PrivacyProfile(profile_curve(rng), neighbouring=relation(rng)),
    "tradeoff": lambda rng: TradeOff(tradeoff_curve(rng), neighbouring=relation(rng)),
    "gdp": lambda rng: GaussianDP(number(rng, 1e-9, 1e2, 0.0, math.inf), neighbouring=relation(rng)),
    "renyi": renyi,
    "zcdp": lambda rng: ZeroConcentratedDP(number(rng, 1e-12, 1e2, 0.0, math.inf), neighbouring=relation(rng)),
    "kernel-renyi": lambda rng: KernelRenyiDP(
        f"rbf(bandwidth={number(rng, 1e-3, 1e3)!r})", number(rng, 1e-2, 1e3, math.inf), number(rng, 1e-6, 1, 0.0),
        number(rng, 1e-6, 1e2, 0.0, math.inf), neighbouring=relation(rng),
    ),
    "mutual-information": lambda rng: MutualInformation(number(rng, 1e-12, 1e3, 0.0, math.inf),
                                                        neighbouring=relation(rng)),
    "max-information": lambda rng: MaxInformation(number(rng, 1e-12, 1e3, 0.0, math.inf), delta(rng)),
    "risk": lambda rng: RiskBound(number(rng, 1e-9, 1.0, 0.0, 1.0)),
}  # fmt: skip


def options(rng: random.Random, source: str, target: str) -> dict[str, Any]:
    """Return options for a conversion."""
    names = ARROWS[source, target].options
    chosen: dict[str, Any] = {}
    if "epsilon" in names:
        chosen = {"epsilon": epsilon(rng)} if rng.random() < 0.5 else {"delta": delta(rng)}
    if "epsilons" in names:
        chosen["epsilons"] = tuple(number(rng, 1e-9, 1e2, 0.0) for _ in range(rng.randrange(1, 4)))
    if "orders" in names:
        chosen["orders"] = orders(rng)
    if "records" in names and (target == "max-information" or rng.random() < 0.7):
        chosen["records"] = round(number(rng, 1, 1e6))
    if "independent" in names and rng.random() < 0.5:
        chosen["independent"] = rng.random() < 0.5
    if "kernel" in names:
        chosen |= {"kernel": "rbf(bandwidth=1.0)", "order": 1 + number(rng, 1e-4, 1e2, 0.0), "regularization": 0.01}
    return chosen


def declared(rng: random.Random, kind: str) -> Certificate:
    return issue.declare(GUARANTEES[kind](rng))


def converted(rng: random.Random, source: str, target: str) -> Certificate:
    """Return a certificate of a conversion; guarantees that its theorem does not cover are drawn again."""
    while True:
        given, chosen = GUARANTEES[source](rng), options(rng, source, target)
        if target == "kernel-renyi":
            chosen["order"] = min(chosen["order"], max(given.orders))
        with contextlib.suppress(NoTheorem):
            return issue.convert(given, target, **chosen)


def count(rng: random.Random, most: float = 1e6) -> int:
    return round(number(rng, 1, most))


def several(rng: random.Random, make: Callable[[], Guarantee], *, most: float = 1e6) -> list[tuple[Certificate, int]]:
    """Return parts of one relation, some of them known with a confidence below one only."""
    name, parts = relation(rng), []
    for _ in range(rng.choice((1, 2, 3, 8, 40))):
        made = make()
        part = type(made).from_claim(made.claim(), name)
        confidence = 1 - number(rng, 1e-12, 1e-3) if rng.random() < 0.2 else 1.0
        parts.append((issue.declare(part).with_(confidence=confidence), count(rng, most)))
    return parts


def gaussian(rng: random.Random) -> Guarantee:
    mu = number(rng, 1e-9, 1e1, 0.0)
    makers: tuple[Callable[[], Guarantee], ...] = (
        lambda: GaussianDP(mu), lambda: PrivacyProfile(GaussianCurve(mu)), lambda: TradeOff(GaussianCurve(mu)),
    )  # fmt: skip
    return rng.choice(makers)()


def stated(rng: random.Random) -> Guarantee:
    e, d = number(rng, 1e-9, 10, 0.0, math.inf), number(rng, 1e-18, 1e-3, 0.0)
    makers: tuple[Callable[[], Guarantee], ...] = (
        lambda: PureDP(e), lambda: ApproxDP(e, d), lambda: PrivacyProfile(DPCurve(e, d)),
        lambda: TradeOff(DPCurve(e, 0.0)),
    )  # fmt: skip
    return rng.choice(makers)()


def concentrated(rng: random.Random) -> Guarantee:
    makers: tuple[Callable[[], Guarantee], ...] = (
        lambda: ZeroConcentratedDP(number(rng, 1e-12, 1, 0.0)),
        lambda: GaussianDP(number(rng, 1e-6, 1, 0.0)),
        lambda: PureDP(number(rng, 1e-6, 1, 0.0)),
    )
    return rng.choice(makers)()


def target(rng: random.Random) -> dict[str, float]:
    return {"epsilon": epsilon(rng)} if rng.random() < 0.5 else {"delta": delta(rng)}


def one_kind(rng: random.Random, kind: str) -> Certificate:
    if kind in ("profile", "tradeoff"):
        cls = PrivacyProfile if kind == "profile" else TradeOff
        return issue.compose(several(rng, lambda: cls(GaussianCurve(number(rng, 1e-9, 1e2, 0.0, math.inf)))))
    if kind == "renyi":
        at = orders(rng)
        return issue.compose(several(rng, lambda: renyi(rng, at)))
    return issue.compose(several(rng, lambda: GUARANTEES[kind](rng)))


def by_basic(rng: random.Random) -> Certificate:
    return issue.compose(several(rng, lambda: stated(rng), most=1e3), **target(rng), routes=("basic",))


def by_gaussian(rng: random.Random) -> Certificate:
    return issue.compose(several(rng, lambda: gaussian(rng)), **target(rng), routes=("gaussian",))


def by_zcdp(rng: random.Random) -> Certificate:
    return issue.compose(several(rng, lambda: concentrated(rng)), **target(rng), routes=("zcdp",))


def by_renyi(rng: random.Random) -> Certificate:
    at, asked = orders(rng), target(rng)
    makers: tuple[Callable[[], Guarantee], ...] = (
        lambda: renyi(rng, at), lambda: concentrated(rng), lambda: PrivacyProfile(LaplaceCurve(number(rng, 1e-3, 3))),
        lambda: TradeOff(Statements((*lines(rng, epsilon, delta), (number(rng, 1e-3, 3), 0.0)))),
    )  # fmt: skip
    return issue.compose(several(rng, lambda: rng.choice(makers)()), **asked, routes=("renyi",))


def by_optimal(rng: random.Random) -> Certificate:
    part = stated(rng)
    return issue.compose([(part, count(rng, 500))], **target(rng), routes=("optimal",))


def by_pld(rng: random.Random) -> Certificate:
    makers: tuple[Callable[[], Guarantee], ...] = (
        lambda: PrivacyProfile(LaplaceCurve(number(rng, 1e-3, 2))),
        lambda: GaussianDP(number(rng, 1e-2, 1)),
        lambda: ApproxDP(number(rng, 1e-3, 2), number(rng, 1e-9, 1e-3, 0.0)),
        lambda: TradeOff(Statements(((number(rng, 1e-2, 1), 1e-3), (number(rng, 1, 3), 1e-6)))),
        lambda: PrivacyProfile(Events((event(rng), event(rng)))),
    )
    parts = [(rng.choice(makers)(), rng.randrange(1, 20)) for _ in range(rng.randrange(2, 4))]
    asked = {"epsilon": number(rng, 1e-2, 10)} if rng.random() < 0.5 else {"delta": number(rng, 1e-8, 0.1)}
    return issue.compose(parts, **asked, routes=("pld",))


def by_every_route(rng: random.Random) -> Certificate:
    parts = [(concentrated(rng), count(rng, 20)) for _ in range(rng.randrange(1, 4))]
    return issue.compose(parts, **target(rng), routes=("gaussian", "optimal", "basic", "zcdp", "renyi"))


def held_out(rng: random.Random) -> Certificate:
    records = count(rng, 1e6)
    errors = rng.choice((0, records, rng.randrange(records + 1), min(records, count(rng, records))))
    return issue.holdout(errors, records, confidence=1 - number(rng, 1e-12, 0.9))


SUMMED = ("pure-dp", "approx-dp", "gdp", "renyi", "zcdp", "mutual-information", "profile", "tradeoff")

RECIPES: dict[str, Callable[[random.Random], Certificate]] = {
    **{f"declared {kind}": lambda rng, kind=kind: declared(rng, kind) for kind in GUARANTEES},
    **{f"{s} to {t}": lambda rng, s=s, t=t: converted(rng, s, t) for s, t in ARROWS},
    **{f"composed {kind}": lambda rng, kind=kind: one_kind(rng, kind) for kind in SUMMED},
    "composed by basic": by_basic,
    "composed by gaussian": by_gaussian,
    "composed by zcdp": by_zcdp,
    "composed by renyi": by_renyi,
    "composed by optimal": by_optimal,
    "composed by pld": by_pld,
    "composed by every route": by_every_route,
    "held out": held_out,
}
"""Every way to a certificate of the core: each kind declared, each arrow, each composition, the holdout."""

SLOW = ("composed by pld",)
"""What takes seconds to make and to verify, and has tests of its own."""


@functools.cache
def issued(name: str) -> tuple[Certificate, ...]:
    """Return a few certificates of a recipe, always the same; fewer where a conversion searches long."""
    rng, searches = random.Random(f"{name} in tests"), "renyi to" in name or "zcdp to approx" in name
    return tuple(RECIPES[name](rng) for _ in range(3 if searches or "composed by" in name else 6))
