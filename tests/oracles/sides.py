"""On which side of an exact value does a rounded bound lie, and how far? The exact value is a formula on balls."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from leakbound.numerics.ball import ball, precision

SMALL = 1e-300
"""A bound this close to the exact value counts as exact: relative accuracy is lost where doubles underflow."""


def excess(bound: float, formula: Callable[[], Any], *, up: bool = True) -> float:
    """Return how far a bound lies beyond the exact value, relative to it: negative on the wrong side.

    Bounds from above are the default, `up=False` takes one from below. The formula is evaluated with more and more bits
    until the answer is certain; what agrees to 8192 bits counts as equal.
    """
    for bits in (128, 512, 2048, 8192):
        with precision(bits):
            exact = formula()
            if not exact.is_finite() and exact.is_exact():
                return 0.0 if ball(bound) == exact else -math.inf if up == bool(exact > 0) else math.inf
            if math.isinf(bound):
                return math.inf if up == (bound > 0) else -math.inf
            gap = ball(bound) - exact if up else exact - ball(bound)
            if 0 <= gap <= SMALL:
                return 0.0
            if gap.rel_accuracy_bits() > 4 and exact.rel_accuracy_bits() > 4:
                return float(gap / abs(exact)) if exact != 0 else math.copysign(math.inf, float(gap))
    assert abs(gap) <= abs(exact) * ball(SMALL) or abs(gap) <= SMALL, "the formula is too wide to compare with"
    return 0.0
