"""The worst pair of norms: the largest divergence over all norms of the weights, found by a direct search.

The divergence of (a, a + shift) vanishes as a grows, so its supremum is attained; the search is on a grid in log a,
refined at each of the best local maxima. It is numerical: a stated slack is added, and nothing is enclosed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from leakbound.numerics.rounding import raised
from leakbound.numerics.search import minimise
from leakbound.synthetic.law import Laws

SLACK = 1e-4
"""Relative slack added to a supremum for what the search may miss; misses seen in tests are below a tenth of it."""

_POINTS = 14
_RIVAL = 0.03
_FARTHEST = 100.0
_TOLERANCE = 0.02
_NARROWEST, _WIDEST = 1e-9, 100.0

Divergences = Callable[[Laws], tuple[float, float]]


@dataclass(frozen=True)
class Worst:
    """The largest value found, raised by the slack, and the smaller norm of the pair that attains it."""

    value: float
    at: float
    reverse: bool


def worst(features: int, rows: int, shift: float, norm_bound: float | None, value: Divergences) -> Worst:
    """Return the largest of a divergence over pairs of norms at most `shift` apart and at most `norm_bound`.

    >>> from leakbound.synthetic.pair import renyi
    >>> found = worst(12, 1, 1.0, None, lambda laws: renyi(laws, 2.0))
    >>> 0.0452300839 <= found.value <= 0.0452300839 * 1.0002, round(found.at, 1), found.reverse
    (True, 3.2, False)
    """
    if not _NARROWEST < shift < _WIDEST:
        return Worst(math.inf, 0.0, False)  # beyond the range in which the pairs were tested: no claim
    cap = math.inf if norm_bound is None else norm_bound
    last = max(0.0, cap - shift)
    seen: dict[float, tuple[float, float]] = {}

    def at(low: float) -> tuple[float, float]:
        if low not in seen:
            forward, backward = value(Laws(features, rows, low, min(low + shift, cap)))
            seen[low] = _or_infinity(forward), _or_infinity(backward)
        return seen[low]

    at(0.0)
    if last > 0:
        at(min(last, 1e-9)) if last <= 1e-9 else _scan(at, features, rows, shift, last)
    best = max((values[i], low, bool(i)) for low, values in seen.items() for i in (0, 1))
    return Worst(raised(best[0], SLACK), best[1], best[2])


def _scan(at: Callable[[float], tuple[float, float]], features: int, rows: int, shift: float, last: float) -> None:
    scale = math.sqrt(features) + math.sqrt(rows) + shift
    high = min(last, 4 * scale)
    grid = [float(low) for low in np.geomspace(high / 60, high, _POINTS)]
    values = [at(low) for low in grid]
    while max(values[-1]) >= max(0.0, *values[-2]) and grid[-1] < min(last, _FARTHEST * scale):
        grid.append(min(last, 2 * grid[-1]))
        values.append(at(grid[-1]))
    top = max(max(v) for v in values)
    for i in (0, 1):
        column = [v[i] for v in values]
        for k, here in enumerate(column):
            before, after = column[max(k - 1, 0)], column[min(k + 1, len(column) - 1)]
            if here >= max(before, after) and here >= top - _RIVAL * abs(top):
                ends = grid[max(k - 1, 0)] if k else grid[0] / 60, grid[min(k + 1, len(grid) - 1)]
                minimise(lambda low: -at(low)[i], *ends, points=3, tolerance=_TOLERANCE)  # noqa: B023 - called at once


def _or_infinity(value: float) -> float:
    """Return infinity, which claims nothing, for NaN."""
    return math.inf if math.isnan(value) else value
