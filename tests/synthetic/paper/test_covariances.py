"""Lemma B.3."""

import math

import numpy as np
import pytest
from scipy.stats import chi2

from leakbound.errors import InvalidInput
from leakbound.synthetic.paper import covariance_tradeoff, scale_tradeoff

RNG = np.random.default_rng(33)


@pytest.mark.parametrize("level", [0.001, 0.2, 0.7, 0.99])
@pytest.mark.parametrize(("v", "w"), [(0.5, 2.0), (2.0, 0.5), (1.0, 1.01)])
def test_one_output_and_row_is_proposition_4_1(level, v, w):
    found = covariance_tradeoff(level, [[v]], [[w]], variance=3.0, rows=1)
    exact = scale_tradeoff(level, math.hypot(math.sqrt(3), v), math.hypot(math.sqrt(3), w))
    assert found == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("level", [0.01, 0.5, 0.9])
def test_equal_eigenvalues_are_one_chi_square(level):
    """The paper's closed form at the end of the proof, with l n degrees of freedom."""
    found = covariance_tradeoff(level, np.zeros((3, 4)), 2 * np.eye(3, 4), variance=4.0, rows=5)
    assert found == pytest.approx(chi2.cdf(chi2.isf(level, 15) * 4 / 8, 15), rel=1e-10)


def test_the_best_test_by_simulation():
    v, w, rows, level = RNG.normal(size=(2, 3)), RNG.normal(size=(2, 3)), 2, 0.2
    a, b = (2 * np.eye(2) + m @ m.T for m in (v, w))
    shape = np.linalg.inv(a) - np.linalg.inv(b)  # the log-likelihood ratio is a quadratic form, with both signs here
    assert np.linalg.eigvalsh(shape).min() < 0 < np.linalg.eigvalsh(shape).max()

    def statistic(covariance):
        x = np.linalg.cholesky(covariance) @ RNG.normal(size=(200_000, 2, rows))
        return np.einsum("kil,ij,kjl->k", x, shape, x)

    threshold = np.quantile(statistic(a), 1 - level)
    found = covariance_tradeoff(level, v, w, variance=2.0, rows=rows)
    assert found == pytest.approx(np.mean(statistic(b) <= threshold), abs=0.01)


def test_ends_and_equal_covariances():
    v = RNG.normal(size=(2, 3))
    assert [covariance_tradeoff(a, v, 2 * v, variance=1.0, rows=1) for a in (0.0, 1.0)] == [1.0, 0.0]
    assert covariance_tradeoff(0.3, v, -v, variance=1.0, rows=4) == 0.7


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"level": -0.1}, "level must be"),
        ({"variance": 0.0}, "variance must be"),
        ({"rows": 0}, "rows must be"),
        ({"first": [[math.nan]]}, "first must be finite"),
        ({"second": [[1.0, 2.0]]}, r"second must have the shape of first, \(1, 1\), but has \(1, 2\)"),
    ],
)
def test_bad_values_are_refused(changed, message):
    good = {"level": 0.1, "first": [[1.0]], "second": [[2.0]], "variance": 1.0, "rows": 1}
    assert covariance_tradeoff(**good) < 0.9
    with pytest.raises(InvalidInput, match=f"^{message}"):
        covariance_tradeoff(**{**good, **changed})
