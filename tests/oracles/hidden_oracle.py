"""One synthetic record with hidden seeds: U = S W for two norms of the weights, slowly and in ball arithmetic.

S is noncentral chi-square: chi-square with features + 2j degrees of freedom, j Poisson of mean norm^2/2. W is
chi-square with `rows` degrees. The product of chi-squares with m and l degrees has, in y = log u = 2 log z, the density
2 (z/2)^((m+l)/2) K_{(m-l)/2}(z) / (Gamma(m/2) Gamma(l/2)). Only the trapezoid rule is not enclosed: its step is halved
until nothing changes. All integrands are analytic and vanish at both ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from leakbound.numerics.ball import ball, flint, precision

BITS = 128
NOTHING = 1e-24
SAME = 1e-10
SERIES = 100.0
FARTHEST = 32.0  # the density of log U is below e^-(e^16) there, for the parameters of the tests


class Pair:
    """The laws of U for the norms `low` < `high`; `first` is that of `high`, or that of `low` if reversed."""

    def __init__(self, features: int, rows: int, low: float, high: float) -> None:
        self.features, self.rows, self.low, self.high = features, rows, low, high
        self.middle = float(round(math.log(rows) + math.log(features + low * low)))
        self.densities = cache(self._densities)

    def _densities(self, y: float) -> tuple[Any, Any]:
        """Densities of log U for both norms, summed over j until nothing is left to add."""
        if y > FARTHEST:
            return ball(0.0), ball(0.0)
        with precision(BITS):
            with precision(6 * BITS):
                z = (ball(y) / 2).exp()
            bessel, half_z = Bessel(z), z / 2
            m, rows = self.features, self.rows
            factor = 2 * half_z ** (ball(float(m + rows)) / 2) / (gamma(m) * gamma(rows))
            means = [ball(norm) ** 2 / 2 for norm in (self.low, self.high)]
            weights = [(-mean).exp() for mean in means]
            totals, j = [ball(0.0), ball(0.0)], 0
            while True:
                column = factor * bessel.at(abs(m - rows))
                terms = [weight * column for weight in weights]
                totals = [total + term for total, term in zip(totals, terms, strict=True)]
                weights = [weight * mean / (j + 1) for weight, mean in zip(weights, means, strict=True)]
                factor *= 2 * half_z / m
                m, j = m + 2, j + 1
                after = [weight * factor * bessel.at(abs(m - rows)) for weight in weights]
                if all(
                    b <= t * NOTHING and (b == 0 or b < a / 2) for a, b, t in zip(terms, after, totals, strict=True)
                ):
                    return totals[0], totals[1]

    def log_ratio(self, y: float) -> Any:
        """log p_high - log p_low."""
        low, high = self.densities(y)
        with precision(BITS):
            return (high / low).log()

    def renyi(self, order: float, *, reverse: bool) -> Any:
        """log of the integral of first^order second^(1-order), over order - 1; Kullback-Leibler at order one."""

        def integrand(y: float) -> Any:
            second, first = self.densities(y)
            first, second = (second, first) if reverse else (first, second)
            ratio = (first / second).log()
            return first * (ratio if order == 1 else ((ball(order) - 1) * ratio).exp())

        with precision(BITS):
            value = line(integrand, self.middle)
            return value if order == 1 else value.log() / (ball(order) - 1)

    def hockey_stick(self, epsilon: float, *, reverse: bool) -> Any:
        """The integral of first - e^epsilon second where it is positive: right of one place, left of it if reversed."""
        at = self.place(-epsilon if reverse else epsilon)
        if at is None:
            return ball(0.0)
        scale = ball(epsilon).exp()

        def gap(y: float) -> Any:
            low, high = self.densities(y)
            return low - scale * high if reverse else high - scale * low

        with precision(BITS):
            return half_line(gap, at, left=reverse)

    def place(self, target: float) -> float | None:
        """Where the increasing log-ratio passes a target, None if it stays above it."""
        low = high = self.middle
        while self.log_ratio(high) < target:
            high += 1
        while not self.log_ratio(low) < target:
            low -= 1
            if low < -60:
                return None
        while low < (middle := (low + high) / 2) < high:
            low, high = (middle, high) if self.log_ratio(middle) < target else (low, middle)
        return high

    def mass(self, y: float, *, of_high: bool, below: bool) -> Any:
        """P(log U <= y), or P(log U > y), of one of the norms."""
        with precision(BITS):
            return half_line(lambda at: self.densities(at)[int(of_high)], y, left=below)

    def trade_off(self, level: float, *, reverse: bool) -> Any:
        """Type two error of the threshold test with this level; the null hypothesis is `low`, `high` if reversed."""
        y = self.middle
        for _ in range(100):
            mass = self.mass(y, of_high=reverse, below=reverse)
            step = float((mass / ball(level)).log() * mass / self.densities(y)[int(reverse)])
            y += max(-1.0, min(1.0, -step if reverse else step))
            if abs(step) < 1e-8:  # the next error is its square
                return self.mass(y, of_high=not reverse, below=not reverse)
        raise AssertionError("Newton's method did not find the threshold")


class Bessel:
    """K of the orders 0, 1, 2, ... and 1/2, 3/2, ... at a place, by the recurrence whose terms are positive."""

    def __init__(self, z: Any) -> None:
        self.z = z
        self.found: dict[int, list[Any]] = {}

    def at(self, twice: int) -> Any:
        """K of order twice/2."""
        odd = twice % 2
        if odd not in self.found:
            self.found[odd] = self.lowest(odd)
        values = self.found[odd]
        for i in range(len(values), twice // 2 + 1):  # K_{v+1} = K_{v-1} + (2 v / z) K_v, v = i - 1 + odd/2
            values.append(values[-2] + (2 * (i - 1) + odd) / self.z * values[-1])
        return values[twice // 2]

    def lowest(self, odd: int) -> list[Any]:
        """The first two orders: elementary if half-integer, otherwise K_0 and the Wronskian."""
        z = self.z
        if odd:
            first = (flint().arb.pi() / (2 * z)).sqrt() * (-z).exp()
            return [first, first * (1 + 1 / z)]
        with precision(BITS + (4 * int(float(z.mid())) if z < SERIES else 0)):  # the series of K_0 cancels e^(2 z)
            first = z.bessel_k(ball(0.0))
            return [first, (1 / z - z.bessel_i(ball(1.0)) * first) / z.bessel_i(ball(0.0))]


def gamma(twice: int) -> Any:
    """Gamma(twice/2)."""
    return (ball(float(twice)) / 2).gamma()


def line(function: Callable[[float], Any], start: float) -> Any:
    """The integral over the line of a function with one sign or one hump on each side of the start."""
    step, before = 1.0, None
    while True:
        total = largest = abs(function(start))
        total = function(start)
        for sign in (1, -1):
            k, last = 1, ball(math.inf)
            while True:
                value = function(start + sign * k * step)
                total += value
                size = value.abs_upper()
                largest = size if size > largest else largest
                if size < largest * NOTHING and (size == 0 or size < last):
                    break
                k, last = k + 1, size
        total *= step
        if before is not None and abs(total - before) < abs(total) * SAME:
            return total
        assert step > 1e-4, "the trapezoid rule does not converge"
        before, step = total, step / 2


def half_line(function: Callable[[float], Any], end: float, *, left: bool) -> Any:
    """The integral from one end on, along s = exp(x - exp(-x)), on which it falls doubly exponentially both ways."""

    def along(x: float) -> Any:
        s = math.exp(x - math.exp(-x))
        at = end - s if left else end + s
        return function(at) * s * (1 + math.exp(-x)) if at != end else ball(0.0)

    return line(along, 0.0)
