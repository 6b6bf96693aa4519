"""Finds kinds of guarantees and families of curves, ours and other packages', through entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from leakbound.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leakbound.guarantees.base import Guarantee
    from leakbound.guarantees.curves import Curve


@cache
def plugins(group: str) -> Mapping[str, Any]:
    """Return what every entry point of a group names; two packages may not claim one name.

    >>> "gdp" in plugins("leakbound.guarantees")
    True
    """
    return MappingProxyType(_load(group, tuple(entry_points(group=group))))


def kinds() -> Mapping[str, type[Guarantee]]:
    """Return every kind of guarantee by the name it has in a certificate.

    >>> kinds()["gdp"].__name__
    'GaussianDP'
    """
    return plugins("leakbound.guarantees")


def curve_families() -> Mapping[str, type[Curve]]:
    """Return every named family of curves.

    >>> sorted(curve_families())[:2]
    ['dp', 'gaussian']
    """
    return plugins("leakbound.curves")


def _load(group: str, found: tuple[EntryPoint, ...]) -> dict[str, Any]:
    loaded: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for point in found:
        if point.name in loaded and origin[point.name] != point.value:
            raise InvalidInput(
                f"Two installed packages provide {point.name!r} in {group}: {origin[point.name]} and {point.value};"
                " uninstall one."
            )
        loaded[point.name], origin[point.name] = point.load(), point.value
    return loaded
