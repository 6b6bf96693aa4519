import math

import numpy as np
import pytest

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.synthetic.slopes import gaussian_slope, renyi_of_slope, scale_slope


@pytest.mark.parametrize("mu", [0.01, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("order", [1.01, 1.5, 2.0, 8.0])
def test_two_normals_a_shift_apart(mu, order):
    assert renyi_of_slope(gaussian_slope(mu), order) == pytest.approx(order * mu * mu / 2, rel=1e-9)


@pytest.mark.parametrize("ratio", [1.01, 1.5, 2.0, 30.0])
@pytest.mark.parametrize("order", [1.1, 2.0, 16.0])
def test_two_normals_of_different_scale(ratio, order):
    """D_a(N(0, 1) | N(0, r^2)) = log r + log(r^2 / (a r^2 + 1 - a)) / (2 (a - 1)); Gil, Alajaji and Linder 2013."""
    exact = math.log(ratio) + math.log(ratio**2 / (order * ratio**2 + 1 - order)) / (2 * (order - 1))
    assert renyi_of_slope(scale_slope(ratio), order) == pytest.approx(exact, rel=1e-9)


def test_the_scale_slope_is_the_derivative_of_the_curve_of_proposition_4_1():
    from scipy.stats import norm

    level, step, ratio = np.array([0.03, 0.4, 0.9]), 1e-6, 1.7

    def curve(t):
        return 2 * norm.cdf(norm.isf(t / 2) / ratio) - 1

    slope = (curve(level - step) - curve(level + step)) / (2 * step)
    assert np.exp(scale_slope(ratio)(level, 1 - level)) == pytest.approx(slope, rel=1e-6)


def test_simulation_as_in_the_paper_agrees():
    level = np.random.default_rng(3).random(1_000_000)
    simulated = math.log(np.mean(np.exp(-gaussian_slope(0.5)(level, 1 - level))))
    assert renyi_of_slope(gaussian_slope(0.5), 2.0) == pytest.approx(simulated, abs=5e-3)


def test_mass_at_levels_beyond_doubles_is_infinity():
    assert renyi_of_slope(gaussian_slope(4.0), 16.0) == math.inf


def test_a_curve_that_reaches_zero_early_has_no_finite_divergence():
    assert renyi_of_slope(lambda t, rest: np.log(rest) * 3, 2.0) == math.inf


def test_a_rough_slope_is_refused():
    rough = np.random.default_rng(5)
    with pytest.raises(NoTheorem, match="does not settle"):
        renyi_of_slope(lambda t, rest: rough.normal(size=t.shape), 2.0)


@pytest.mark.parametrize("order", [1.0, 0.5, -2.0, math.nan, math.inf, True, "2"])
def test_orders_of_at_most_one_are_refused(order):
    with pytest.raises(InvalidInput, match="order must be a number greater than 1"):
        renyi_of_slope(gaussian_slope(1.0), order)
