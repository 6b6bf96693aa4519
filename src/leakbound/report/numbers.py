"""Numbers as text, rounded to the side on which the claim stays true."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal


def displayed(value: float | Decimal, *, up: bool, digits: int = 6) -> str:
    """Return a number with at most `digits` significant digits, never below it if `up`, else never above it.

    A double whose short form reads back as the same double is shown as it is.

    >>> displayed(2 / 3, up=True), displayed(2 / 3, up=False), displayed(1e-5, up=True)
    ('0.666667', '0.666666', '1e-05')
    """
    if isinstance(value, float):
        if math.isinf(value):
            return "infinity" if value > 0 else "-infinity"
        short = f"{value:.{digits}g}"
        if float(short) == value:
            return short
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    rounded = float(context.plus(Decimal(value)))
    return displayed(rounded, up=up) if math.isinf(rounded) else f"{rounded:.{digits}g}"


def percent(share: Decimal, *, up: bool) -> str:
    """Return a share between 0 and 1 in percent, with at most three digits.

    >>> percent(Decimal("0.0512345"), up=True)
    '5.13 %'
    """
    return f"{displayed(100 * share, up=up, digits=3)} %"
