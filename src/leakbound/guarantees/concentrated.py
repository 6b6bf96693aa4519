"""Zero-concentrated differential privacy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.numerics.rounding import exact, exact_sum_up
from leakbound.numerics.validate import real


@dataclass(frozen=True)
class ZeroConcentratedDP(Guarantee):
    """The Renyi divergence of order a is at most rho a, for every a > 1 (Bun and Steinke 2016).

    >>> str(ZeroConcentratedDP(0.5).compose(2))
    '1-zCDP'
    """

    rho: float

    kind: ClassVar[str] = "zcdp"
    title: ClassVar[str] = "zero-concentrated differential privacy"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"rho": True}

    def _clean(self) -> dict[str, Any]:
        return {"rho": real("rho", self.rho, low=0, infinite=True)}

    @classmethod
    def _total(cls, parts: Sequence[tuple[ZeroConcentratedDP, int]]) -> ZeroConcentratedDP:
        """Add: sum of count times rho (Bun and Steinke 2016, Lemma 1.7)."""
        return cls(exact_sum_up((Fraction(n), p.rho) for p, n in parts), neighbouring=common_relation(parts))

    @classmethod
    def examples(cls) -> tuple[ZeroConcentratedDP, ...]:
        """Return small, usual, large and vacuous values."""
        return tuple(cls(rho) for rho in (0.0, 1e-12, 0.1, 2.0, 300.0, float("inf")))

    def __str__(self) -> str:
        return f"{exact(self.rho)}-zCDP"
