"""A bound on the expected loss on new data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from leakbound.guarantees.base import Guarantee
from leakbound.numerics.rounding import exact
from leakbound.numerics.validate import probability


@dataclass(frozen=True)
class RiskBound(Guarantee):
    """The expected loss on a new record, a loss in [0, 1], is at most bound.

    >>> str(RiskBound(0.12))
    'risk at most 0.12'
    """

    bound: float

    kind: ClassVar[str] = "risk"
    title: ClassVar[str] = "risk"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"bound": True}

    def _clean(self) -> dict[str, Any]:
        return {"bound": probability("bound", self.bound)}

    @classmethod
    def examples(cls) -> tuple[RiskBound, ...]:
        """Return the ends and a usual one."""
        return cls(0.0), cls(0.117), cls(1.0)

    def __str__(self) -> str:
        return f"risk at most {exact(self.bound)}"
