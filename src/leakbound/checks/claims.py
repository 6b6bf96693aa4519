"""The numbers of a claim: where each stands, what it is called, and the claim with one of them changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from leakbound.errors import InvalidInput
from leakbound.guarantees.arrows import ARROWS
from leakbound.guarantees.base import Guarantee
from leakbound.guarantees.curves import Events, Statements

_PAIRS: dict[type, dict[str | int, str]] = {Events: {0: "p", 1: "q"}, Statements: {0: "epsilon", 1: "delta"}}
_THRESHOLDS = (0.1, 1.0)


@dataclass(frozen=True)
class Number:
    """One number of a claim, with its name and the way to it."""

    name: str
    path: tuple[str | int, ...]
    value: float

    @property
    def field(self) -> str:
        """The field of the claim in which it stands, as messages name it."""
        inside = [key for key in self.path if isinstance(key, str)]
        return inside[-1]


def numbers(guarantee: Guarantee) -> tuple[Number, ...]:
    """Return every number of a guarantee's claim.

    >>> from leakbound.guarantees import ApproxDP
    >>> [number.name for number in numbers(ApproxDP(1.0, 0.0))]
    ['epsilon', 'delta']
    """
    pairs = _PAIRS.get(type(getattr(guarantee, "curve", None)), {})
    return tuple(Number(pairs.get(path[-1], _name(path)), path, value) for path, value in _walk((), guarantee.claim()))


def changed(guarantee: Guarantee, number: Number, value: object) -> Guarantee:
    """Return the guarantee whose claim has another value in the place of a number; the class may refuse it."""
    claim = _put(guarantee.claim(), number.path, value)
    return type(guarantee).from_claim(claim, guarantee.neighbouring)


def weakened(guarantee: Guarantee, number: Number, *, larger: bool) -> Iterator[Guarantee]:
    """Yield guarantees in which one number is larger (or smaller), as far as the class allows it."""
    value = number.value
    for other in (value * 1.5, value + 0.01) if larger else (min(value, 1e6) / 1.5, (min(value, 1e6) + 1) / 2):
        if (other > value) == larger and other != value:
            try:
                yield changed(guarantee, number, other)
            except InvalidInput:
                continue


def readings(guarantee: Guarantee) -> tuple[float, ...]:
    """Return delta at several epsilons, where the guarantee converts to (epsilon, delta); larger numbers are weaker.

    >>> from leakbound.guarantees import PureDP
    >>> readings(PureDP(1.0))[-1]
    0.0
    """
    arrow = ARROWS.get((guarantee.kind, "approx-dp"))
    if arrow is None or "epsilon" not in arrow.options:
        return ()
    return tuple(arrow.function(guarantee, epsilon=threshold).delta for threshold in _THRESHOLDS)  # type: ignore[attr-defined]  # an ApproxDP


def _walk(path: tuple[str | int, ...], value: Any) -> Iterator[tuple[tuple[str | int, ...], float]]:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _walk((*path, key), entry)
    elif isinstance(value, (tuple, list)):
        for index, entry in enumerate(value):
            yield from _walk((*path, index), entry)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def _name(path: tuple[str | int, ...]) -> str:
    return next(key for key in reversed(path) if isinstance(key, str))


def _put(holder: Any, path: tuple[str | int, ...], value: object) -> Any:
    if not path:
        return value
    if isinstance(holder, Mapping):
        return {key: _put(entry, path[1:], value) if key == path[0] else entry for key, entry in holder.items()}
    return tuple(_put(entry, path[1:], value) if i == path[0] else entry for i, entry in enumerate(holder))
