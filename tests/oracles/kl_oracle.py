"""The inverses of the divergence of two coins, by bisection over the doubles on proved signs."""

from __future__ import annotations

import math

from leakbound.numerics.ball import ball, coin_divergence, crossing


def upper(q: float, c: float) -> tuple[float, float]:
    """Doubles (low, high] around the largest p with kl(q|p) <= c, for q < 1 and 0 < c < infinity."""
    low, high = crossing(lambda p: coin_divergence(ball(q), ball(p)) - ball(c), q, math.nextafter(1.0, 0.0))
    return low, min(high, 1.0)


def lower(q: float, c: float) -> tuple[float, float]:
    """Doubles [low, high) around the least p with kl(q|p) <= c, for q > 0 and 0 < c < infinity."""
    high, low = crossing(lambda p: coin_divergence(ball(q), ball(-p)) - ball(c), -q, -5e-324)
    return max(0.0, -low), -high
