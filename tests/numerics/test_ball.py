import math
import sys
from fractions import Fraction

import mpmath
import pytest

from leakbound.errors import MissingExtra, Undecided
from leakbound.numerics.ball import (
    ball,
    coin_divergence,
    crossing,
    enclose,
    ends,
    flint,
    is_positive,
    normal_tail,
    precision,
)

LARGEST = sys.float_info.max
BITS = [128, 256, 512, 1024, 4096, 16384, 65536]


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    with pytest.raises(MissingExtra, match=r"^python-flint is needed .* pip install 'leakbound\[verify\]'\.$") as error:
        flint()
    assert error.value.__cause__ is None


def test_precision_is_restored():
    before = flint().ctx.prec
    with precision(777):
        assert flint().ctx.prec == 777
        with pytest.raises(KeyError), precision(99):
            raise KeyError
        assert flint().ctx.prec == 777
    assert flint().ctx.prec == before


def test_balls_hold_numbers_exactly():
    with precision(128):
        for x in (0.0, 0.1, -5e-324, LARGEST, 3, 10**20):
            assert ball(x).is_exact()
            assert ball(x) == x
        assert ball(math.inf) == flint().arb.pos_inf()
        assert ball(-math.inf) == flint().arb.neg_inf()
        third = ball(Fraction(1, 3))
        assert third.contains(flint().fmpq(1, 3))
        assert 0 < third.rad() < 1e-35
        assert ball(Fraction(3, 4)) == 0.75


def test_ends_are_the_nearest_doubles_outside():
    with precision(128):
        assert ends(ball(0.1)) == (0.1, 0.1)
        assert ends(ball(math.inf)) == (math.inf, math.inf)
        assert ends(ball(-math.inf)) == (-math.inf, -math.inf)
        low, high = ends(ball(Fraction(1, 3)))
        assert Fraction(low) < Fraction(1, 3) < Fraction(high)
        assert high == math.nextafter(low, 1.0)
        assert ends(-ball(Fraction(1, 3))) == (-high, -low)
        assert ends(ball(LARGEST) * 2) == (LARGEST, math.inf)
        assert ends(ball(LARGEST) * -2) == (-math.inf, -LARGEST)
        assert ends(ball(5e-324) / 2) == (0.0, 5e-324)
        assert ends(ball(-5e-324) / 2) == (-5e-324, 0.0)
        assert ends(flint().arb(1.0, 0.5)) == pytest.approx((0.5, 1.5), abs=1e-8)
        assert ends(flint().arb.nan()) == (-math.inf, math.inf)


def recorded(formula):
    """Return the formula, and the list of precisions at which it was evaluated."""
    seen: list[int] = []

    def called():
        seen.append(flint().ctx.prec)
        return formula()

    return called, seen


def test_more_bits_are_taken_until_the_ball_is_narrow():
    formula, seen = recorded(lambda: ball(1.0) + ball(Fraction(1, 10**100)) - 1)
    low, high = enclose(formula)
    assert Fraction(low) <= Fraction(1, 10**100) <= Fraction(high)
    assert high == math.nextafter(low, 1.0)
    assert seen == BITS[:3]


@pytest.mark.parametrize(("relative", "tries"), [(1e-15, 3), (1e-3, 3), (1e-80, 4)])
def test_how_narrow_can_be_chosen(relative, tries):
    formula, seen = recorded(lambda: ball(1.0) + ball(Fraction(1, 10**100)) - 1)
    enclose(formula, relative=relative)
    assert len(seen) == tries


@pytest.mark.parametrize(("absolute", "tries"), [(1e-310, 5), (1e-30, 1), (1e-60, 2)])
def test_what_is_almost_zero_is_narrow_enough(absolute, tries):
    formula, seen = recorded(lambda: ball(2.0).sqrt() ** 2 - 2)
    low, high = enclose(formula, absolute=absolute)
    assert -absolute <= low <= 0 <= high <= absolute
    assert len(seen) == tries


@pytest.mark.parametrize(("middle", "radius"), [(1.0, 1e-15), (0.0, 1e-310)])
def test_how_narrow_is_narrow_enough(middle, radius):
    low, high = enclose(lambda: flint().arb(middle, radius * (1 - 1e-6)))
    assert low < middle < high
    with pytest.raises(Undecided):
        enclose(lambda: flint().arb(middle, radius * (1 + 1e-6)))


def test_exact_values_are_enclosed_at_once():
    for exact in (math.inf, -math.inf, 0.0, 0.5):
        formula, seen = recorded(lambda exact=exact: ball(exact))
        assert enclose(formula) == (exact, exact)
        assert seen == BITS[:1]


@pytest.mark.parametrize("formula", [lambda: flint().arb.nan(), lambda: flint().arb(0.0, math.inf)])
def test_what_cannot_be_enclosed_is_undecided(formula):
    formula, seen = recorded(formula)
    with pytest.raises(Undecided, match=r"could not be enclosed with 65536 bits"):
        enclose(formula)
    assert seen == BITS


def test_signs():
    assert is_positive(lambda: ball(5e-324))
    assert not is_positive(lambda: ball(0.0))
    assert not is_positive(lambda: ball(-5e-324))
    formula, seen = recorded(lambda: 1 - (1 - ball(Fraction(1, 10**100))))
    assert is_positive(formula)
    assert seen == BITS[:3]
    formula, seen = recorded(lambda: 1 - (1 + ball(Fraction(1, 10**300))))
    assert not is_positive(formula)
    assert seen == BITS[:4]
    formula, seen = recorded(lambda: ball(2.0).sqrt() ** 2 - 2)
    with pytest.raises(Undecided, match="sign could not be decided with 65536 bits"):
        is_positive(formula)
    assert seen == BITS


@pytest.mark.parametrize("cut", [1e-200, 0.1, 1.0, 2.5, 1e300])
def test_a_crossing_lies_between_neighbouring_doubles(cut):
    calls: list[float] = []

    def formula(x):
        calls.append(x)
        return ball(x) - ball(cut)

    assert crossing(formula, 0.0, LARGEST) == (cut, math.nextafter(cut, math.inf))
    assert len(calls) <= 66
    low, high = crossing(lambda x: ball(x) ** 3 - ball(2.0), -5.0, 5.0)
    assert Fraction(low) ** 3 < 2 < Fraction(high) ** 3
    assert high == math.nextafter(low, math.inf)


def test_the_ends_of_a_crossing():
    assert crossing(lambda x: ball(x) + 1, 0.0, 1.0) == (0.0, 0.0)
    assert crossing(lambda x: ball(x) - 1, 0.0, 1.0) == (1.0, math.inf)
    assert crossing(lambda x: ball(x) - 2, 0.0, 1.0) == (1.0, math.inf)
    assert crossing(lambda x: ball(x), 0.0, 1.0) == (0.0, 5e-324)


def test_normal_tails():
    for x in (-8.0, -1.5, 0.0, 0.5, 3.0, 37.0):
        low, high = enclose(lambda x=x: normal_tail(ball(x)))
        with mpmath.workdps(50):
            exact = mpmath.erfc(mpmath.mpf(x) / mpmath.sqrt(2)) / 2
            assert low <= exact <= high
        assert high - low <= 2e-16 * high


@pytest.mark.parametrize("x", [1e6, 1e10])
def test_far_normal_tails_keep_their_relative_accuracy(x):
    with precision(256):
        tail = normal_tail(ball(x))
        assert tail > 0
        mills = tail * (ball(x) ** 2 / 2).exp() * (2 * flint().arb.pi()).sqrt() * ball(x)
        assert abs(mills - 1) < 2 / x**2


def test_the_divergence_of_coins():
    for q, p in ((0.1, 0.4), (0.9, 0.5), (1e-20, 0.25), (0.0, 0.75), (1.0, 0.25)):
        low, high = enclose(lambda q=q, p=p: coin_divergence(ball(q), ball(p)))
        with mpmath.workdps(60):
            q_, p_ = mpmath.mpf(q), mpmath.mpf(p)
            parts = [a * mpmath.log(a / b) for a, b in ((q_, p_), (1 - q_, 1 - p_)) if a > 0]
            assert low <= mpmath.fsum(parts) <= high
        assert high - low <= 5e-16 * high
    assert enclose(lambda: coin_divergence(ball(1.0), ball(1.0))) == (0.0, 0.0)
    assert enclose(lambda: coin_divergence(ball(0.0), ball(0.0))) == (0.0, 0.0)
