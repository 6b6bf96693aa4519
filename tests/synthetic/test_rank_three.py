"""Shifts of rank one to three, by product Gauss-Jacobi quadrature: no spectrum exceeds the bounds for public seeds.

With one row the shares of a shift's directions are squared coordinates of a uniform unit vector: Dirichlet with
parameters 1/2, 1/2, 1/2 and (features - 3)/2, by stick breaking into three independent betas.
"""

import numpy as np
import pytest
from scipy.special import roots_jacobi
from scipy.stats import norm

from leakbound.synthetic.subspace import Subspace

SPECTRA = ((1.0, 0.0, 0.0), (0.7, 0.3, 0.0), (0.5, 0.5, 0.0), (0.5, 0.3, 0.2), (1 / 3, 1 / 3, 1 / 3))


def beta(a, b, nodes=60):
    """Return nodes and weights of the mean over Beta(a, b)."""
    x, weights = roots_jacobi(nodes, b - 1, a - 1)
    return (x + 1) / 2, weights / weights.sum()


@pytest.mark.parametrize("features", [6, 12, 40])
@pytest.mark.parametrize("shift", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_no_spectrum_up_to_rank_three_exceeds_the_bounds(features, shift, spectrum):
    (p1, w1), (p2, w2), (p3, w3) = (beta(0.5, (features - k) / 2) for k in (1, 2, 3))
    first = p1[:, None, None]
    second = (1 - first) * p2[None, :, None]
    third = (1 - first - second) * p3[None, None, :]
    weights = w1[:, None, None] * w2[None, :, None] * w3[None, None, :]
    square = shift**2 * (spectrum[0] * first + spectrum[1] * second + spectrum[2] * third)
    subspace, mu = Subspace(1, features, shift), np.sqrt(square)
    for order in (1.5, 2.0, 4.0):
        exact = np.log(np.sum(weights * np.exp(order * (order - 1) * square / 2))) / (order - 1)
        bound = subspace.renyi(order)
        assert exact * (1 - 1e-12) <= bound
        if spectrum[0] == 1:
            assert bound == pytest.approx(exact, rel=1e-8)
    for epsilon in (0.1, 0.5, 1.0):
        profile = norm.cdf(mu / 2 - epsilon / mu) - np.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
        assert np.sum(weights * profile) <= subspace.any_rank(epsilon)[0] * (1 + 1e-9)
