"""Two unit normals a shift apart: their hockey-stick divergence and their trade-off curve, to full relative accuracy.

With x = threshold/shift - shift/2, y = x + shift and Mills' ratio M(x) = Phi(-x)/phi(x), the divergence is

    Phi(-x) - e^threshold Phi(-y) = phi(x) (M(x) - M(y)) = phi(x) * integral of 1 - t M(t) over [x, y],

where the first form is used for far shifts and the integral, which does not cancel, for near ones. x is formed in
exact rational arithmetic, because exp(-x^2/2) magnifies its error.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from scipy import special

from leakbound.numerics.rounding import lowered, raised

MARGIN = 1e-11
"""Relative safety margin of both functions, at least ten times the largest error seen against Arb."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_PI = math.sqrt(math.pi / 2)
_ROOT_TWO_PI = math.sqrt(2 * math.pi)
_FAR = 40.0


def hockey_stick_upper(shift: float, threshold: float) -> float:
    """Return E_gamma(N(shift, 1) | N(0, 1)) at gamma = e^threshold >= 1, rounded up.

    Formula: Phi(shift/2 - threshold/shift) - e^threshold Phi(-shift/2 - threshold/shift).
    Reference: Balle and Wang (2018).

    >>> round(hockey_stick_upper(1.0, 1.0), 6)
    0.126937
    """
    if shift == 0 or threshold == math.inf:
        return 0.0
    if shift == math.inf:
        return 1.0
    exact = Fraction(threshold) / Fraction(shift) - Fraction(shift) / 2
    if exact >= _FAR:
        return raised(0.0, MARGIN)
    if exact <= -_FAR:
        return 1.0
    x = float(exact)
    density = math.exp(-x * x / 2) / _ROOT_TWO_PI
    if shift <= 1:
        at = x + shift * (_NODES + 1) / 2
        value = density * shift / 2 * float(_WEIGHTS @ (1 - at * _mills(at)))
    elif x > 0:
        value = density * float(_mills(x) - _mills(x + shift))
    else:
        value = float(special.ndtr(-x)) - density * float(_mills(x + shift))
    return min(1.0, raised(value, MARGIN))


def trade_off_lower(shift: float, level: float) -> float:
    """Return the least type two error of testing N(0, 1) against N(shift, 1) at a type one error, rounded down.

    Formula: Phi(Phi^-1(1 - level) - shift). Reference: Dong, Roth and Su (2022).

    >>> round(trade_off_lower(1.0, 0.05), 6)
    0.740489
    """
    if level == 0:
        return 1.0
    if level == 1 or shift == math.inf:
        return 0.0
    if shift == 0:
        return 1 - level if Fraction(1 - level) + Fraction(level) <= 1 else math.nextafter(1 - level, 0.0)
    value = float(special.ndtr(-special.ndtri(level) - shift))
    return max(0.0, lowered(value, MARGIN))


def mirror_shift_upper(log_odds: float) -> float:
    """Return the shift of two unit normals whose trade-off curve passes the corner of a coin against its mirror image.

    Formula: 2 Phi^-1(e^log_odds / (1 + e^log_odds)), rounded up.

    >>> round(mirror_shift_upper(1.0), 6)
    1.232035
    """
    if log_odds in (0, math.inf):
        return log_odds
    if log_odds <= 1:
        half = float(special.erfinv(math.tanh(log_odds / 2))) / _ROOT_HALF
    else:
        half = -float(special.ndtri_exp(-log_odds - math.log1p(math.exp(-log_odds))))
    return raised(2 * half, MARGIN)


def _mills(x: float | np.ndarray) -> np.ndarray:
    return np.asarray(_ROOT_HALF_PI * special.erfcx(_ROOT_HALF * np.asarray(x)))
