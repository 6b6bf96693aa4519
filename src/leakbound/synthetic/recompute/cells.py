"""Means of convex functions of the likelihood ratio over cells of U, enclosed.

On a cell with masses A and B of the two laws, the ratio r lies between its values at the ends and has the mean B/A, so
for a convex f the integral of f(r) lies between A f(B/A) (Jensen) and A times the chord of f over the cell at B/A.
Cells are halved where the two differ most.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from leakbound.errors import Undecided
from leakbound.numerics.ball import ball, ends
from leakbound.synthetic.recompute.tables import Node, Pair, Tables

_NEGLIGIBLE = 1e-6
_ACCURATE = 40


@dataclass(frozen=True)
class Convex:
    """A convex function of the likelihood ratio, and a bound for its mean beyond the last cell."""

    value: Callable[[Any], Any]
    beyond: Callable[[Pair, Node], Any]


def refined(
    tables: Tables, pairs: list[Pair], samples: list[Pair], functions: tuple[Convex, Convex], base: float, gap: float
) -> list[Node]:
    """Return nodes beyond which next to nothing lies for all pairs, and between which the samples are enclosed closely.

    `base` is the value of the functions at ratio one, and `gap` how far an enclosure may be open, relatively to itself
    or, where that is more, to a quarter of the largest.
    """
    for pair in reversed(pairs):
        _reach(tables, pair, functions, base)
    nodes = [tables.nodes[y] for y in sorted(tables.nodes)]
    sizes = [_size(tables, pair, [n.y for n in _known(pair, nodes)], f, base) for pair in samples for f in functions]
    for pair in samples:
        _refine(tables, pair, functions, base, gap, max(sizes) / 4)
    return [tables.nodes[y] for y in sorted(tables.nodes)]


def _reach(tables: Tables, pair: Pair, functions: tuple[Convex, Convex], base: float) -> None:
    """Add nodes at both ends until next to nothing lies beyond them, or the ratio there is not known well."""
    middle = tables.middle()
    for y in sorted(tables.nodes) or [middle + i / 4 for i in range(-8, 9)]:
        tables.node(y)
    for convex in functions:
        nodes = _trusted(pair, [tables.nodes[y] for y in sorted(tables.nodes)])
        size = _size(tables, pair, [node.y for node in nodes], convex, base)
        while _gap(_first(pair, nodes[0], convex)) > _NEGLIGIBLE * size and _known(pair, nodes[:1]):
            nodes.insert(0, tables.node(nodes[0].y - max(1.0, (middle - nodes[0].y) / 4)))
        while _gap(_last(pair, nodes[-1], convex)) > _NEGLIGIBLE * size and _known(pair, nodes[-1:]):
            nodes.append(tables.node(nodes[-1].y + 0.25))


def _refine(
    tables: Tables, pair: Pair, functions: tuple[Convex, Convex], base: float, gap: float, least: float
) -> None:
    """Add nodes until the enclosures of both functions are close."""
    while True:
        ys = [node.y for node in _known(pair, [tables.nodes[y] for y in sorted(tables.nodes)])]
        split: set[int] = set()
        for convex in functions:
            size = max(least, _size(tables, pair, ys, convex, base))
            gaps = [_gap(part) for part in _cells(pair, [tables.node(y) for y in ys], convex)]
            if sum(gaps) > gap * size:
                split |= {i for i, open_ in enumerate(gaps) if open_ > gap * size / (2 * len(gaps))}
        if not split:
            return
        for i in split:
            tables.node((ys[i] + ys[i + 1]) / 2)


def _size(tables: Tables, pair: Pair, ys: list[float], convex: Convex, base: float) -> float:
    """Return a lower bound of the mean of a function, less its value at ratio one."""
    total = mean(pair, [tables.node(y) for y in ys], convex)[0] - base
    return max(ends(total)[0], 1e-290)


def powers(a: Any) -> tuple[Convex, Convex]:
    return (
        Convex(lambda r: r**a, lambda pair, node: pair.moment_beyond(a, node)),
        Convex(
            lambda r: r ** (1 - a), lambda pair, node: pair.at(node).low.abs_upper() * pair.at(node).ratio ** (1 - a)
        ),
    )


def kullback_leibler() -> tuple[Convex, Convex]:
    return (
        Convex(lambda r: r * r.log(), lambda pair, node: pair.moment_beyond(ball(2.0), node)),
        Convex(lambda r: -r.log(), lambda pair, node: -pair.at(node).ratio.log() * pair.at(node).low),
    )


def mean(pair: Pair, nodes: list[Node], convex: Convex) -> tuple[Any, Any]:
    """Return a lower and an upper bound of the mean of a convex function of the ratio under the law of `low`.

    Nodes so far out that the ratio is not known well are left to the last cell.
    """
    nodes = _trusted(pair, nodes)
    parts = [
        _first(pair, nodes[0], convex),
        *_cells(pair, nodes, convex),
        _last(pair, nodes[-1], convex),
    ]
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _known(pair: Pair, nodes: list[Node]) -> list[Node]:
    return [node for node in nodes if pair.at(node).ratio.rel_accuracy_bits() > _ACCURATE]


def _trusted(pair: Pair, nodes: list[Node]) -> list[Node]:
    """Return the nodes at which the ratio is known well; without any, nothing can be said."""
    if not (known := _known(pair, nodes)):
        raise Undecided("The likelihood ratio of a pair of norms is not known well anywhere.")
    return known


def _cells(pair: Pair, nodes: list[Node], convex: Convex) -> list[tuple[Any, Any]]:
    table = [pair.at(node) for node in nodes]
    return [
        cell(convex, left.low - right.low, left.high - right.high, left.ratio, right.ratio)
        for left, right in itertools.pairwise(table)
    ]


def cell(convex: Convex, low_mass: Any, high_mass: Any, left: Any, right: Any) -> tuple[Any, Any]:
    """Enclose the part of one cell: Jensen from below, the chord from above."""
    mean, width = high_mass / low_mass, right - left
    at_left, at_right = convex.value(left), convex.value(right)
    highest = at_left.abs_upper().max(at_right.abs_upper()).max(1)
    if not (low_mass > 0 and mean > 0 and width > 0):  # too little mass to tell: the function is at most this
        return -highest * low_mass.abs_upper(), highest * low_mass.abs_upper()
    chord = at_left + (at_right - at_left) * ((mean - left) / width)
    return low_mass * convex.value(mean), low_mass * chord


def _first(pair: Pair, first: Node, convex: Convex) -> tuple[Any, Any]:
    seen = pair.at(first)
    return cell(convex, 1 - seen.low, 1 - seen.high, pair.least_ratio(), seen.ratio)


def _last(pair: Pair, last: Node, convex: Convex) -> tuple[Any, Any]:
    seen = pair.at(last)
    return seen.low * convex.value(seen.high / seen.low), convex.beyond(pair, last)


def _gap(cell: tuple[Any, Any]) -> float:
    return float((cell[1] - cell[0]).abs_upper())
