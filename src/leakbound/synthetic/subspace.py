"""Means over the share B of a shift that falls into a random subspace: what public seeds reveal.

The seeds span a uniformly random subspace of dimension `kept` of `features`; the share of a rank-one shift's square in
it is Beta(kept/2, (features - kept)/2). Given the share, two models are two normals `shift sqrt(B)` apart.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from leakbound.numerics import normal
from leakbound.numerics.bessel import log_1f1, stirling_error
from leakbound.numerics.rounding import TINY, raised
from leakbound.numerics.search import minimise, root
from leakbound.synthetic.lattice import DEEP, extent

MARGIN = 1e-9
"""Relative safety margin of the means, at least ten times the largest error seen against Arb."""

_PANEL, _NODES = 2.0, 16
_GAUSS, _WEIGHTS = np.polynomial.legendre.leggauss(_NODES)
_NEAR, _NEAR_WEIGHTS = np.polynomial.legendre.leggauss(20)
_MOST_LOG_ODDS = 600.0
_ROUNDS = 12
_FAR = 1e100
_STEEPEST, _MANY = 1e7, 10_000

Array = np.ndarray


@dataclass(frozen=True)
class Subspace:
    """A random subspace of dimension `kept` of `features`, and a shift in units of the noise.

    >>> round(Subspace(kept=1, features=12, shift=1.0).renyi(2.0), 8)
    0.08919265
    """

    kept: int
    features: int
    shift: float

    def renyi(self, order: float) -> float:
        """Return the Renyi divergence of any shift of at most this length, rounded up.

        Formula: log 1F1(kept/2; features/2; order (order - 1) shift^2 / 2) / (order - 1).
        """
        if self.shift == 0:
            return 0.0
        if order == math.inf:
            return math.inf
        if order == 1:
            return raised(self.kept * (self.shift * self.shift / (2 * self.features)), MARGIN)
        exponent = (order * self.shift) * ((order - 1) * self.shift) / 2
        if exponent > _STEEPEST and self.features > _MANY:  # there the sum loses digits, and no claim is made
            return raised(order * self.shift * self.shift / 2, MARGIN)
        return raised(log_1f1(self.kept / 2, self.features / 2, exponent) / (order - 1), MARGIN)

    def rank_one(self, epsilon: float) -> float:
        """Return the hockey-stick divergence of a shift of rank one, rounded up.

        Formula: the mean of delta_G(epsilon; shift sqrt(B)), delta_G the Gaussian profile.
        """
        whole = normal.hockey_stick_upper(self.shift, epsilon)  # an upper bound: the profile increases with the share
        if self.kept == self.features or whole <= 2 * TINY or self.shift > _FAR:
            return whole
        value = self._mean(lambda share: log_profile(epsilon, self.shift * np.sqrt(share)))
        return min(1.0, raised(value, MARGIN))

    def any_rank(self, epsilon: float) -> tuple[float, float | None]:
        """Return a hockey-stick divergence that no shift of any rank exceeds, and the tangent point that gives it.

        Formula: the least over m of the mean of max(h(x), h(m) + h'(m) (x - m)) at x = shift^2 B, with
        h(x) = delta_G(sqrt x).
        The point is None where h is convex, and rank one the worst.
        """
        square, bend = self.shift * self.shift, _bend(epsilon)
        if self.kept == self.features or square <= max(bend * (1 - 1e-13), TINY) or self.shift > _FAR:
            return self.rank_one(epsilon), None
        low = max(bend, 1e-6 * square)
        point, value = minimise(lambda m: self.tangent(epsilon, m), low, square, points=10, tolerance=1e-4)
        return min(1.0, value), point

    def tangent(self, epsilon: float, point: float) -> float:
        """Return the mean of max(h(x), h(m) + h'(m) (x - m)) for one tangent point m beyond the bend of h."""
        mu = math.sqrt(point)
        height = normal.hockey_stick_upper(mu, epsilon)
        slope = math.exp(-((mu / 2 - epsilon / mu) ** 2) / 2) / math.sqrt(2 * math.pi) / (2 * mu)
        at_zero, square = height - slope * point, self.shift * self.shift
        if at_zero >= 0:
            return raised(at_zero + slope * square * self.kept / self.features, MARGIN)

        def gap(x: float) -> float:
            return normal.hockey_stick_upper(math.sqrt(x), epsilon) - (at_zero + slope * x)

        start, bend = -at_zero / slope, _bend(epsilon)
        crossing = root(gap, start, bend) if start < bend and gap(bend) < 0 else bend
        cut = min(crossing / square, 1.0)  # where the integrand has its kink; the larger of the two is taken anyway

        def log_height(share: Array) -> Array:
            line = np.log(np.maximum(at_zero + slope * square * share, 1e-300))
            return np.asarray(np.maximum(line, log_profile(epsilon, self.shift * np.sqrt(share))))

        return raised(self._mean(log_height, cut), MARGIN)

    def _mean(self, log_value: Callable[[Array], Array], cut: float | None = None) -> float:
        """Return the mean of a function of the share, given in logarithms and smooth but for a kink at the cut."""
        a, b = self.kept / 2, (self.features - self.kept) / 2
        scale = _log_beta(a, b)

        def log_integrand(odds: Array) -> Array:
            share, rest = special.expit(odds), special.expit(-odds)
            with np.errstate(divide="ignore"):
                return np.asarray(a * np.log(share) + b * np.log(rest) - scale + log_value(share))

        mode, width = _peak(log_integrand, math.log(a / b))
        low, high = (mode + width * x for x in extent(lambda x: log_integrand(mode + width * x), -0.1, 0.1))
        kink = math.log(cut / (1 - cut)) if cut is not None and 0 < cut < 1 else high
        edges = [low, kink, high] if low < kink < high else [low, high]
        total = 0.0
        for left, right in itertools.pairwise(edges):
            panels = max(2, math.ceil((right - left) / (_PANEL * width)))
            size = (right - left) / panels
            nodes = left + size * (np.arange(panels)[:, np.newaxis] + (_GAUSS + 1) / 2)
            total += (
                math.fsum((np.exp(log_integrand(nodes.ravel())).reshape(nodes.shape) * _WEIGHTS).ravel()) * size / 2
            )
        return total + TINY


def _bend(epsilon: float) -> float:
    """Return where h turns from convex to concave, 2 (sqrt(1 + epsilon^2) - 1), without cancellation and rounded up."""
    return raised(2 * epsilon * (epsilon / (1 + math.hypot(1, epsilon))), 1e-14) if epsilon < _FAR else math.inf


def log_profile(epsilon: float, mu: Array) -> Array:
    """Return the logarithm of the Gaussian profile at one epsilon and many mu.

    >>> bool(np.isclose(np.exp(log_profile(1.0, np.array([1.0])))[0], 0.126936737507, rtol=1e-11))
    True
    """
    mu = np.maximum(mu, 1e-150)
    x = epsilon / mu - mu / 2
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        far = _mills(x) - _mills(x + mu)
        at = x[..., np.newaxis] + mu[..., np.newaxis] * (_NEAR + 1) / 2
        near = mu / 2 * ((1 - at * _mills(at)) @ _NEAR_WEIGHTS)
        density = -x * x / 2 - 0.5 * math.log(2 * math.pi)
        inside = density + np.log(np.where(mu <= 1, near, far))
        bulk = np.log(special.ndtr(-x) - np.exp(np.where(x < 0, density, 0.0)) * _mills(x + mu))
    out = np.where((x < 0) & (mu > 1), bulk, inside)
    return np.where(x > 1e3, -np.inf, out)


def _mills(x: Array) -> Array:
    return np.asarray(math.sqrt(math.pi / 2) * special.erfcx(x * math.sqrt(0.5)))


def _log_beta(a: float, b: float) -> float:
    """Return log B(a, b) without cancellation for large a and b."""
    rest = stirling_error(a) + stirling_error(b) - stirling_error(a + b)
    powers = -a * math.log1p(b / a) - b * math.log1p(a / b)
    return powers + 0.5 * math.log(2 * math.pi * (a + b) / (a * b)) + rest


def _peak(log_integrand: Callable[[Array], Array], start: float) -> tuple[float, float]:
    """Return the peak of a function with one peak right of `start`, and how far off the function falls by a half."""
    low, high = start - 1.0, _MOST_LOG_ODDS
    grid = np.concatenate([low + np.linspace(0, 2, 33), low + 2 * np.geomspace(1, (high - low) / 2, 64)[1:]])
    for _ in range(_ROUNDS):
        best = int(np.argmax(log_integrand(grid)))
        low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)])
        grid = np.linspace(low, high, 33)
    mode = (low + high) / 2
    top, width = float(log_integrand(np.array([mode]))[0]), 8.0
    while float(log_integrand(np.array([mode - width, mode + width])).min()) < top - DEEP / 84 and width > 1e-9:
        width /= 2
    return mode, 2 * width
