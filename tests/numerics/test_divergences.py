import itertools
import math
import random
from fractions import Fraction

import pytest
from tests.oracles import renyi_oracle
from tests.oracles.sides import excess

from leakbound.numerics.ball import ball
from leakbound.numerics.divergences import (
    finite_renyi,
    gaussian_renyi,
    laplace_hockey_stick,
    laplace_renyi,
    two_point_hockey_stick,
    two_point_renyi,
)
from leakbound.numerics.rounding import TINY, ceiling

RANDOM = random.Random(6)
CLOSE = 4.5e-16
"""Two doubles: what rounding a many-digit number outwards costs."""

PLACES = [(1 + 10 ** RANDOM.uniform(-10, 10), 10 ** RANDOM.uniform(-18, 2)) for _ in range(60)]
PLACES += [(a, e) for a in (1.0, 1 + 2**-52, 1.5, 2.0, 1e6) for e in (1e-100, 1e-10, 0.5, 30.0)]


def test_renyi_divergences_of_named_pairs():
    for a, e in PLACES:
        assert 0 <= excess(laplace_renyi(a, e), lambda a=a, e=e: renyi_oracle.laplace(a, e)) <= CLOSE, (a, e)
        assert 0 <= excess(two_point_renyi(a, e), lambda a=a, e=e: renyi_oracle.two_point(a, e)) <= CLOSE, (a, e)
        assert gaussian_renyi(a, e) == ceiling(Fraction(a) * Fraction(e) ** 2 / 2), (a, e)


@pytest.mark.parametrize("function", [laplace_renyi, two_point_renyi])
def test_the_ends_of_bounded_pairs(function):
    for order in (1.0, 2.0, math.inf):
        assert function(order, 0.0) == 0.0
        assert function(order, math.inf) == math.inf
    assert function(math.inf, 0.3) == 0.3
    assert function(1e300, 0.3) <= 0.3 + 1e-16


def test_the_ends_of_the_gaussian_pair():
    assert gaussian_renyi(math.inf, 0.0) == 0.0
    assert gaussian_renyi(math.inf, 1e-9) == math.inf
    assert gaussian_renyi(1.0, math.inf) == math.inf
    assert gaussian_renyi(3.0, 2.0) == 6.0
    assert gaussian_renyi(1e300, 1e200) == math.inf
    assert gaussian_renyi(1.0, 1e-200) == 5e-324


def test_the_hockey_stick_of_two_laplace_laws():
    for shift in (10 ** RANDOM.uniform(-18, 2) for _ in range(40)):
        threshold = shift * RANDOM.random()
        found = laplace_hockey_stick(shift, threshold)
        beyond = excess(found, lambda s=shift, t=threshold: renyi_oracle.laplace_hockey_stick(s, t))
        assert 0 <= beyond <= CLOSE, (shift, threshold)


def test_the_ends_of_the_laplace_hockey_stick():
    assert laplace_hockey_stick(1.0, 1.0) == laplace_hockey_stick(1.0, 2.0) == laplace_hockey_stick(0.0, 0.0) == 0.0
    assert laplace_hockey_stick(math.inf, math.inf) == 0.0
    assert laplace_hockey_stick(math.inf, 1e308) == 1.0
    assert laplace_hockey_stick(1e4, 0.0) == 1.0
    assert 0 < laplace_hockey_stick(1.0, math.nextafter(1.0, 0.0)) < 1e-16


def test_the_hockey_stick_of_many_coins_is_a_sum_over_sequences():
    for k in (1, 2, 3, 4, 5, 6) * 4:
        e = 10 ** RANDOM.uniform(-10, 1)
        t = e * k * RANDOM.random()
        found = two_point_hockey_stick(e, t, k)
        exact = excess(found, lambda e=e, t=t, k=k: renyi_oracle.two_point_hockey_stick(e, t, k))
        assert 0 <= exact <= CLOSE, (e, t, k)


def test_the_hockey_stick_of_many_coins_at_their_losses():
    for e, k in itertools.product((0.1, 3.0, 1e-9), (1, 2, 5)):
        for upto in range(k // 2 + 1):
            found = two_point_hockey_stick(e, 123.0, k, upto)

            def exact(e=e, k=k, upto=upto):
                return renyi_oracle.two_point_hockey_stick(e, (k - 2 * upto) * ball(e), k)

            assert 0 <= excess(found, exact) <= CLOSE, (e, k, upto)


def test_the_ends_of_the_coin_hockey_stick():
    assert two_point_hockey_stick(0.0, 0.0) == 0.0
    assert two_point_hockey_stick(1.0, 1.0) == two_point_hockey_stick(1.0, 5.0, 3) == 0.0
    assert two_point_hockey_stick(math.inf, 5.0) == two_point_hockey_stick(math.inf, 1e308, 9) == 1.0
    assert two_point_hockey_stick(1e3, 0.0) == 1.0
    assert two_point_hockey_stick(2.0, 0.5) == two_point_hockey_stick(2.0, 0.5, 1)
    assert 0 < two_point_hockey_stick(1.0, math.nextafter(3.0, 0.0), 3) < 1e-15


def laws(size: int) -> tuple[list[Fraction], list[Fraction]]:
    """Two random laws on the same points, their masses over many decades."""
    both = []
    for _ in range(2):
        weights = [Fraction(10 ** RANDOM.uniform(-6, 0)) for _ in range(size)]
        both.append([w / sum(weights) for w in weights])
    return both[0], both[1]


def beyond(order: float, first: list[Fraction], second: list[Fraction]) -> float:
    return excess(finite_renyi(order, first, second), lambda: renyi_oracle.finite(order, first, second))


def test_renyi_divergences_of_finite_laws():
    for order, size in itertools.product((1.0, 1 + 1e-10, 1.5, 2.0, 17.0, 1e8, math.inf), (2, 3, 7)):
        assert 0 <= beyond(order, *laws(size)) <= CLOSE, (order, size)


def test_renyi_divergences_of_laws_that_hardly_differ():
    for order, gap in itertools.product((1.0, 1.25, 2.0, 100.0, math.inf), (Fraction(1, 10**9), Fraction(1, 10**40))):
        first, second = [Fraction(1, 3) + gap, Fraction(2, 3) - gap], [Fraction(1, 3), Fraction(2, 3)]
        assert 0 <= beyond(order, first, second) <= CLOSE, (order, gap)


@pytest.mark.parametrize("order", [1.0, 2.0, math.inf])
def test_the_ends_of_finite_laws(order):
    half = Fraction(1, 2)
    assert finite_renyi(order, [half, half], [half, half]) <= TINY
    assert finite_renyi(order, [half, half], [Fraction(1), Fraction(0)]) == math.inf
    assert finite_renyi(order, [Fraction(1), Fraction(0)], [half, half]) == pytest.approx(math.log(2), rel=1e-15)
    assert finite_renyi(order, [half, half, Fraction(0)], [half, half, Fraction(0)]) <= TINY
    assert finite_renyi(order, [Fraction(1)], [Fraction(2)]) == 0.0  # masses are bounds; never below zero
    with pytest.raises(ValueError, match="zip"):
        finite_renyi(order, [half], [half, half])


def test_masses_far_apart():
    tiny = Fraction(1, 10**400)
    for order in (1.0, 2.0, 30.0, math.inf):
        assert 0 <= beyond(order, [1 - tiny, tiny], [tiny, 1 - tiny]) <= CLOSE, order
