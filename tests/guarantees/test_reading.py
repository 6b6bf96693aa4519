import math
from fractions import Fraction

import numpy as np
import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import ApproxDP, PureDP, RenyiDP
from leakbound.guarantees.reading import (
    LARGEST_EPSILON,
    approx_from,
    group_size,
    information,
    listed,
    product,
    renyi_at,
)
from leakbound.numerics.rounding import ceiling, down


def falling(epsilon: float) -> float:
    return 1.5 / (1 + epsilon)


def test_delta_at_an_epsilon_is_at_most_one():
    assert approx_from(falling, epsilon=2, delta=None, neighbouring="label-only") == ApproxDP(
        2.0, 0.5, neighbouring="label-only"
    )
    assert approx_from(falling, epsilon=0, delta=None, neighbouring="label-only").delta == 1.0


def test_epsilon_at_a_delta_is_the_least():
    found = approx_from(falling, epsilon=None, delta=0.3, neighbouring="label-only")
    assert falling(found.epsilon) <= 0.3 < falling(down(found.epsilon))
    assert found.neighbouring == "label-only"
    assert approx_from(lambda e: float(e < 0.5), epsilon=None, delta=0.0, neighbouring="as-stated").epsilon == 0.5


def test_epsilons_are_looked_for_up_to_a_limit():
    assert LARGEST_EPSILON == 1e18
    asked = []
    assert approx_from(lambda e: asked.append(e) or 1.0, epsilon=None, delta=0.5, neighbouring="as-stated").epsilon == (
        math.inf
    )
    assert asked == [1e18]
    at_limit = approx_from(lambda e: float(e < 1e18), epsilon=None, delta=0.5, neighbouring="as-stated")
    assert at_limit.epsilon == 1e18


def test_renyi_at_orders():
    given = PureDP(1.0, neighbouring="label-only")
    found = renyi_at(lambda a: a / 2, [1, 2.5, math.inf], given)
    assert found == RenyiDP((1.0, 2.5, math.inf), (0.5, 1.25, math.inf), neighbouring="label-only")


def test_anything_that_lists_values_is_a_list():
    for values in ([1, 2], (1, 2), range(1, 3), iter([1, 2]), {1: 0, 2: 0}, np.array([1, 2])):
        assert listed("orders", values) == (1, 2)
    for bad in (5, None, True, "12", b"12"):
        with pytest.raises(InvalidInput, match=r"^orders must be a list of numbers, but got orders=.*; give one\.$"):
            listed("orders", bad)


def test_steps_between_values_of_the_secret():
    one, two = PureDP(1.0, neighbouring="replace-one"), PureDP(1.0, neighbouring="add-or-remove-one")
    assert [group_size(one, n, False) for n in (1, 2, 5)] == [1, 2, 5]
    assert [group_size(two, n, False) for n in (1, 2, 5)] == [2, 4, 10]
    assert (group_size(one, 5, True), group_size(two, 5, True)) == (1, 2)
    with pytest.raises(InvalidInput, match=r"^independent must be True or False, but got independent=1\.$"):
        group_size(one, 5, 1)
    with pytest.raises(InvalidInput, match=r"^records must be a whole number of at least 1"):
        group_size(one, 0, False)


def test_information():
    given = PureDP(1.0, neighbouring="label-only")
    assert information(0.1, given, 3, False).nats == 0.1
    assert information(0.1, given, 3, True).nats == ceiling(3 * Fraction(0.1))
    assert information(0.1, given, 1, True).neighbouring == "label-only"
    assert information(0.1, given, 2, True).neighbouring == "label-only"
    assert information(0.1, PureDP(1.0), 2, True).neighbouring == "as-stated"
    assert information(0.1, PureDP(1.0, neighbouring="replace-one"), 2, True).neighbouring == "declared-secret"


def test_products_are_rounded_up():
    assert product(3.0, 0.1) == ceiling(3 * Fraction(0.1))
    assert product(0.0, math.inf) == product(math.inf, 0.0) == 0.0
    assert product(2.0, math.inf) == product(math.inf, 0.5) == math.inf
    assert product(1e300, 1e300) == math.inf
    assert product(2.0, 0.5) == 1.0
