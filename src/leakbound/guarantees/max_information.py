"""Approximate max-information between the data and the output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from leakbound.guarantees.base import Guarantee
from leakbound.numerics.rounding import exact
from leakbound.numerics.validate import probability, real


@dataclass(frozen=True)
class MaxInformation(Guarantee):
    """P((S, M(S)) in E) <= e^nats P((S, M(S')) in E) + failure, S' an independent copy of S (Dwork et al. 2015).

    >>> str(MaxInformation(3.0, 0.05))
    '3 nats of max-information, failure 0.05'
    """

    nats: float
    failure: float

    kind: ClassVar[str] = "max-information"
    title: ClassVar[str] = "max-information"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"nats": True, "failure": True}

    def _clean(self) -> dict[str, Any]:
        return {"nats": real("nats", self.nats, low=0, infinite=True), "failure": probability("failure", self.failure)}

    @classmethod
    def examples(cls) -> tuple[MaxInformation, ...]:
        """Return the exact, a usual and the vacuous one."""
        return cls(0.0, 0.0), cls(25.1, 0.025), cls(float("inf"), 1.0)

    def __str__(self) -> str:
        return f"{exact(self.nats)} nats of max-information, failure {exact(self.failure)}"
