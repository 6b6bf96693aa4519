"""The series of a certificate as drawings: one chart for all curves of the same two quantities, and its numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from leakbound.certificate import Certificate
from leakbound.report.numbers import displayed
from leakbound.report.words import printable

WIDTH, HEIGHT = 420, 260
"""Of the plane that is drawn, in the units of the drawing."""

MOST_POINTS = 400
DASHES = ("none", "7 4", "2 4", "10 3 2 3")
"""Curves differ in these as well as in colour."""

_WIDE = 20.0
_SMALL, _LARGE = 1e-100, 1e100
_FLAT = 1e-9


@dataclass(frozen=True)
class Line:
    """One curve: its name, its outline, the marks of its points, and where its name stands."""

    name: str
    outline: str
    marks: tuple[tuple[str, str], ...]
    dash: str
    number: int


@dataclass(frozen=True)
class Chart:
    """Curves over one axis, the ticks of both axes, and a table of all numbers."""

    title: str
    across: str
    upward: str
    lines: tuple[Line, ...]
    ticks_across: tuple[tuple[str, str], ...]
    ticks_upward: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]


def charts(certificate: Certificate) -> tuple[Chart, ...]:
    """Return a chart for every group of series named "Y against X: curve", in the order of the certificate.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import PureDP
    >>> series = {"epsilon against rows: model": {"x": [1.0, 2.0], "y": [0.5, 0.5]}}
    >>> [chart] = charts(issue.declare(PureDP(1.0)).with_(series=series))
    >>> chart.upward, chart.across, chart.rows
    ('epsilon', 'rows', (('1', '0.5'), ('2', '0.5')))
    """
    groups: dict[str, dict[str, tuple[tuple[float, float], ...]]] = {}
    series: Any = certificate.series
    for name, curve in series.items():
        title, _, label = name.partition(": ")
        points = tuple(sorted(zip(curve["x"], curve["y"], strict=True)))[:MOST_POINTS]
        if points and all(number == 0 or _SMALL <= abs(number) <= _LARGE for point in points for number in point):
            groups.setdefault(title, {})[label or title] = points
    return tuple(_chart(title, _merged(curves)) for title, curves in groups.items())


def _merged(curves: dict[str, tuple[tuple[float, float], ...]]) -> dict[str, tuple[tuple[float, float], ...]]:
    """Return curves by name, those that are the same as one with all their names."""
    names: dict[tuple[tuple[float, float], ...], list[str]] = {}
    for name, points in curves.items():
        names.setdefault(points, []).append(name)
    return {", ".join(several): points for points, several in names.items()}


def _chart(title: str, curves: dict[str, tuple[tuple[float, float], ...]]) -> Chart:
    upward, _, across = title.partition(" against ")
    xs = [x for points in curves.values() for x, _ in points]
    ys = [y for points in curves.values() for _, y in points]
    horizontal = _Axis(min(xs), max(xs), WIDTH, stretched=min(xs) > 0 and max(xs) >= _WIDE * min(xs))
    vertical = _Axis(min(0.0, *ys), max(ys), HEIGHT, stretched=False)

    def placed(x: float, y: float) -> tuple[str, str]:
        return f"{horizontal.place(x):.1f}", f"{HEIGHT - vertical.place(y):.1f}"

    lines = tuple(
        Line(
            printable(name),
            " ".join(",".join(placed(x, y)) for x, y in points),
            tuple(placed(x, y) for x, y in points),
            DASHES[number % len(DASHES)],
            number % len(DASHES),
        )
        for number, (name, points) in enumerate(curves.items())
    )
    tables = [dict(points) for points in curves.values()]
    places = sorted(set(xs))
    rows = tuple((_shown(x), *(_shown(table[x]) if x in table else "" for table in tables)) for x in places)
    return Chart(
        printable(title),
        printable(across or "x"),
        printable(upward),
        lines,
        tuple((f"{horizontal.place(x):.1f}", f"{x:.4g}") for x in horizontal.ticks()),
        tuple((f"{HEIGHT - vertical.place(y):.1f}", f"{y:.4g}") for y in vertical.ticks()),
        rows,
    )


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    length: int
    stretched: bool

    @property
    def flat(self) -> bool:
        return self.high - self.low <= _FLAT * max(abs(self.low), abs(self.high))

    def place(self, value: float) -> float:
        if self.flat:
            return self.length / 2
        if self.stretched:
            return self.length * math.log(value / self.low) / math.log(self.high / self.low)
        return self.length * (value - self.low) / (self.high - self.low)

    def ticks(self) -> Iterable[float]:
        if self.stretched:
            tens = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
            return [10.0**power for power in tens]
        if self.flat:
            return [self.low]
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / 2))
        step *= 5 if (self.high - self.low) / step > 10 else 2 if (self.high - self.low) / step > 5 else 1
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _shown(value: float) -> str:
    return displayed(value, up=True, digits=4)
