"""The Kullback-Leibler divergence of two coins and its two inverses, rounded outwards.

kl(q|p) = q log(q/p) + (1-q) log((1-q)/(1-p)) is computed as q g(d/q) + (1-q) g(-d/(1-q)) with d = p - q and
g(x) = x - log(1+x) >= 0, a sum of non-negative terms, so that nothing cancels when p is close to q.
"""

from __future__ import annotations

import math

from leakbound.numerics.rounding import TINY
from leakbound.numerics.search import largest_true, smallest_true
from leakbound.numerics.validate import probability, real

MARGIN = 1e-13
"""Relative safety margin on kl, some fifty times its rounding error."""


def kl(q: float, p: float) -> float:
    """Return kl(q|p), the divergence of a coin of bias q from a coin of bias p, to about 1e-14 relative.

    Formula: q log(q/p) + (1-q) log((1-q)/(1-p)).

    >>> round(kl(0.5, 0.25), 6)
    0.143841
    """
    q, p = probability("q", q), probability("p", p)
    difference = p - q
    return _term(q, p, difference) + _term(1 - q, 1 - p, -difference)


def kl_inverse_upper(q: float, c: float) -> float:
    """Return the largest p with kl(q|p) <= c, rounded up.

    Formula: sup {p in [q, 1] : q log(q/p) + (1-q) log((1-q)/(1-p)) <= c}. Reference: Langford and Schapire (2005).

    >>> round(kl_inverse_upper(0.1, 0.05), 6)
    0.220079
    """
    q, c = probability("q", q), real("c", c, low=0.0, infinite=True)
    if c == 0:
        return q
    return min(1.0, smallest_true(lambda p: kl(q, p) * (1 - MARGIN) - TINY > c, q, 1.0))


def kl_inverse_lower(q: float, c: float) -> float:
    """Return the least p with kl(q|p) <= c, rounded down.

    Formula: inf {p in [0, q] : q log(q/p) + (1-q) log((1-q)/(1-p)) <= c}. Reference: Langford and Schapire (2005).

    >>> round(kl_inverse_lower(0.1, 0.05), 6)
    0.031278
    """
    q, c = probability("q", q), real("c", c, low=0.0, infinite=True)
    if c == 0:
        return q
    return max(0.0, largest_true(lambda p: kl(q, p) * (1 - MARGIN) - TINY > c, 0.0, q))


def _term(a: float, b: float, difference: float) -> float:
    """Return a log(a/b) + difference, with difference = b - a as exact as it is known."""
    if a == 0:
        return difference
    if b == 0:
        return math.inf
    x = difference / a
    if abs(x) > 0.4:
        ratio = b / a
        return difference - a * (math.log(ratio) if 1e-300 < ratio < 1e300 else math.log(b) - math.log(a))
    return a * _less_log(x)


def _less_log(x: float) -> float:
    """Return x - log(1 + x) for |x| <= 0.4, by log(1 + x) = 2 atanh(x / (2 + x)) without cancellation."""
    r = x / (2 + x)
    square = r * r
    tail, power, odd = 0.0, 1.0, 3
    while power > 1e-18:
        tail, power, odd = tail + power / odd, power * square, odd + 2
    return r * (x - 2 * square * tail)
