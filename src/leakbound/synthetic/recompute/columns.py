"""The laws of products of chi-squares in ball arithmetic, for hidden seeds and one output.

U = S W with W chi-square of `rows` degrees and S noncentral chi-square of `features` degrees: a Poisson mixture over j
of products of central chi-squares with m = features + 2 j and l = rows degrees. At z = sqrt(u), with

    g(m, l) = 2 (z/2)^((m+l)/2) K_{(m-l)/2}(z) / (Gamma(m/2) Gamma(l/2)),   the density of log U,
    Q(m, l) = P(U > u):   Q(m + 2, l) = Q(m, l) + (2/m) g(m, l),   and the same in l,

every sum has positive terms only. The proof page hidden-seeds.md derives the recurrence.
"""

from __future__ import annotations

import math
from typing import Any

from leakbound.numerics.ball import ball, flint, precision

_ASYMPTOTIC = 160.0


def column(features: int, rows: int, y: float, terms: int) -> tuple[list[Any], list[Any]]:
    """Return the densities g and the survival probabilities Q of log U at y for m = features + 2 j, j < terms."""
    with precision(flint().ctx.prec + _more_bits((ball(y) / 2).exp())):
        z = (ball(y) / 2).exp()
    m, low = _start(features), _start(rows)
    besselk = _Orders(z, (m - low) / 2)
    survival = _first(m, low, z)
    scale = 2 * (z / 2).sqrt() ** (m + low) / (_gamma(m) * _gamma(low))
    while m < features:
        survival += 2 * scale * besselk.at(m - low) / m
        scale, m = scale * z / m, m + 2
    while low < rows:
        survival += 2 * scale * besselk.at(m - low) / low
        scale, low = scale * z / low, low + 2
    densities, survivals = [], []
    for _ in range(terms):
        density = scale * besselk.at(m - low)
        densities.append(density)
        survivals.append(survival)
        survival = survival + 2 * density / m
        scale, m = scale * z / m, m + 2
    return densities, survivals


def _start(freedom: int) -> int:
    return 1 if freedom % 2 else 2


def _gamma(freedom: int) -> Any:
    return (ball(freedom) / 2).gamma()


class _Orders:
    """Modified Bessel functions K of orders n/2 for all even, or all odd, n: upward from the two lowest orders."""

    def __init__(self, z: Any, order: float) -> None:
        self._z = z
        self._odd = int(2 * order) % 2
        if self._odd:
            first = (flint().arb.pi() / (2 * z)).sqrt() * (-z).exp()
            self._values = [first, first * (1 + 1 / z)]
        else:
            self._values = list(_lowest(z))

    def at(self, doubled: int) -> Any:
        """Return K of order doubled/2, which is even in the order."""
        place = (abs(doubled) - self._odd) // 2
        while len(self._values) <= place:
            n = len(self._values) - 1 + ball(self._odd) / 2
            self._values.append(self._values[-2] + 2 * n / self._z * self._values[-1])
        return self._values[place]


def _lowest(z: Any) -> tuple[Any, Any]:
    """Return K_0 and K_1; the second by the Wronskian I_0 K_1 + I_1 K_0 = 1/z, because Arb's own can take hours."""
    zero, one = ball(0.0), ball(1.0)
    with precision(flint().ctx.prec + _more_bits(z)):
        lowest = z.bessel_k(zero)
        return lowest, (1 / z - z.bessel_i(one) * lowest) / z.bessel_i(zero)


def _first(m: int, low: int, z: Any) -> Any:
    """Return Q(m, l) for m and l of one or two: z K_1(z), e^-z, or (2/pi) times the integral of K_0 from z on."""
    if m != low:
        return (-z).exp()
    if m == 2:
        return z * _lowest(z)[1]
    arb = flint().arb
    if z > _ASYMPTOTIC:
        return arb(0).union((-z).exp())
    # One minus the integral from zero (DLMF 10.43.2), with modified Struve functions as 1F2; far out it cancels.
    with precision(flint().ctx.prec + 2 * _more_bits(z)):
        three, five = arb(3) / 2, arb(5) / 2
        square = z * z / 4
        struve_zero = 2 * z / arb.pi() * square.hypgeom([arb(1)], [three, three])
        lowest, second = _lowest(z)
        struve_one = 2 * z * z / (3 * arb.pi()) * square.hypgeom([arb(1)], [three, five])
        below = z * (lowest * (2 / arb.pi() + struve_one) + second * struve_zero)
        return 1 - below


def _more_bits(z: Any) -> int:
    """Return the bits that the series of Bessel functions lose at z; far out Arb takes an asymptotic series instead."""
    size = float(z.mid())
    return 64 + (math.ceil(4 * size) if size < flint().ctx.prec else 0)
