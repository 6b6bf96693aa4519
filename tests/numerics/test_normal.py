import math
import random
import sys
from fractions import Fraction

import pytest
from tests.oracles import gaussian_oracle
from tests.oracles.sides import excess

from leakbound.numerics import normal
from leakbound.numerics.normal import MARGIN, hockey_stick_upper, mirror_shift_upper, trade_off_lower
from leakbound.numerics.rounding import TINY, floor, up

RANDOM = random.Random(5)
LARGEST = sys.float_info.max


def places() -> list[tuple[float, float]]:
    """Shifts over twenty decades, and thresholds at which the curve is neither flat nor gone."""
    found = [(10 ** RANDOM.uniform(-10, 10), RANDOM.uniform(-7, 36)) for _ in range(150)]
    found += [(shift, x) for shift in (0.5, 1.0, 1.0000001, 1.5, 70.0, 1e5) for x in (-0.2, 0.0, 0.2, 8.0, 36.0)]
    found += [(shift, x) for shift in (80.0, 1e5) for x in (-7.5, -3.0)]
    return [(s, max(0.0, s * (s / 2 + x))) for s, x in found]


def test_the_hockey_stick_is_raised_by_its_margin():
    for shift, threshold in places():
        found = hockey_stick_upper(shift, threshold)
        beyond = excess(found, lambda s=shift, t=threshold: gaussian_oracle.hockey_stick(s, t))
        assert abs(beyond - MARGIN) <= MARGIN / 10 or found == 1, (shift, threshold)
        assert beyond >= 0, (shift, threshold)


def test_the_margin_is_the_one_documented():
    assert MARGIN == 1e-11


def test_far_thresholds_leave_almost_nothing():
    assert hockey_stick_upper(1.0, 40.5) == hockey_stick_upper(1.0, 1e300) == up(TINY)
    assert 0 < hockey_stick_upper(1.0, 39.5 + 0.4) <= 2 * TINY
    assert hockey_stick_upper(5e-324, LARGEST) == up(TINY)


def test_far_shifts_leave_everything():
    assert hockey_stick_upper(80.0, 0.0) == hockey_stick_upper(79.0, 0.0) == 1.0
    assert hockey_stick_upper(LARGEST, 1e308) == 1.0
    assert hockey_stick_upper(1e3, 1e3 * (500 - 39)) == hockey_stick_upper(1e3, 1e3 * (500 - 41)) == 1.0
    assert hockey_stick_upper(60.0, 0.0) == 1.0


def test_the_ends_of_the_hockey_stick():
    assert hockey_stick_upper(0.0, 0.0) == 0.0
    assert hockey_stick_upper(0.0, math.inf) == 0.0
    assert hockey_stick_upper(1.0, math.inf) == 0.0
    assert hockey_stick_upper(math.inf, math.inf) == 0.0
    assert hockey_stick_upper(math.inf, 1e308) == 1.0
    assert hockey_stick_upper(5e-324, 0.0) == up(TINY + 5e-324)


def levels() -> list[tuple[float, float]]:
    found = [(10 ** RANDOM.uniform(-18, 1.4), 10 ** RANDOM.uniform(-20, 0)) for _ in range(100)]
    found += [(10 ** RANDOM.uniform(-18, 1.4), 1 - 10 ** RANDOM.uniform(-15, 0)) for _ in range(50)]
    return [*found, (1.0, 0.5), (35.0, 5e-324), (1e-18, 1e-300), (5e-324, 0.5)]


def test_the_trade_off_curve_is_lowered_by_its_margin():
    for shift, level in levels():
        found = trade_off_lower(shift, level)
        beyond = excess(found, lambda s=shift, a=level: gaussian_oracle.trade_off(s, a), up=False)
        assert abs(beyond - MARGIN) <= MARGIN / 10 or found < 1e-290, (shift, level)
        assert beyond >= 0, (shift, level)


def test_the_ends_of_the_trade_off_curve():
    assert [trade_off_lower(shift, 0.0) for shift in (0.0, 1.0, math.inf)] == [1.0] * 3
    assert [trade_off_lower(shift, 1.0) for shift in (0.0, 1.0, math.inf)] == [0.0] * 3
    assert trade_off_lower(math.inf, 5e-324) == 0.0
    assert trade_off_lower(50.0, 0.5) == trade_off_lower(1e300, 0.5) == 0.0


def test_without_a_shift_the_errors_add_up_to_one():
    levels = [0.1, 0.25, 0.3, 0.7, 5e-324, 1e-20, 1 - 2**-53, *(RANDOM.random() for _ in range(50))]
    assert [trade_off_lower(0.0, level) for level in levels] == [floor(1 - Fraction(level)) for level in levels]


def test_the_mirror_shift_is_raised_by_its_margin():
    for log_odds in [*(10 ** RANDOM.uniform(-280, 9) for _ in range(60)), 0.9, 1.0, 1.0000001, 1.002, 1.9]:
        beyond = excess(mirror_shift_upper(log_odds), lambda e=log_odds: gaussian_oracle.mirror_shift(e))
        assert abs(beyond - MARGIN) <= MARGIN / 10, log_odds


def test_the_ends_of_the_mirror_shift():
    assert mirror_shift_upper(0.0) == 0.0
    assert mirror_shift_upper(math.inf) == math.inf
    assert mirror_shift_upper(LARGEST) == pytest.approx(2 * math.sqrt(2) * math.sqrt(LARGEST), rel=1e-10)
    assert TINY < mirror_shift_upper(5e-324) < 1.01 * TINY


def test_the_ratio_of_mills():
    assert float(normal._mills(0.0)) == pytest.approx(math.sqrt(math.pi / 2), rel=1e-15)
    assert float(normal._mills(1e10)) == pytest.approx(1e-10, rel=1e-15)
