"""Confidence limits for a mean of observations in [low, high]: empirical Bernstein, and bets that hold at any time.

A bet against "the mean is m" starts with one and multiplies by 1 + stake (y - m), where the stake depends on the past
only. If m is the mean the wealth is a non-negative martingale, which ever reaches 1/failure with probability at most
`failure` (Ville 1939). The wealth falls as m grows, so what is refuted is an interval, and its end is the limit.
"""

from __future__ import annotations

import math

import numpy as np

from leakbound.errors import InvalidInput
from leakbound.numerics.rounding import down, raised, up
from leakbound.numerics.validate import probability, real, sample

_CAP = 0.75
"""A stake never risks more than this share of the wealth."""

_HALVINGS = 50


def ville_threshold(failure: float) -> float:
    """Return the logarithm of the wealth that refutes: log(1/failure), rounded up.

    >>> ville_threshold(0.05) >= 2.995732273553991
    True
    """
    return raised(-math.log(probability("failure", failure, zero=False, one=False)), 1e-14)


def empirical_bernstein_upper(values: object, low: float, high: float, failure: float) -> float:
    """Return an upper confidence limit for the mean of independent observations in [low, high].

    Formula: mean + sqrt(2 V log(2/failure) / n) + 7 (high - low) log(2/failure) / (3 (n - 1)), V the sample variance.
    Reference: Maurer and Pontil (2009).

    >>> round(empirical_bernstein_upper([0.2, 0.4] * 500, 0.0, 1.0, 0.05), 4)
    0.3172
    """
    observed, low, high = _observations(values, low, high, smallest=2)
    failure = probability("failure", failure, zero=False, one=False)
    n, log_term = len(observed), math.log(2) - math.log(failure)
    mean = math.fsum(observed) / n
    variance = math.fsum((observed - mean) ** 2) / (n - 1)
    width = math.sqrt(2 * variance * log_term / n) + 7 * (high - low) * log_term / (3 * (n - 1))
    return min(high, raised(mean + width + 1e-14 * max(abs(low), abs(high)), 1e-12))


def empirical_bernstein_lower(values: object, low: float, high: float, failure: float) -> float:
    """Return a lower confidence limit for the mean of independent observations in [low, high].

    Formula: that of `empirical_bernstein_upper`, for the observations with their signs changed.
    Reference: Maurer and Pontil (2009).

    >>> round(empirical_bernstein_lower([0.2, 0.4] * 500, 0.0, 1.0, 0.05), 4)
    0.2828
    """
    observed, low, high = _observations(values, low, high, smallest=2)
    return -empirical_bernstein_upper(-observed, -high, -low, failure)


def betting_lower(values: object, low: float, high: float, failure: float) -> float:
    """Return a lower confidence limit for the mean, valid at whatever time one stops.

    Observations may depend on the past as long as each has the same mean given it. Formula: the largest m with
    prod (1 + min(stake_i, 3/(4 m)) (y_i - m)) >= 1/failure at some prefix. Reference: Waudby-Smith and Ramdas (2023).

    >>> round(betting_lower([0.2, 0.4] * 500, 0.0, 1.0, 0.05), 3)
    0.29
    """
    observed, low, high = _observations(values, low, high, smallest=1)
    threshold, span = ville_threshold(failure), high - low
    shares = np.clip((observed - low) / span, 0.0, 1.0)
    stakes = _stakes(shares, threshold)
    refuted, open_end = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (refuted + open_end) / 2
        if _largest_log_wealth(shares, stakes, middle) >= threshold:
            refuted = middle
        else:
            open_end = middle
    return max(low, down(low + refuted * span - 1e-14 * max(abs(low), abs(high))))


def betting_upper(values: object, low: float, high: float, failure: float) -> float:
    """Return an upper confidence limit for the mean, valid at whatever time one stops.

    Formula: that of `betting_lower`, for the observations with their signs changed.
    Reference: Waudby-Smith and Ramdas (2023).

    >>> round(betting_upper([0.2, 0.4] * 500, 0.0, 1.0, 0.05), 3)
    0.309
    """
    observed, low, high = _observations(values, low, high, smallest=1)
    return -betting_lower(-observed, -high, -low, failure)


def betting_interval(values: object, low: float, high: float, failure: float) -> tuple[float, float]:
    """Return both limits, each at half the failure probability.

    >>> low, high = betting_interval([0.2, 0.4] * 500, 0.0, 1.0, 0.05)
    >>> low < 0.3 < high
    True
    """
    half = probability("failure", failure, zero=False, one=False) / 2
    return betting_lower(values, low, high, half), betting_upper(values, low, high, half)


def _observations(values: object, low: float, high: float, *, smallest: int) -> tuple[np.ndarray, float, float]:
    low, high = real("low", low), real("high", high)
    if not low < high:
        raise InvalidInput(f"low must be less than high, but got low={low} and high={high}; swap or widen them.")
    observed = sample("values", values, smallest=smallest)
    if observed.min() < low or observed.max() > high:
        worst = observed.min() if observed.min() < low else observed.max()
        raise InvalidInput(
            f"values must lie in [{low:g}, {high:g}], but one is {worst!r}; clip them or widen the range."
        )
    return observed, low, high


def _stakes(shares: np.ndarray, threshold: float) -> np.ndarray:
    """Return stake_i = sqrt(2 threshold / (variance i log(1 + i))), the variance estimated from the past."""
    n = len(shares)
    places = np.arange(1, n + 1)
    means = (0.5 + np.cumsum(shares)) / (places + 1)
    variances = (0.25 + np.cumsum((shares - means) ** 2)) / (places + 1)
    before = np.concatenate(([0.25], variances[:-1]))
    return np.asarray(np.sqrt(2 * threshold / (before * places * np.log1p(places))))


def _largest_log_wealth(shares: np.ndarray, stakes: np.ndarray, mean: float) -> float:
    """Return the largest logarithm of the wealth of any prefix, less more than its rounding error."""
    gains = np.log1p(np.minimum(stakes, _CAP / mean) * (shares - mean))
    rounding = 4e-16 * len(gains) * (float(np.abs(gains).sum()) + 1)
    return down(float(np.cumsum(gains).max()) - up(rounding))
