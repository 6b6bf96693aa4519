import itertools
import math
import random
from decimal import Decimal
from fractions import Fraction

import pytest
from tests.oracles import polygon_oracle, renyi_oracle
from tests.oracles.sides import excess

from leakbound.numerics.ball import ball
from leakbound.numerics.polygon import (
    events_of_statements,
    hockey_stick_of_events,
    hockey_stick_of_statements,
    hull,
    losses,
    renyi_of_statements,
    statements_of_events,
    trade_off_of_statements,
)
from leakbound.numerics.rounding import TINY, up

RANDOM = random.Random(8)
CLOSE = 4.5e-16
"""Two doubles: what rounding a many-digit number outwards costs."""


def statements(pure: bool) -> tuple[tuple[float, float], ...]:
    lines = [(10 ** RANDOM.uniform(-8, 1.5), 10 ** RANDOM.uniform(-15, 0)) for _ in range(RANDOM.randrange(1, 6))]
    return (*lines, (10 ** RANDOM.uniform(-3, 1.7), 0.0)) if pure else tuple(lines)


def events() -> tuple[tuple[float, float], ...]:
    lines = [(10 ** RANDOM.uniform(-10, 0), 10 ** RANDOM.uniform(-10, 0)) for _ in range(RANDOM.randrange(1, 6))]
    return tuple((p, p * q) for p, q in lines)


CORNERED = ((1.0, 0.1), (2.0, 0.01), (3.0, 0.0))  # each line is a corner of the hull, and so is its mirror image
PURE = [statements(True) for _ in range(25)] + [CORNERED, ((1.0, 0.0),), ((0.0, 0.2), (1.0, 0.0)), ((1e-9, 0.0),)]
MIXED = [statements(False) for _ in range(25)] + [((0.0, 0.3), (1.0, 0.01)), ((0.5, 0.2), (0.5, 0.1))]
EVENTS = [events() for _ in range(30)] + [((0.7, 0.2), (0.1, 0.01)), ((0.3, 0.3), (0.2, 0.0)), ((1.0, 1.0),)]


def test_the_hull_of_one_statement_is_its_corner_and_its_mirror_image():
    (x0, y0), (x1, y1), (x2, y2) = hull(((1.0, 0.25),))
    assert (x0, y0) == (0, 1)
    assert (float(x1), float(y1)) == pytest.approx((math.exp(-1), 1 - 0.75 * math.exp(-1)), rel=1e-15)
    assert (float(x2), float(y2)) == pytest.approx((math.e, 0.25), rel=1e-15)
    assert len(str(x2)) > 70


def test_the_hull_is_convex_falling_and_below_every_statement():
    for lines in [*PURE, *MIXED]:
        corners = [(Fraction(x), Fraction(y)) for x, y in hull(lines)]
        assert corners[0] == (0, 1)
        slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in itertools.pairwise(corners)]
        assert all(one < two for one, two in itertools.pairwise(slopes)), lines
        assert all(slope < 0 for slope in slopes), lines
        assert corners[-1][1] == min([Fraction(1), *(Fraction(d) for _, d in lines)]), lines


def test_what_the_hull_leaves_out():
    assert hull(((1.0, 0.1), (1.0, 0.2))) == hull(((1.0, 0.1),)) == hull(((1.0, 0.2), (1.0, 0.1)))
    assert hull(((1.0, 0.1), (2.0, 0.2))) == hull(((1.0, 0.1),))
    assert hull(((1.0, 1.0),)) == ((Decimal(0), Decimal(1)),)
    assert hull(((1.0, 0.1), (1.001e18, 0.0))) == hull(((1.0, 0.1),))
    assert hull(((1.0, 0.1), (math.inf, 0.0))) == hull(((1.0, 0.1),))
    assert hull(((1e18, 0.0),))[-1][1] == 0
    assert len(hull(CORNERED)) == 7
    assert len(hull(((1.0, 0.0), (0.5, 0.9)))) == 3  # above the hull of the other


def test_hockey_sticks_of_statements():
    for lines in [*PURE, *MIXED]:
        for t in (0.0, *(e for e, _ in lines[:1]), *(10 ** RANDOM.uniform(-8, 1.6) for _ in range(2))):
            found = hockey_stick_of_statements(lines, t)
            beyond = excess(found, lambda lines=lines, t=t: polygon_oracle.hockey_stick(lines, t))
            assert 0 <= beyond <= CLOSE, (lines, t)


def test_the_ends_of_hockey_sticks_of_statements():
    assert hockey_stick_of_statements(((1.0, 0.0),), 1.0) == 0.0
    assert hockey_stick_of_statements(((1.0, 0.0),), math.inf) == 0.0
    assert hockey_stick_of_statements(((1.0, 1.0),), 0.0) == 1.0
    assert hockey_stick_of_statements(((1.0, 0.25),), math.inf) == hockey_stick_of_statements(((1.0, 0.25),), 1e18)
    assert hockey_stick_of_statements(((50.0, 0.0),), 0.0) == 1.0


def test_a_statement_about_infinity_says_nothing_elsewhere():
    assert hockey_stick_of_statements(((math.inf, 0.25),), 3.0) == 1.0
    assert hockey_stick_of_statements(((math.inf, 0.25), (1.0, 0.5)), 3.0) == pytest.approx(0.5, rel=1e-15)


def test_trade_off_curves_of_statements():
    for lines in [*PURE, *MIXED]:
        for level in (0.0, 1.0, RANDOM.random(), *(10 ** RANDOM.uniform(-12, 0) for _ in range(2))):
            found = trade_off_of_statements(lines, level)
            beyond = excess(found, lambda lines=lines, a=level: polygon_oracle.trade_off(lines, a), up=False)
            assert 0 <= beyond <= CLOSE or found == 0, (lines, level)
            assert 0 <= beyond <= 1, (lines, level)


def test_the_ends_of_trade_off_curves_of_statements():
    assert trade_off_of_statements(((1.0, 0.0),), 1.0) == 0.0
    assert 1 - 2e-16 <= trade_off_of_statements(((1.0, 0.0),), 0.0) <= 1.0
    assert trade_off_of_statements(((1.0, 1.0),), 0.3) == 0.0
    assert trade_off_of_statements(((1e18, 0.25),), 0.3) == 0.0
    assert 0.75 - 2e-16 <= trade_off_of_statements(((1e18, 0.25),), 0.0) <= 0.75
    assert trade_off_of_statements(((0.0, 0.0),), 0.25) == pytest.approx(0.75, rel=1e-15)


@pytest.mark.parametrize("log_slope", [1.001e18, 1e300, math.inf])
def test_a_statement_of_any_slope_says_something_at_level_zero(log_slope):
    assert 0.75 - 2e-16 <= trade_off_of_statements(((log_slope, 0.25),), 0.0) <= 0.75
    assert trade_off_of_statements(((log_slope, 0.25),), 1e-300) == 0.0
    assert trade_off_of_statements(((log_slope, 0.25), (1.0, 0.5)), 0.0) == pytest.approx(0.75, rel=1e-15)


def test_renyi_divergences_of_statements():
    for lines in PURE:
        for order in (1.0, 1 + 10 ** RANDOM.uniform(-10, 8), 2.0, math.inf):
            found = renyi_of_statements(lines, order)
            beyond = excess(found, lambda lines=lines, a=order: polygon_oracle.renyi(lines, a))
            assert 0 <= beyond <= CLOSE, (lines, order)


@pytest.mark.parametrize(
    "lines",
    [
        *[((1e-60, 0.0),), ((1e-60, 0.0), (1.0, 0.0)), ((1e-60, 0.0), (0.0, 0.5)), ((1e-60, 1e-130), (1e-59, 0.0))],
        *[((1.2345678901234567e-60, 0.0),), ((1e-60 / 3, 0.0), (1.0, 0.0))],  # not round: no digit may be lost
    ],
)
def test_statements_that_hardly_allow_anything(lines):
    for order in (1.0, 1 + 1e-10, 7.0):
        assert 0 <= excess(renyi_of_statements(lines, order), lambda a=order: polygon_oracle.renyi(lines, a)) <= CLOSE
    assert 0 <= excess(hockey_stick_of_statements(lines, 0.0), lambda: polygon_oracle.hockey_stick(lines, 0.0)) <= CLOSE


@pytest.mark.parametrize("order", [1.0, 1.5, 30.0, 1e17])
def test_one_pure_statement_is_randomised_response(order):
    for log_odds in (1e-10, 0.3, 40.0):
        found = renyi_of_statements(((log_odds, 0.0),), order)
        assert 0 <= excess(found, lambda e=log_odds: renyi_oracle.two_point(order, e)) <= CLOSE


@pytest.mark.parametrize("order", [1.0, 2.0, math.inf])
def test_the_ends_of_renyi_divergences_of_statements(order):
    assert renyi_of_statements(((1.0, 1e-300),), order) == math.inf
    assert renyi_of_statements(((1.0, 1.0),), order) == math.inf
    assert renyi_of_statements(((0.0, 0.0),), order) == 0.0
    assert renyi_of_statements(((0.0, 0.0), (1.0, 0.5)), order) == 0.0
    assert renyi_of_statements(((1.0, 0.5), (2.0, 0.0)), order) <= 2 + 1e-15
    assert renyi_of_statements(((1.0, 0.0), (math.inf, 0.0)), order) == renyi_of_statements(((1.0, 0.0),), order)


def test_losses_are_those_of_the_extreme_pair():
    pairs, rest = losses(((1.0, 0.25),))
    heads, tails = 0.75 / (1 + math.exp(-1)), 0.75 / (1 + math.e)
    assert [loss for loss, _ in pairs] == pytest.approx([-1, 1], rel=1e-15)
    assert [mass for _, mass in pairs] == pytest.approx([tails, heads], rel=1e-14)
    assert rest == 0.25
    assert losses(((1.0, 1.0),)) == ((), 1.0)


def test_losses_carry_all_mass_and_give_the_hockey_stick():
    for lines in [*PURE, *MIXED]:
        pairs, rest = losses(lines)
        assert sum(mass for _, mass in pairs) + rest == pytest.approx(1, abs=1e-12)
        for t in (0.0, 0.5):
            value = rest + sum(mass * -math.expm1(t - loss) for loss, mass in pairs if loss > t)
            assert value == pytest.approx(hockey_stick_of_statements(lines, t), abs=1e-12)


def test_events_and_statements_give_the_same_curve():
    for lines in [*PURE, *MIXED]:
        found = events_of_statements(lines)
        assert all(0 <= p <= 1 and 0 <= q <= 1 for p, q in found)
        for t in (0.0, 10 ** RANDOM.uniform(-8, 1), 10 ** RANDOM.uniform(-3, 1.5)):
            beyond = hockey_stick_of_events(found, t) - hockey_stick_of_statements(lines, t)
            assert -1e-300 <= beyond <= 1e-15 * max(1.0, *(p for p, q in found if q > 0), 0.0), (lines, t)
    assert events_of_statements(((50.0, 0.0),))[0][0] == 1.0
    assert events_of_statements(((1.0, 1.0),)) == ((1.0, 0.0),)
    assert events_of_statements(((0.0, 0.0),)) == ((0.0, 0.0),)


def test_events_lie_just_outside_the_lines_they_round():
    (p, q), last = events_of_statements(((1.0, 0.25),))
    assert 0 <= excess(p, lambda: 1 - 0.75 * ball(-1.0).exp() + line_slope() * ball(-1.0).exp()) <= CLOSE
    assert 0 <= excess(q, line_slope, up=False) <= CLOSE
    assert last == (up(0.25), 0.0) or last == (0.25, 0.0)


def line_slope():
    return (1 - 0.75 * ball(-1.0).exp() - 0.25) / (ball(1.0).exp() - ball(-1.0).exp())


def test_hockey_sticks_of_events():
    for lines in EVENTS:
        for t in (0.0, 10 ** RANDOM.uniform(-8, 0), 10 ** RANDOM.uniform(0, 2)):
            found = hockey_stick_of_events(lines, t)
            beyond = excess(found, lambda lines=lines, t=t: polygon_oracle.hockey_stick_of_events(lines, t))
            assert 0 <= beyond <= CLOSE, (lines, t)
    assert hockey_stick_of_events(((0.2, 0.0), (1.0, 0.5)), 1e3) == hockey_stick_of_events(((0.2, 0.0),), 0.0)
    assert 0.2 <= hockey_stick_of_events(((0.2, 0.0),), math.inf) <= up(0.2)
    assert hockey_stick_of_events(((1.0, 0.0),), 5.0) == hockey_stick_of_events(((1.0, 1e-300),), 5.0) == 1.0


@pytest.mark.parametrize("threshold", [1e5, 1e9, 1e18, math.inf])
def test_far_thresholds_leave_nothing_of_an_event(threshold):
    assert hockey_stick_of_events(((0.7, 0.2),), threshold) == 0.0


def test_statements_of_events_are_the_corners_of_their_curve():
    for lines in EVENTS:
        found = statements_of_events(lines)
        thresholds = [t for t, _ in found]
        assert thresholds[0] == 0.0
        assert all(one < two for one, two in itertools.pairwise(thresholds)), lines
        for t, d in found:
            assert d == hockey_stick_of_events(lines, t)
        for level in (0.0, 1.0, 0.5, 10 ** RANDOM.uniform(-10, 0), 10 ** RANDOM.uniform(-4, 0)):
            exact = polygon_oracle.trade_off_of_events(lines, level)
            found_at = trade_off_of_statements(found, level)
            assert 0 <= excess(found_at, lambda exact=exact: ball(exact), up=False) <= 1e-9, (lines, level)


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (((1.0, 0.25), (0.75, 0.125), (0.5, 0.0)), 2),  # all three cross in one point
        (((0.7, 0.2),), 2),
        (((0.7, 0.2), (0.1, 0.01)), 3),
        (((0.7, 0.2), (0.6, 0.2)), 2),  # one slope, the smaller offset is never above
        (((0.6, 0.2), (0.7, 0.2)), 2),
        (((0.7, 0.2), (0.7, 0.2)), 2),
        (((0.4, 0.2), (0.5, 0.1)), 2),  # crosses below one
        (((0.3, 0.2), (0.2, 0.1)), 2),  # both cross at one
        (((0.8, 0.4), (0.5, 0.2), (0.3, 0.09)), 4),
        (((0.8, 0.4), (0.4, 0.2), (0.35, 0.1)), 3),  # the middle one is never above
        (((0.5, 0.0),), 1),
        (((0.0, 0.0),), 1),
        (((0.2, 0.9),), 1),
        (((1.0, 0.5), (0.25, 0.0)), 2),
    ],
)
def test_only_lines_that_are_somewhere_above_have_corners(lines, count):
    found = statements_of_events(lines)
    assert len(found) == count
    assert found[0] == (0.0, hockey_stick_of_events(lines, 0.0))


def test_corners_are_where_lines_cross():
    (_, first), (t1, d1), (t2, d2) = statements_of_events(((0.7, 0.2), (0.1, 0.01)))
    assert 0.5 <= first <= up(0.5)
    assert math.exp(t1) == pytest.approx(0.6 / 0.19, rel=1e-15)
    assert d1 == pytest.approx(0.7 - 0.2 * 0.6 / 0.19, rel=1e-14)
    assert math.exp(t2) == pytest.approx(10, rel=1e-15)
    assert d2 <= TINY


def test_small_statements_keep_their_digits():
    assert hockey_stick_of_statements(((0.0, 1e-100), (1.0, 0.0)), 0.0) == 1e-100
    offset = 1.4968951671204043e-123  # its mirror image at the same corner has more digits than are kept
    assert offset <= hockey_stick_of_statements(((0.0, offset), (0.3, 0.0)), 0.0) <= up(offset)
    assert hockey_stick_of_statements(((1e-60, 0.0),), 0.0) == pytest.approx(5e-61, rel=1e-12)
    assert renyi_of_statements(((1e-40, 0.0),), 2.0) == pytest.approx(1e-80, rel=1e-12)
    assert renyi_of_statements(((0.0, 1e-100), (1.0, 0.0)), 2.0) == pytest.approx(2.3504023872876e-100, rel=1e-12)


def test_the_largest_flat_event_counts_and_nothing_exceeds_one():
    assert hockey_stick_of_events(((0.1, 0.0), (0.3, 0.0), (0.2, 0.1)), 1.0) == 0.3
    assert hockey_stick_of_events(((1.0, 0.0), (1.0, 1e-300)), 0.0) == 1.0
    assert all(p <= 1 for p, _ in events_of_statements(((40.0, 0.0), (0.5, 0.9999999))))
