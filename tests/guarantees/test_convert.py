import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from tests.guarantees import test_convert_information
from tests.oracles import gaussian_oracle, joint_range_oracle, polygon_oracle, renyi_oracle
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput
from leakbound.guarantees import (
    ARROWS,
    ApproxDP,
    DPCurve,
    Events,
    GaussianCurve,
    GaussianDP,
    LaplaceCurve,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    Statements,
    TradeOff,
    ZeroConcentratedDP,
    restate,
)
from leakbound.numerics import joint_range
from leakbound.numerics.ball import ball
from leakbound.numerics.normal import MARGIN
from leakbound.numerics.rounding import ceiling

CLOSE = 4.5e-16
"""Two doubles: what rounding a many-digit number outwards costs."""
LOOSE = 1.1 * MARGIN
"""What the margin of the normal functions costs."""
LINES = ((0.7, 0.2), (0.2, 0.01))

CONVERTIBLE = (
    PureDP(0.75),
    ApproxDP(0.75, 0.01),
    PrivacyProfile(GaussianCurve(0.75)),
    TradeOff(GaussianCurve(0.75)),
    GaussianDP(0.75),
    RenyiDP((2.0, 8.0), (0.5, 0.75)),
    ZeroConcentratedDP(0.125),
)
OPTIONS = {
    "approx-dp": {"epsilon": 0.5},
    "renyi": {"orders": (2.0, 5.0)},
    "tradeoff": {"epsilons": (0.0, 1.0)},
    "max-information": {"records": 3},
    "kernel-renyi": {"kernel": "rbf(bandwidth=1.0)", "order": 2.0, "regularization": 0.01},
}

ONE_SIZE = ("pure-dp-to-max-information", "renyi-to-mutual-information")
"""What compares data sets of one size."""


def reads(given, delta_at, *, epsilons=(0.0, 0.25, 1.5), deltas=(1e-6, 0.05, 0.9), close=CLOSE):
    """Check both readings of (epsilon, delta) against a formula for delta."""
    for e in epsilons:
        found = restate(given, "approx-dp", epsilon=e)
        assert found.epsilon == e
        assert 0 <= excess(found.delta, lambda e=e: delta_at(e)) <= close, (given, e)
    for d in deltas:
        found = restate(given, "approx-dp", delta=d)
        assert found.delta == d
        assert excess(d, lambda found=found: delta_at(found.epsilon)) >= 0, (given, d)
        less = found.epsilon * (1 - 1e-10)
        assert found.epsilon == 0 or excess(d, lambda less=less: delta_at(less)) < 0, (given, d)


def test_every_arrow_is_tested_here():
    wanted = {f"test_{arrow.method.replace('-', '_')}" for arrow in ARROWS.values()}
    assert wanted <= {*globals(), *vars(test_convert_information)}


@pytest.mark.parametrize("relation", ["label-only", "add-or-remove-one"])
def test_every_arrow_keeps_the_relation_and_gives_its_target(relation):
    for given in CONVERTIBLE:
        held = type(given).from_claim(given.claim(), relation)
        for (source, target), arrow in ARROWS.items():
            refused = target == "max-information" or (relation == "add-or-remove-one" and arrow.method in ONE_SIZE)
            if source == given.kind and not refused:
                options = {name: value for name, value in OPTIONS.get(target, {}).items() if name in arrow.options}
                found = restate(held, target, **options)
                assert (found.kind, found.neighbouring) == (target, relation), arrow.method


def test_pure_dp_to_approx_dp():
    for e0 in (0.75, 1e-9, 20.0):
        deltas = (1e-12,) if e0 < 1e-3 else (1e-6, 0.05, 0.9)
        share = tuple(e0 * x for x in (0.0, 0.3, 0.99))
        reads(PureDP(e0), lambda e, e0=e0: polygon_oracle.hockey_stick(((e0, 0.0),), e), epsilons=share, deltas=deltas)
    assert restate(PureDP(0.75), "approx-dp", delta=0.0) == ApproxDP(0.75, 0.0)
    assert restate(PureDP(0.75), "approx-dp", epsilon=0.75) == ApproxDP(0.75, 0.0)
    assert restate(PureDP(0.0), "approx-dp", delta=0.0) == ApproxDP(0.0, 0.0)
    assert restate(PureDP(math.inf), "approx-dp", epsilon=5.0) == ApproxDP(5.0, 1.0)
    assert restate(PureDP(math.inf), "approx-dp", delta=0.5) == ApproxDP(math.inf, 0.5)


def test_pure_dp_to_profile():
    assert restate(PureDP(0.75), "profile") == PrivacyProfile(DPCurve(0.75, 0.0))


def test_pure_dp_to_tradeoff():
    curve = restate(PureDP(0.75), "tradeoff")
    assert curve == TradeOff(DPCurve(0.75, 0.0))
    for level in (0.0, 0.1, 0.5, 1.0):
        beyond = excess(curve.beta(level), lambda a=level: polygon_oracle.trade_off(((0.75, 0.0),), a), up=False)
        assert 0 <= beyond <= CLOSE


def test_pure_dp_to_gdp():
    for e in (1e-9, 0.75, 30.0):
        found = restate(PureDP(e), "gdp").mu
        assert 0 <= excess(found, lambda e=e: gaussian_oracle.mirror_shift(e)) <= LOOSE
    assert restate(PureDP(0.0), "gdp").mu == 0.0
    assert restate(PureDP(math.inf), "gdp").mu == math.inf


def test_pure_dp_to_renyi():
    found = restate(PureDP(0.75), "renyi", orders=(1, 1.5, 64, math.inf))
    assert found.orders == (1.0, 1.5, 64.0, math.inf)
    for order, epsilon in zip(found.orders[:3], found.epsilons, strict=False):
        assert 0 <= excess(epsilon, lambda a=order: renyi_oracle.two_point(a, 0.75)) <= CLOSE
    assert found.epsilons[3] == 0.75


def test_pure_dp_to_zcdp():
    for e in (1e-9, 0.75, 30.0):
        found = restate(PureDP(e), "zcdp").rho
        assert 0 <= excess(found, lambda e=e: ball(e) * (ball(e) / 2).tanh()) <= CLOSE
    assert restate(PureDP(math.inf), "zcdp").rho == math.inf


def test_approx_dp_to_approx_dp():
    for e0, d0 in ((0.75, 0.01), (3.0, 1e-12), (0.0, 0.3)):
        deltas = (d0 * 1.5, 0.9)
        reads(ApproxDP(e0, d0), lambda e, e0=e0, d0=d0: polygon_oracle.hockey_stick(((e0, d0),), e), deltas=deltas)
    assert restate(ApproxDP(0.75, 0.01), "approx-dp", delta=0.0099).epsilon == math.inf
    assert restate(ApproxDP(math.inf, 1.0), "approx-dp", epsilon=0.5) == ApproxDP(0.5, 1.0)
    assert restate(ApproxDP(0.5, 1.0), "approx-dp", epsilon=0.5) == ApproxDP(0.5, 1.0)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.75, 0.01), (0.75, 0.25), (3.0, 1e-18), (0.0, 0.3)])
def test_an_approximate_guarantee_gives_itself_back(epsilon, delta):
    given = ApproxDP(epsilon, delta)
    assert restate(given, "approx-dp", delta=delta).epsilon == pytest.approx(epsilon, rel=1e-9)
    assert restate(given, "approx-dp", epsilon=epsilon).delta == pytest.approx(delta, rel=1e-9)
    for between in ("profile", "tradeoff"):
        assert restate(restate(given, between), "approx-dp", delta=delta).epsilon == pytest.approx(epsilon, rel=1e-9)
    lines = TradeOff(Statements(((epsilon, delta),)))
    assert restate(lines, "approx-dp", delta=delta).epsilon == pytest.approx(epsilon, rel=1e-9)


def test_approx_dp_to_profile():
    assert restate(ApproxDP(0.75, 0.01), "profile") == PrivacyProfile(DPCurve(0.75, 0.01))


def test_approx_dp_to_tradeoff():
    curve = restate(ApproxDP(0.75, 0.01), "tradeoff")
    assert curve == TradeOff(DPCurve(0.75, 0.01))
    for level in (0.0, 0.1, 0.5):
        beyond = excess(curve.beta(level), lambda a=level: polygon_oracle.trade_off(((0.75, 0.01),), a), up=False)
        assert 0 <= beyond <= CLOSE
    assert curve.beta(0.9901) == curve.beta(1.0) == 0.0


@pytest.mark.parametrize("given", [PureDP(math.inf), ApproxDP(math.inf, 0.25), ApproxDP(math.inf, 1.0)])
def test_an_infinite_epsilon_keeps_only_its_delta(given):
    curve = restate(given, "tradeoff")
    assert curve.beta(0.0) == pytest.approx(1 - given.claim().get("delta", 0.0), rel=1e-15)
    assert curve.beta(1e-9) == curve.beta(1.0) == 0.0
    assert restate(given, "profile").delta(3.0) == 1.0


def test_profile_to_approx_dp():
    reads(PrivacyProfile(GaussianCurve(0.75)), lambda e: gaussian_oracle.hockey_stick(0.75, e), close=LOOSE)
    reads(PrivacyProfile(LaplaceCurve(0.75)), lambda e: renyi_oracle.laplace_hockey_stick(0.75, e))
    assert restate(PrivacyProfile(LaplaceCurve(0.75)), "approx-dp", delta=0.0) == ApproxDP(0.75, 0.0)


def test_profiles_of_events_are_read_at_far_epsilons_too():
    reads(PrivacyProfile(Events(LINES)), lambda e: polygon_oracle.hockey_stick_of_events(LINES, e))


def test_profile_to_tradeoff():
    for curve in (GaussianCurve(0.75), LaplaceCurve(0.75), DPCurve(0.75, 0.01)):
        assert restate(PrivacyProfile(curve), "tradeoff") == TradeOff(curve)
    found = restate(PrivacyProfile(Events(LINES)), "tradeoff")
    assert isinstance(found.curve, Statements)
    for level in (0.0, 0.02, 0.3, 0.8):
        exact = polygon_oracle.trade_off_of_events(LINES, level)
        assert 0 <= excess(found.beta(level), lambda exact=exact: ball(exact), up=False) <= 1e-14


def test_profile_to_renyi():
    orders = (1, 2, 30)
    laplace = restate(PrivacyProfile(LaplaceCurve(0.75)), "renyi", orders=orders).epsilons
    for order, epsilon in zip(orders, laplace, strict=True):
        assert 0 <= excess(epsilon, lambda a=order: renyi_oracle.laplace(float(a), 0.75)) <= CLOSE
    assert restate(PrivacyProfile(GaussianCurve(0.5)), "renyi", orders=orders).epsilons == (0.125, 0.25, 3.75)
    assert restate(PrivacyProfile(DPCurve(0.5, 0.1)), "renyi", orders=orders).epsilons == (math.inf,) * 3
    events = restate(PrivacyProfile(Events(((0.75, 0.25), (0.3, 0.05)))), "renyi", orders=(2, 5))
    lines = restate(PrivacyProfile(Events(((0.75, 0.25), (0.3, 0.05)))), "tradeoff").curve.lines
    for order, epsilon in zip((2.0, 5.0), events.epsilons, strict=True):
        assert 0 <= excess(epsilon, lambda a=order: polygon_oracle.renyi(lines, a)) <= CLOSE


def test_tradeoff_to_approx_dp():
    reads(TradeOff(GaussianCurve(2.0)), lambda e: gaussian_oracle.hockey_stick(2.0, e), close=LOOSE)
    lines = ((0.25, 0.1), (1.0, 0.01), (2.0, 0.0))
    reads(TradeOff(Statements(lines)), lambda e: polygon_oracle.hockey_stick(lines, e))


def test_tradeoff_to_profile():
    for curve in (GaussianCurve(0.75), LaplaceCurve(0.75), DPCurve(0.75, 0.01)):
        assert restate(TradeOff(curve), "profile") == PrivacyProfile(curve)
    lines = ((0.25, 0.1), (1.0, 0.01), (2.0, 0.0))
    found = restate(TradeOff(Statements(lines)), "profile")
    assert isinstance(found.curve, Events)
    for e in (0.0, 0.25, 1.5):
        assert 0 <= excess(found.delta(e), lambda e=e: polygon_oracle.hockey_stick(lines, e)) <= 1e-14


def test_tradeoff_to_renyi():
    lines = ((0.25, 0.1), (1.0, 0.01), (2.0, 0.0))
    found = restate(TradeOff(Statements(lines)), "renyi", orders=(1, 2, 30, math.inf)).epsilons
    for order, epsilon in zip((1.0, 2.0, 30.0, math.inf), found, strict=True):
        assert 0 <= excess(epsilon, lambda a=order: polygon_oracle.renyi(lines, a)) <= CLOSE
    assert restate(TradeOff(GaussianCurve(0.5)), "renyi", orders=(2,)).epsilons == (0.25,)
    assert restate(TradeOff(DPCurve(0.5, 0.0)), "renyi", orders=(math.inf,)).epsilons == (0.5,)


def test_gdp_to_approx_dp():
    for mu in (0.01, 0.75, 6.0):
        epsilons, deltas = (0.0, mu, 4 * mu), (1e-6,) if mu < 0.1 else (1e-6, 0.05, 0.9)
        exact = partial(gaussian_oracle.hockey_stick, mu)
        reads(GaussianDP(mu), exact, epsilons=epsilons, deltas=deltas, close=LOOSE)
    assert restate(GaussianDP(0.0), "approx-dp", delta=0.0) == ApproxDP(0.0, 0.0)
    assert restate(GaussianDP(1.0), "approx-dp", delta=0.0) == ApproxDP(math.inf, 0.0)
    assert restate(GaussianDP(math.inf), "approx-dp", epsilon=3.0) == ApproxDP(3.0, 1.0)
    assert restate(GaussianDP(1.0), "approx-dp", epsilon=math.inf) == ApproxDP(math.inf, 0.0)
    assert restate(GaussianDP(1.0), "approx-dp", delta=1.0) == ApproxDP(0.0, 1.0)


def test_gdp_to_profile():
    assert restate(GaussianDP(0.75), "profile") == PrivacyProfile(GaussianCurve(0.75))


def test_gdp_to_tradeoff():
    curve = restate(GaussianDP(0.75), "tradeoff")
    assert curve == TradeOff(GaussianCurve(0.75))
    assert 0 <= excess(curve.beta(0.1), lambda: gaussian_oracle.trade_off(0.75, 0.1), up=False) <= LOOSE


def test_gdp_to_renyi():
    assert restate(GaussianDP(0.5), "renyi", orders=(1, 2, 8)).epsilons == (0.125, 0.25, 1.0)
    assert restate(GaussianDP(0.1), "renyi", orders=(3,)).epsilons == (ceiling(3 * Fraction(0.1) ** 2 / 2),)
    assert restate(GaussianDP(0.1), "renyi", orders=(math.inf,)).epsilons == (math.inf,)


def test_gdp_to_zcdp():
    assert restate(GaussianDP(2.0), "zcdp").rho == 2.0
    assert restate(GaussianDP(0.1), "zcdp").rho == ceiling(Fraction(0.1) ** 2 / 2)


def test_renyi_to_approx_dp():
    orders, bounds = (1.5, 2.0, 8.0, math.inf), (0.4, 0.5, 0.9, 2.0)
    given = RenyiDP(orders, bounds)
    for e in (0.0, 0.6, 1.5, 2.5):
        found = restate(given, "approx-dp", epsilon=e).delta
        each = [
            excess(found, lambda a=a, b=b, e=e: joint_range_oracle.optimum(a, b, e))
            for a, b in zip(orders, bounds, strict=True)
        ]
        assert 0 <= max(each) <= CLOSE if found > 0 else e >= 2, e  # the least of all is returned
    given = RenyiDP((8.0, math.inf), (0.9, 1.45))
    found = restate(given, "approx-dp", delta=1e-3).epsilon
    assert restate(given, "approx-dp", epsilon=found).delta <= 1e-3
    assert restate(given, "approx-dp", epsilon=math.nextafter(found, 0.0)).delta > 1e-3
    assert found < 1.45
    assert restate(RenyiDP((math.inf,), (1.45,)), "approx-dp", delta=0.0) == ApproxDP(1.45, 0.0)
    assert restate(RenyiDP((2.0,), (0.5,)), "approx-dp", epsilon=1.0).delta == pytest.approx(0.0897, abs=5e-5)
    assert restate(RenyiDP((2.0,), (0.5,)), "approx-dp", delta=0.0) == ApproxDP(math.inf, 0.0)
    assert restate(RenyiDP((2.0,), (math.inf,)), "approx-dp", delta=0.5) == ApproxDP(math.inf, 0.5)


def test_renyi_to_tradeoff():
    given = RenyiDP((2.0,), (0.5,))
    found = restate(given, "tradeoff", epsilons=(0, 1.0))
    deltas = [restate(given, "approx-dp", epsilon=e).delta for e in (0.0, 1.0)]
    assert found == TradeOff(Statements(((0.0, deltas[0]), (1.0, deltas[1]))))
    for bad in (-1.0, math.nan, math.inf, True, "1"):
        with pytest.raises(InvalidInput, match=r"^epsilons must be a number of at least 0, but got epsilons="):
            restate(given, "tradeoff", epsilons=(0.0, bad))
    with pytest.raises(InvalidInput, match="1 to 1000 pairs"):
        restate(given, "tradeoff", epsilons=())


def test_zcdp_to_approx_dp():
    given = ZeroConcentratedDP(0.5)
    for e in (0.75, 4.0):
        value, order = joint_range.over_orders(0.5, e)
        assert restate(given, "approx-dp", epsilon=e) == ApproxDP(e, value)
        rounded = ceiling(Fraction(order) / 2)
        assert 0 <= excess(value, lambda a=order, b=rounded, e=e: joint_range_oracle.optimum(a, b, e)) <= CLOSE
        assert excess(value, lambda e=e: gaussian_oracle.hockey_stick(1.0, e)) > 0  # a Gaussian of mu 1 is 1/2-zCDP
    given = ZeroConcentratedDP(5.0)
    found = restate(given, "approx-dp", delta=1e-5)
    assert found.delta == 1e-5
    assert restate(given, "approx-dp", epsilon=found.epsilon).delta <= 1e-5 * (1 + 1e-6)
    assert restate(given, "approx-dp", epsilon=found.epsilon * (1 - 1e-6)).delta > 1e-5
    assert restate(ZeroConcentratedDP(0.0), "approx-dp", delta=0.0) == ApproxDP(0.0, 0.0)
    assert restate(given, "approx-dp", delta=0.0) == ApproxDP(math.inf, 0.0)
    assert restate(ZeroConcentratedDP(math.inf), "approx-dp", epsilon=1.0) == ApproxDP(1.0, 1.0)


def test_zcdp_to_renyi():
    assert restate(ZeroConcentratedDP(0.5), "renyi", orders=(1, 2, 8)).epsilons == (0.5, 1.0, 4.0)
    assert restate(ZeroConcentratedDP(0.1), "renyi", orders=(3,)).epsilons == (ceiling(3 * Fraction(0.1)),)
    assert restate(ZeroConcentratedDP(0.0), "renyi", orders=(2, math.inf)).epsilons == (0.0, 0.0)
    assert restate(ZeroConcentratedDP(1e-9), "renyi", orders=(math.inf,)).epsilons == (math.inf,)
    assert restate(ZeroConcentratedDP(math.inf), "renyi", orders=(2,)).epsilons == (math.inf,)


@pytest.mark.parametrize("given", CONVERTIBLE, ids=lambda given: given.kind)
def test_exactly_one_of_epsilon_and_delta_is_asked(given):
    with pytest.raises(InvalidInput, match=r"^Give exactly one of .* but got epsilon=None and delta=None\.$"):
        restate(given, "approx-dp")
    with pytest.raises(InvalidInput, match=r"^Give exactly one of .* but got epsilon=0\.5 and delta=0\.1\.$"):
        restate(given, "approx-dp", epsilon=0.5, delta=0.1)
    for bad in (-1e-9, math.nan, -math.inf, True, "1"):
        with pytest.raises(InvalidInput, match=r"^epsilon must be a number of at least 0, but got epsilon="):
            restate(given, "approx-dp", epsilon=bad)
    for bad in (-1e-9, 1.001, math.nan, True, "1"):
        with pytest.raises(InvalidInput, match=r"^delta must be a number in \[0, 1\], but got delta="):
            restate(given, "approx-dp", delta=bad)


@pytest.mark.parametrize("given", [g for g in CONVERTIBLE if (g.kind, "renyi") in ARROWS], ids=lambda given: given.kind)
def test_orders_are_checked(given):
    for bad in (0.999, -1.0, math.nan, True, "2"):
        with pytest.raises(InvalidInput, match=r"^orders must be a number of at least 1, but got orders="):
            restate(given, "renyi", orders=(bad,))
    with pytest.raises(InvalidInput, match=r"^orders must increase, but got"):
        restate(given, "renyi", orders=(3, 2))
    with pytest.raises(InvalidInput, match=r"^orders must be a non-empty list"):
        restate(given, "renyi", orders=())


def test_lists_that_are_none_are_refused():
    for bad in (5, 2.5, True, "23"):
        with pytest.raises(InvalidInput, match="orders must be"):
            restate(GaussianDP(1.0), "renyi", orders=bad)
        with pytest.raises(InvalidInput, match="epsilons must be"):
            restate(RenyiDP((2.0,), (0.5,)), "tradeoff", epsilons=bad)


def test_orders_may_come_from_anything_that_lists_them():
    for orders in ([2, 3], (2, 3), range(2, 4), np.array([2.0, 3.0])):
        assert restate(GaussianDP(1.0), "renyi", orders=orders).orders == (2.0, 3.0)


@pytest.mark.parametrize(
    ("given", "target", "missing"),
    [
        (GaussianDP(1.0), "renyi", "orders"),
        (RenyiDP((2.0,), (0.5,)), "tradeoff", "epsilons"),
        (PureDP(1.0), "max-information", "records"),
        (RenyiDP((2.0,), (0.5,)), "kernel-renyi", "kernel"),
    ],
)
def test_a_missing_option_is_named(given, target, missing):
    with pytest.raises(InvalidInput, match=missing):
        restate(given, target)
