import itertools
import math

import pytest

from leakbound.errors import Undecided
from leakbound.synthetic import pair
from leakbound.synthetic.cover import ROOM, cover, renyi_tail, stick_tail
from leakbound.synthetic.law import Laws

SETTINGS = [(1, 1, 0.5), (2, 10, 1.0), (50, 3, 2.0)]


@pytest.mark.parametrize(("features", "rows", "shift"), SETTINGS)
@pytest.mark.parametrize("order", [1.0, 1.5, 2.0, 4.0])
def test_the_renyi_tail_bounds_every_pair_beyond(features, rows, shift, order):
    for last, gap in ((8.0, 2.0), (30.0, 4.0), (100.0, 8.0)):
        bound = renyi_tail(last, gap, shift, rows, order)
        for low in (last, 1.1 * last, 3 * last):
            assert max(pair.renyi(Laws(features, rows, low, low + shift), order)) <= bound


@pytest.mark.parametrize(("features", "rows", "shift"), SETTINGS)
@pytest.mark.parametrize("epsilon", [0.0, 0.05, 1.0])
def test_the_stick_tail_bounds_every_pair_beyond(features, rows, shift, epsilon):
    for last, gap in ((8.0, 2.0), (30.0, 4.0), (100.0, 8.0)):
        bound = stick_tail(last, gap, shift, rows, epsilon)
        for low in (last, 1.1 * last, 3 * last):
            assert max(pair.hockey_stick(Laws(features, rows, low, low + shift), epsilon)) <= bound


def test_the_tails_vanish_far_out_and_say_nothing_near():
    assert renyi_tail(1e5, 10.0, 1.0, 10, 2.0) < 1e-8
    assert stick_tail(1e5, 10.0, 1.0, 10, 0.1) < 1e-20
    assert renyi_tail(3.0, 3.0, 1.0, 1, 2.0) == math.inf
    assert stick_tail(3.0, 3.0, 1.0, 1, 1.0) == math.inf
    assert renyi_tail(4.0, 2.0, 4.0, 1, 2.0) == math.inf  # the second order needs order + (1 - order) ratio > 0


def test_every_cell_keeps_the_target_and_so_does_the_tail():
    target = 0.2

    def value(laws):
        return pair.renyi(laws, 2.0)

    def tail(last, gap):
        return renyi_tail(last, gap, 1.0, 1, 2.0)

    found = cover(12, 1, 1.0, None, value, tail, target)
    assert found.edges[0] == 0.0
    assert tail(found.edges[-1], found.gap) <= target
    for left, right in itertools.pairwise(found.edges):
        assert 0 < right - left <= 0.5
        assert max(value(Laws(12, 1, left, right + 1.0))) <= target * (1 - ROOM)


@pytest.mark.parametrize(("bound", "last"), [(0.7, 0.0), (2.5, 1.5)])
def test_a_norm_bound_ends_the_cells_and_needs_no_tail(bound, last):
    seen = []

    def value(laws):
        seen.append(laws.high)
        return 0.0, 0.0

    found = cover(3, 2, 1.0, bound, value, lambda last, gap: math.inf, 0.1)
    assert (found.edges[0], found.edges[-1], found.gap) == (0.0, last, None)
    assert max(seen) == bound


def test_a_target_below_the_truth_is_undecided():
    with pytest.raises(Undecided, match="could not be covered by cells"):
        cover(3, 2, 1.0, 2.0, lambda laws: (0.1, 0.2), lambda last, gap: 0.0, 0.15)
    with pytest.raises(Undecided, match="No tail bound stays below the target"):
        cover(3, 2, 1.0, None, lambda laws: (0.0, 0.0), lambda last, gap: 1.0, 0.5)
