"""Polygons of statements and events, read off line by line: no hull, no order of corners, in balls or fractions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from leakbound.numerics.ball import ball

Lines = Sequence[tuple[float, float]]


def lines_of(statements: Lines) -> list[tuple[Any, Any]]:
    """The lines (height at zero, minus slope) whose maximum is the trade-off curve, one per slope; the last is zero."""
    best: dict[float, float] = {}
    for e, d in statements:
        best[e] = min(d, best.get(e, 1.0))
    lines = [(ball(1.0) - ball(d), ball(e).exp()) for e, d in best.items()]
    lines += [((ball(1.0) - ball(d)) * (-ball(e)).exp(), (-ball(e)).exp()) for e, d in best.items() if e > 0]
    return [*lines, (ball(0.0), ball(0.0))]


def trade_off(statements: Lines, level: float) -> Any:
    """The largest of the lines at a level."""
    return _largest([height - slope * ball(level) for height, slope in lines_of(statements)])


def hockey_stick(statements: Lines, threshold: float) -> Any:
    """1 - min over a of f(a) + e^threshold a; a convex polygon is least where two lines cross, or at an end."""
    lines, x = lines_of(statements), ball(threshold).exp()
    levels = [ball(0.0), ball(1.0)]
    for (h1, s1), (h2, s2) in itertools.combinations(lines, 2):
        levels.append(((h1 - h2) / (s1 - s2)).max(ball(0.0)).min(ball(1.0)))
    return 1 - _smallest([_largest([h - s * a for h, s in lines]) + x * a for a in levels])


def renyi(statements: Lines, order: float) -> Any:
    """log of the sum of length times slope^(1-a) over the pieces of the trade-off curve, over a - 1."""
    if all(d > 0 for _, d in statements):
        return ball(math.inf)
    lines = lines_of(statements)[:-1]  # the zero line has no length where some delta is zero
    pieces = [(_length(line, lines), line[1]) for line in lines]
    if math.isinf(order):
        return -_smallest([slope for length, slope in pieces if length > 0]).log()
    if order == 1:
        return sum((-length * slope.log() for length, slope in pieces), ball(0.0))
    a = ball(order)
    return sum((length * ((1 - a) * slope.log()).exp() for length, slope in pieces), ball(0.0)).log() / (a - 1)


def _length(line: tuple[Any, Any], lines: list[tuple[Any, Any]]) -> Any:
    """The length of the levels in [0, 1] at which a line is the largest."""
    start, end = ball(0.0), ball(1.0)
    for other in lines:
        if other is not line:
            crossing = (line[0] - other[0]) / (line[1] - other[1])
            if other[1] > line[1]:
                start = start.max(crossing)
            else:
                end = end.min(crossing)
    return (end - start).max(ball(0.0))


def hockey_stick_of_events(events: Lines, threshold: float) -> Any:
    """max(0, max p - q e^threshold)."""
    return _largest([ball(0.0), *(ball(p) - ball(q) * ball(threshold).exp() for p, q in events)])


def trade_off_of_events(events: Lines, level: float) -> Fraction:
    """The largest of 1 - d - x a and (1 - d - a) / x over x = e^eps >= 1, d = delta(eps): at a corner of delta."""
    a = Fraction(level)
    lines = {(Fraction(p), Fraction(q)) for p, q in events} | {(Fraction(0), Fraction(0))}
    corners = {Fraction(1)}
    for (p1, q1), (p2, q2) in itertools.combinations(lines, 2):
        if q1 != q2:
            corners.add(max(Fraction(1), (p1 - p2) / (q1 - q2)))
    best = Fraction(0)
    for x in corners:
        delta = max(p - q * x for p, q in lines)
        best = max(best, 1 - delta - x * a, (1 - delta - a) / x)
    return best


def _largest(values: list[Any]) -> Any:
    return _fold(values, lambda x, y: x.max(y))


def _smallest(values: list[Any]) -> Any:
    return _fold(values, lambda x, y: x.min(y))


def _fold(values: list[Any], choose: Callable[[Any, Any], Any]) -> Any:
    best = values[0]
    for value in values[1:]:
        best = choose(best, value)
    return best
