import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from tests.oracles import joint_range_oracle
from tests.oracles.sides import excess

from leakbound.numerics import joint_range
from leakbound.numerics.ball import ball, flint, precision
from leakbound.numerics.decimals import digits_for
from leakbound.numerics.joint_range import (
    best_order,
    familiar_threshold,
    largest_hockey_stick,
    least_threshold,
    over_orders,
    threshold_over_orders,
)
from leakbound.numerics.rounding import TINY, ceiling

RANDOM = random.Random(7)
CLOSE = 4.5e-16
"""Two doubles: what rounding a many-digit number outwards costs."""

# (order, divergence, threshold), none so large that the coins are told apart by a certain event
MODERATE = [(2.0, 0.5, 1.0), (1.0, 0.5, 1.0), (30.0, 1e-5, 1e-3), (1.001, 3.0, 0.2), (1.25, 0.01, 3.0), (3.0, 0.1, 0.0)]


def log_uniform(low: float, high: float) -> float:
    return 10 ** RANDOM.uniform(low, high)


def beyond(order: float, divergence: float, threshold: float) -> float:
    found = largest_hockey_stick(order, divergence, threshold)
    return excess(found, lambda: joint_range_oracle.optimum(order, divergence, threshold))


def near(number: Decimal, formula) -> bool:
    """Does a many-digit number agree with a formula on balls to fifty digits?"""
    with precision(600):
        exact = formula()
        return bool(abs(flint().arb(str(number)) - exact) <= abs(exact) * flint().arb("1e-50"))


def test_the_largest_hockey_stick_lies_just_above_the_exact_one():
    places = [(1 + log_uniform(-2, 2), log_uniform(-3, 1), log_uniform(-3, 1)) for _ in range(40)]
    places += [(1 + log_uniform(-8, 8), log_uniform(-15, 2), log_uniform(-15, 1)) for _ in range(10)]
    places += [*MODERATE, (1.0, 1e-10, 1e-10), (1.0, 20.0, 1.0), (1.0, 1.0, 0.0), (1 + 2**-52, 5.0, 0.1)]
    for order, kappa, eps in places:
        assert 0 <= beyond(order, kappa, eps) <= CLOSE, (order, kappa, eps)


def test_where_an_event_is_certain():
    for order, kappa in ((2.0, 5.0), (1.1, 4.0), (1e6, 0.5), (64.0, 1e-1)):
        edge = kappa - math.log(order / (order - 1))
        for eps in (0.0, edge * (1 - 1e-9), edge, edge * (1 + 1e-9), kappa):
            assert 0 <= beyond(order, kappa, eps) <= CLOSE, (order, kappa, eps)
    assert largest_hockey_stick(2.0, 800.0, 1.0) == 1.0


def test_the_oracle_agrees_with_a_search_over_all_coins():
    for order, kappa, eps in ((2.0, 0.5, 1.0), (1.5, 0.2, 0.1), (5.0, 0.4, 0.5)):
        q = np.exp(np.linspace(-12, -0.01, 20_001))
        low, high = q.copy(), np.ones_like(q)  # of p: the divergence grows as p moves away from q
        for _ in range(60):
            p = (low + high) / 2
            total = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
            inside = total <= math.exp((order - 1) * kappa)
            low, high = np.where(inside, p, low), np.where(inside, high, p)
        best = float((low - math.exp(eps) * q).max())
        more = excess(best * (1 + 1e-6), lambda o=order, k=kappa, e=eps: joint_range_oracle.optimum(o, k, e))
        assert 0 <= more <= 2e-6


def test_the_ends_of_the_largest_hockey_stick():
    for order in (1.0, 2.0, math.inf):
        assert largest_hockey_stick(order, 0.0, 0.0) == 0.0
        assert largest_hockey_stick(order, 0.5, math.inf) == 0.0
        assert largest_hockey_stick(order, math.inf, math.inf) == 0.0
        assert largest_hockey_stick(order, math.inf, 1e300) == 1.0
    assert largest_hockey_stick(math.inf, 0.5, 0.5) == largest_hockey_stick(math.inf, 0.5, 0.75) == 0.0
    assert largest_hockey_stick(math.inf, 800.0, 0.0) == 1.0
    for kappa, eps in ((0.5, 0.25), (1e-15, 1e-16), (3.0, 0.0), (1.0, math.nextafter(1.0, 0.0))):
        assert 0 <= beyond(math.inf, kappa, eps) <= CLOSE


def test_far_ends_are_moved_to_the_safe_side():
    assert largest_hockey_stick(2.0, 0.5, 0.99e-40) == largest_hockey_stick(2.0, 0.5, 0.0)
    assert largest_hockey_stick(1.0, 0.5, 1e300) == largest_hockey_stick(1.0, 0.5, 1e18)
    assert largest_hockey_stick(2.0, 1e-50, 0.0) == largest_hockey_stick(2.0, 1e-40, 0.0)
    assert largest_hockey_stick(1e300, 0.5, 0.25) == largest_hockey_stick(1e16, 0.5, 0.25)
    for order, kappa, eps in ((2.0, 0.5, 1e-40), (2.0, 1e-40, 1e-20), (1e16, 0.5, 0.25), (1.0, 0.5, 1e18)):
        assert 0 <= beyond(order, kappa, eps) <= CLOSE
    for order, kappa, eps in ((2.0, 1e-50, 1e-20), (1e300, 0.5, 0.25), (1.0, 0.5, 1e19)):
        assert beyond(order, kappa, eps) >= 0
    assert largest_hockey_stick(2.0, 1.001e18, 1e18) == largest_hockey_stick(2.0, 1e300, 1e300) == 1.0
    assert largest_hockey_stick(2.0, 1e18, 1e18) < 1.0


def test_what_the_familiar_bound_shows_to_be_nothing():
    assert largest_hockey_stick(2.0, 0.5, 1e18) == largest_hockey_stick(2.0, 0.5, 720.0) == TINY
    near = largest_hockey_stick(2.0, 0.5, 690.0)
    assert 0 <= beyond(2.0, 0.5, 690.0) <= CLOSE
    assert 1e-301 < near < 1e-299


def test_the_familiar_value_of_asoodeh_and_others():
    assert largest_hockey_stick(2.0, 0.5, 1.0) == pytest.approx(0.0897, abs=5e-5)


@pytest.mark.parametrize(
    ("order", "divergence", "target", "options"),
    [(1.0, 0.1, 0.02, {}), (2.0, 0.5, 0.01, {"below": 8.0}), (20.0, 0.3, 1e-6, {"below": 0.9})],
)
def test_the_least_threshold_keeps_the_target_and_the_double_below_does_not(order, divergence, target, options):
    found = least_threshold(order, divergence, target, **options)
    below = math.nextafter(found, 0.0)
    assert largest_hockey_stick(order, divergence, found) <= target < largest_hockey_stick(order, divergence, below)
    assert excess(target, lambda: joint_range_oracle.optimum(order, divergence, found)) >= 0
    less = found * (1 - 1e-14)
    assert excess(target, lambda: joint_range_oracle.optimum(order, divergence, less)) < 0


def test_the_ends_of_the_least_threshold():
    assert joint_range._FARTHEST == 1e18
    assert least_threshold(2.0, 0.0, 0.0) == 0.0
    assert least_threshold(math.inf, 0.5, 1.0) == 0.0
    assert least_threshold(2.0, 0.5, 0.0) == math.inf
    assert least_threshold(2.0, math.inf, 0.5) == math.inf
    assert least_threshold(math.inf, 0.5, 0.0) == 0.5


def test_only_thresholds_below_the_best_so_far_are_looked_for():
    assert least_threshold(math.inf, 0.5, 0.0, below=0.5) == math.inf
    assert least_threshold(math.inf, 0.5, 0.0, below=math.nextafter(0.5, 1.0)) == 0.5
    assert least_threshold(math.inf, 0.5, 0.0, below=2.0) == 0.5
    assert least_threshold(2.0, 0.0, 0.0, below=0.0) == 0.0


def test_the_familiar_threshold():
    for order, divergence, target in ((2.0, 0.5, 0.1516), (20.0, 0.3, 1e-6), (1.5, 1.0, 0.25)):
        formula = divergence + math.log(1 - 1 / order) - (math.log(target) + math.log(order)) / (order - 1)
        assert familiar_threshold(order, divergence, target) == pytest.approx(formula, rel=1e-12)
        assert largest_hockey_stick(order, divergence, formula) < target
    assert familiar_threshold(1.0, 0.5, 0.1) == familiar_threshold(2.0, 0.5, 0.0) == math.inf
    assert familiar_threshold(math.inf, 0.5, 0.1) == 0.5


def test_the_best_of_some_orders():
    pairs = [(1.5, 0.4), (2.0, 0.5), (8.0, 0.6), (64.0, 3.0)]
    for threshold in (0.0, 0.5, 2.0):
        values = {order: largest_hockey_stick(order, bound, threshold) for order, bound in pairs}
        assert values[best_order(pairs, threshold)] == min(values.values())


@pytest.mark.parametrize(("slope", "threshold"), [(0.5, 3.0), (0.01, 0.0), (0.02, 0.5), (40.0, 45.0)])
def test_the_best_of_all_orders(slope, threshold):
    value, order = over_orders(slope, threshold)
    assert value == largest_hockey_stick(order, ceiling(Fraction(slope) * Fraction(order)), threshold)
    for factor in np.exp([-20, -5, -2, -1, -0.3, -0.05, 0.05, 0.3, 1, 2, 5, 15]):
        other = 1 + (order - 1) * float(factor)
        assert value <= largest_hockey_stick(other, slope * other * (1 + 1e-15), threshold) * (1 + 1e-9)


def test_the_ends_of_all_orders():
    assert over_orders(0.0, 0.5) == (0.0, 2.0)
    assert over_orders(math.inf, 0.5) == (1.0, 2.0)
    assert over_orders(math.inf, math.inf) == (0.0, 2.0)
    assert threshold_over_orders(0.0, 0.0) == (0.0, 2.0)
    assert threshold_over_orders(math.inf, 0.5) == (math.inf, 2.0)
    assert threshold_over_orders(0.5, 0.0) == (math.inf, 2.0)


def test_the_search_nearer_order_one_ends_where_it_gains_nothing(monkeypatch):
    orders = []
    monkeypatch.setattr(joint_range, "largest_hockey_stick", lambda order, *_: (orders.append(order), 0.5)[1])
    assert over_orders(0.01, 0.0)[0] == 0.5
    assert len(orders) < 100


def test_a_slope_of_one_is_searched_over_all_orders_too(monkeypatch):
    monkeypatch.setattr(joint_range, "least_threshold", lambda *_, **__: math.inf)  # leaves the order first guessed
    _, order = threshold_over_orders(1.0, 1e-5)
    for other in (0.99 * order, 1.01 * order, 2.0):
        assert familiar_threshold(order, order, 1e-5) < familiar_threshold(other, other, 1e-5)


@pytest.mark.parametrize(("order", "divergence", "threshold"), [(2.0, 0.5, 1.0), (1.5, 0.2, 3.0), (8.0, 1.0, 2.0)])
def test_the_logarithm_of_the_familiar_bound(order, divergence, threshold):
    bound = math.exp((order - 1) * (divergence - threshold)) * (1 - 1 / order) ** (order - 1) / order
    assert joint_range._familiar_log_bound(order, divergence, threshold) == pytest.approx(math.log(bound), rel=1e-12)
    assert largest_hockey_stick(order, divergence, threshold) < bound


def test_the_least_threshold_of_all_orders():
    slope, target = 5.0, 1e-5
    found, order = threshold_over_orders(slope, target)
    divergence = ceiling(Fraction(slope) * Fraction(order))
    assert largest_hockey_stick(order, divergence, found) <= target
    assert excess(target, lambda: joint_range_oracle.optimum(order, divergence, found)) >= 0
    assert over_orders(slope, found * (1 - 1e-6))[0] > target


@pytest.mark.parametrize(("order", "kappa", "eps"), MODERATE)
def test_every_tangent_gives_the_bound_of_the_oracle(order, kappa, eps):
    for t in (0.75, 2.0, 9.0):
        with digits_for(order - 1, kappa, eps):
            a, e, k, tilt = Decimal(order), Decimal(eps), Decimal(kappa), Decimal(t)
            log_s = joint_range._log_s(a, e, tilt)
            bound = joint_range._bound(a, e, k, tilt)
            divergence = joint_range._excess(a, e, k, tilt) + k

        def ratios(t=t):
            return joint_range_oracle.ratios(ball(order), ball(eps).exp(), ball(t))

        assert near(log_s, lambda ratios=ratios: ratios()[1].log())
        assert near(bound, lambda ratios=ratios: joint_range_oracle.dual(ball(order), ball(kappa), *ratios()))
        assert excess(float(bound), lambda: joint_range_oracle.optimum(order, kappa, eps)) > -1e-15
        if log_s >= 0:
            assert divergence == 0
        else:

            def exact(ratios=ratios):
                return joint_range_oracle.divergence(ball(order), *joint_range_oracle.coins(*ratios()))

            assert near(divergence, exact)


def test_where_the_ratio_of_tails_reaches_one_the_coins_are_equal():
    assert joint_range._excess(Decimal(1), Decimal(1), Decimal("0.5"), Decimal("1e-9")) == Decimal("-0.5")
    assert joint_range._excess(Decimal(2), Decimal(1), Decimal("0.5"), Decimal("1e-9")) == Decimal("-0.5")


@pytest.fixture
def evaluations(monkeypatch):
    """The tangents at which the many-digit constraint is evaluated."""
    seen, real = [], joint_range._excess
    monkeypatch.setattr(joint_range, "_excess", lambda a, e, k, t: (seen.append(t), real(a, e, k, t))[1])
    return seen


@pytest.mark.parametrize(("order", "kappa", "eps"), MODERATE)
def test_a_rough_tangent_and_two_secants_suffice(order, kappa, eps, evaluations):
    rough = joint_range._rough_tangent(order, eps, kappa)
    with digits_for(order - 1, kappa, eps):
        a, e, k = Decimal(order), Decimal(eps), Decimal(kappa)
        tangent = joint_range._tangent(a, e, k)
        assert len(evaluations) == 4  # the rough one, a nudged one beside it, and two secants
        assert float(evaluations[0] / evaluations[1]) == pytest.approx(1.000001, rel=1e-12)
        assert rough == pytest.approx(float(tangent), rel=1e-10)
        assert abs(joint_range._excess(a, e, k, tangent)) < k * Decimal("1e-25")


@pytest.mark.parametrize(("order", "kappa", "eps"), MODERATE[:3])
def test_the_slow_search_finds_the_tangent_too(order, kappa, eps, evaluations):
    with digits_for(order - 1, kappa, eps):
        a, e, k = Decimal(order), Decimal(eps), Decimal(kappa)
        tangent = joint_range._searched_tangent(a, e, k)
        assert len(evaluations) < 40
        assert 0 <= joint_range._excess(a, e, k, tangent) < k * Decimal("1e-20")  # enters the bound squared


@pytest.mark.parametrize("start", [None, 1e3, 1e-30, 25.0])
def test_the_slow_search_steps_in_where_secants_fail(start, monkeypatch):
    monkeypatch.setattr(joint_range, "_rough_tangent", lambda *_: start)
    assert 0 <= beyond(2.0, 0.5, 1.0) <= CLOSE


def test_secants_end_where_the_constraint_is_flat(monkeypatch):
    monkeypatch.setattr(joint_range, "_excess", lambda *_: Decimal(1))
    monkeypatch.setattr(joint_range, "_searched_tangent", lambda *_: Decimal(7))
    assert joint_range._tangent(Decimal(2), Decimal(1), Decimal("0.5")) == 7


def test_no_rough_tangent_where_doubles_do_not_carry_it():
    assert joint_range._rough_tangent(0.0, 1.0, 1.0) is None
