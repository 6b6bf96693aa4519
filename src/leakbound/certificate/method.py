"""Methods: how a claim of one kind is recomputed, and what it may say of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from leakbound.certificate.check import Check
from leakbound.certificate.record import Record
from leakbound.certificate.standing import Standing


@dataclass(frozen=True)
class Problem:
    """What a recomputation is given: the claim, the inputs and the evidence, as records, and nothing computed."""

    claim: Record
    inputs: Record
    evidence: Record
    confidence: float
    tolerance: float
    outputs: Path | None = None


Recompute: TypeAlias = Callable[[Problem], Iterable[Check]]


def stated_relation(inputs: Record) -> str:
    """Return the neighbouring relation that inputs state; where they state none it is as-stated."""
    return inputs.text("neighbouring") if "neighbouring" in inputs else "as-stated"


@dataclass(frozen=True)
class Method:
    """One method id: its recomputation, the tolerance it is held to, and the firmest standing it can give.

    `assumptions` are the ids that every certificate of the method must list, `when` those that go with an input, as
    pairs of the input's name and an id, and `relation` reads off the inputs the
    neighbouring relation that the claim must have.
    """

    recompute: Recompute
    tolerance: float = 1e-9
    firmest: Standing = Standing.PROVED
    assumptions: tuple[str, ...] = ("stated-guarantee",)
    when: tuple[tuple[str, str], ...] = ()
    direction: str = "upper"
    relation: Callable[[Record], str] = stated_relation
