"""Renyi divergences of a trade-off curve given by its slope: Proposition 4.2 by quadrature instead of simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from leakbound.errors import NoTheorem
from leakbound.numerics.validate import real

Slope = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""log |f'| at levels t, given t and 1 - t, each to full relative accuracy."""

_FARTHEST = 700.0
_ROUNDS = 8
_CLOSE = 1e-12
_NEGLIGIBLE = 40.0


def renyi_of_slope(log_slope: Slope, order: float) -> float:
    """Return the Renyi divergence that a trade-off curve f allows at an order above one, numerically.

    Infinity means that it diverges, or that its mass lies at levels closer to 0 or 1 than doubles reach.

    Formula: log(integral over (0, 1) of |f'(t)|^(1 - order) dt) / (order - 1), by the trapezoid rule in the log-odds
    of t, halved until it stands still. Reference: Dong, Roth and Su (2022); Pierquin et al. (2025), Proposition 4.2.

    >>> round(renyi_of_slope(gaussian_slope(1.0), 2.0), 12)
    1.0
    """
    order = real("order", order, above=1)
    odds, step = np.arange(-_FARTHEST, _FARTHEST + 1), 1.0
    logs = _log_terms(log_slope, order, odds)
    if max(logs[0], logs[-1]) > logs.max() - _NEGLIGIBLE:
        return math.inf
    total, before = float(special.logsumexp(logs)), math.nan
    for _ in range(_ROUNDS):
        if abs(total - before) <= _CLOSE * max(1.0, abs(total)):
            return total / (order - 1)
        odds = np.arange(-_FARTHEST + step / 2, _FARTHEST, step)
        middle = float(special.logsumexp(_log_terms(log_slope, order, odds))) + math.log(step)
        before, total, step = total, float(np.logaddexp(total, middle)) - math.log(2), step / 2
    raise NoTheorem("The integral of Proposition 4.2 does not settle; the curve's slope is too rough for it.")


def gaussian_slope(mu: float) -> Slope:
    """Return the slope of the curve of two unit normals `mu` apart, whose Renyi divergence is order mu^2 / 2.

    >>> float(gaussian_slope(1.0)(np.array([0.5]), np.array([0.5]))[0])
    -0.5
    """
    return lambda level, rest: _quantile(level, rest) * mu - mu * mu / 2


def scale_slope(ratio: float) -> Slope:
    """Return the slope of the best tests of N(0, 1) against N(0, ratio^2), ratio above one: Proposition 4.1.

    Formula: f(t) = 2 Phi(q / ratio) - 1, q = Phi^-1(1 - t/2); |f'| = phi(q / ratio) / (ratio phi(q)).

    >>> round(renyi_of_slope(scale_slope(2.0), 1.1), 9)
    0.331543873
    """

    def log_slope(level: np.ndarray, rest: np.ndarray) -> np.ndarray:
        q = _quantile(level / 2, (1 + rest) / 2)
        return np.asarray(q * q / 2 * (1 - 1 / ratio**2) - math.log(ratio))

    return log_slope


def _quantile(level: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return Phi^-1(1 - level), from whichever of level and rest is smaller."""
    return np.asarray(np.where(level < rest, -special.ndtri(level), special.ndtri(rest)))


def _log_terms(log_slope: Slope, order: float, odds: np.ndarray) -> np.ndarray:
    """Return the logarithm of the integrand over the log-odds."""
    level, rest = special.expit(odds), special.expit(-odds)
    return np.asarray((1 - order) * log_slope(level, rest) + np.log(level) + np.log(rest))
