"""Ball arithmetic (Arb, through python-flint): every result is an interval proved to hold the exact value.

This is the second route that `verify` and the tests take; nothing here shares code with the fast functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from leakbound.errors import MissingExtra, Undecided

if TYPE_CHECKING:
    Ball: TypeAlias = Any

_BITS = (128, 256, 512, 1024, 4096, 16384, 65536)


def flint() -> Any:
    """Return the python-flint module, or say which extra installs it.

    >>> flint().arb(1) + 1 == 2
    True
    """
    try:
        import flint as module
    except ImportError:
        raise MissingExtra("python-flint", "verify") from None
    return module


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with this many bits, and restore the former precision afterwards.

    >>> with precision(256):
    ...     ball(2.0).sqrt().rel_accuracy_bits() > 250
    True
    """
    context = flint().ctx
    before, context.prec = context.prec, bits
    try:
        yield
    finally:
        context.prec = before


def ball(x: float | Fraction) -> Ball:
    """Return a ball around a number: a double, an integer or infinity exactly, a fraction to the precision.

    >>> ball(0.5).is_exact()
    True
    """
    arb = flint().arb
    if isinstance(x, Fraction):
        return arb(flint().fmpq(x.numerator, x.denominator))
    if math.isinf(x):
        return arb.pos_inf() if x > 0 else arb.neg_inf()
    return arb(x)


def ends(x: Ball) -> tuple[float, float]:
    """Return doubles (low, high) around every number of a ball; a ball that says nothing gives the whole line.

    >>> low, high = ends(ball(2.0).sqrt())
    >>> low < high and low * low < 2 < high * high
    True
    """
    if x.is_nan():
        return -math.inf, math.inf
    lower, upper = x.lower(), x.upper()
    low, high = float(lower), float(upper)
    while lower < ball(low):
        low = math.nextafter(low, -math.inf)
    while upper > ball(high):
        high = math.nextafter(high, math.inf)
    return low, high


def enclose(formula: Callable[[], Ball], *, relative: float = 1e-15, absolute: float = 1e-310) -> tuple[float, float]:
    """Evaluate a formula with more and more bits until its ball is narrow; return its ends as doubles.

    >>> enclose(lambda: ball(1.0).exp())
    (2.718281828459045, 2.7182818284590455)
    """
    for bits in _BITS:
        with precision(bits):
            value = formula()
            radius, size = value.rad(), abs(value)
            narrow = value.is_finite() and (radius <= size * ball(relative) or bool(size < ball(absolute)))
            if narrow or (not value.is_nan() and not value.is_finite() and value.is_exact()):
                return ends(value)
    raise Undecided("A formula could not be enclosed with 65536 bits; its inputs are too extreme.")


def is_positive(formula: Callable[[], Ball]) -> bool:
    """Decide the sign of a formula, with as many bits as that takes; zero counts as not positive.

    >>> is_positive(lambda: ball(2.0).sqrt() - 1)
    True
    """
    for bits in _BITS:
        with precision(bits):
            value = formula()
            if value > 0:
                return True
            if value <= 0:
                return False
    raise Undecided("A sign could not be decided with 65536 bits; the two sides may be equal.")


def crossing(formula: Callable[[float], Ball], low: float, high: float) -> tuple[float, float]:
    """Return neighbouring doubles around the point where an increasing formula turns positive, in [low, high].

    >>> a, b = crossing(lambda x: ball(x) ** 2 - 2, 0.0, 2.0)
    >>> a < 2**0.5 <= b
    True
    """
    from leakbound.numerics.search import double_at, position

    left, right = position(low), position(high)
    if is_positive(lambda: formula(low)):
        return low, low
    if not is_positive(lambda: formula(high)):
        return high, math.inf
    while right - left > 1:
        middle = (left + right) // 2
        if is_positive(lambda: formula(double_at(middle))):  # noqa: B023 - called at once
            right = middle
        else:
            left = middle
    return double_at(left), double_at(right)


def normal_tail(x: Ball) -> Ball:
    """Return P(N > x) for a standard normal N.

    >>> normal_tail(ball(0.0)) == 0.5
    True
    """
    if not x > 8:
        return (x / ball(2.0).sqrt()).erfc() / 2
    half = ball(0.5)  # erfc loses its relative accuracy far out; Tricomi's function keeps it
    return (-x * x / 2).exp() * (x * x / 2).hypgeom_u(half, half) / (4 * flint().arb.pi()).sqrt()


def coin_divergence(q: Ball, p: Ball) -> Ball:
    """Return kl(q|p) = q log(q/p) + (1-q) log((1-q)/(1-p)) for exact q and p inside (0, 1) or equal ends.

    >>> bool(coin_divergence(ball(0.5), ball(0.5)).contains(0))
    True
    """
    value = ball(0.0)
    if q != 0:
        value += q * (q / p).log()
    if q != 1:
        value += (1 - q) * ((1 - q) / (1 - p)).log()
    return value
