import math
import random
import sys
from fractions import Fraction

import pytest

from leakbound.numerics import rounding
from leakbound.numerics.rounding import (
    ceiling,
    down,
    exact,
    exact_sum_up,
    floor,
    lowered,
    raised,
    square_root_ceiling,
    up,
)

LARGEST = sys.float_info.max
RANDOM = random.Random(1)
FRACTIONS = [Fraction(RANDOM.getrandbits(200) + 1, RANDOM.getrandbits(300) + 1) for _ in range(100)]
FRACTIONS += [x * Fraction(10) ** RANDOM.randrange(-330, 330) for x in FRACTIONS[:50]]
FRACTIONS += [Fraction(x) for x in (1.0, 0.1, 5e-324, LARGEST, 4.0, 2.0**-1074 * 3)]


def neighbours(x: float) -> tuple[float, float]:
    return math.nextafter(x, -math.inf), math.nextafter(x, math.inf)


@pytest.mark.parametrize("x", [1.0, -1.0, 0.0, 5e-324, 1e308, -2.5])
def test_up_and_down_are_the_neighbours(x):
    assert (down(x), up(x)) == neighbours(x)
    assert down(x) < x < up(x)


def test_the_ends_of_the_doubles():
    assert up(LARGEST) == math.inf
    assert up(math.inf) == math.inf
    assert down(-LARGEST) == -math.inf


@pytest.mark.parametrize("margin", [1e-15, 1e-11, 0.25])
def test_raised_and_lowered_apply_the_whole_margin_and_little_more(margin):
    for x in [1.0, -1.0, 1e-290, -1e-290, 1e300, 0.3, *(RANDOM.lognormvariate(0, 50) for _ in range(50))]:
        exact = Fraction(x) + abs(Fraction(x)) * Fraction(margin)
        assert exact < raised(x, margin) <= up(up(up(float(exact))))
        assert lowered(-x, margin) == -raised(x, margin)


@pytest.mark.parametrize(
    ("x", "text"),
    [(3.0, "3"), (0.1, "0.1"), (1e-5, "1e-05"), (1e22, "1e+22"), (math.inf, "inf"), (0.1 + 0.2, "0.30000000000000004")],
)
def test_the_text_of_a_double_reads_back_as_itself(x, text):
    assert exact(x) == text
    assert float(exact(x)) == x


def test_a_number_near_zero_is_moved_by_the_absolute_margin():
    tiny = rounding.TINY
    assert tiny == 1e-305
    assert raised(0.0, 1e-11) == up(tiny)
    assert lowered(0.0, 1e-11) == -up(tiny)
    for x in (5e-324, 9.99e-291, -9.99e-291):
        assert Fraction(tiny) < Fraction(raised(x, 1e-20)) - Fraction(x)
    for x in (1e-290, 1.0005e-290, 1.5e-290, -1e-290, 1.0):
        assert raised(x, 0.0) == up(x)
        assert lowered(x, 0.0) == down(x)


def test_ceiling_and_floor_are_the_doubles_around_a_fraction():
    for x in FRACTIONS:
        above, below = ceiling(x), floor(x)
        assert down(above) < x <= above or above == math.inf
        assert below <= x < up(below)
        assert (ceiling(-x), floor(-x)) == (-below, -above)
        assert (above == below) == (Fraction(below) == x)


def test_ceiling_and_floor_of_what_no_double_holds():
    huge, least = Fraction(10) ** 400, Fraction(1, 10**400)
    assert (ceiling(huge), floor(huge)) == (math.inf, LARGEST)
    assert (ceiling(-huge), floor(-huge)) == (-LARGEST, -math.inf)
    assert (ceiling(least), floor(least)) == (5e-324, 0.0)
    just_beyond = Fraction(LARGEST) + 1
    assert (ceiling(just_beyond), floor(just_beyond)) == (math.inf, LARGEST)
    assert (ceiling(Fraction(0)), floor(Fraction(0))) == (0.0, 0.0)


def test_square_root_ceiling_is_the_least_double_or_the_one_above():
    for x in [*FRACTIONS, *(y * y for y in FRACTIONS if y < LARGEST), *map(Fraction, range(1, 50))]:
        root = square_root_ceiling(x)
        assert Fraction(root) ** 2 >= x
        assert Fraction(down(root)) ** 2 < x
    assert square_root_ceiling(Fraction(LARGEST) ** 2) >= LARGEST


def test_square_roots_of_squares_are_exact():
    for _ in range(50):
        root = RANDOM.lognormvariate(0, 100)
        assert square_root_ceiling(Fraction(root) ** 2) == root
    assert square_root_ceiling(Fraction(0)) == 0.0
    assert square_root_ceiling(Fraction(1)) == 1.0
    assert square_root_ceiling(Fraction(1, 4)) == 0.5
    assert square_root_ceiling(Fraction(10) ** 700) == math.inf


def test_a_square_root_just_above_a_double_is_rounded_up():
    for root in (1.0, 0.1, 3e150, 1e-160):
        assert square_root_ceiling(Fraction(root) ** 2 * (1 + Fraction(1, 2**400))) == up(root)
        assert square_root_ceiling(Fraction(root) ** 2 * (1 - Fraction(1, 2**400))) == root


@pytest.mark.parametrize("x", [Fraction(-1), Fraction(-1, 10**400)])
def test_a_negative_number_has_no_square_root(x):
    with pytest.raises(ValueError, match=rf"square root of a negative number: {x}$"):
        square_root_ceiling(x)


def test_a_sum_is_rounded_up_once():
    for _ in range(50):
        terms = [(Fraction(RANDOM.randrange(1, 1000)), RANDOM.lognormvariate(0, 5)) for _ in range(10)]
        assert exact_sum_up(terms) == ceiling(sum(n * Fraction(x) for n, x in terms))
    assert exact_sum_up([(Fraction(10), 0.1)]) == up(1.0)
    assert exact_sum_up([(Fraction(1, 4), 2.0), (Fraction(1), 0.5)]) == 1.0
    assert exact_sum_up([]) == 0.0
    assert exact_sum_up([(Fraction(2), LARGEST)]) == math.inf
    assert exact_sum_up(iter([(Fraction(1), 1.0), (Fraction(1), math.inf)])) == math.inf
