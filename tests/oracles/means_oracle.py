"""Limits of a mean in mpmath, observation by observation, from the formulas of the papers."""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import mp, mpf, workdps


def empirical_bernstein_width(values: Sequence[float], low: float, high: float, failure: float) -> tuple[mpf, mpf]:
    """Return the mean and the half-width of Maurer and Pontil (2009), Theorem 4."""
    with workdps(50):
        count, spread = len(values), mpf(high) - mpf(low)
        mean = sum(map(mpf, values)) / count
        variance = sum((mpf(x) - mean) ** 2 for x in values) / (count - 1)
        tail = mp.log(2 / mpf(failure))
        return mean, mp.sqrt(2 * variance * tail / count) + 7 * spread * tail / (3 * (count - 1))


def stakes(shares: Sequence[float], threshold: float) -> list[mpf]:
    """Return the stakes sqrt(2 threshold / (6 v i)), v the regularised variance of the observations before i."""
    with workdps(50):
        result, total, squares = [], mpf(0), mpf(0)
        for i, share in enumerate(shares, start=1):
            variance = (mpf(1) / 4 + squares) / i
            result.append(mp.sqrt(2 * mpf(threshold) / (6 * variance * i)))
            total += share
            squares += (mpf(share) - (mpf(1) / 2 + total) / (i + 1)) ** 2
        return result


def log_wealths(shares: Sequence[float], threshold: float, mean: float) -> list[mpf]:
    """Return the log-wealth after each observation of the bets against a mean: at most three quarters are staked."""
    with workdps(50):
        wealth, result = mpf(1), []
        for share, stake in zip(shares, stakes(shares, threshold), strict=True):
            wealth *= 1 + min(stake, mpf(3) / 4 / mpf(mean)) * (mpf(share) - mpf(mean))
            result.append(mp.log(wealth))
        return result
