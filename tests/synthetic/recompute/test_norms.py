"""Enclosures for pairs of norms against quadrature over independent densities."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from leakbound.errors import Undecided
from leakbound.numerics.ball import ball, ends, precision
from leakbound.synthetic.recompute import cells
from leakbound.synthetic.recompute.norms import Norms
from leakbound.synthetic.recompute.setting import Setting


def setting(features=3, rows=2, shift=Fraction(1), norm=None):
    return Setting(features, 1, rows, shift, norm)


def densities(features, rows, low, high):
    """Return y = log u on a grid with both densities of log U."""
    t = np.linspace(-30, math.log(features + high**2) + 5, 1500)
    y = np.linspace(-30, 12, 1200)
    given = stats.chi2.pdf(np.exp(y[:, None] - t), rows) * np.exp(y[:, None] - t)
    found = []
    for norm in (low, high):
        law = stats.ncx2(features, norm**2) if norm else stats.chi2(features)
        found.append(integrate.trapezoid(given * (law.pdf(np.exp(t)) * np.exp(t)), t, axis=1))
    return y, *found


def bounded(at):
    """Return a setting in which a norm bound leaves the pair (0, 1) only."""
    return setting(**at, norm=Fraction(1))


CASES = [{"features": 3, "rows": 2}, {"features": 1, "rows": 1}, {"features": 8, "rows": 5}]


@pytest.mark.parametrize("at", CASES)
@pytest.mark.parametrize("order", [1.0, 1.5, 2.0])
def test_renyi_of_the_one_pair_that_a_norm_bound_leaves(at, order):
    y, p, q = densities(at["features"], at["rows"], 0.0, 1.0)
    found = []
    for one, other in ((q, p), (p, q)):
        keep = (one > 1e-200) & (other > 1e-200)
        ratio = np.where(keep, np.log(np.where(keep, one, 1)) - np.log(np.where(keep, other, 1)), 0.0)
        if order == 1:
            found.append(integrate.trapezoid(one * ratio, y))
        else:
            found.append(math.log(integrate.trapezoid(one * np.exp((order - 1) * ratio), y)) / (order - 1))
    low, high = Norms(bounded(at)).renyi(order, 0.0)
    assert low * (1 - 2e-3) <= max(found) <= high * (1 + 2e-3)
    assert low <= high <= low * (1 + 1e-3)


@pytest.mark.parametrize("at", CASES)
@pytest.mark.parametrize("epsilon", [0.0, 0.2, 1.0])
def test_delta_of_the_one_pair_that_a_norm_bound_leaves(at, epsilon):
    y, p, q = densities(at["features"], at["rows"], 0.0, 1.0)
    exact = max(integrate.trapezoid(np.maximum(a - math.exp(epsilon) * b, 0), y) for a, b in ((p, q), (q, p)))
    low, high = Norms(bounded(at)).delta(epsilon, 0.0)
    assert exact == pytest.approx(low, rel=2e-3)
    assert low <= high <= low * (1 + 1e-5)


@pytest.mark.parametrize("at", CASES)
@pytest.mark.parametrize("delta", [1e-6, 0.01])
def test_epsilon_is_where_delta_is_met(at, delta):
    found = Norms(bounded(at))
    low, high = found.epsilon(delta, 0.0)
    assert 0 < low <= high <= low * (1 + 1e-6)
    assert found.delta(low * (1 - 1e-6), 0.0)[0] > delta > found.delta(high * (1 + 1e-6), 0.0)[1]


def test_a_delta_that_no_pair_exceeds_needs_no_epsilon():
    assert Norms(setting()).epsilon(0.9, 1.0) == (0.0, 0.0)


def test_the_likelihood_ratio_may_never_fall_as_low_as_asked():
    """Reversed, at an epsilon beyond (high^2 - low^2)/2, nothing is left: the larger norm first decides."""
    assert 0 < Norms(bounded(CASES[0])).delta(2.0, 0.0)[1] < 0.01


def test_any_norm_as_evidence_gives_nearly_the_largest():
    found = Norms(setting(2, 1))
    values = [found.renyi(2.0, norm)[0] for norm in (1.183, 0.0, 5.0)]
    assert values[0] == pytest.approx(0.2124008366, rel=2e-4)
    assert all(value == pytest.approx(values[0], rel=1e-2) for value in values)


@pytest.mark.parametrize(("order", "norm"), [(100.0, 1.0), (1e300, 1.0)])
def test_tails_too_far_out_are_undecided(order, norm):
    with pytest.raises(Undecided, match="too far out"):
        Norms(setting()).renyi(order, norm)


def test_a_cell_with_too_little_mass_is_enclosed_by_the_ends():
    cell = cells.cell(cells.kullback_leibler()[1], ball(0.0), ball(0.0), ball(2.0), ball(5.0))
    assert cell[0] == 0
    with precision(64):
        tiny = ball(0.0).union(ball(1e-30))
        for convex, exact in zip(cells.kullback_leibler(), (5 * math.log(5), -math.log(5)), strict=True):
            low, high = cells.cell(convex, tiny, tiny, ball(2.0), ball(5.0))
            assert ends(low)[0] <= 1e-30 * exact <= ends(high)[1]
            assert ends(high)[1] < 1e-29 * 2


def test_cells_enclose_their_part():
    for convex in (*cells.kullback_leibler(), *cells.powers(ball(2.5))):
        low, high = cells.cell(convex, ball(0.5), ball(0.6), ball(0.9), ball(1.7))
        # half of the mass at 0.9 and half at 1.5 has the mean 1.2
        inside = (convex.value(ball(0.9)) + convex.value(ball(1.5))) / 4
        assert low < inside < high
