"""Compositions whose exact delta is known: one, two Laplace mechanisms by one integral, in mpmath."""

from __future__ import annotations

import mpmath


def one_laplace(shift: float, threshold: mpmath.mpf) -> mpmath.mpf:
    """The hockey-stick divergence of Lap(0, 1) from Lap(shift, 1) at any real threshold."""
    s, t = mpmath.mpf(shift), mpmath.mpf(threshold)
    if t >= s:
        return mpmath.mpf(0)
    return 1 - mpmath.exp(t) if t <= -s else 1 - mpmath.exp((t - s) / 2)


def two_laplace(shift: float, threshold: float) -> mpmath.mpf:
    """The expectation, over the loss of the first, of the hockey-stick divergence left for the second.

    Under Lap(0, 1) the loss at x is s below zero, -s above s, and s - 2x between, where x has density e^-x / 2.
    """
    with mpmath.workdps(30):
        s, t = mpmath.mpf(shift), mpmath.mpf(threshold)
        ends = one_laplace(s, t - s) / 2 + mpmath.exp(-s) / 2 * one_laplace(s, t + s)
        corners = sorted({mpmath.mpf(0), s, *(x for x in ((2 * s - t) / 2, -t / 2) if 0 < x < s)})
        return ends + mpmath.quad(lambda x: mpmath.exp(-x) / 2 * one_laplace(s, t - s + 2 * x), corners)
