"""The paper's bound h: the larger of post-processing and of the normal limit moved by its distance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy import special
from scipy.optimize import brentq

from leakbound.numerics.validate import probability, real, whole
from leakbound.synthetic.paper.closeness import product_distance, record_distance
from leakbound.synthetic.paper.limits import remaining_features, worst_norms, worst_ratio

_QUANTILES = np.arange(-37.0, 37.005, 0.01)
_LARGEST = 1e6
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)


@dataclass(frozen=True)
class PaperBound:
    """The curve h that Figures 1, 2 and 3 of the paper draw: an estimate, no guarantee.

    Formula: max of G_shift(t) and F(ratio F^-1(1 - t - g)) - g, F the law of chi-square with `freedom` = n l, `ratio`
    below one that of the variances of the pair, g the `distance`. For freedom one, the second is Proposition 4.1's with
    the ratio of standard deviations. Printed B.7 has + g, and the ratio of variances inside Phi.
    Reference: Pierquin et al. (2025), Theorems 4.3 and 4.6, appendix B.7.

    >>> bound = PaperBound(shift=1.0, ratio=0.75, freedom=1, distance=1 / 12)
    >>> round(bound.value(0.3), 4), [round(end, 4) for end in bound.crossings]
    (0.4664, [0.0593, 0.7749])
    """

    shift: float
    ratio: float
    freedom: int
    distance: float

    def __post_init__(self) -> None:
        """Refuse bad values and store clean ones."""
        object.__setattr__(self, "shift", real("shift", self.shift, above=0, high=_LARGEST))
        object.__setattr__(self, "ratio", real("ratio", self.ratio, above=0, below=1))
        object.__setattr__(self, "freedom", whole("freedom", self.freedom, low=1))
        object.__setattr__(self, "distance", real("distance", self.distance, above=0))

    def value(self, level: float) -> float:
        """Return h at a level.

        >>> PaperBound(shift=1.0, ratio=0.75, freedom=1, distance=1 / 12).value(0.0)
        1.0
        """
        q = -special.ndtri(probability("level", level))
        return float(np.maximum(special.ndtr(q - self.shift), self._moved(np.asarray(q))))

    def log_slope(self, level: float) -> float:
        """Return log |h'| at a level inside (0, 1).

        >>> PaperBound(shift=1.0, ratio=0.75, freedom=1, distance=0.6).log_slope(0.5)  # of post-processing
        -0.5
        """
        level = probability("level", level, zero=False, one=False)
        if any(low < level < high for low, high in zip(self.crossings[::2], self.crossings[1::2], strict=True)):
            x = 2 * float(special.gammainccinv(self.freedom / 2, level + self.distance))
            return self._bend(x)
        return -float(special.ndtri(level)) * self.shift - self.shift**2 / 2

    @cached_property
    def crossings(self) -> tuple[float, ...]:
        """The levels between which the limit lies above post-processing, c1 and c2 in the paper; empty if it never is.

        A stretch narrower than the grid of the search is left out, which makes h smaller.
        """
        return tuple(float(special.ndtr(-q)) for q in self._quantiles)

    def renyi(self, order: float, *, reverse: bool = False) -> float:
        """Return the Renyi divergence that h allows, by Proposition 4.2 and quadrature: an estimate, no guarantee.

        Formula: log(integral of |h'|^(1 - a)) / (a - 1), which B.7 simulates: Renyi's
        divergence of the smaller norm from the larger. Reversed, log(integral of |h'|^a) / (a - 1), the larger of the
        two: the paper's D_a has its arguments swapped relative to Renyi's, and its figures are of the smaller one.

        >>> bound = PaperBound(shift=1.0, ratio=0.75, freedom=1, distance=1 / 12)
        >>> round(bound.renyi(2.0), 6), round(bound.renyi(2.0, reverse=True), 6)
        (0.875959, 0.902084)
        """
        order = real("order", order, above=1, high=_LARGEST)
        power = order if reverse else 1 - order
        edges = (math.inf, *self._quantiles, -math.inf)
        logs = []
        for i, (high, low) in enumerate(pairwise(edges)):
            logs.append(self._log_limit(power, high, low) if i % 2 else self._log_plain(power, high, low))
        return float(special.logsumexp(logs)) / (order - 1)

    @cached_property
    def _quantiles(self) -> tuple[float, ...]:
        """Where the two curves cross, as Phi^-1(1 - level), falling."""

        def gap(q: np.ndarray) -> np.ndarray:
            return np.asarray(self._moved(q) - special.ndtr(q - self.shift))

        above = gap(_QUANTILES) > 0
        found = [
            float(brentq(lambda q: float(gap(np.asarray(q))), _QUANTILES[i], _QUANTILES[i + 1], xtol=1e-14))
            for i in np.flatnonzero(above[1:] != above[:-1])
        ]
        if above[-1]:  # it crosses at a level that doubles do not hold; beyond the grid, h is post-processing
            found.append(float(_QUANTILES[-1]))
        return tuple(reversed(found))

    def _moved(self, q: np.ndarray) -> np.ndarray:
        """Return the limit's curve moved by the distance, which claims nothing where the level would pass one."""
        level = np.minimum(special.ndtr(-q) + self.distance, 1.0)
        x = special.gammainccinv(self.freedom / 2, level)
        return np.asarray(special.gammainc(self.freedom / 2, self.ratio * x) - self.distance)

    def _bend(self, x: float) -> float:
        """Return log |slope| of the limit's curve where the chi-square threshold is x."""
        return self.freedom / 2 * math.log(self.ratio) + x * (1 - self.ratio) / 2

    def _log_plain(self, power: float, high: float, low: float) -> float:
        """Return log of the integral of |h'|^power over a stretch of post-processing, in closed form."""
        move = power * self.shift
        mass = special.log_ndtr(np.array([high - move, low - move]))
        mirrored = special.log_ndtr(np.array([move - low, move - high]))
        large, small = mass if high - move < 0 else mirrored
        return float(power * (power - 1) * self.shift**2 / 2 + large + np.log1p(-np.exp(small - large)))

    def _log_limit(self, power: float, high: float, low: float) -> float:
        """Return log of the integral of |h'|^power over a stretch of the limit, in the root of its threshold."""
        ends = special.ndtr(-np.array([high, low])) + self.distance
        top, bottom = np.sqrt(2 * special.gammainccinv(self.freedom / 2, ends))
        root = bottom + (top - bottom) * (_NODES + 1) / 2
        half = self.freedom / 2
        density = (self.freedom - 1) * np.log(root) - root**2 / 2 - (half - 1) * math.log(2) - special.gammaln(half)
        bend = half * math.log(self.ratio) + root**2 * (1 - self.ratio) / 2
        return float(special.logsumexp(density + power * bend, b=_WEIGHTS * (top - bottom) / 2))


def record_bound(*, features: int, noise: float, sensitivity: float, constant: float) -> PaperBound:
    """Return the bound of Figure 2: one record of one output, at the worst norms of the limit: an estimate.

    Formula: distance of `record_distance` at the smaller norm, where it is larger; ratio of `worst_ratio`. The constant
    is not known, the paper sets it to one: no guarantee. Reference: Pierquin et al. (2025), appendix B.7.

    >>> bound = record_bound(features=10, noise=1.0, sensitivity=1.0, constant=1.0)
    >>> bound.crossings, round(bound.renyi(2.0), 9)  # the plateau: post-processing alone
    ((), 1.0)
    """
    d, noise = whole("features", features, low=1), real("noise", noise, above=0)
    shift = real("sensitivity", sensitivity, above=0) / noise
    low, _ = worst_norms(d, shift)
    distance = record_distance(features=d, noise=1.0, norm=low, constant=constant)
    return PaperBound(shift, worst_ratio(d, shift), 1, distance)


def rows_bound(
    *, features: int, outputs: int, rows: int, noise: float, sensitivity: float, constant: float
) -> PaperBound:
    """Return the bound of Figure 3: several records, at the worst norms of the limit: an estimate, no guarantee.

    Formula: freedom n l, distance constant n sqrt(l / (d - n)), ratio of `worst_ratio` at variance d - n. The constant
    is not known, the paper sets it to one. Reference: Pierquin et al. (2025), appendix B.7.

    >>> bound = rows_bound(features=1001, outputs=1, rows=10, noise=1.0, sensitivity=1.0, constant=1.0)
    >>> bound.freedom, round(bound.distance, 6), round(bound.ratio, 4)
    (10, 0.1, 0.9689)
    """
    left = remaining_features(features, outputs)
    shift = real("sensitivity", sensitivity, above=0) / real("noise", noise, above=0)
    distance = product_distance(features=features, outputs=outputs, rows=rows, rank=outputs, constant=constant)
    return PaperBound(shift, worst_ratio(left, shift), outputs * rows, distance)
