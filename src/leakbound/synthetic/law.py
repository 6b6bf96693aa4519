"""The law of one synthetic record's squared norm, for two norms of the weights.

U = S W, where W is chi-square with `rows` degrees of freedom and S noncentral chi-square with `features` degrees and
the square of a norm as noncentrality. In t = log S and y = log U the density is a convolution, computed by the
trapezoid rule; the log-likelihood ratio is averaged over the posterior of S, so that it keeps its relative accuracy
when the two norms are close.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from leakbound.numerics.bessel import log_0f1, log_0f1_ratio, log_1f1, log_chi_square
from leakbound.numerics.rounding import lowered
from leakbound.numerics.search import root
from leakbound.synthetic.lattice import DEEP, extent, points, stretched, unstretched

_STEP = 0.5
_BLOCK = 96
_GENTLE = 30.0
_CURVATURE_OF_U = 0.25
_SMALLEST = -700.0


@dataclass(frozen=True)
class Laws:
    """The laws of U for two norms, low < high, in units of the noise."""

    features: int
    rows: int
    low: float
    high: float

    def densities(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return log p(y) for the norm `low`, y = log U increasing, and the log-ratio of p_high(y) to p_low(y)."""
        blocks = np.array_split(y, math.ceil(len(y) / _BLOCK))  # a block needs only the part of the lattice near it
        found = [self._densities(block) for block in blocks]
        return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])

    def _densities(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        ends = self._posterior(float(y[0]), self.low)[0], self._posterior(float(y[-1]), self.high)[1]
        t, weight = points(*ends, _STEP, 1.0, self._inner_offset)
        radius = np.exp(t / 2)
        tilt = log_0f1_ratio(self.features / 2, radius, self.low, self.high)
        tilt -= (self.high - self.low) * (self.high + self.low) / 2
        logs = self._log_norm(t, self.low) + np.log(weight) + log_chi_square(y[:, np.newaxis] - t, self.rows)
        top = logs.max(axis=1, keepdims=True)
        weights = np.exp(logs - top)
        total = weights.sum(axis=1)
        density = np.log(total) + top[:, 0]
        if np.abs(tilt).max() < _GENTLE:
            mean = weights @ np.expm1(tilt) / total
            if np.all(mean > -0.9):
                return density, np.log1p(mean)
        joint = logs + tilt
        peak = joint.max(axis=1, keepdims=True)
        return density, np.log(np.exp(joint - peak).sum(axis=1)) + peak[:, 0] - density

    def mass(self, norm: float, y: float, *, below: bool) -> float:
        """Return P(U <= e^y), or P(U > e^y), for a norm; each is summed directly."""
        spread = self._spread(norm)
        left, right = self._posterior(y, norm)
        t, weight = points(min(spread[0], left), max(spread[1], right), _STEP / 2, 1.0, self._inner_offset)
        conditional = special.gammainc if below else special.gammaincc
        with np.errstate(over="ignore"):
            inside = conditional(self.rows / 2, np.exp(y - t) / 2)
        return float(np.sum(np.exp(self._log_norm(t, norm)) * weight * inside))

    def least_ratio(self) -> float:
        """Return the log-ratio in the limit U = 0, where it is least.

        Formula: the ratio of the means of S^(-rows/2) for rows < features, of the densities of S at zero otherwise.
        """
        half_low, half_high = self.low**2 / 2, self.high**2 / 2
        least = -(self.high - self.low) * (self.high + self.low) / 2
        if self.rows < self.features:
            a, b = (self.features - self.rows) / 2, self.features / 2
            least += log_1f1(a, b, half_high) - log_1f1(a, b, half_low)
        return lowered(least, 1e-9)

    def central(self) -> tuple[float, float]:
        """Return the range of y in which either law has its mass."""
        s, w = self._spread(self.low), self._spread(self.high)
        rows = _chi_square_range(self.rows)
        return s[0] + rows[0], w[1] + rows[1]

    def lattice(self, low: float, high: float, step: float) -> tuple[np.ndarray, np.ndarray]:
        """Return a lattice of y with its weights; peaks of densities in y have a width of about one in its x."""
        half, weight = points(low / 2, high / 2, step / 2, _CURVATURE_OF_U, self._outer_offset)
        return 2 * half, 2 * weight

    def to_x(self, y: float) -> float:
        """Return the place of y on the axis in which peaks have a width of about one."""
        return 2 * float(stretched(y / 2, _CURVATURE_OF_U, self._outer_offset))

    def from_x(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return y, and dy/dx, at places on that axis."""
        half = unstretched(x / 2, _CURVATURE_OF_U, self._outer_offset)
        return 2 * half, 1 / np.sqrt(_CURVATURE_OF_U * np.exp(half) + self._outer_offset)

    @property
    def _inner_offset(self) -> float:
        return self.rows / 2 + 0.5

    @property
    def _outer_offset(self) -> float:
        return 0.5 + min(self.features, self.rows) / 4

    def _log_norm(self, t: np.ndarray, norm: float) -> np.ndarray:
        """Return the log-density of log S."""
        bend = log_0f1(self.features / 2, norm * np.exp(t / 2))
        return np.asarray(log_chi_square(t, self.features) + bend - norm * norm / 2)

    def _posterior(self, y: float, norm: float) -> tuple[float, float]:
        """Return the range of t that matters given y; the joint density peaks between the peaks of its factors."""

        def log_joint(x: np.ndarray) -> np.ndarray:
            t = np.maximum(unstretched(x, 1.0, self._inner_offset), _SMALLEST)
            return np.asarray(self._log_norm(t, norm) + log_chi_square(y - t, self.rows))

        modes = sorted((*self._modes(norm), y - math.log(self.rows)))
        return self._range(log_joint, modes[0] - 0.1, modes[-1] + 0.1)

    def _spread(self, norm: float) -> tuple[float, float]:
        """Return the range of t that matters for the norm of the noisy weights alone."""

        def log_density(x: np.ndarray) -> np.ndarray:
            t = np.maximum(unstretched(x, 1.0, self._inner_offset), _SMALLEST)
            return self._log_norm(t, norm)

        return self._range(log_density, *self._modes(norm))

    def _modes(self, norm: float) -> tuple[float, float]:
        """Return a range of t that holds the peak of the density of log S: between the central and the shifted one."""
        return math.log(self.features), math.log(self.features + norm * norm + norm * math.sqrt(self.features)) + 1e-3

    def _range(self, log_density: object, low: float, high: float) -> tuple[float, float]:
        ends = (float(stretched(end, 1.0, self._inner_offset)) for end in (low, high))
        left, right = extent(log_density, *ends)  # type: ignore[arg-type]
        t = unstretched(np.array([left, right]), 1.0, self._inner_offset)
        return max(float(t[0]), _SMALLEST), float(t[1])


def _chi_square_range(freedom: int) -> tuple[float, float]:
    """Return the range of log X outside of which the log-density of a chi-square X is more than DEEP below its peak."""
    depth = 2 * DEEP / freedom
    left = root(lambda z: z - math.expm1(z) + depth, 0.0, -(1 + depth))
    right = root(lambda z: z - math.expm1(z) + depth, 0.0, math.log(2 + 2 * depth) + math.sqrt(2 * depth))
    return math.log(freedom) + left, math.log(freedom) + right
