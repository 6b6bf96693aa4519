import math
from functools import cache

import numpy as np
import pytest
from tests.oracles import hidden_oracle

from leakbound.numerics.rounding import TINY
from leakbound.synthetic import pair
from leakbound.synthetic.law import Laws
from leakbound.synthetic.pair import MARGIN

CLOSE = 1e-6
"""What a bound may lie beyond the exact value, relatively; MARGIN is a tenth of it."""

ORDERS = (1.0, 1.5, 2.0, 8.0, 32.0)
SMALL = [
    (1, 1, 0.0, 0.02), (1, 1, 0.0, 1.0), (1, 2, 2.0, 5.0), (2, 1, 1.183, 1.0), (3, 5, 0.0, 0.5), (2, 10, 2.238, 1.0),
    (12, 1, 3.167, 1.0), (12, 4, 0.3, 0.02), (5, 3, 15.0, 0.3), (7, 30, 8.0, 2.0), (50, 10, 6.99, 1.0),
    (1, 60, 1.0, 0.1), (40, 41, 3.0, 5.0), (30, 2, 6.0, 0.5),
]  # fmt: skip
LARGE = [(2000, 5000, 50.0, 5.0), (1, 5000, 3.0, 0.02), (300, 200, 50.0, 5.0), (400, 3, 0.0, 2.0), (2, 800, 10.0, 0.5)]

exact = cache(hidden_oracle.Pair)


def laws(features, rows, low, shift):
    return Laws(features, rows, low, low + shift)


def oracle(features, rows, low, shift):
    return exact(features, rows, low, low + shift)


def stands_above(found, target):
    return found == pytest.approx(2 * TINY, rel=1) if target == 0 else target <= found <= target * (1 + CLOSE)


@pytest.mark.parametrize("case", SMALL)
def test_renyi_divergences_are_raised(case):
    for order in ORDERS:
        for found, reverse in zip(pair.renyi(laws(*case), order), (False, True), strict=True):
            assert stands_above(found, float(oracle(*case).renyi(order, reverse=reverse))), (order, reverse)


@pytest.mark.parametrize("case", LARGE)
def test_renyi_divergences_of_many_features_or_rows_are_raised(case):
    for found, reverse in zip(pair.renyi(laws(*case), 2.0), (False, True), strict=True):
        assert stands_above(found, float(oracle(*case).renyi(2.0, reverse=reverse))), reverse


@pytest.mark.parametrize("case", SMALL)
def test_hockey_sticks_are_raised(case):
    for epsilon in (0.0, 0.1, 5.0) if case[2] < 50 else (0.5,):
        found = pair.hockey_stick(laws(*case), epsilon)
        for value, reverse in zip(found, (False, True), strict=True):
            target = float(oracle(*case).hockey_stick(epsilon, reverse=reverse))
            if reverse and target < 1e-9 * found[0]:  # then a bound on it is enough
                assert target <= value <= 2e-9 * found[0] + 3 * TINY
            else:
                assert stands_above(value, target), (epsilon, reverse)


@pytest.mark.parametrize("case", LARGE[3:])
def test_hockey_sticks_of_many_features_or_rows_are_raised(case):
    target = float(oracle(*case).hockey_stick(0.01, reverse=False))
    assert stands_above(pair.hockey_stick(laws(*case), 0.01)[0], target)


@pytest.mark.parametrize("case", [SMALL[1], SMALL[3], SMALL[4], SMALL[6], SMALL[10]])
def test_the_least_epsilon_keeps_its_delta_and_hardly_a_smaller_one_does(case):
    for delta in (1e-9, 1e-3):
        for found, reverse in zip(pair.least_epsilon(laws(*case), delta), (False, True), strict=True):
            if reverse and found > -laws(*case).least_ratio() * (1 - 1e-4):
                assert found <= -laws(*case).least_ratio() * (1 + CLOSE)  # never beyond what no delta needs
                continue
            at, before = (
                float(oracle(*case).hockey_stick(epsilon, reverse=reverse))
                for epsilon in (found, found - CLOSE * (1 + abs(found)))
            )
            assert at <= delta, reverse
            assert before > delta, reverse


@pytest.mark.parametrize("case", [SMALL[0], SMALL[1], SMALL[3], SMALL[4], SMALL[6], SMALL[12]])
def test_the_trade_off_curve_is_lowered(case):
    for level in (1e-6, 0.99) if case[0] < 3 else (0.3,):
        for reverse in (False, True):
            target = float(oracle(*case).trade_off(level, reverse=reverse))
            found = pair.trade_off(laws(*case), level, reverse=reverse)
            assert target * (1 - CLOSE) <= found <= target, (level, reverse)


def test_the_ends_of_the_trade_off_curve():
    assert [pair.trade_off(Laws(3, 2, 0.0, 1.0), level) for level in (0.0, 1.0)] == [1.0, 0.0]
    for level in (1e-200, 1 - 2**-53):  # thresholds beyond the central range
        for reverse in (False, True):
            found = pair.trade_off(Laws(3, 2, 0.0, 1.0), level, reverse=reverse)
            assert 0 <= found <= 1 - level
    assert pair.trade_off(Laws(3, 2, 0.0, 1.0), 1e-200) > 1 - 1e-6


def test_far_apart_epsilons_leave_nothing():
    found = Laws(2, 1, 0.0, 0.5)
    assert pair.hockey_stick(found, math.inf) == (0.0, 0.0)
    forward, backward = pair.hockey_stick(found, 1e4)  # the deepest table ends at e^-650
    assert (forward, backward) == pytest.approx((math.exp(-600), 2 * TINY), rel=1e-6)


def test_what_lies_before_the_table_bounds_a_negligible_direction():
    forward, backward = pair.hockey_stick(Laws(1, 1, 0.0, 1.0), 0.495)
    exact_backward = float(exact(1, 1, 0.0, 1.0).hockey_stick(0.495, reverse=True))
    assert exact_backward <= backward < 2e-9 * forward


def test_a_large_delta_has_a_negative_epsilon():
    for found, reverse in zip(pair.least_epsilon(Laws(2, 1, 0.0, 0.5), 0.9), (False, True), strict=True):
        assert -0.125 <= found < 0 or reverse  # the least log-ratio is -1/8: nothing is searched below it
        assert 0 < float(exact(2, 1, 0.0, 0.5).hockey_stick(found, reverse=reverse)) <= 0.9


def test_steep_orders_claim_nothing():
    assert pair.renyi(Laws(2, 1, 0.0, 1.0), math.inf) == (math.inf, math.inf)
    assert pair.renyi(Laws(2, 1, 0.0, 1.0), 301.0) == (math.inf, math.inf)
    assert max(pair.renyi(Laws(2, 1, 0.0, 1.0), 299.0)) < 150


def test_large_divergences_stay_finite():
    assert max(pair.renyi(Laws(3, 40, 0.0, 9.0), 33.0)) < 33 * 81 / 2
    assert max(pair.renyi(Laws(3, 40, 0.0, 9.0), 33.0)) * 32 > 700


def test_a_table_interpolates_its_columns():
    table = pair.Table(Laws(5, 3, 1.0, 2.0))
    for x in (table.nodes[5], table.nodes[30] + 0.01, table.edges[2], table.edges[-1]):
        y, slope = Laws(5, 3, 1.0, 2.0).from_x(np.array([x]))
        density, ratio = Laws(5, 3, 1.0, 2.0).densities(y)
        assert table.ratio_at(float(x)) == pytest.approx(float(ratio[0]), rel=1e-8, abs=1e-9)
        panel = table._panel(float(x))
        found = table._interpolated(panel, np.array([x]), table.density)
        assert found[0] == pytest.approx(float(density[0] + np.log(slope[0])), rel=1e-8)
    assert table.place(1e9) is None
    assert table.place(-1e9) is None
    assert abs(table.ratio_at(table.place(0.25)) - 0.25) < 1e-8


def test_the_margin_and_the_sum_of_nothing():
    assert MARGIN == 1e-7
    assert pair._log_sum(np.array([-math.inf, -math.inf])) == -math.inf
    assert pair._log_sum(np.log([1e-300, 3e-300])) == pytest.approx(math.log(4e-300), rel=1e-15)
