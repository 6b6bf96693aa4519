"""Clopper-Pearson limits of a binomial probability, each on its safe side of the exact limit.

Both limits are roots of one function, the lower tail P(X <= k) of a binomial count X, as a function of the log-odds
of success. Newton's method finds them; proofs/clopper-pearson.md proves that it converges, and bounds the rounding.
"""

from __future__ import annotations

import math

import numpy as np

from leakbound.errors import InvalidInput
from leakbound.numerics.validate import probability, whole

MARGIN = 1e-10
"""How far each limit is moved outwards, relative to itself; the rounding errors stay below a third of it."""

_MOST_TRIALS = 10**12
_SMALLEST_FAILURE = 5e-301  # half of 1e-300; below it the limits are the trivial ones
_SMALLEST_STEP = 1e-11  # of Newton's method, in log-odds
_NEGLIGIBLE = 1e-18  # a term this small ends a sum that starts at one
_BLOCK = 4096  # terms summed at a time


def clopper_pearson_upper(successes: int, trials: int, failure: float) -> float:
    """Return an upper confidence limit of a success probability, wrong with probability at most `failure`.

    The exact limit is the u with P(Binomial(trials, u) <= successes) = failure (1 if every trial succeeded);
    the result is at least u and at most (1 + 1e-9) u.

    Reference: Clopper and Pearson (1934), "The use of confidence or fiducial limits illustrated in the case of the
    binomial", Biometrika 26.

    >>> round(clopper_pearson_upper(0, 100, 0.05), 6)
    0.029513
    """
    successes, trials, failure = _checked(successes, trials, failure)
    return _upper(successes, trials, failure)


def clopper_pearson_lower(successes: int, trials: int, failure: float) -> float:
    """Return a lower confidence limit of a success probability, wrong with probability at most `failure`.

    The exact limit is the l with P(Binomial(trials, l) >= successes) = failure (0 if no trial succeeded);
    the result is at most l and at least (1 - 1e-9) l.

    Reference: Clopper and Pearson (1934), as above.

    >>> round(clopper_pearson_lower(100, 100, 0.05), 6)
    0.970487
    """
    successes, trials, failure = _checked(successes, trials, failure)
    return _lower(successes, trials, failure)


def clopper_pearson(successes: int, trials: int, failure: float) -> tuple[float, float]:
    """Return a confidence interval (low, high) of a success probability, each end wrong with half of `failure`.

    The ends are `clopper_pearson_lower` and `clopper_pearson_upper` at failure / 2.

    Reference: Clopper and Pearson (1934), as above.

    >>> low, high = clopper_pearson(5, 10, 0.05)
    >>> round(low, 6), round(high, 6)
    (0.187086, 0.812914)
    """
    successes, trials, failure = _checked(successes, trials, failure)
    return _lower(successes, trials, failure / 2), _upper(successes, trials, failure / 2)


def _checked(successes: int, trials: int, failure: float) -> tuple[int, int, float]:
    trials = whole("trials", trials, low=1, high=_MOST_TRIALS)
    successes = whole("successes", successes)
    if successes > trials:
        raise InvalidInput(
            f"successes must be at most trials={trials}, but got successes={successes}; count each trial once."
        )
    return successes, trials, probability("failure", failure, zero=False, one=False)


def _upper(successes: int, trials: int, failure: float) -> float:
    if successes == trials or failure < _SMALLEST_FAILURE:
        return 1.0
    if failure <= 0.5:
        log_odds = _log_odds(successes, trials, failure)
    else:  # P(X > successes) = 1 - failure, which is exact in doubles; failures are counted instead of successes
        log_odds = -_log_odds(trials - successes - 1, trials, 1 - failure)
    return min(1.0, _from_log_odds(log_odds) * (1 + MARGIN))


def _lower(successes: int, trials: int, failure: float) -> float:
    if successes == 0 or failure < _SMALLEST_FAILURE:
        return 0.0
    if failure <= 0.5:
        log_odds = -_log_odds(trials - successes, trials, failure)
    else:
        log_odds = _log_odds(successes - 1, trials, 1 - failure)
    return _from_log_odds(log_odds) * (1 - MARGIN)


def _log_odds(count: int, trials: int, tail: float) -> float:
    """Return the log-odds at which P(X <= count) = tail, for count < trials and tail <= 1/2.

    log P(X <= count) is concave and decreasing in the log-odds, so Newton's method, started where the tail is too
    small, walks down to the root without ever passing it.
    """
    rest = trials - count
    # P(X <= count) <= choose(trials, count) v^rest, v the probability of no success: start where that equals tail.
    log_failing = math.log(tail) / rest + math.log(rest / trials)
    if count > 0:
        log_failing += math.log(count / trials) * (count / rest)
    log_odds = math.log(-math.expm1(log_failing)) - log_failing
    step = math.inf
    while step > _SMALLEST_STEP:
        ratio = _tail_over_point(count, trials, log_odds)
        excess = math.log(tail) - math.log(ratio) - _log_point(count, trials, log_odds)
        step = excess * ratio / (rest * _from_log_odds(log_odds))
        log_odds -= step
    return log_odds


def _from_log_odds(log_odds: float) -> float:
    return math.exp(min(log_odds, 0.0)) / (1 + math.exp(-abs(log_odds)))


def _tail_over_point(count: int, trials: int, log_odds: float) -> float:
    """Return P(X <= count) / P(X = count): the sum of the products of the ratios of neighbouring terms."""
    total = term = 1.0
    start = 0
    while start < count and term > _NEGLIGIBLE:
        below = np.arange(start, min(start + _BLOCK, count), dtype=np.float64)
        terms = term * np.cumprod((count - below) / (trials - count + 1 + below) * math.exp(-log_odds))
        total += float(terms.sum())
        term = float(terms[-1])
        start += _BLOCK
    return total


def _log_point(count: int, trials: int, log_odds: float) -> float:
    """Return log P(X = count) in Loader's (2000) form, whose terms do not cancel."""
    rest = trials - count
    log_point = -_deviance(rest, trials * _from_log_odds(-log_odds))
    if count == 0:
        return log_point - trials * _from_log_odds(log_odds)
    log_point -= _deviance(count, trials * _from_log_odds(log_odds))
    log_point += _stirling_error(trials) - _stirling_error(count) - _stirling_error(rest)
    return log_point + 0.5 * math.log(trials / (2 * math.pi * count * rest))


def _deviance(count: int, mean: float) -> float:
    """Return count log(count / mean) + mean - count, without cancellation where the two are close."""
    gap = mean - count
    if abs(gap) < 0.5 * count:
        return gap - count * math.log1p(gap / count)
    return count * math.log(count / mean) + gap


def _stirling_error(count: int) -> float:
    """Return log(count!) minus Stirling's formula; the series is accurate to 1e-15 from 64 on."""
    if count < 64:
        return math.lgamma(count + 1) - (count + 0.5) * math.log(count) + count - 0.5 * math.log(2 * math.pi)
    square = 1 / count**2
    return (1 / 12 - (1 / 360 - square / 1260) * square) / count
