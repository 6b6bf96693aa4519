"""Mutual information between the secret and the output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.numerics.rounding import exact, exact_sum_up
from leakbound.numerics.validate import real


@dataclass(frozen=True)
class MutualInformation(Guarantee):
    """I(secret; output) <= nats.

    With the relation `declared-secret` the secret is the one its certificate names (a whole data set, a pool member);
    with any other relation it is what that relation changes (one record, one label), given everything else.

    >>> str(MutualInformation(0.25, neighbouring="declared-secret").compose(2))
    '0.5 nats of mutual information'
    """

    nats: float

    kind: ClassVar[str] = "mutual-information"
    title: ClassVar[str] = "mutual information"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"nats": True}

    def _clean(self) -> dict[str, Any]:
        return {"nats": real("nats", self.nats, low=0, infinite=True)}

    @classmethod
    def _total(cls, parts: Sequence[tuple[MutualInformation, int]]) -> MutualInformation:
        """Add, for releases fixed in advance whose randomness is independent given the secret (chain rule)."""
        return cls(exact_sum_up((Fraction(n), p.nats) for p, n in parts), neighbouring=common_relation(parts))

    @classmethod
    def examples(cls) -> tuple[MutualInformation, ...]:
        """Return small, usual, large and vacuous values."""
        return tuple(cls(nats) for nats in (0.0, 1e-12, 1 / 128, 4.0, float("inf")))

    def __str__(self) -> str:
        return f"{exact(self.nats)} nats of mutual information"
