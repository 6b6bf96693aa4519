"""Pure differential privacy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.numerics.rounding import exact, exact_sum_up
from leakbound.numerics.validate import real


@dataclass(frozen=True)
class PureDP(Guarantee):
    """P(M(D) in E) <= e^epsilon P(M(D') in E) for every event E and neighbours D, D' (Dwork et al. 2006).

    >>> str(PureDP(1.0).compose(3))
    '3-DP'
    """

    epsilon: float

    kind: ClassVar[str] = "pure-dp"
    title: ClassVar[str] = "pure differential privacy"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"epsilon": True}

    def _clean(self) -> dict[str, Any]:
        return {"epsilon": real("epsilon", self.epsilon, low=0, infinite=True)}

    @classmethod
    def _total(cls, parts: Sequence[tuple[PureDP, int]]) -> PureDP:
        """Add: sum of count times epsilon (basic composition, Dwork et al. 2006)."""
        return cls(exact_sum_up((Fraction(n), p.epsilon) for p, n in parts), neighbouring=common_relation(parts))

    @classmethod
    def examples(cls) -> tuple[PureDP, ...]:
        """Return small, usual, large and vacuous values."""
        return tuple(cls(e) for e in (0.0, 1e-10, 0.5, 3.0, 800.0, float("inf")))

    def __str__(self) -> str:
        return f"{exact(self.epsilon)}-DP"
