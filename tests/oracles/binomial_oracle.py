"""Binomial tails as regularised incomplete beta functions, enclosed in ball arithmetic (Arb)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from leakbound.numerics.ball import precision


def exact(x: float | Fraction) -> Any:
    """Return the ball of an exact rational at the working precision."""
    return arb(fmpq(*Fraction(x).as_integer_ratio()))


def point(count: int, trials: int, success: float) -> Any:
    """Return P(Binomial(trials, success) = count) = trials! / (count! rest!) p^count (1 - p)^rest."""
    with precision(192):
        p, rest = exact(success), trials - count
        return p**count * (1 - p) ** rest * arb(trials + 1).gamma() / (arb(count + 1).gamma() * arb(rest + 1).gamma())


def lower_tail(count: int, trials: int, success: float | Fraction) -> Any:
    """Return P(Binomial(trials, success) <= count) = I_{1 - success}(trials - count, count + 1), count < trials."""
    return _tails(count, trials, success)[0]


def upper_tail(count: int, trials: int, success: float | Fraction) -> Any:
    """Return P(Binomial(trials, success) >= count) for 1 <= count <= trials."""
    return _tails(count - 1, trials, success)[1]


def _tails(count: int, trials: int, success: float | Fraction) -> tuple[Any, Any]:
    """Return P(X <= count) and P(X > count) to at least 45 bits; Arb is quick where the first parameter is smaller."""
    for bits in (192, 1200, 4800):  # tails of 1e-300 are differences from one: 1000 bits
        with precision(bits):
            p, below, above = exact(success), arb(trials - count), arb(count + 1)
            if count + 1 < trials - count:
                above = p.beta_lower(above, below, 1)
                below = 1 - above
            else:
                below = (1 - p).beta_lower(below, above, 1)
                above = 1 - below
            if min(below.rel_accuracy_bits(), above.rel_accuracy_bits()) > 45:
                return below, above
    raise ArithmeticError(f"no enclosure for count={count}, trials={trials}, success={success}")
