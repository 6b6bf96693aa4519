"""Rounding with a declared direction: neighbours of a double, exact rational results, sums, margins."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

TINY = 1e-305
"""An absolute margin that covers subnormal results, where relative accuracy is lost."""


def up(x: float) -> float:
    """Return the next double above x.

    >>> up(1.0) > 1.0
    True
    """
    return math.nextafter(x, math.inf)


def down(x: float) -> float:
    """Return the next double below x.

    >>> down(1.0) < 1.0
    True
    """
    return math.nextafter(x, -math.inf)


def exact(x: float) -> str:
    """Return the shortest text that reads back as the same double: a bound is never shown better than it is.

    >>> exact(3.0), exact(0.1), exact(1e-5)
    ('3', '0.1', '1e-05')
    """
    return repr(float(x)).removesuffix(".0")


def raised(x: float, margin: float) -> float:
    """Return a double at least x + margin |x|, with an absolute margin near zero.

    >>> raised(1.0, 1e-12) >= 1 + 1e-12
    True
    """
    return up(x + abs(x) * margin + (TINY if abs(x) < 1e-290 else 0.0))


def lowered(x: float, margin: float) -> float:
    """Return a double at most x - margin |x|, with an absolute margin near zero.

    >>> lowered(1.0, 1e-12) <= 1 - 1e-12
    True
    """
    return -raised(-x, margin)


def ceiling(x: Fraction) -> float:
    """Return the smallest double at least x (infinity beyond the largest).

    >>> ceiling(Fraction(1, 3)) > Fraction(1, 3)
    True
    >>> ceiling(Fraction(1, 2))
    0.5
    """
    try:
        nearest = float(x)
    except OverflowError:
        return math.inf if x > 0 else -1.7976931348623157e308
    return up(nearest) if Fraction(nearest) < x else nearest


def floor(x: Fraction) -> float:
    """Return the largest double at most x.

    >>> floor(Fraction(1, 3)) < Fraction(1, 3)
    True
    """
    return -ceiling(-x)


def square_root_ceiling(x: Fraction) -> float:
    """Return a double at least sqrt(x), and at most one double too large.

    >>> square_root_ceiling(Fraction(4))
    2.0
    >>> square_root_ceiling(Fraction(2)) ** 2 > 2
    True
    """
    if x < 0:
        raise ValueError(f"square root of a negative number: {x}")
    if x == 0:
        return 0.0
    shift = 160 - (x.numerator.bit_length() - x.denominator.bit_length())
    shift += shift % 2
    scaled = x * Fraction(2) ** shift
    root = Fraction(math.isqrt(math.ceil(scaled)) + 1) / Fraction(2) ** (shift // 2)
    result = ceiling(root)
    below = down(result)
    return below if math.isfinite(result) and Fraction(below) ** 2 >= x else result


def exact_sum_up(terms: Iterable[tuple[Fraction, float]]) -> float:
    """Return a double at least the exact sum of factor times value, infinite if a value is.

    >>> exact_sum_up([(Fraction(10), 0.1)]) >= 1.0
    True
    """
    pairs = list(terms)
    if any(math.isinf(value) for _, value in pairs):
        return math.inf
    return ceiling(sum((factor * Fraction(value) for factor, value in pairs), Fraction(0)))
