"""Privacy loss distributions in whole numbers: a numerical composition is recomputed with proved rounding.

Each part's profile is evaluated in balls on a lattice of thresholds and interpolated linearly in e^threshold, which
lies above the convex profile. Its privacy losses then sit on the lattice, with masses counted in units of 2^-160 and
rounded up; convolution is exact multiplication of integer polynomials; what is cut off the upper end counts as infinite
loss, and what is cut off the lower end moves up. So the result is an upper bound, too large by no more than rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leakbound.certificate.recompute import laws
from leakbound.certificate.record import Record
from leakbound.errors import Undecided
from leakbound.numerics.ball import ball, enclose, flint, precision

_BITS = 160
_UNIT = 1 << _BITS
_NEGLIGIBLE = 1 << (_BITS - 100)
_MOST_POINTS, _MOST_POINTS_OF_ONE_USE = 300_000, 50_000
_ROUNDING = 2.0**-80
"""More than all roundings together: at most 2^40 roundings of 2^-160, and tails of 2^-100 cut at most 2^15 times."""


@dataclass(frozen=True)
class Losses:
    """Masses (units of 2^-160) of the losses (first + i) step, and the mass of infinite loss."""

    step: float
    first: int
    masses: Any
    infinite: int

    def compose(self, other: Losses) -> Losses:
        """Return the losses of both uses together."""
        both = _UNIT - (_UNIT - self.infinite) * (_UNIT - other.infinite) // _UNIT
        product = [(int(c) >> _BITS) + 1 if c else 0 for c in (self.masses * other.masses).coeffs()]
        return _trimmed(self.step, self.first + other.first, product, both)

    def uses(self, count: int) -> Losses:
        """Return the losses of `count` uses, by repeated squaring."""
        result, power = None, self
        while True:
            if count & 1:
                result = power if result is None else result.compose(power)
            count >>= 1
            if not count:
                assert result is not None
                return result
            power = power.compose(power)

    def hockey_stick(self, epsilon: float) -> tuple[float, float]:
        """Enclose the hockey-stick divergence at a threshold, up to what rounding added."""
        if epsilon == math.inf:
            low, high = enclose(lambda: ball(Fraction(self.infinite, _UNIT)))
            return max(0.0, low - _ROUNDING), high
        coefficients = self.masses.coeffs()
        with precision(128):
            start = max(0, math.floor(epsilon / self.step) - self.first - 1)
            e, h, total = ball(epsilon), ball(self.step), ball(0.0)
            for i in range(start, len(coefficients)):
                gap = e - (self.first + i) * h
                if gap < 0 and coefficients[i]:
                    total += coefficients[i] * -gap.expm1()
            low, high = enclose(lambda: (total + self.infinite) / _UNIT, relative=1e-13)
        return max(0.0, low - _ROUNDING), min(1.0, high)


def _trimmed(step: float, first: int, masses: list[int], infinite: int) -> Losses:
    top, high = 0, len(masses)
    while high > 1 and top + masses[high - 1] < _NEGLIGIBLE:
        top += masses[high - 1]
        high -= 1
    bottom, low = 0, 0
    while low < high - 1 and bottom + masses[low] < _NEGLIGIBLE:
        bottom += masses[low]
        low += 1
    kept = masses[low:high]
    kept[0] += bottom
    if len(kept) > _MOST_POINTS:
        raise _TooManyPoints
    return Losses(step, first + low, flint().fmpz_poly(kept), infinite + top)


class _TooManyPoints(Exception):
    pass


def lattice_losses(curve: Record, step: float) -> Losses:
    """Return the losses of one use, from the profile on the lattice of a step."""
    delta, reach = laws.profile(curve), math.ceil(_reach(curve) / step) + 1
    if 2 * reach > _MOST_POINTS_OF_ONE_USE:
        raise _TooManyPoints
    with precision(320):
        right = [delta(_at_most(j, step)) for j in range(reach + 1)]
        xs = [(ball(step) * j).exp() for j in range(-reach, reach + 1)]
        left = [1 - xs[reach - j] * (1 - right[j]) for j in range(reach, 0, -1)]
        values = left + right
        slopes = [(1 - values[0]) / xs[0]]
        slopes += [(values[i] - values[i + 1]) / (xs[i + 1] - xs[i]) for i in range(2 * reach)]
        slopes.append(ball(0.0))
        masses = [_units((slopes[i] - slopes[i + 1]) * xs[i]) for i in range(2 * reach + 1)]
        infinite = _units(values[-1])
    return _trimmed(step, -reach, masses, infinite)


def _at_most(j: int, step: float) -> float:
    """Return a double at or just below a lattice point, where the profile is no smaller than at the point."""
    point = j * step
    return math.nextafter(point, 0.0) if Fraction(point) > j * Fraction(step) else point


def _units(mass: Any) -> int:
    return max(0, int((mass * _UNIT).upper().ceil().unique_fmpz()))


def _reach(curve: Record) -> float:
    """Return a threshold beyond which the profile is negligible or flat."""
    kind = curve.text("kind")
    inside = curve.record("parameters") if "family" in curve else curve
    if "mu" in inside:
        mu = inside.number("mu")
        return mu * mu / 2 + 14 * mu
    if "epsilon" in inside:
        return inside.number("epsilon")
    lines = curve.pairs("lines")
    return max(e for e, _ in (lines if kind == "tradeoff" else laws.corners_of_events(lines)) if e <= 1e18)


def composed(parts: Sequence[tuple[Record, int]], step: float) -> Callable[[float], tuple[float, float]]:
    """Return the profile of a composition, with a lattice as fine as asked where that is not too long."""
    for _ in range(12):
        try:
            whole = None
            for curve, count in parts:
                part = lattice_losses(curve, step).uses(count)
                whole = part if whole is None else whole.compose(part)
            assert whole is not None
            return whole.hockey_stick
        except _TooManyPoints:
            step *= 2
    raise Undecided("The losses spread too far for a lattice; the composition cannot be recomputed.")
