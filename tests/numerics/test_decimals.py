import decimal
import math
import random
import sys
from decimal import Decimal
from fractions import Fraction

import pytest

from leakbound.numerics.decimals import digits_for, double_above, double_below, exp_less_one, log_of_one_plus
from leakbound.numerics.rounding import TINY, down, up

LARGEST = sys.float_info.max
RANDOM = random.Random(3)


@pytest.mark.parametrize(
    ("inputs", "digits"),
    [
        ((), 70),
        ((0.0,), 70),
        ((1.0, 5.0, 1e300), 70),
        ((-1e10,), 70),
        ((0.5,), 73),
        ((1e-10,), 100),
        ((-1e-10,), 100),
        ((2e-10,), 100),
        ((1e-10, 0.0, 1e-5), 115),
        ((5e-324,), 70 + 3 * 324),
    ],
)
def test_three_digits_are_added_for_every_leading_zero(inputs, digits):
    before = decimal.getcontext().prec
    with digits_for(*inputs):
        assert decimal.getcontext().prec == digits
        assert decimal.getcontext().Emax == decimal.MAX_EMAX
        assert decimal.getcontext().Emin == decimal.MIN_EMIN
        assert Decimal(1) / Decimal(0) == Decimal("Infinity")
    assert decimal.getcontext().prec == before


def test_the_digits_go_when_an_error_passes():
    before = decimal.getcontext().prec
    with pytest.raises(ZeroDivisionError), digits_for(1e-100):
        1 / 0  # noqa: B018 - for its error
    assert decimal.getcontext().prec == before


@pytest.mark.parametrize("x", [1e-50, 1e-10, 0.5, 3.0])
def test_nothing_cancels(x):
    with digits_for(x, x):
        series = Decimal(x) - Decimal(x) ** 2 / 2 + Decimal(x) ** 3 / 3
        if x < 1e-5:
            assert abs(log_of_one_plus(Decimal(x)) / series - 1) < Decimal(x) ** 3
            assert abs(exp_less_one(log_of_one_plus(Decimal(x))) / Decimal(x) - 1) < Decimal("1e-60")
        assert float(log_of_one_plus(Decimal(x))) == pytest.approx(math.log1p(x), rel=1e-15)
        assert float(exp_less_one(Decimal(x))) == pytest.approx(math.expm1(x), rel=1e-15)


def test_rounding_outwards_by_one_step_at_most():
    with digits_for(1e-100):
        for _ in range(200):
            x = Decimal(RANDOM.uniform(1, 10)) * (1 + Decimal(RANDOM.random()) / 10**17)
            x = x.scaleb(RANDOM.randrange(-306, 306))
            above, below = double_above(x), double_below(x)
            assert Fraction(below) < Fraction(x) < Fraction(above)
            assert up(up(below)) >= above
            assert double_above(-x) == -below
            assert double_below(-x) == -above


def test_a_hair_is_added_for_the_rounding_of_the_last_digit():
    with digits_for(1.0):
        edge = Decimal("1.5")
        assert double_above(edge) == up(1.5)
        assert double_below(edge) == down(1.5)
        assert double_above(edge * (1 - Decimal("0.9e-17"))) == up(1.5)
        assert double_above(edge * (1 - Decimal("1.1e-17"))) == 1.5
        assert double_below(edge * (1 + Decimal("0.9e-17"))) == down(1.5)
        assert double_below(edge * (1 + Decimal("1.1e-17"))) == 1.5


def test_the_ends_of_the_doubles():
    with digits_for():
        assert double_above(Decimal(0)) == double_below(Decimal(0)) == 0.0
        assert double_above(Decimal("9.9e-321")) == double_above(Decimal("-9.9e-321")) == TINY
        assert double_below(Decimal("1e-400000")) == double_below(Decimal("-1e-400000")) == -TINY
        assert 1e-320 <= double_above(Decimal("1e-320")) < 1.1e-320
        assert 1.1e-320 <= double_above(Decimal("1.1e-320")) < 1.2e-320
        assert double_above(Decimal("1e309")) == double_above(Decimal("1.7977e308")) == math.inf
        assert double_below(Decimal("1e309")) == double_below(Decimal("1.7977e308")) == LARGEST
        assert double_above(Decimal("1e400000000000")) == double_above(Decimal("Infinity")) == math.inf
        assert double_below(Decimal("-1e400000000000")) == double_below(Decimal("-Infinity")) == -math.inf


def test_what_lies_far_on_the_other_side_is_rounded_at_once():
    with digits_for():
        assert double_below(Decimal("1e10000000")) == LARGEST
        assert double_above(Decimal("-1e10000000")) == -LARGEST
        assert double_below(Decimal("Infinity")) == LARGEST
        assert double_above(Decimal("-Infinity")) == -LARGEST


def test_not_a_number_gives_the_vacuous_bounds():
    assert double_above(Decimal("NaN")) == math.inf
    assert double_below(Decimal("NaN")) == -math.inf
