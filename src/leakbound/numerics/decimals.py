"""Many-digit evaluation with Python's decimal module, whose exp and ln are correctly rounded.

Formulas that cancel (a Renyi divergence near zero is the logarithm of one plus almost nothing) are evaluated with
enough digits for the smallness of their inputs, and only the last step rounds to a double, in the safe direction.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction

from leakbound.numerics.rounding import TINY, ceiling

_SLACK = Fraction(1, 10**17)
_LARGEST, _SMALLEST = Decimal("1e309"), Decimal("1e-320")
_LARGEST_DOUBLE = 1.7976931348623157e308


@contextmanager
def digits_for(*inputs: float) -> Iterator[None]:
    """Work with 70 digits plus three for every leading zero of each input, and the widest exponents.

    >>> with digits_for(1e-10):
    ...     log_of_one_plus(Decimal(1e-30)) > 0
    True
    """
    zeros = sum(max(0, -math.floor(math.log10(abs(x)))) for x in inputs if x and math.isfinite(x))
    context = decimal.Context(prec=70 + 3 * zeros, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[])
    with decimal.localcontext(context):
        yield


def log_of_one_plus(x: Decimal) -> Decimal:
    """Return log(1 + x) in the digits of the context.

    >>> log_of_one_plus(Decimal(0))
    Decimal('0')
    """
    return (1 + x).ln()


def exp_less_one(x: Decimal) -> Decimal:
    """Return exp(x) - 1 in the digits of the context.

    >>> exp_less_one(Decimal(0))
    Decimal('0')
    """
    return x.exp() - 1


def double_above(x: Decimal) -> float:
    """Return a double at least x, one part in 10^17 and half a step above it.

    >>> double_above(Decimal("0.1")) > Decimal("0.1")
    True
    """
    if x.is_nan():
        return math.inf
    if abs(x) > _LARGEST:
        return math.inf if x > 0 else -_LARGEST_DOUBLE
    if abs(x) < _SMALLEST:
        return 0.0 if x == 0 else TINY
    exact = Fraction(x)
    return ceiling(exact + abs(exact) * _SLACK)


def double_below(x: Decimal) -> float:
    """Return a double at most x, one part in 10^17 and half a step below it.

    >>> double_below(Decimal("0.1")) < Decimal("0.1")
    True
    """
    return -double_above(-x)
