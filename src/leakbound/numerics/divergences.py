"""Renyi and hockey-stick divergences of explicit pairs of laws, rounded up.

Pairs: two unit Laplace laws a shift apart, a two-point law against its mirror image, many independent copies of that,
and any two laws on finitely many points. Order one is the Kullback-Leibler divergence, order infinity the largest
log-ratio.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from leakbound.numerics.decimals import digits_for, double_above, exp_less_one
from leakbound.numerics.rounding import ceiling


def gaussian_renyi(order: float, shift: float) -> float:
    """Return the Renyi divergence of two unit normals a shift apart.

    Formula: a shift^2 / 2. Reference: Mironov (2017).

    >>> gaussian_renyi(2.0, 3.0)
    9.0
    """
    if shift == 0:
        return 0.0
    if math.inf in (order, shift):
        return math.inf
    return ceiling(Fraction(order) * Fraction(shift) ** 2 / 2)


def laplace_renyi(order: float, shift: float) -> float:
    """Return the Renyi divergence of two unit Laplace laws a shift apart.

    Formula: log[a/(2a-1) e^((a-1) shift) + (a-1)/(2a-1) e^(-a shift)] / (a-1). Reference: Mironov (2017).

    >>> round(laplace_renyi(2.0, 1.0), 6)
    0.619124
    """
    if order == math.inf or shift in (0, math.inf):
        return shift
    with digits_for(order - 1, shift, shift):
        a, s = Decimal(order), Decimal(shift)
        if order == 1:
            return double_above(s + exp_less_one(-s))
        inside = (a + (a - 1) * (-(2 * a - 1) * s).exp()) / (2 * a - 1)
        return double_above(s + inside.ln() / (a - 1))


def laplace_hockey_stick(shift: float, threshold: float) -> float:
    """Return E_gamma of two unit Laplace laws a shift apart, gamma = e^threshold >= 1.

    Formula: 1 - e^((threshold - shift)/2) for threshold < shift, else 0. Reference: Dong, Roth and Su (2022).

    >>> round(laplace_hockey_stick(1.0, 0.5), 6)
    0.221199
    """
    if threshold >= shift:
        return 0.0
    if shift == math.inf:
        return 1.0
    with digits_for(shift, threshold):
        return min(1.0, double_above(-exp_less_one((Decimal(threshold) - Decimal(shift)) / 2)))


def two_point_renyi(order: float, log_odds: float) -> float:
    """Return the Renyi divergence of a coin of the given log-odds from the coin of the opposite log-odds.

    Formula: log[cosh((a - 1/2) e) / cosh(e/2)] / (a-1); e tanh(e/2) at a = 1. Reference: Mironov (2017).

    >>> round(two_point_renyi(2.0, 1.0), 6)
    0.735326
    """
    if order == math.inf or log_odds in (0, math.inf):
        return log_odds
    with digits_for(order - 1, log_odds, log_odds):
        a, e = Decimal(order), Decimal(log_odds)
        if order == 1:
            return double_above(e * -exp_less_one(-e) / (1 + (-e).exp()))
        inside = (1 + (-(2 * a - 1) * e).exp()) / (1 + (-e).exp())
        return double_above(e + inside.ln() / (a - 1))


def two_point_hockey_stick(log_odds: float, threshold: float, copies: int = 1) -> float:
    """Return E_gamma of `copies` independent such coins against their mirror images, gamma = e^threshold.

    Formula: the sum of the positive terms C(k,l) (e^((k-l) e) - gamma e^(l e)) / (1 + e^e)^k over l = 0, 1, ..., k.
    Reference: Kairouz, Oh and Viswanath (2017).

    >>> round(two_point_hockey_stick(1.0, 0.5), 6)
    0.287649
    """
    if log_odds == math.inf:
        return 1.0
    with digits_for(log_odds, threshold):
        e, t = Decimal(log_odds), Decimal(threshold)
        x, total, weight = (-e).exp(), Decimal(0), Decimal(1)
        tilt, ratio = (t - copies * e).exp(), (2 * e).exp()
        for flips in range(copies + 1):
            if t >= (copies - 2 * flips) * e:
                break
            total += weight * (1 - tilt)
            weight = weight * x * (copies - flips) / (flips + 1)
            tilt *= ratio
        return min(1.0, double_above(total / (1 + x) ** copies))
