"""Proposition 4.1 and the divergence behind it, with the printed ratio of variances and the swapped arguments."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from leakbound.errors import InvalidInput
from leakbound.synthetic.paper import scale_renyi, scale_tradeoff
from leakbound.synthetic.slopes import renyi_of_slope, scale_slope

LEVELS = (1e-9, 0.01, 0.3, 0.5, 0.9, 1 - 1e-6)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("first", "second"), [(1.0, 2.0), (2.0, 1.0), (0.3, 0.31), (5.0, 5.0)])
def test_it_is_the_error_of_the_best_test(level, first, second):
    """Neyman and Pearson: the best test rejects far from zero if the second scale is larger, near zero if smaller."""
    if first <= second:
        threshold = norm.isf(level / 2, scale=first)
        error = 1 - 2 * norm.sf(threshold, scale=second)
    else:
        threshold = norm.ppf((1 + level) / 2, scale=first)
        error = 2 * norm.sf(threshold, scale=second)
    assert scale_tradeoff(level, first, second) == pytest.approx(error, rel=1e-7, abs=1e-15)


def test_ends_and_the_inverse_curve():
    assert [scale_tradeoff(level, 1.0, 3.0) for level in (0.0, 1.0)] == [1.0, 0.0]
    assert scale_tradeoff(scale_tradeoff(0.2, 1.0, 3.0), 3.0, 1.0) == pytest.approx(0.2, rel=1e-12)


def test_the_slope_of_the_module_of_slopes_is_its_slope():
    step = 1e-6
    for level in (0.01, 0.3, 0.9):
        slope = (scale_tradeoff(level - step, 1.0, 1.7) - scale_tradeoff(level + step, 1.0, 1.7)) / (2 * step)
        found = scale_slope(1.7)(np.array([level]), np.array([1 - level]))
        assert math.exp(found[0]) == pytest.approx(slope, rel=1e-6)


def test_printed_ratio_of_variances_is_an_error_no_test_attains():
    """Counter-example to printed B.7: N(0, 1) against N(0, 4) at level 0.05 would need type two error 0.376."""
    printed = 2 * norm.cdf(norm.isf(0.025) * (1 / 2) ** 2) - 1
    assert printed == pytest.approx(0.376, abs=1e-3)
    assert scale_tradeoff(0.05, 1.0, 2.0) == pytest.approx(0.673, abs=1e-3)
    x = np.linspace(-30, 30, 600_001)  # the best of all tests, by the likelihood ratio on a grid
    null, other = norm.pdf(x), norm.pdf(x, scale=2)
    order = np.argsort(null / other)
    level = np.cumsum(null[order]) * (x[1] - x[0])
    best = 1 - np.cumsum(other[order])[np.searchsorted(level, 0.05)] * (x[1] - x[0])
    assert best == pytest.approx(scale_tradeoff(0.05, 1.0, 2.0), abs=1e-3)
    assert best > printed + 0.29


@pytest.mark.parametrize("order", [1.01, 1.5, 2.0, 8.0])
@pytest.mark.parametrize(("first", "second"), [(1.0, 1.1), (1.0, 2.0), (1.1, 1.0), (0.2, 0.3)])
def test_the_divergence_is_renyis(order, first, second):
    found = scale_renyi(order, first, second)
    if order * (second / first) ** 2 + 1 - order <= 0:
        assert found == math.inf
        return
    wide = 60 * max(first, second)
    moment = quad(
        lambda x: math.exp(order * norm.logpdf(x, scale=first) + (1 - order) * norm.logpdf(x, scale=second)),
        -wide,
        wide,
        points=(0.0,),
        limit=500,
    )[0]
    assert found == pytest.approx(math.log(moment) / (order - 1), rel=1e-7)


def test_the_papers_divergence_has_its_arguments_swapped():
    """E_P (Q/P)^2 for N(0, 1), N(0, 4) has no value, but Proposition 4.2 gives log(16/7)/2: Renyi's of P from Q."""
    assert scale_renyi(2.0, 1.0, 2.0) == pytest.approx(math.log(16 / 7) / 2, rel=1e-14)
    assert renyi_of_slope(scale_slope(2.0), 2.0) == pytest.approx(scale_renyi(2.0, 1.0, 2.0), rel=1e-10)
    assert scale_renyi(2.0, 2.0, 1.0) == math.inf  # what the paper's definition says of the same pair


def test_equal_scales_diverge_by_nothing():
    assert scale_renyi(3.0, 0.7, 0.7) == 0.0


@pytest.mark.parametrize("order", [1.5, 1e300])
def test_scales_too_far_apart_for_doubles_claim_nothing(order):
    assert scale_renyi(order, 1e-200, 1e200) == math.inf
    assert scale_renyi(1e300, 1.0, 1e5) == math.inf


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: scale_tradeoff(1.1, 1.0, 1.0), "level"),
        (lambda: scale_tradeoff(0.1, 0.0, 1.0), "first"),
        (lambda: scale_tradeoff(0.1, 1.0, math.inf), "second"),
        (lambda: scale_renyi(1.0, 1.0, 1.0), "order"),
        (lambda: scale_renyi(2.0, -1.0, 1.0), "first"),
        (lambda: scale_renyi(2.0, 1.0, True), "second"),
    ],
)
def test_bad_values_are_refused(call, name):
    with pytest.raises(InvalidInput, match=f"^{name} must be"):
        call()
