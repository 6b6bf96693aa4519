"""Confidence limits of a mean of observations in [low, high], rounded to the safe side.

Every upper limit is the lower limit of the observations mirrored, so each theorem is computed once, on observations
shifted and scaled to [0, 1]. Proofs, with the rounding: proofs/empirical-bernstein.md and proofs/betting-mean.md.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from leakbound.errors import InvalidInput
from leakbound.numerics.rounding import ceiling, floor, raised
from leakbound.numerics.validate import probability, real, sample

MARGIN = 1e-13
"""How far an empirical Bernstein limit is moved outwards, relative to the range plus the width."""

_CAP = 0.75  # the largest share of its wealth that a bet can lose
_SPREAD = 6.0  # stakes are of the best size when log(observations) is about this
_ROUNDING = 2.0**-48  # 32 times the rounding error of one operation
_RESOLUTION = 2.0**-30  # of a betting limit, relative to it; limits below it are not looked for


class _Observations(NamedTuple):
    values: np.ndarray
    low: float
    high: float

    def above_low(self) -> np.ndarray:
        """Return each value's distance from `low` as a share of the range, to three roundings."""
        return (self.values - self.low) / (self.high - self.low)

    def below_high(self) -> np.ndarray:
        """Return each value's distance from `high` as a share of the range, to three roundings."""
        return (self.high - self.values) / (self.high - self.low)

    def from_low(self, share: float) -> float:
        """Return low + share (high - low), rounded down."""
        return floor(Fraction(self.low) + Fraction(share) * (Fraction(self.high) - Fraction(self.low))) + 0.0

    def from_high(self, share: float) -> float:
        """Return high - share (high - low), rounded up."""
        return ceiling(Fraction(self.high) - Fraction(share) * (Fraction(self.high) - Fraction(self.low)))


def ville_threshold(failure: float) -> float:
    """Return the log-wealth that a fair bet reaches with probability at most `failure`, rounded up.

    Formula: log(1 / failure). A non-negative supermartingale that starts at one ever reaches 1 / failure with at most
    this probability. Reference: Ville (1939), "Etude critique de la notion de collectif".

    >>> round(ville_threshold(0.05), 6)
    2.995732
    """
    return _threshold(failure, parts=1)


def empirical_bernstein_lower(values: ArrayLike, low: float, high: float, failure: float) -> float:
    """Return a lower limit of the mean of independent observations, wrong with probability at most `failure`.

    Formula: mean - sqrt(2 V L / n) - 7 (high - low) L / (3 (n - 1)), L = log(2 / failure), V the unbiased sample
    variance, n >= 2 the number of observations; at least `low`. The number n is fixed beforehand.

    Reference: Maurer and Pontil (2009), "Empirical Bernstein bounds and sample variance penalization", Theorem 4.

    >>> round(empirical_bernstein_lower([0.5] * 1000, 0, 1, 0.05), 6)
    0.491384
    """
    observations = _checked(values, low, high, smallest=2)
    return observations.from_low(_bernstein(observations.above_low(), failure))


def empirical_bernstein_upper(values: ArrayLike, low: float, high: float, failure: float) -> float:
    """Return an upper limit of the mean of independent observations, wrong with probability at most `failure`.

    Formula: mean + sqrt(2 V L / n) + 7 (high - low) L / (3 (n - 1)), L = log(2 / failure), V the unbiased sample
    variance, n >= 2 the number of observations; at most `high`. The number n is fixed beforehand.

    Reference: Maurer and Pontil (2009), as above.

    >>> round(empirical_bernstein_upper([0.5] * 1000, 0, 1, 0.05), 6)
    0.508616
    """
    observations = _checked(values, low, high, smallest=2)
    return observations.from_high(_bernstein(observations.below_high(), failure))


def betting_lower(values: ArrayLike, low: float, high: float, failure: float) -> float:
    """Return a lower limit of the mean that holds after every observation at once, but with probability `failure`.

    Formula: the largest m that some prefix refutes: max_t prod_{i <= t} (1 + min(stake_i, 0.75 / m) (x_i - m))
    >= 1 / failure (observations scaled to [0, 1]), where stake_i depends on x_1 .. x_{i-1} alone; `low` if none is.
    The observations need not be independent: it is enough that each has the same mean given those before it.
    One may stop when one likes; the limit never falls as observations are added.

    Reference: Waudby-Smith and Ramdas (2023), "Estimating means of bounded random variables by betting".

    >>> round(betting_lower([0.5] * 1000, 0, 1, 0.05), 6)
    0.498008
    """
    observations = _checked(values, low, high)
    return observations.from_low(_betting(observations.above_low(), _threshold(failure, parts=1)))


def betting_upper(values: ArrayLike, low: float, high: float, failure: float) -> float:
    """Return an upper limit of the mean that holds after every observation at once, but with probability `failure`.

    Formula: as `betting_lower` on the observations mirrored; `high` if no prefix refutes anything. The limit never
    rises as observations are added.

    Reference: Waudby-Smith and Ramdas (2023), as above.

    >>> round(betting_upper([0.5] * 1000, 0, 1, 0.05), 6)
    0.501992
    """
    observations = _checked(values, low, high)
    return observations.from_high(_betting(observations.below_high(), _threshold(failure, parts=1)))


def betting_interval(values: ArrayLike, low: float, high: float, failure: float) -> tuple[float, float]:
    """Return limits (lower, upper) of the mean, each of them a betting limit that spends half of `failure`.

    Formula: `betting_lower` and `betting_upper` at failure / 2. Should the limits cross, which has probability at most
    `failure` when the mean is constant, the interval is (low, high).

    Reference: Waudby-Smith and Ramdas (2023), as above.

    >>> lower, upper = betting_interval([0.5] * 1000, 0, 1, 0.1)
    >>> round(lower, 6), round(upper, 6)
    (0.498008, 0.501992)
    """
    observations = _checked(values, low, high)
    threshold = _threshold(failure, parts=2)
    lower = observations.from_low(_betting(observations.above_low(), threshold))
    upper = observations.from_high(_betting(observations.below_high(), threshold))
    return (lower, upper) if lower <= upper else (observations.low, observations.high)


def _checked(values: ArrayLike, low: float, high: float, smallest: int = 1) -> _Observations:
    array = sample("values", values, smallest=smallest)
    low = real("low", low)
    high = real("high", high, above=low)
    if math.isinf(high - low):
        raise InvalidInput(f"high - low must be a finite double, but got low={low} and high={high}; rescale.")
    outside = np.flatnonzero(~((low <= array) & (array <= high)))
    if outside.size:
        first = int(outside[0])
        raise InvalidInput(
            f"values must lie in [low, high] = [{low}, {high}], but got values[{first}]={float(array[first])};"
            " clip them or widen the interval."
        )
    return _Observations(array, low, high)


def _threshold(failure: float, *, parts: int) -> float:
    """Return log(parts / failure), rounded up."""
    return raised(math.log(parts) - math.log(probability("failure", failure, zero=False, one=False)), 1e-15)


def _bernstein(shares: np.ndarray, failure: float) -> float:
    """Return the lower limit of the mean of observations in [0, 1]."""
    threshold = _threshold(failure, parts=2)
    count = len(shares)
    width = float(shares.std(ddof=1)) * math.sqrt(2 * threshold / count) + 7 * threshold / (3 * (count - 1))
    return max(0.0, float(shares.mean()) - width - MARGIN * (1 + width))


def _betting(shares: np.ndarray, threshold: float) -> float:
    """Return the largest refuted mean that bisection finds, for observations in [0, 1]; zero if it finds none."""
    stakes = _stakes(shares, threshold)
    refuted, rest = _RESOLUTION, 1.0
    if _guaranteed(shares, stakes, refuted) < threshold:
        return 0.0
    while rest - refuted > _RESOLUTION * rest:
        middle = (refuted + rest) / 2
        if _guaranteed(shares, stakes, middle) >= threshold:
            refuted = middle
        else:
            rest = middle
    return refuted


def _guaranteed(shares: np.ndarray, stakes: np.ndarray, mean: float) -> float:
    """Return the largest log-wealth that bets against a mean ever had, less the rounding errors made until then."""
    log_wealth = np.cumsum(np.log1p(np.minimum(stakes, _CAP / mean) * (shares - mean)))
    return float(np.max(log_wealth - _ROUNDING * np.cumsum(1 + np.abs(log_wealth))))


def _stakes(shares: np.ndarray, threshold: float) -> np.ndarray:
    """Return sqrt(2 threshold / (spread variance_{i-1} i)): each depends on the observations before it alone."""
    times = np.arange(1, len(shares) + 1)
    means = (0.5 + np.cumsum(shares)) / (times + 1)
    variances = (0.25 + np.cumsum((shares - means) ** 2)) / (times + 1)
    known = np.concatenate(([0.25], variances[:-1]))
    return np.asarray(np.sqrt(2 * threshold / (_SPREAD * known * times)))
