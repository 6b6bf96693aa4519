"""The one class in which every answer ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from leakbound.certificate.assumption import Assumption
from leakbound.certificate.frozen import INFINITIES, FrozenMap
from leakbound.certificate.standing import Standing
from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.base import Guarantee
from leakbound.numerics.rounding import exact
from leakbound.numerics.validate import choice, real

DIRECTIONS = ("upper", "lower")


@dataclass(frozen=True)
class Certificate:
    """A claim with its direction, standing, confidence and assumptions, and all that is needed to recompute it.

    `direction` is `upper` where leakage or risk is at most what is claimed, `lower` where leakage is at least that.
    `inputs` and `evidence` hold what the method's recomputation needs, `series` optional curves for figures, and
    `provenance` the version that made it; never data, and never the seed of anything released.
    """

    claim: Guarantee
    direction: str
    standing: Standing
    confidence: float
    assumptions: tuple[Assumption, ...]
    method: str
    references: tuple[str, ...]
    inputs: FrozenMap
    evidence: FrozenMap
    series: FrozenMap
    provenance: FrozenMap

    def __post_init__(self) -> None:
        """Refuse wrong fields and store clean ones."""
        if not isinstance(self.claim, Guarantee):
            raise InvalidInput(f"claim must be a guarantee, but got claim={shown(self.claim)}.")
        if not isinstance(self.standing, Standing):
            raise InvalidInput(f"standing must be a Standing, but got standing={shown(self.standing)}.")
        clean: dict[str, Any] = {
            "direction": choice("direction", self.direction, DIRECTIONS),
            "confidence": real("confidence", self.confidence, above=0, high=1),
            "assumptions": _tuple_of(Assumption, "assumptions", self.assumptions),
            "method": _text("method", self.method),
            "references": tuple(_text("references", r) for r in _tuple_of(str, "references", self.references)),
        }
        for name in ("inputs", "evidence", "series", "provenance"):
            clean[name] = _map(name, getattr(self, name))
        _check_series(clean["series"])
        ids = [assumption.id for assumption in clean["assumptions"]]
        if len(set(ids)) < len(ids):
            raise InvalidInput(f"assumptions must have different ids, but got {', '.join(ids)}; keep each once.")
        for name, value in clean.items():
            object.__setattr__(self, name, value)

    @property
    def neighbouring(self) -> str:
        """The relation the claim is about."""
        return self.claim.neighbouring

    def with_(self, **changes: Any) -> Certificate:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def __str__(self) -> str:
        bound = "at most" if self.direction == "upper" else "at least"
        sure = "" if self.confidence == 1 else f", confidence {exact(self.confidence)}"
        return f"[{self.standing.value}] {bound} {self.claim} ({self.neighbouring}{sure}) by {self.method}"


def _tuple_of(kind: type, name: str, values: object) -> tuple[Any, ...]:
    entries = tuple(values) if isinstance(values, Iterable) and not isinstance(values, (str, bytes)) else None
    if entries is None or not all(isinstance(entry, kind) for entry in entries):
        raise InvalidInput(f"{name} must be a list of {kind.__name__} values, but got {name}={shown(values)}.")
    return entries


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} must be a non-empty text, but got {name}={shown(value)}.")
    return value


def _map(name: str, value: object) -> FrozenMap:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name} must be a map of names to values, but got {name}={shown(value)}.")
    frozen = FrozenMap(value)
    _refuse_infinity_in_words(name, frozen)
    return frozen


def _refuse_infinity_in_words(name: str, value: object) -> None:
    """A file writes infinity as a text; a text of that spelling would come back as a number."""
    if isinstance(value, str) and value in INFINITIES:
        raise InvalidInput(f"{name} must not hold the text {value!r}, which stands for infinity; use another word.")
    for entry in value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ():
        _refuse_infinity_in_words(name, entry)


def _check_series(series: FrozenMap) -> None:
    for name, curve in series.items():
        good = isinstance(curve, FrozenMap) and set(curve) == {"x", "y"}
        columns = [curve["x"], curve["y"]] if good and isinstance(curve, FrozenMap) else []
        lists = [column for column in columns if isinstance(column, tuple)]
        if len(lists) < 2 or len(lists[0]) != len(lists[1]):
            raise InvalidInput(f"series must map a name to equally long lists x and y, but {shown(name)} does not.")
        for number in (*lists[0], *lists[1]):
            real(f"series {name}", number, infinite=True)
