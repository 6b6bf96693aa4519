"""Gaussian differential privacy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.guarantees.curves import GaussianCurve, compose_gaussian
from leakbound.numerics.rounding import exact
from leakbound.numerics.validate import real


@dataclass(frozen=True)
class GaussianDP(Guarantee):
    """Telling M(D) from M(D') is at least as hard as telling N(0, 1) from N(mu, 1) (Dong, Roth and Su 2022).

    >>> GaussianDP(3.0).compose(4).mu
    6.0
    """

    mu: float

    kind: ClassVar[str] = "gdp"
    title: ClassVar[str] = "Gaussian differential privacy"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"mu": True}

    def _clean(self) -> dict[str, Any]:
        return {"mu": real("mu", self.mu, low=0, infinite=True)}

    @classmethod
    def _total(cls, parts: Sequence[tuple[GaussianDP, int]]) -> GaussianDP:
        """Add squares: mu^2 = sum of count times mu_i^2 (Dong, Roth and Su 2022, Corollary 3.3)."""
        curve = compose_gaussian(cls.title, [(GaussianCurve(part.mu), n) for part, n in parts])
        return cls(curve.mu, neighbouring=common_relation(parts))

    @classmethod
    def examples(cls) -> tuple[GaussianDP, ...]:
        """Return small, usual, large and vacuous values."""
        return tuple(cls(mu) for mu in (0.0, 1e-9, 0.5, 2.0, 100.0, math.inf))

    def __str__(self) -> str:
        return f"{exact(self.mu)}-GDP"
