"""Public seeds in ball arithmetic: 1F1, and rigorous quadrature over the angle between shift and subspace.

With B = sin^2 t, Beta(k/2, (d-k)/2) has the density 2 sin^(k-1) t cos^(d-k-1) t / Beta(k/2, (d-k)/2) on (0, pi/2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate, Undecided
from leakbound.numerics.ball import ball, enclose, ends, flint, normal_tail, precision
from leakbound.synthetic.recompute.setting import Setting

_BITS = (128, 256, 1024)
_CLOSE = 1e-11
_EFFORT = {"rel_tol": 1e-14, "abs_tol": 1e-320, "eval_limit": 200_000}

Interval = tuple[float, float]


@dataclass(frozen=True)
class Subspace:
    """The random subspace of a setting."""

    setting: Setting

    def renyi(self, order: float) -> Interval:
        """Enclose the Renyi divergence of a rank-one shift, the worst of all ranks."""
        setting = self.setting
        if order == math.inf:
            return math.inf, math.inf
        if order == 1:
            return enclose(lambda: setting.kept * setting.shift() ** 2 / (2 * setting.features))
        half_kept, half = ball(setting.kept) / 2, ball(setting.features) / 2

        def value() -> Any:
            a = ball(order)
            exponent = a * (a - 1) * setting.shift() ** 2 / 2
            if setting.kept == setting.features:
                return exponent / (a - 1)
            return exponent.hypgeom_1f1(half_kept, half).log() / (a - 1)

        return enclose(value)

    def delta(self, epsilon: float, evidence: Record) -> Interval:
        """Enclose the mean profile of rank one or, with a tangent in the evidence, the bound of that tangent.

        A tangent where the profile is convex says nothing.
        """
        setting = self.setting
        if epsilon == math.inf:
            return 0.0, 0.0
        if "tangent" in evidence:
            return self._by_tangent(epsilon, evidence.number("tangent"))
        if setting.outputs > 1 and setting.kept < setting.features and not self._is_convex(epsilon):
            raise InvalidCertificate("Several outputs need a tangent in the evidence here; it cannot be recomputed.")
        if setting.kept == setting.features:
            return _clipped(enclose(lambda: real_profile(setting.shift() ** 2, epsilon)))
        return self._closest(lambda: self._mean_profile(epsilon, None))

    def _is_convex(self, epsilon: float) -> bool:
        return bool(self.setting.shift() ** 2 <= _bend(epsilon))

    def _closest(self, formula: Callable[[], Any]) -> Interval:
        for bits in _BITS:
            with precision(bits):
                low, high = ends(formula())
            if high - low <= _CLOSE * high or high < 1e-300:
                return _clipped((low, high))
        raise Undecided("A mean over the random subspace could not be enclosed closely enough.")

    def _by_tangent(self, epsilon: float, point: float) -> Interval:
        """Enclose the mean of max(h(x), h(m) + h'(m) (x - m)) for the tangent point m, x = shift^2 B."""
        square = self.setting.exact_shift**2
        if not 0 < point <= float(square) * (1 + 1e-12):
            raise InvalidCertificate(f"The tangent point {point!r} is not within the squared shift; it does not fit.")
        if not ball(point) >= _bend(epsilon):
            return 0.0, 1.0

        def formula() -> Any:
            m = ball(point)
            mu, e = m.sqrt(), ball(epsilon)
            height = real_profile(m, epsilon)
            slope = (-((mu / 2 - e / mu) ** 2) / 2).exp() / (8 * flint().arb.pi()).sqrt() / mu
            at_zero = height - slope * m
            mean = ball(self.setting.kept) / self.setting.features * ball(square)
            if at_zero >= 0:
                return at_zero + slope * mean
            return self._mean_profile(epsilon, (at_zero, slope))

        return self._closest(formula)

    def _mean_profile(self, epsilon: float, line: tuple[Any, Any] | None) -> Any:
        """Integrate the profile over the angle, up to where the line is higher, and the line from there."""
        arb, acb = flint().arb, flint().acb
        setting = self.setting
        right = arb.pi() / 2
        shift = setting.shift()
        first, second = ball(setting.kept) / 2, ball(setting.features - setting.kept) / 2
        scale = 2 / (first.lgamma() + second.lgamma() - (first + second).lgamma()).exp()
        powers = setting.kept - 1, setting.features - setting.kept - 1

        def density(t: Any) -> Any:
            return scale * t.sin() ** powers[0] * t.cos() ** powers[1]

        def height(t: Any, _: bool) -> Any:
            return density(t) * complex_profile(shift * t.sin(), epsilon)

        def straight(t: Any, _: bool) -> Any:
            at_zero, slope = line if line is not None else (0, 0)
            return density(t) * (at_zero + slope * (shift * t.sin()) ** 2)

        start, before = (arb(0), arb(0)) if epsilon == 0 else self._start(epsilon, first, second)
        cut, between = (right, arb(0)) if line is None else self._crossing(epsilon, line, float(start))
        value = before + between + acb.integral(height, acb(start), acb(cut), **_EFFORT).real
        return value if line is None else value + acb.integral(straight, acb(cut), acb(right), **_EFFORT).real

    def _start(self, epsilon: float, first: Any, second: Any) -> tuple[Any, Any]:
        """Return an angle before which next to nothing lies, and a ball that holds the mean up to there."""
        arb = flint().arb
        angle = arb(1) / 2
        whole = real_profile(self.setting.shift() ** 2, epsilon)
        for _ in range(60):
            share = angle.sin() ** 2
            bound = real_profile(self.setting.shift() ** 2 * share, epsilon) * arb.beta_lower(
                share, first, second, regularized=True
            )
            if bound.upper() < whole.lower() * ball(2.0) ** -400:
                break
            angle = angle / 2
        return angle, arb(0).union(bound.upper())

    def _crossing(self, epsilon: float, line: tuple[Any, Any], low: float) -> tuple[Any, Any]:
        """Return an angle where the line meets the profile, and a ball for what its inexactness can hide."""
        arb = flint().arb

        def gap(angle: float) -> Any:
            x = (self.setting.shift() * ball(angle).sin()) ** 2
            return real_profile(x, epsilon) - (line[0] + line[1] * x)

        bend = _bend(epsilon)
        start = (-line[0] / line[1]).sqrt() / self.setting.shift()
        left, right = max(low, float(start.asin())), float((bend.sqrt() / self.setting.shift()).asin())
        while right - left > 1e-15 * right:
            middle = (left + right) / 2
            left, right = (middle, right) if gap(middle) > 0 else (left, middle)
        miss = gap(left).abs_upper() + gap(right).abs_upper()
        # Where the line is not seen to be below at the left, convexity bounds nothing, but the line's height does.
        height = line[0] + line[1] * (self.setting.shift() * ball(left).sin()) ** 2
        miss += arb(0) if gap(left) > 0 else height.abs_upper()
        return ball(left), miss.union(arb(0))


def _bend(epsilon: float) -> Any:
    """Return the mu^2 up to which the Gaussian profile is convex in it, and after which it is concave."""
    return 2 * ((1 + ball(epsilon) ** 2).sqrt() - 1)


def real_profile(square: Any, epsilon: float) -> Any:
    """Return the Gaussian profile at a ball for mu^2."""
    mu, e = square.sqrt(), ball(epsilon)
    return normal_tail(e / mu - mu / 2) - e.exp() * normal_tail(e / mu + mu / 2)


def complex_profile(mu: Any, epsilon: float) -> Any:
    """Return the analytic continuation of the Gaussian profile to complex mu."""
    root, e = ball(2.0).sqrt(), ball(epsilon)
    if epsilon == 0:
        return (mu / (2 * root)).erf()
    return (((e / mu - mu / 2) / root).erfc() - e.exp() * ((e / mu + mu / 2) / root).erfc()) / 2


def _clipped(interval: Interval) -> Interval:
    return min(1.0, max(0.0, interval[0])), min(1.0, interval[1])
