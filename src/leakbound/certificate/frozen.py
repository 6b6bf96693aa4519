"""Immutable JSON values: what a certificate holds besides its claim."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TypeAlias, Union

from leakbound.errors import InvalidInput, shown

Value: TypeAlias = Union[str, int, float, bool, tuple["Value", ...], "FrozenMap", None]

DEEPEST = 20
"""How deep a certificate's values may nest."""

_LARGEST_INTEGER = 10**1000


INFINITIES = {"inf": math.inf, "-inf": -math.inf}
"""The texts that stand for infinity in a file."""


class FrozenMap(Mapping[str, Value]):
    """A mapping that cannot change, hashes, pickles and compares by content.

    >>> FrozenMap({"a": [1, 2]})["a"]
    (1, 2)
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, object] | None = None) -> None:
        """Freeze a mapping and everything in it."""
        given = {} if items is None else items
        self._items: dict[str, Value] = {_key(key): freeze(value) for key, value in given.items()}

    def __getitem__(self, key: str) -> Value:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenMap) and self._items == other._items

    def __repr__(self) -> str:
        return f"FrozenMap({thaw(self)!r})"

    def __reduce__(self) -> tuple[type[FrozenMap], tuple[dict[str, Value]]]:
        return FrozenMap, (dict(self._items),)


def freeze(value: object, depth: int = 0) -> Value:
    """Return a value as tuples, frozen maps and plain scalars; NaN and everything JSON cannot say is refused.

    >>> freeze({"x": [1, {"y": None}]})["x"][0]
    1
    """
    if depth > DEEPEST:
        raise InvalidInput(f"A certificate's values may nest {DEEPEST} deep, but these go deeper; flatten them.")
    if isinstance(value, float) and math.isnan(value):
        raise InvalidInput("A certificate holds no NaN, but got one; leave the entry out.")
    if isinstance(value, int) and not -_LARGEST_INTEGER < value < _LARGEST_INTEGER:
        raise InvalidInput("A certificate's whole numbers have at most 1000 digits, but got a longer one; shorten it.")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        frozen = FrozenMap.__new__(FrozenMap)
        frozen._items = {_key(key): freeze(entry, depth + 1) for key, entry in value.items()}
        return frozen
    if isinstance(value, (list, tuple)):
        return tuple(freeze(entry, depth + 1) for entry in value)
    raise InvalidInput(f"A certificate holds numbers, texts, lists and maps, but got {shown(value)}; convert it first.")


def thaw(value: object) -> object:
    """Return a frozen value as lists and dicts, with infinity as the text "inf", ready for JSON.

    >>> thaw(FrozenMap({"a": (1.0, float("inf"))}))
    {'a': [1.0, 'inf']}
    """
    if isinstance(value, Mapping):
        return {key: thaw(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [thaw(entry) for entry in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise InvalidInput(f"A certificate's maps have texts as keys, but got the key {shown(key)}.")
    return key
