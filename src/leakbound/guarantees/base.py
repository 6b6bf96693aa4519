"""What every guarantee shares: a frozen value with a kind, a neighbouring relation and a rule for composing.

A guarantee holds for both orders of every pair of neighbouring inputs: every relation here is symmetric. What is known
of one ordered pair only is not a guarantee until it is symmetrised.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from leakbound.errors import InvalidInput, NoTheorem, shown
from leakbound.numerics.validate import choice, whole

NEIGHBOURING = ("replace-one", "add-or-remove-one", "label-only", "declared-secret", "as-stated")
"""The relations: which inputs the guarantee compares; `as-stated` is unknown and composes only with itself."""

MOST_USES = 10**12
"""No guarantee is composed with itself more often."""

Self = TypeVar("Self", bound="Guarantee")


@dataclass(frozen=True)
class Guarantee(ABC):
    """A promise about what an output can tell, stated for a neighbouring relation."""

    kind: ClassVar[str]
    title: ClassVar[str]
    larger_is_weaker: ClassVar[Mapping[str, bool]]
    """For each number of the claim: does making it larger weaken the promise (True) or strengthen it (False)?"""

    neighbouring: str = field(default="as-stated", kw_only=True)

    def __post_init__(self) -> None:
        """Refuse bad fields and store clean ones."""
        self._set(neighbouring=choice("neighbouring", self.neighbouring, NEIGHBOURING), **self._clean())

    @abstractmethod
    def _clean(self) -> dict[str, Any]:
        """Return the validated fields."""

    @classmethod
    @abstractmethod
    def examples(cls) -> tuple[Guarantee, ...]:
        """Return values that show the range of the class, for the conformance suite."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the promise in a few words."""

    def claim(self) -> dict[str, Any]:
        """Return the numbers of the claim by name, without the relation."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "neighbouring"}

    @classmethod
    def from_claim(cls: type[Self], claim: Mapping[str, Any], neighbouring: str) -> Self:
        """Rebuild the guarantee from `claim()` and a relation; unknown or missing fields are refused."""
        known = {f.name for f in fields(cls)} - {"neighbouring"}
        refuse_wrong_fields(cls.kind, claim, known)
        return cls(**claim, neighbouring=neighbouring)

    @classmethod
    def total(cls: type[Self], parts: Sequence[tuple[Self, int]]) -> Self:
        """Return the guarantee of using each part the given number of times, on the same secret."""
        clean = []
        for part, count in parts:
            if not isinstance(part, cls):
                raise InvalidInput(f"parts must be of the kind {cls.kind}, but one is {shown(part)}; convert it first.")
            clean.append((part, whole("count", count, low=1, high=MOST_USES)))
        common_relation(clean)
        return cls._total(clean)

    @classmethod
    def _total(cls: type[Self], parts: Sequence[tuple[Self, int]]) -> Self:
        """Return the total of clean parts; a class without a composition theorem refuses."""
        raise NoTheorem(
            f"{cls.title} has no composition theorem of its own, but {len(parts)} parts were given;"
            " compose what they were derived from, or convert first."
        )

    def compose(self: Self, count: int) -> Self:
        """Return the guarantee of `count` uses."""
        return type(self).total([(self, count)])

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)


def refuse_wrong_fields(kind: str, claim: Mapping[str, Any], known: set[str]) -> None:
    """Raise unless a claim is a map of exactly the known fields."""
    if not isinstance(claim, Mapping) or not all(isinstance(name, str) for name in claim):
        raise InvalidInput(f"A {kind} claim is a map of names to values, but got {shown(claim)}.")
    if wrong := sorted(set(claim) - known):
        raise InvalidInput(f"A {kind} claim has no field {wrong[0]!r}; its fields are {', '.join(sorted(known))}.")
    if missing := sorted(known - set(claim)):
        raise InvalidInput(f"A {kind} claim needs the field {missing[0]!r}; add it.")


def common_relation(parts: Sequence[tuple[Guarantee, int]]) -> str:
    """Return the one neighbouring relation of all parts, or refuse to mix relations."""
    relations = sorted({part.neighbouring for part, _ in parts})
    if len(relations) != 1:
        given = " and ".join(relations) if relations else "none"
        raise InvalidInput(
            f"Guarantees compose only under one neighbouring relation, but got {given}; restate them for one relation."
        )
    return relations[0]
