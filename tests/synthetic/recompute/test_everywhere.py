"""Bounds over all norms: never below the worst pair, as close as asked, and vacuous where nothing is known."""

import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidCertificate, Undecided
from leakbound.numerics.ball import ball, ends, precision
from leakbound.synthetic import pair
from leakbound.synthetic.cover import renyi_tail, stick_tail
from leakbound.synthetic.law import Laws
from leakbound.synthetic.recompute.everywhere import Everywhere
from leakbound.synthetic.recompute.setting import Setting


def setting(features=3, rows=2, shift=Fraction(1), norm=None):
    return Setting(features, 1, rows, shift, norm)


EDGES = tuple(k / 8 for k in range(9))
BOUNDED = setting(norm=Fraction(2))


@pytest.mark.parametrize("order", [1.0, 1.5, 2.0])
def test_renyi_is_above_every_pair_and_not_above_the_wider_pairs(order):
    bound = Everywhere(BOUNDED, EDGES, None).renyi(order, 0.0)
    every = [max(pair.renyi(Laws(3, 2, a, a + 1), order)) for a in EDGES]
    wider = [max(pair.renyi(Laws(3, 2, a, min(a + 1.125, 2.0)), order)) for a in EDGES]
    assert max(every) * (1 - 1e-6) <= bound <= max(wider) * (1 + 1e-4)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_delta_is_above_every_pair_and_not_above_the_wider_pairs(epsilon):
    bound = Everywhere(BOUNDED, EDGES, None).delta(epsilon, 0.0)
    every = [max(pair.hockey_stick(Laws(3, 2, a, a + 1), epsilon)) for a in EDGES]
    wider = [max(pair.hockey_stick(Laws(3, 2, a, min(a + 1.125, 2.0)), epsilon)) for a in EDGES]
    assert max(every) * (1 - 1e-6) <= bound <= max(wider) * (1 + 1e-4)


def test_what_is_wanted_makes_the_bound_no_closer_than_needed():
    rough, close = (Everywhere(BOUNDED, EDGES, None).renyi(2.0, wanted) for wanted in (1.0, 0.0))
    assert close < rough < close * 1.01


def test_one_norm_is_one_cell():
    bound = Everywhere(setting(norm=Fraction(1)), (0.0,), None).renyi(2.0, 0.0)
    exact = max(pair.renyi(Laws(3, 2, 0.0, 1.0), 2.0))
    assert exact * (1 - 1e-6) <= bound <= exact * (1 + 1e-4)


@pytest.mark.parametrize("order", [1.0, 1.5, 3.0])
def test_the_renyi_tail_is_that_of_the_doubles(order):
    everywhere = Everywhere(setting(), (0.0, 30.0), 4.0)
    with precision(128):
        found = everywhere._beyond_kl() if order == 1 else everywhere._beyond_powers(ball(order))
        values = [ends(v if order == 1 else v.log() / (ball(order) - 1)) for v in found]
    assert max(high for _, high in values) == pytest.approx(renyi_tail(30.0, 4.0, 1.0, 2, order), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 0.02, 1.0])
def test_the_stick_tail_is_that_of_the_doubles(epsilon):
    everywhere = Everywhere(setting(), (0.0, 30.0), 4.0)
    with precision(128):
        found = everywhere._beyond_sticks(ball(epsilon).exp(), ball(epsilon))
    assert max(ends(v)[1] for v in found) == pytest.approx(stick_tail(30.0, 4.0, 1.0, 2, epsilon), rel=1e-10)


def test_a_tail_that_bounds_nothing_is_infinite():
    everywhere = Everywhere(setting(shift=Fraction(4)), (0.0, 2.0, 4.0), 2.0)
    assert everywhere.renyi(2.0, math.inf) == math.inf


@pytest.mark.parametrize("edges", [(1.0, 2.0), (0.0, 2.0, 1.0), (0.0, 0.0), (0.0, math.inf)])
def test_edges_that_leave_out_norms_are_refused(edges):
    with pytest.raises(InvalidCertificate, match="must rise from zero"):
        Everywhere(setting(), edges, 0.5)


@pytest.mark.parametrize(("norm", "gap"), [(None, None), (None, 0.0), (None, 5.0), (Fraction(7), None)])
def test_cells_that_end_early_need_a_tail(norm, gap):
    with pytest.raises(InvalidCertificate, match="end before the largest norm"):
        Everywhere(setting(norm=norm), (0.0, 5.0), gap)


def test_tails_too_far_out_are_undecided():
    with pytest.raises(Undecided, match="too far out"):
        Everywhere(BOUNDED, EDGES, None).renyi(80.0, 1.0)
