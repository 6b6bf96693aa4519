"""The order-two divergence of a pair of norms for hidden seeds, and its largest value, the slow and obvious way.

U = S W: S is a Poisson(a^2/2) mixture of chi-squares with d + 2j degrees of freedom, W a chi-square with l degrees.
The density of log U is a sum over a plain grid of R = sqrt(S), the divergence a sum over a plain grid of log U.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

RADII, PLACES = 700, 1600


def log_chi_square(log_x, freedom):
    """Return the log-density of log X for chi-square X."""
    half = freedom / 2
    return half * log_x - np.exp(log_x) / 2 - half * math.log(2) - special.gammaln(half)


def log_noncentral(log_s, features, norm):
    """Return the log-density of log S as a Poisson mixture."""
    mean = norm * norm / 2
    if mean == 0:
        return log_chi_square(log_s, features)
    wide = 12 * math.sqrt(mean + 10) + 60
    last = max(mean, math.exp(log_s.max() / 2) * norm / 2)  # far out the tail of S comes from more terms
    j = np.arange(max(0, math.floor(mean - wide)), math.ceil(last + wide))
    weights = j * math.log(mean) - mean - special.gammaln(j + 1)
    return special.logsumexp(weights + log_chi_square(log_s[:, np.newaxis], features + 2 * j), axis=1)


def order_two(features, rows, low, high):
    """Return the Renyi divergences of order two of the laws for `high` from `low` and of `low` from `high`."""
    shift = high - low
    first = max(1e-9, math.sqrt(features + low * low) - 13 - shift)
    last = math.sqrt(features + high * high) + 13 + 2 * shift
    r = np.linspace(first, last, RADII)
    t = 2 * np.log(r)
    width = 2 * (r[1] - r[0]) / r
    width[0] /= 2  # the trapezoid's end: the density of R need not vanish at zero
    deep = 60 / rows
    middle, spread = math.log(rows), 12 * math.sqrt(2 / rows)
    bottom = max(t[0], math.log(features) - 4 - 80 / features) + middle - spread - 2 * deep
    y = np.linspace(bottom, t[-1] + middle + spread + math.log1p(deep), PLACES)
    kernel = log_chi_square(y[:, np.newaxis] - t, rows) + np.log(width)
    at_low = special.logsumexp(kernel + log_noncentral(t, features, low), axis=1)
    at_high = special.logsumexp(kernel + log_noncentral(t, features, high), axis=1)
    gap, step = at_high - at_low, y[1] - y[0]
    forward = np.sum(np.exp(at_low + 2 * np.log(np.abs(np.expm1(gap)) + 1e-300))) * step
    backward = np.sum(np.exp(at_high + 2 * np.log(np.abs(np.expm1(-gap)) + 1e-300))) * step
    return math.log1p(forward), math.log1p(backward)


def largest(features, rows, shift, points=24):
    """Return the largest order-two divergence over norms that a plain grid with two refinements finds, and its norm."""
    scale = math.sqrt(features) + math.sqrt(rows) + shift
    grid = np.concatenate([[0.0], np.geomspace(scale / 100, 4 * scale, points)])
    for _ in range(3):
        values = [max(order_two(features, rows, a, a + shift)) for a in grid]
        best = int(np.argmax(values))
        top, at = values[best], grid[best]
        grid = np.linspace(grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)], 9)
    return top, at
