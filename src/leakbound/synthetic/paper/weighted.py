"""Weighted sums of independent chi-square variables, of any signs, by inversion of their moment generating function."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special
from scipy.optimize import brentq

from leakbound.errors import InvalidInput
from leakbound.numerics.validate import probability, real, sample, whole

_STEP, _LAST, _TILT = 0.04, 90.0, 0.3
_UNDERFLOW = -740.0
_FADED = 1e-12
_FARTHEST, _NEAREST, _NEAR = -300.0, 300.0, 36.0
_LARGEST = 1e12


@dataclass(frozen=True)
class WeightedChiSquare:
    """The law of the sum of w_k X_k, X_k independent chi-square of the same `freedom`: an estimate, no guarantee.

    Formula: P(Q > x) = 1/(2 pi i) integral of exp(-s x) / s * prod (1 - 2 w_k s)^(-freedom/2) ds, along a hyperbola
    through the saddle point, by the trapezoid rule. The paper calls the law F in Lemma B.3. Reference: Imhof (1961);
    Rice (1980).

    >>> law = WeightedChiSquare((1.0, 3.0), 2)
    >>> round(law.above(2.0), 9), round((3 * math.exp(-1 / 3) - math.exp(-1)) / 2, 9)  # of two exponential variables
    (0.890857245, 0.890857245)
    """

    weights: tuple[float, ...]
    freedom: int

    def __post_init__(self) -> None:
        """Refuse bad values; only the ratios of weights matter to where the sum is positive."""
        weights = tuple(float(w) for w in sample("weights", self.weights))
        if not any(weights):
            raise InvalidInput(f"weights must hold one that is not 0, but got weights={weights}; give one.")
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "freedom", whole("freedom", self.freedom, low=1))

    def above(self, x: float) -> float:
        """Return P(Q > x), to full relative accuracy.

        >>> round(WeightedChiSquare((1.0,), 1).above(4.0), 6)
        0.0455
        """
        return self._tail(real("x", x), above=True)

    def below(self, x: float) -> float:
        """Return P(Q <= x), to full relative accuracy.

        >>> round(WeightedChiSquare((1.0, -1.0), 3).below(0.0), 9)
        0.5
        """
        return self._tail(real("x", x), above=False)

    def quantile(self, rest: float) -> float:
        """Return the x with P(Q > x) = rest.

        >>> round(WeightedChiSquare((2.0,), 1).quantile(0.05), 6)
        7.682918
        """
        rest = probability("rest", rest, zero=False, one=False)
        scale = self._scale * self.freedom * len(self.weights)

        def excess(x: float) -> float:
            if rest <= 0.5:
                return math.log(max(self.above(x), 1e-300)) - math.log(rest)
            return math.log1p(-rest) - math.log(max(self.below(x), 1e-300))

        low, high = -scale, scale
        while excess(low) <= 0:
            low *= 2
        while excess(high) >= 0:
            high *= 2
        return float(brentq(excess, low, high, xtol=1e-300, rtol=1e-14))

    @property
    def _scale(self) -> float:
        return max(abs(w) for w in self.weights)

    @cached_property
    def _unit(self) -> np.ndarray:
        """The weights in units of the largest, without those that do not matter."""
        unit = np.array(self.weights) / self._scale
        return unit[np.abs(unit) > _FADED]

    def _tail(self, x: float, *, above: bool) -> float:
        unit, x = self._unit, x / self._scale
        if x < 0:
            unit, x, above = -unit, -x, not above
        if unit.max() < 0 or x > _LARGEST:
            return 0.0 if above else 1.0
        if x == 0 and unit.min() > 0:
            return 1.0 if above else 0.0
        mean = self.freedom * float(unit.sum())
        upper = x >= mean  # the smaller tail, or nearly
        tail = self._integral(unit, x, upper=upper)
        return tail if upper == above else 1.0 - tail

    def _integral(self, unit: np.ndarray, x: float, *, upper: bool) -> float:
        """Return P(Q > x) if upper, else P(Q <= x), for x >= 0, from the contour on that side of the pole at zero."""
        half = self.freedom / 2
        end = 1 / (2 * unit.max()) if upper else (1 / (2 * unit.min()) if unit.min() < 0 else -math.inf)

        def place(y: float) -> float:
            return -math.exp(y) if end == -math.inf else end * float(special.expit(y))

        def slope(y: float) -> float:
            s = place(y)
            found = float(np.sum(2 * half * unit / (1 - 2 * unit * s))) - x - 1 / s
            return found if upper else -found

        c = place(float(brentq(slope, _FARTHEST, _NEAREST if end == -math.inf else _NEAR)))
        bend = float(np.sum(half * (2 * unit / (1 - 2 * unit * c)) ** 2)) + 1 / c**2
        width = 1 / math.sqrt(bend)
        u = np.arange(0.0, _LAST, _STEP)
        s = c + width * (_TILT * (np.cosh(u) - 1) + 1j * np.sinh(u))
        logs = -half * np.log(1 - 2 * unit[:, np.newaxis] * s).sum(axis=0) - s * x
        keep = logs.real > _UNDERFLOW
        terms = np.zeros(len(u))
        turn = width * (_TILT * np.sinh(u[keep]) + 1j * np.cosh(u[keep]))
        terms[keep] = (np.exp(logs[keep]) / s[keep] * turn).imag
        total = (float(terms.sum()) - float(terms[0]) / 2) * _STEP / math.pi
        return min(1.0, max(0.0, total if upper else -total))
