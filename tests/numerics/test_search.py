import math
import random
import sys

import pytest

from leakbound.numerics.search import double_at, largest_count, largest_true, minimise, position, root, smallest_true

LARGEST = sys.float_info.max
RANDOM = random.Random(2)
DOUBLES = [RANDOM.choice((-1, 1)) * 10 ** RANDOM.uniform(-320, 308) for _ in range(50)]


def counted(function):
    """Return the function, and the list of arguments it was called with."""
    calls: list = []

    def called(x):
        calls.append(x)
        return function(x)

    return called, calls


@pytest.mark.parametrize("x", [0.0, 5e-324, -5e-324, 1.0, -1.0, LARGEST, -LARGEST, *DOUBLES[:10]])
def test_neighbouring_doubles_have_neighbouring_ranks(x):
    assert position(math.nextafter(x, math.inf)) == position(x) + 1
    assert position(math.nextafter(x, -math.inf)) == position(x) - 1
    assert double_at(position(x)) == x


def test_both_zeros_have_rank_zero():
    assert position(0.0) == position(-0.0) == 0
    assert math.copysign(1, double_at(0)) == 1
    assert (double_at(1), double_at(-1)) == (5e-324, -5e-324)
    assert position(math.inf) == position(LARGEST) + 1


@pytest.mark.parametrize("cut", [5e-324, 1e-200, 0.1, 1.0, 1e300, LARGEST])
def test_a_threshold_is_found_to_the_double_in_64_steps(cut):
    for low, high in ((0.0, LARGEST), (-LARGEST, LARGEST)):
        holds, calls = counted(lambda x: x >= cut)
        assert smallest_true(holds, low, high) == cut
        assert len(calls) <= 66
        holds, calls = counted(lambda x: x <= cut)
        assert largest_true(holds, low, high) == cut
        assert len(calls) <= 66


def test_thresholds_of_either_sign():
    for cut in DOUBLES:
        assert smallest_true(lambda x, cut=cut: x >= cut, -LARGEST, LARGEST) == cut
        assert smallest_true(lambda x, cut=cut: x > cut, -LARGEST, LARGEST) == math.nextafter(cut, math.inf)
        assert largest_true(lambda x, cut=cut: x <= cut, -LARGEST, LARGEST) == cut
        assert largest_true(lambda x, cut=cut: x < cut, -LARGEST, LARGEST) == math.nextafter(cut, -math.inf)


def test_the_ends_of_a_search():
    assert smallest_true(lambda _: True, 1.0, 2.0) == 1.0
    assert smallest_true(lambda _: False, 1.0, 2.0) == math.inf
    assert smallest_true(lambda x: x >= 2, 1.0, 2.0) == 2.0
    assert largest_true(lambda _: True, 1.0, 2.0) == 2.0
    assert largest_true(lambda _: False, 1.0, 2.0) == -math.inf
    assert largest_true(lambda x: x <= 1, 1.0, 2.0) == 1.0


def test_a_search_asks_only_inside_its_interval_and_returns_what_held():
    for search in (smallest_true, largest_true):
        noisy, calls = counted(lambda x: RANDOM.random() < 0.5 or x in (1.0, 3.0))
        found = search(noisy, 1.0, 3.0)
        assert found in calls
        assert all(1.0 <= x <= 3.0 for x in calls)


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 4, 7, 8, 9, 30])
def test_counts_of_every_size(limit):
    for most in range(limit + 3):
        holds, calls = counted(lambda n, most=most: n <= most)
        assert largest_count(holds, limit) == min(most, limit)
        assert all(1 <= n <= limit for n in calls)


@pytest.mark.parametrize("most", [0, 1, 2, 10**6 - 1, 10**6, 123_456_789, 10**12])
def test_a_count_takes_few_steps(most):
    holds, calls = counted(lambda n: n <= most)
    assert largest_count(holds, 10**12) == most
    assert len(calls) <= 2 * math.log2(most + 1) + 3
    assert len(set(calls)) == len(calls)


def test_counts_double_until_one_fails_and_then_halve():
    holds, calls = counted(lambda n: n <= 10)
    assert largest_count(holds, 1000) == 10
    assert calls == [1, 2, 4, 8, 16, 12, 10, 11]


def test_a_negative_limit_counts_nothing():
    assert largest_count(lambda _: True, -1) == 0


@pytest.mark.parametrize("place", [1e-9, 3e-4, 1.0, 7.5, 2e8])
def test_a_minimum_is_found_to_the_tolerance(place):
    function, calls = counted(lambda x: math.log(x / place) ** 2 + 1)
    x, value = minimise(function, 1e-10, 1e9)
    assert x == pytest.approx(place, rel=2e-8)  # beyond this the function is flat in doubles
    assert 1 <= value == function(x) < 1 + 1e-15
    # 48 of a grid; then a bracket of two steps shrinks by the golden ratio to 1e-9
    assert len(calls) == 48 + 2 + math.ceil(math.log(2 * math.log(1e19) / 47 / 1e-9) / math.log(1.618033988749895)) + 1


def test_a_coarse_search_evaluates_its_grid_and_the_golden_points_between():
    function, calls = counted(lambda x: abs(math.log(x) - 0.4))
    minimise(function, math.exp(-2), math.exp(2), points=5, tolerance=0.5)
    ratio = (math.sqrt(5) - 1) / 2
    left, right, inner, outer = -1.0, 1.0, 1 - 2 * ratio, -1 + 2 * ratio
    expected = [-2.0, -1.0, 0.0, 1.0, 2.0, inner, outer]
    while right - left > 0.5:
        if abs(inner - 0.4) <= abs(outer - 0.4):
            right, outer = outer, inner
            inner = right - ratio * (right - left)
            expected.append(inner)
        else:
            left, inner = inner, outer
            outer = left + ratio * (right - left)
            expected.append(outer)
    assert [math.log(x) for x in calls] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("slope", "place"), [(1, 0.5), (-1, 8.0)])
def test_a_minimum_at_an_end(slope, place):
    function, calls = counted(lambda x: slope * x)
    x, value = minimise(function, 0.5, 8.0, points=4)
    assert x == pytest.approx(place, rel=1e-8)
    assert value == slope * x
    assert 0.5 * (1 - 1e-15) <= min(calls) <= max(calls) <= 8.0 * (1 + 1e-15)


def test_the_least_value_seen_is_returned_even_when_the_search_misses_it():
    spikes = iter([5.0, 3.0, 1.0, 4.0, 6.0])
    x, value = minimise(lambda _: next(spikes, 2.0), math.exp(-2), math.exp(2), points=5)
    assert (round(x, 12), value) == (1.0, 1.0)
    spikes = iter([5.0, 3.0, 1.0, 4.0, 6.0, 0.5, 0.75])
    assert minimise(lambda _: next(spikes, 2.0), math.exp(-2), math.exp(2), points=5)[1] == 0.5
    spikes = iter([5.0, 3.0, 1.0, 4.0, 6.0, 0.75, 0.5])
    assert minimise(lambda _: next(spikes, 2.0), math.exp(-2), math.exp(2), points=5)[1] == 0.5


def test_nan_counts_as_infinity():
    x, value = minimise(lambda x: math.nan if x < 1 else x, 0.01, 100.0)
    assert 1 <= value == x < 1 + 1e-8
    assert minimise(lambda _: math.nan, 1.0, 2.0)[1] == math.inf


def test_equal_values_shrink_to_the_left():
    function, calls = counted(lambda _: 0.0)
    assert minimise(function, 1.0, math.exp(2), points=3, tolerance=0.5) == (1.0, 0.0)
    golden = [0.618033988749895**power for power in (2, 1, 3, 4)]
    assert [math.log(x) for x in calls] == pytest.approx([0, 1, 2, *golden], abs=1e-9)


@pytest.mark.parametrize(
    ("low", "high", "points"),
    [(0.0, 1.0, 48), (-1.0, 1.0, 48), (1.0, 1.0, 48), (2.0, 1.0, 48), (1.0, math.inf, 48), (1.0, 2.0, 2)],
)
def test_a_search_without_an_interval_is_refused(low, high, points):
    with pytest.raises(ValueError, match=rf"^need 0 < low < high .* three points: {low}, {high}, {points}$"):
        minimise(lambda x: x, low, high, points=points)
    with pytest.raises(ValueError, match="need 0 < low"):
        minimise(lambda x: x, math.nan, 1.0)


def test_the_least_grid_has_three_points():
    function, calls = counted(lambda _: 0.0)
    minimise(function, 0.5, 2.0, points=3, tolerance=10.0)
    assert calls[:3] == pytest.approx([0.5, 1.0, 2.0])
    assert len(calls) == 5


@pytest.mark.parametrize(
    "function",
    [
        lambda x: 2 - x * x,
        lambda x: math.exp(-x) - 0.3,
        lambda x: 1e-300 * (0.7 - x),
        lambda x: 1e300 * (0.7 - x) ** 3,
        lambda x: math.nan if x < 1.25 else -1.0,
        lambda x: math.inf if x < 1.25 else -math.inf,
        lambda x: 1.0 if x < 0.1 else 0.0,
    ],
)
def test_a_root_lies_on_the_side_that_is_not_positive(function):
    for tolerance in (1e-10, 1e-3):
        called, calls = counted(function)
        found = root(called, 0.0, 2.0, tolerance=tolerance)
        assert found in calls
        assert function(found) <= 0
        assert not function(found - 2 * tolerance * (1 + found)) <= 0
        assert len(calls) <= 150
        mirrored = root(lambda x: function(2.0 - x), 2.0, 0.0, tolerance=tolerance)
        assert function(2.0 - mirrored) <= 0
        assert not function(2.0 - mirrored - 2 * tolerance * (1 + mirrored)) <= 0


def test_a_smooth_root_takes_few_steps():
    called, calls = counted(lambda x: 2 - x * x)
    assert root(called, 0.0, 2.0) == pytest.approx(math.sqrt(2), rel=1e-9)
    assert len(calls) <= 16
    assert root(lambda x: -x, 1e-300, 0.0) == 0.0
