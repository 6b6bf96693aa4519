import math
import random
from fractions import Fraction

import pytest
from tests.oracles import renyi_oracle
from tests.oracles.sides import excess

from leakbound.numerics.divergences import (
    gaussian_renyi,
    laplace_hockey_stick,
    laplace_renyi,
    two_point_hockey_stick,
    two_point_renyi,
)
from leakbound.numerics.rounding import ceiling

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


def test_the_ends_of_the_coin_hockey_stick():
    assert two_point_hockey_stick(0.0, 0.0) == 0.0
    assert two_point_hockey_stick(1.0, 1.0) == two_point_hockey_stick(1.0, 5.0, 3) == 0.0
    assert two_point_hockey_stick(math.inf, 5.0) == two_point_hockey_stick(math.inf, 1e308, 9) == 1.0
    assert two_point_hockey_stick(1e3, 0.0) == 1.0
    assert two_point_hockey_stick(2.0, 0.5) == two_point_hockey_stick(2.0, 0.5, 1)
    assert 0 < two_point_hockey_stick(1.0, math.nextafter(3.0, 0.0), 3) < 1e-15
