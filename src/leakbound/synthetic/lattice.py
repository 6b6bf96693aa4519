"""Lattices on which the trapezoid rule integrates the laws of `pair` to nearly full accuracy.

The rule converges geometrically for analytic integrands that vanish at both ends, once its step resolves the
narrowest peak. Coordinates are chosen so that peaks have a width of about one wherever they stand.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

DEEP = 42.0
"""Parts of an integrand below e^-42 times its largest value are left out."""


def stretched(log_value: np.ndarray | float, curvature: float, offset: float) -> np.ndarray:
    """Return x(t), the integral of sqrt(curvature e^t + offset): how many peak widths lie left of t.

    >>> bool(stretched(1.0, 1.0, 1.0) > stretched(0.0, 1.0, 1.0))
    True
    """
    t = np.asarray(log_value, dtype=np.float64)
    root = math.sqrt(offset)
    q = np.sqrt(curvature * np.exp(t) + offset)
    return np.asarray(2 * q + root * (t + math.log(curvature) - 2 * np.log(q + root)))


def unstretched(x: np.ndarray, curvature: float, offset: float) -> np.ndarray:
    """Return the inverse of `stretched`, by Newton's method.

    >>> x = stretched(np.array([-3.0, 0.5, 4.0]), 2.0, 0.5)
    >>> bool(np.allclose(unstretched(x, 2.0, 0.5), [-3.0, 0.5, 4.0], rtol=0, atol=1e-12))
    True
    """
    root = math.sqrt(offset)
    left = (x - 2 * root) / root + 2 * math.log(2 * root) - math.log(curvature)
    right = 2 * np.log(np.maximum(x, 1e-300) / 2) - math.log(curvature)
    t = np.where(x > 4 * root, right, np.minimum(left, 2 * math.log(8 * root) - math.log(curvature)))
    for _ in range(40):
        step = (stretched(t, curvature, offset) - x) / slope(t, curvature, offset)
        t = t - np.clip(step, -4.0, 4.0)
        if np.all(np.abs(step) < 1e-13 * (1 + np.abs(t))):
            break
    return t


def slope(log_value: np.ndarray, curvature: float, offset: float) -> np.ndarray:
    """Return x'(t) = sqrt(curvature e^t + offset)."""
    return np.asarray(np.sqrt(curvature * np.exp(log_value) + offset))


def points(low: float, high: float, step: float, curvature: float, offset: float) -> tuple[np.ndarray, np.ndarray]:
    """Return lattice points between two logarithms and their weights, dt/dx times the step.

    >>> t, weight = points(-40.0, 5.0, 0.25, 1.0, 0.5)
    >>> bool(abs(np.sum(weight * np.exp(t - np.exp(t))) - 1) < 1e-14)
    True
    """
    first, last = (float(stretched(end, curvature, offset)) for end in (low, high))
    count = max(2, math.ceil((last - first) / step))
    x = np.linspace(first, last, count + 1)
    t = unstretched(x, curvature, offset)
    return t, (last - first) / count / slope(t, curvature, offset)


def extent(log_value: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> tuple[float, float]:
    """Return where a function of x falls DEEP below its largest value, given that all its peaks lie in [low, high].

    >>> left, right = extent(lambda x: -x * x / 2, -1.0, 1.0)
    >>> -11 < left < -9 and 9 < right < 11
    True
    """
    inside = np.linspace(low, high, 65)
    values = log_value(inside)
    top = float(values.max())
    kept = np.flatnonzero(values > top - DEEP)
    ends = []
    for start, sign in ((inside[kept[0]], -1.0), (inside[kept[-1]], 1.0)):
        reach = start + sign * _REACH
        deep = np.flatnonzero(log_value(reach) < top - DEEP)
        ends.append(float(reach[deep[0]] if len(deep) else reach[-1]))
    return ends[0], ends[1]


_REACH = np.concatenate([np.arange(0.0, 40.0), 40.0 * 1.2 ** np.arange(0.0, 40.0)])
