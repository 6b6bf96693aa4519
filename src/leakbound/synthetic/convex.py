"""Logarithms of the convex functions of divergences, at a likelihood ratio near one and far from it.

Each vanishes to second order at ratio one, where its series is used, so that tiny divergences keep their accuracy.
"""

from __future__ import annotations

import math

import numpy as np

_NEAR = 0.05
_LARGEST = 600.0


def power(exponent: float, log_ratio: np.ndarray) -> np.ndarray:
    """Return log[r^t - 1 - t (r - 1)], r = e^log_ratio, for an exponent t above 1 or below 0: Renyi divergences.

    >>> bool(np.isclose(np.exp(power(2.0, np.array([0.5])))[0], np.expm1(0.5) ** 2))
    True
    """
    out = np.empty_like(log_ratio)
    near = np.maximum(np.abs(exponent * log_ratio), np.abs(log_ratio)) < _NEAR
    x = log_ratio[near]
    series = np.zeros_like(x)
    for k in range(10, 1, -1):  # the sum over k >= 2 of (t^k - t) x^k / k!
        series = series * x / (k + 1) + _gap(exponent, k)
    out[near] = np.log(np.maximum(series, 1e-300) / 2) + _log_square(x)
    x = log_ratio[~near]
    steep = exponent * x
    if exponent > 1:
        out[~near] = _steep_power(exponent - 1, x)
        return out
    value = np.expm1(np.minimum(steep, _LARGEST)) - exponent * np.expm1(np.minimum(x, _LARGEST))
    value = np.log(np.maximum(value, 1e-300))
    value = np.where(x > _LARGEST, math.log(abs(exponent)) + x, value)
    out[~near] = np.where(steep > _LARGEST, steep, value)
    return out


def forward(log_ratio: np.ndarray) -> np.ndarray:
    """Return log[r log r - r + 1]: the Kullback-Leibler divergence of the law of the numerator.

    >>> bool(np.isclose(np.exp(forward(np.array([1.0])))[0], 1.0))
    True
    """
    return np.asarray(backward(-log_ratio) + log_ratio)


def backward(log_ratio: np.ndarray) -> np.ndarray:
    """Return log[r - 1 - log r]: the Kullback-Leibler divergence of the law of the denominator.

    >>> bool(np.isclose(np.exp(backward(np.array([1.0])))[0], np.e - 2))
    True
    """
    near = np.abs(log_ratio) < _NEAR
    x = np.where(near, log_ratio, 0.0)
    series = np.ones_like(x)
    for k in range(11, 2, -1):
        series = 1 + series * x / k
    far = np.where(near, 1.0, log_ratio)
    value = np.log(np.maximum(np.expm1(np.minimum(far, _LARGEST)) - np.minimum(far, _LARGEST), 1e-300))
    value = np.where(far > _LARGEST, far, np.where(far < -_LARGEST, np.log(np.maximum(-far - 1, 1.0)), value))
    return np.asarray(np.where(near, np.log(series / 2) + _log_square(x), value))


def _steep_power(excess: float, x: np.ndarray) -> np.ndarray:
    """Return log[r^t - 1 - t (r - 1)] for t = 1 + excess, r = e^x far from one, without cancellation near t = 1.

    Formula: r expm1((t - 1) x) - (t - 1) (r - 1).
    """
    above, below = np.where(x > 0, x, 1.0), np.where(x > 0, -1.0, x)
    steep = excess * above
    rises = np.log(np.expm1(np.minimum(steep, _LARGEST)) + excess * np.expm1(-above))
    falls = np.log(np.maximum(np.exp(below) * np.expm1(excess * below) - excess * np.expm1(below), 1e-300))
    return np.asarray(np.where(x > 0, above + np.where(steep > _LARGEST, steep, rises), falls))


def _gap(exponent: float, k: int) -> float:
    """Return t^k - t without cancellation near t = 1."""
    if exponent > 0:
        return exponent * math.expm1((k - 1) * math.log(exponent))
    return exponent**k - exponent


def _log_square(x: np.ndarray) -> np.ndarray:
    return np.asarray(2 * np.log(np.maximum(np.abs(x), 1e-150)))
