"""The Renyi divergences of the paper's limits: centred normals whose variance hides the norm of the weights."""

from __future__ import annotations

import math

from leakbound.errors import InvalidInput
from leakbound.numerics.validate import real, whole
from leakbound.synthetic.paper.scales import scale_renyi


def worst_norms(variance: float, sensitivity: float) -> tuple[float, float]:
    """Return the norms v and v + sensitivity at which (s + v^2) / (s + w^2), s the variance, is least: an estimate.

    Formula: v = (sqrt(D^2 + 4 s) - D) / 2, D the sensitivity. No guarantee: the worst pair of the limit, not of the
    records. Reference: Pierquin et al. (2025), proof of Lemma B.5.

    >>> worst_norms(2.0, 1.0)
    (1.0, 2.0)
    """
    variance, sensitivity = real("variance", variance, above=0), real("sensitivity", sensitivity, above=0)
    high = (math.hypot(sensitivity, 2 * math.sqrt(variance)) + sensitivity) / 2
    return variance / high, high


def worst_ratio(variance: float, sensitivity: float) -> float:
    """Return the least ratio of variances of neighbours, r in the paper: an estimate, no guarantee.

    Formula: (2 s + D^2 - D sqrt(D^2 + 4 s)) / (2 s), here as v^2 / s with v of `worst_norms`, which does not cancel.
    Reference: Pierquin et al. (2025), Lemma B.5.

    >>> worst_ratio(2.0, 1.0)
    0.5
    """
    low, high = worst_norms(variance, sensitivity)
    return low / high


def variance_renyi(order: float, *, variance: float, sensitivity: float) -> float:
    """Return the largest Renyi divergence of N(0, s + v^2) and N(0, s + w^2), |v - w| <= sensitivity: an estimate.

    Formula: (a log r - log(a r + 1 - a)) / (2 (a - 1)), r of `worst_ratio`, if s > a (a - 1) D^2, else infinity; the
    paper has the boundary on the finite side, where log 0 stands. No guarantee: it is of the limit, not of the records.
    Reference: Pierquin et al. (2025), Lemma B.5.

    >>> round(variance_renyi(2.0, variance=12.0, sensitivity=1.0), 6)
    0.058892
    >>> variance_renyi(2.0, variance=2.0, sensitivity=1.0)
    inf
    """
    order = real("order", order, above=1)
    ratio = worst_ratio(variance, sensitivity)
    if not variance > order * (order - 1) * sensitivity * sensitivity:
        return math.inf
    return scale_renyi(order, 1.0, math.sqrt(ratio))


def matrix_renyi(order: float, *, variance: float, sensitivity: float, outputs: int, rows: int) -> float:
    """Return the paper's bound on the divergence of sqrt(s) G + v Z and sqrt(s) G + w Z: an estimate, no guarantee.

    Formula: outputs * rows * `variance_renyi`. Reference: Pierquin et al. (2025), Lemma B.6.

    >>> one = variance_renyi(2.0, variance=50.0, sensitivity=1.0)
    >>> matrix_renyi(2.0, variance=50.0, sensitivity=1.0, outputs=2, rows=3) == 6 * one
    True
    """
    cells = whole("outputs", outputs, low=1) * whole("rows", rows, low=1)
    return cells * variance_renyi(order, variance=variance, sensitivity=sensitivity)


def record_rate(order: float, *, features: int, noise: float, sensitivity: float) -> float:
    """Return the leading term of `variance_renyi` for many features and one record: an estimate, no guarantee.

    Formula: order D^2 / (4 d noise^2). The remainder o(1/d) is left out: the true value is larger.
    Reference: Pierquin et al. (2025), Proposition B.1.

    >>> record_rate(2.0, features=100, noise=1.0, sensitivity=1.0)
    0.005
    """
    order, shift = (
        real("order", order, above=1),
        real("sensitivity", sensitivity, above=0) / real("noise", noise, above=0),
    )
    return order * shift * shift / (4 * whole("features", features, low=1))


def rows_rate(order: float, *, features: int, outputs: int, rows: int, noise: float, sensitivity: float) -> float:
    """Return the leading term of `matrix_renyi` for many features: an estimate, no guarantee.

    Formula: order n l D^2 / (4 (d - n) noise^2), n outputs, l rows, d features.
    Reference: Pierquin et al. (2025), Proposition B.2.

    >>> rows_rate(2.0, features=102, outputs=2, rows=5, noise=1.0, sensitivity=1.0)
    0.05
    """
    cells = whole("outputs", outputs, low=1) * whole("rows", rows, low=1)
    left = remaining_features(features, outputs)
    return cells * record_rate(order, features=left, noise=noise, sensitivity=sensitivity)


def remaining_features(features: int, outputs: int) -> int:
    """Return d - n, or refuse where the paper divides by zero or less.

    >>> remaining_features(12, 2)
    10
    """
    d, n = whole("features", features, low=1), whole("outputs", outputs, low=1)
    if not d > n:
        raise InvalidInput(
            f"features must be more than outputs={n}, but got features={d}; the paper has no bound there."
        )
    return d - n
