"""Directed searches: a root is the end that keeps the promise, an infimum is a value at a point.

Bisection runs over the doubles themselves, in their order, so it ends at neighbouring doubles
after at most 64 steps at any scale, and the end it returns is one where the predicate was seen to hold.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable


def position(x: float) -> int:
    """Return the rank of a double among all doubles: neighbours differ by one.

    >>> position(0.0), position(5e-324), position(-5e-324)
    (0, 1, -1)
    """
    bits = int(struct.unpack("<q", struct.pack("<d", x))[0])
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def double_at(rank: int) -> float:
    """Return the double of a rank, the inverse of `position`.

    >>> double_at(position(0.1))
    0.1
    """
    magnitude = float(struct.unpack("<d", struct.pack("<q", abs(rank)))[0])
    return magnitude if rank >= 0 else -magnitude


def smallest_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the smallest double in [low, high] where a predicate that stays true once true holds.

    The result was seen to hold; if the predicate fails at `high` the result is infinity.

    >>> smallest_true(lambda x: x * x >= 2, 0.0, 2.0) ** 2 >= 2
    True
    >>> smallest_true(lambda x: False, 0.0, 2.0)
    inf
    """
    if not holds(high):
        return math.inf
    if holds(low):
        return low
    bad, good = position(low), position(high)
    while good - bad > 1:
        middle = (bad + good) // 2
        if holds(double_at(middle)):
            good = middle
        else:
            bad = middle
    return double_at(good)


def largest_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the largest double in [low, high] where a predicate that stays false once false holds.

    The result was seen to hold; if the predicate fails at `low` the result is minus infinity.

    >>> largest_true(lambda x: x * x <= 2, 0.0, 2.0) ** 2 <= 2
    True
    """
    return -smallest_true(lambda x: holds(-x), -high, -low)


def largest_count(holds: Callable[[int], bool], limit: int) -> int:
    """Return the largest count in 0..limit where a predicate that stays false once false holds.

    Zero means that it fails at one already.

    >>> largest_count(lambda n: n * n <= 50, 1000)
    7
    """
    if limit < 1 or not holds(1):
        return 0
    good, step = 1, 1
    while good + step <= limit and holds(good + step):
        good, step = good + step, 2 * step
    bad = min(good + step, limit + 1)
    while bad - good > 1:
        middle = (good + bad) // 2
        if holds(middle):
            good = middle
        else:
            bad = middle
    return good


def root(function: Callable[[float], float], positive: float, negative: float, *, tolerance: float = 1e-10) -> float:
    """Return a place within a tolerance of a sign change, on its side where the function is not positive.

    The function is positive at one given end and not at the other; false position by the Illinois rule, with a
    bisection where it stalls. NaN counts as positive.

    >>> x = root(lambda x: 2 - x * x, 0.0, 2.0)
    >>> x * x >= 2, abs(x - 2**0.5) < 1e-9
    (True, True)
    """
    at_positive, at_negative = function(positive), function(negative)
    moved = 0
    for turn in range(200):
        if abs(negative - positive) <= tolerance * (1 + abs(negative)):
            break
        share = at_positive / (at_positive - at_negative) if math.isfinite(at_positive - at_negative) else 0.5
        share = 0.5 if turn % 4 == 3 or not 0 < share < 1 else share
        middle = positive + share * (negative - positive)
        value = function(middle)
        if value <= 0:
            negative, at_negative, at_positive = middle, value, at_positive / (2 if moved == -1 else 1)
            moved = -1
        else:
            positive, at_positive, at_negative = middle, value, at_negative / (2 if moved == 1 else 1)
            moved = 1
    return negative


def minimise(
    function: Callable[[float], float], low: float, high: float, *, points: int = 48, tolerance: float = 1e-9
) -> tuple[float, float]:
    """Return (x, function(x)), the least value seen on a geometric grid of (low, high) refined by golden section.

    The value is one the function took, never an extrapolation; NaN counts as infinity. Both ends must be positive.

    >>> x, value = minimise(lambda x: (x - 2) ** 2, 0.01, 100.0)
    >>> round(x, 6), value < 1e-12
    (2.0, True)
    """
    if not (0 < low < high < math.inf and points >= 3):
        raise ValueError(f"need 0 < low < high < infinity and three points: {low}, {high}, {points}")

    def at(position_in_log: float) -> float:
        value = function(math.exp(position_in_log))
        return math.inf if math.isnan(value) else value

    step = (math.log(high) - math.log(low)) / (points - 1)
    grid = [math.log(low) + i * step for i in range(points)]
    values = [at(u) for u in grid]
    best = min(range(points), key=values.__getitem__)
    seen = (values[best], grid[best])
    left, right = grid[max(best - 1, 0)], grid[min(best + 1, points - 1)]
    ratio = (math.sqrt(5) - 1) / 2
    inner, outer = right - ratio * (right - left), left + ratio * (right - left)
    at_inner, at_outer = at(inner), at(outer)
    while right - left > tolerance and left < inner <= outer < right:
        seen = min(seen, (at_inner, inner), (at_outer, outer))
        if at_inner <= at_outer:
            right, outer, at_outer = outer, inner, at_inner
            inner = right - ratio * (right - left)
            at_inner = at(inner)
        else:
            left, inner, at_inner = inner, outer, at_outer
            outer = left + ratio * (right - left)
            at_outer = at(outer)
    value, place = seen
    return math.exp(place), value
