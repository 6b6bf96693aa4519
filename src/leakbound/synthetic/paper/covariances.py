"""The trade-off curve of two centred Gaussian matrices of different covariance."""

from __future__ import annotations

import numpy as np

from leakbound.errors import InvalidInput
from leakbound.numerics.validate import probability, real, sample, whole
from leakbound.synthetic.paper.weighted import WeightedChiSquare

_SAME = 1e-9


def covariance_tradeoff(level: float, first: object, second: object, *, variance: float, rows: int) -> float:
    """Return the trade-off curve of sqrt(s) G + v Z against sqrt(s) G + w Z: an estimate, no guarantee.

    Formula: F_(x - 1)(F^-1_(1 - 1/x)(1 - level)), F of `WeightedChiSquare` with freedom l = `rows`, x the eigenvalues
    of A^-1/2 B A^-1/2, A = s I + v v', B = s I + w w', v and w = `first` and `second` (outputs times features).
    Reference: Pierquin et al. (2025), Lemma B.3.

    >>> round(covariance_tradeoff(0.05, [[0.0]], [[3**0.5]], variance=1.0, rows=1), 6)  # as N(0, 1) against N(0, 4)
    0.672905
    """
    level, variance = probability("level", level), real("variance", variance, above=0)
    v, w, rows = (
        sample("first", first, columns=True),
        sample("second", second, columns=True),
        whole("rows", rows, low=1),
    )
    if v.shape != w.shape:
        raise InvalidInput(f"second must have the shape of first, {v.shape}, but has {w.shape}; reshape it.")
    lower = np.linalg.cholesky(variance * np.eye(len(v)) + v @ v.T)  # any square root serves
    half = np.linalg.solve(lower, np.linalg.cholesky(variance * np.eye(len(w)) + w @ w.T))
    ratios = np.linalg.svd(half, compute_uv=False) ** 2
    if level in (0.0, 1.0) or np.abs(ratios - 1).max() < _SAME:
        return 1.0 - level
    threshold = WeightedChiSquare(tuple(1 - 1 / ratios), rows).quantile(level)
    return WeightedChiSquare(tuple(ratios - 1), rows).below(threshold)
