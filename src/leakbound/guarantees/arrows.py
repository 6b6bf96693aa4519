"""The grid of conversions: one entry per arrow, with the theorem that carries it and the page that proves it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from leakbound.errors import InvalidInput, NoTheorem, shown
from leakbound.guarantees.base import Guarantee
from leakbound.guarantees.registry import kinds

Function = TypeVar("Function", bound=Callable[..., Guarantee])


@dataclass(frozen=True)
class Arrow:
    """One conversion: from a kind to a kind, by a named theorem proved on a page of proofs/."""

    source: str
    target: str
    theorem: str
    references: tuple[str, ...]
    page: str
    function: Callable[..., Guarantee]

    @property
    def method(self) -> str:
        """The id under which certificates name this conversion."""
        return f"{self.source}-to-{self.target}"

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the keyword options the conversion takes."""
        return tuple(list(inspect.signature(self.function).parameters)[1:])

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the options that must be given."""
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        return tuple(p.name for p in parameters if p.default is inspect.Parameter.empty)


ARROWS: dict[tuple[str, str], Arrow] = {}


def arrow(source: str, target: str, theorem: str, *references: str, page: str) -> Callable[[Function], Function]:
    """Enter a function into the grid of conversions."""

    def enter(function: Function) -> Function:
        ARROWS[source, target] = Arrow(source, target, theorem, references, page, function)
        return function

    return enter


def find(source: str, target: str) -> Arrow:
    """Return the arrow between two kinds, or say which kinds can be reached.

    >>> import leakbound.guarantees.convert
    >>> find("gdp", "zcdp").method
    'gdp-to-zcdp'
    """
    if not isinstance(target, str) or (source, target) not in ARROWS:
        wanted = target if isinstance(target, str) else shown(target)
        reachable = ", ".join(t for s, t in ARROWS if s == source) or "nothing"
        raise NoTheorem(f"No conversion leads from {source} to {wanted}; from {source} one reaches {reachable}.")
    return ARROWS[source, target]


def restate(guarantee: Guarantee, target: str, **options: Any) -> Guarantee:
    """Restate a guarantee as another kind by the arrow between the two.

    >>> from leakbound.guarantees import GaussianDP
    >>> restate(GaussianDP(1.0), "zcdp")
    ZeroConcentratedDP(neighbouring='as-stated', rho=0.5)
    """
    if not isinstance(guarantee, Guarantee):
        raise InvalidInput(f"A guarantee is needed to convert from, but got {shown(guarantee)}.")
    found = find(guarantee.kind, target)
    given = {name: value for name, value in options.items() if value is not None}
    if unknown := sorted(set(given) - set(found.options)):
        takes = ", ".join(found.options) or "no option"
        raise InvalidInput(f"The conversion {found.method} takes {takes}, but got {unknown[0]}; leave it out.")
    if missing := sorted(set(found.required) - set(given)):
        raise InvalidInput(f"The conversion {found.method} needs {missing[0]}, but it was not given; give it.")
    return found.function(guarantee, **given)


def grid() -> str:
    """Return the grid of conversions as a Markdown table; a cell links the proof, an empty one has no theorem here.

    >>> import leakbound.guarantees.convert
    >>> grid().splitlines()[0].count("|")
    13
    """
    order = sorted(kinds(), key=lambda kind: (_COLUMNS.index(kind) if kind in _COLUMNS else len(_COLUMNS), kind))
    lines = [f"| from, to | {' | '.join(order)} |", "| --- " * (len(order) + 1) + "|"]
    for source in order:
        cells = (ARROWS.get((source, target)) for target in order)
        shown = (f"[yes](proofs/{cell.page})" if cell else " " for cell in cells)
        lines.append(f"| **{source}** | {' | '.join(shown)} |")
    return "\n".join(lines)


_COLUMNS = ("pure-dp", "approx-dp", "profile", "tradeoff", "gdp", "renyi", "zcdp")
