"""Approximate differential privacy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.numerics.rounding import exact, exact_sum_up
from leakbound.numerics.validate import probability, real


@dataclass(frozen=True)
class ApproxDP(Guarantee):
    """P(M(D) in E) <= e^epsilon P(M(D') in E) + delta for every event E and neighbours D, D' (Dwork et al. 2006).

    >>> str(ApproxDP(1.0, 1e-5).compose(2))
    '(2, 2e-05)-DP'
    """

    epsilon: float
    delta: float

    kind: ClassVar[str] = "approx-dp"
    title: ClassVar[str] = "approximate differential privacy"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"epsilon": True, "delta": True}

    def _clean(self) -> dict[str, Any]:
        return {
            "epsilon": real("epsilon", self.epsilon, low=0, infinite=True),
            "delta": probability("delta", self.delta),
        }

    @classmethod
    def _total(cls, parts: Sequence[tuple[ApproxDP, int]]) -> ApproxDP:
        """Add epsilons and deltas, delta at most one (basic composition, Dwork and Lei 2009)."""
        epsilon = exact_sum_up((Fraction(n), p.epsilon) for p, n in parts)
        delta = min(1.0, exact_sum_up((Fraction(n), p.delta) for p, n in parts))
        return cls(epsilon, delta, neighbouring=common_relation(parts))

    @classmethod
    def examples(cls) -> tuple[ApproxDP, ...]:
        """Return values from no leakage to none kept."""
        return tuple(cls(e, d) for e, d in ((0.0, 0.0), (0.5, 1e-5), (3.0, 1e-18), (1e-9, 0.3), (float("inf"), 1.0)))

    def __str__(self) -> str:
        return f"({exact(self.epsilon)}, {exact(self.delta)})-DP"
