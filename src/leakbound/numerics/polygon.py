"""Convex polygons in two coordinates: statements (log-slope, offset) and events (p, q).

A statement (e, d) says hockey-stick(e) <= d, or f(a) >= 1 - d - e^e a for the trade-off curve f. An event (p, q) is a
line p - q x of the hockey-stick curve over x = e^threshold, or a vertex (q, 1 - p) of the trade-off curve. A finite set
of either fixes a convex polygon, symmetric under swapping the two laws, and each determines the other: the vertices of
one are the edges of the other. Statements enter as doubles, the work is done in many digits, and results are rounded so
that the polygon only grows.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from contextlib import AbstractContextManager
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from leakbound.numerics.decimals import digits_for, double_above, double_below

Lines: TypeAlias = tuple[tuple[float, float], ...]
Points: TypeAlias = tuple[tuple[Decimal, Decimal], ...]

_LARGEST_LOG_SLOPE = 1e18


@lru_cache(maxsize=64)
def hull(statements: Lines) -> Points:
    """Return the corners (x, hockey-stick at log x) of the largest curve the statements and their mirror images allow.

    The curve is the lower convex hull of (0, 1), (e^e, d) and the mirror images (e^-e, 1 - e^-e (1 - d)), continued
    flat to the right; statements with a log-slope above 10^18 are dropped, which only weakens it.

    >>> [round(float(d), 3) for x, d in hull(((1.0, 0.1),))]
    [1.0, 0.669, 0.1]
    """
    points: dict[Decimal, Decimal] = {Decimal(0): Decimal(1)}
    with _digits(statements):
        for log_slope, offset in statements:
            if log_slope > _LARGEST_LOG_SLOPE:
                continue
            e, d = Decimal(log_slope), Decimal(offset)
            for x, y in ((e.exp(), d), ((-e).exp(), 1 - (-e).exp() * (1 - d))):
                points[x] = min(y, points.get(x, y))
        corners: list[tuple[Decimal, Decimal]] = []
        for x, y in sorted(points.items()):
            while len(corners) > 1 and _not_below(corners[-2], corners[-1], (x, y)):
                corners.pop()
            corners.append((x, y))
        while len(corners) > 1 and corners[-1][1] >= corners[-2][1]:
            corners.pop()
    return tuple(corners)


def hockey_stick_of_statements(statements: Lines, threshold: float) -> float:
    """Return the largest hockey-stick divergence at a threshold that the statements allow, rounded up.

    >>> round(hockey_stick_of_statements(((1.0, 0.0),), 0.0), 6)
    0.462117
    """
    corners = hull(statements)
    with _digits(statements):
        x = Decimal(min(threshold, _LARGEST_LOG_SLOPE)).exp()
        if x >= corners[-1][0]:
            return float(corners[-1][1])  # a stated offset, which is a double
        at = bisect_left(corners, (x, Decimal(0)))
        if x == corners[at][0]:
            offset = corners[at][1]
            return float(offset) if Decimal(float(offset)) == offset else min(1.0, double_above(offset))
        (left, high), (right, low) = corners[at - 1], corners[at]
        return min(1.0, double_above((high * (right - x) + low * (x - left)) / (right - left)))


def trade_off_of_statements(statements: Lines, level: float) -> float:
    """Return the least type two error at a type one error that the statements allow, rounded down.

    >>> round(trade_off_of_statements(((1.0, 0.0),), 0.1), 6)
    0.728172
    """
    best = 0.0
    with _digits(statements):
        a = Decimal(level)
        for log_slope, offset in statements:
            e, d = Decimal(min(log_slope, _LARGEST_LOG_SLOPE)), Decimal(offset)
            lines = ((-e).exp() * (1 - d - a), 1 - d - e.exp() * a if log_slope <= _LARGEST_LOG_SLOPE or a == 0 else 0)
            best = max(best, *(double_below(Decimal(line)) for line in lines))
    return best


def renyi_of_statements(statements: Lines, order: float) -> float:
    """Return the largest Renyi divergence that the statements allow, rounded up.

    The extreme pair of laws has the mass q_(i-1) - q_i under the second law at likelihood ratio x_i, where q_i is minus
    the slope of the i-th edge of the hull; it is infinite when mass is left where the second law has none.

    >>> round(renyi_of_statements(((1.0, 0.0),), 2.0), 6)
    0.735326
    """
    corners = hull(statements)
    if corners[-1][1] > 0:
        return math.inf
    smallest = min((e for e, _ in statements if e > 0), default=1.0)
    offset = min((d for _, d in statements if d > 0), default=1.0)
    with digits_for(order - 1 if order < math.inf else 1.0, smallest, smallest, smallest, offset):
        if order == math.inf:
            return max(0.0, double_above(corners[-1][0].ln()))
        slopes = _slopes(corners)
        masses = [before - after for before, after in zip(slopes, [*slopes[1:], Decimal(0)], strict=True)]
        ratios = [x for x, _ in corners[1:]]
        if order == 1:
            total = sum((q * x * x.ln() for q, x in zip(masses, ratios, strict=True) if q > 0), Decimal(0))
            return max(0.0, double_above(total))
        a = Decimal(order)
        logs = [q.ln() + a * x.ln() for q, x in zip(masses, ratios, strict=True) if q > 0]
        top = max(logs)
        total = sum(((value - top).exp() for value in logs), Decimal(0))
        return max(0.0, double_above((top + total.ln()) / (a - 1)))


def losses(statements: Lines) -> tuple[Lines, float]:
    """Return ((log-ratio, mass), ...) of the extreme pair under its first law, and the mass the second law lacks.

    >>> pairs, rest = losses(((1.0, 0.0),))
    >>> [(round(loss, 6), round(mass, 6)) for loss, mass in pairs], rest
    ([(-1.0, 0.268941), (1.0, 0.731059)], 0.0)
    """
    corners = hull(statements)
    if len(corners) == 1:
        return (), 1.0
    with _digits(statements):
        slopes = _slopes(corners)
        pairs = [
            (float(x.ln()), float(x * (before - after)))
            for (x, _), before, after in zip(corners[1:], slopes, [*slopes[1:], Decimal(0)], strict=True)
        ]
    return tuple(pairs), float(corners[-1][1])


def events_of_statements(statements: Lines) -> Lines:
    """Return the events (p, q) whose lines bound the hockey-stick curve at thresholds of at least zero, rounded out.

    >>> [(round(p, 4), round(q, 4)) for p, q in events_of_statements(((1.0, 0.0),))]
    [(0.7311, 0.2689), (0.0, 0.0)]
    """
    corners = hull(statements)
    with _digits(statements):
        events = []
        for (x1, y1), (x2, y2) in itertools.pairwise(corners):
            if x2 > 1:
                slope = (y1 - y2) / (x2 - x1)
                events.append((min(1.0, double_above(y2 + slope * x2)), max(0.0, double_below(slope))))
        events.append((float(corners[-1][1]), 0.0))
    return tuple(events)


def hockey_stick_of_events(events: Lines, threshold: float) -> float:
    """Return max(0, max p - q e^threshold) over the events, rounded up.

    >>> round(hockey_stick_of_events(((0.7, 0.2),), 0.5), 6)
    0.370256
    """
    with _digits(events):
        x = Decimal(min(threshold, _LARGEST_LOG_SLOPE)).exp()
        sloping = max((Decimal(p) - Decimal(q) * x for p, q in events if q > 0), default=Decimal(0))
        flat = max((p for p, q in events if q == 0), default=0.0)
        return min(1.0, max(flat, double_above(sloping)) if sloping > 0 else flat)


@lru_cache(maxsize=64)
def statements_of_events(events: Lines) -> Lines:
    """Return the statements at the corners of the curve max(0, max p - q e^threshold), thresholds rounded up.

    >>> [(round(e, 4), round(d, 4)) for e, d in statements_of_events(((0.7311, 0.2689),))]
    [(0.0, 0.4622), (1.0002, 0.0)]
    """
    lines = sorted({(Fraction(q), Fraction(p)) for p, q in events} | {(Fraction(0), Fraction(0))}, reverse=True)
    chain: list[tuple[Fraction, Fraction]] = []
    for q, p in lines:  # from steep to flat; equal slopes come with the larger offset first
        if chain and chain[-1][0] == q:
            continue
        while len(chain) > 1 and _meet(chain[-2], (q, p)) <= _meet(chain[-2], chain[-1]):
            chain.pop()
        chain.append((q, p))
    thresholds = [0.0]
    with _digits(events):
        for one, two in itertools.pairwise(chain):
            x = _meet(one, two)
            if x > 1:
                thresholds.append(double_above((Decimal(x.numerator) / Decimal(x.denominator)).ln()))
    return tuple((t, hockey_stick_of_events(events, t)) for t in thresholds)


def _digits(lines: Lines) -> AbstractContextManager[None]:
    small = [min((v[i] for v in lines if v[i] > 0), default=1.0) for i in (0, 1)]
    return digits_for(*small)


def _slopes(corners: Points) -> list[Decimal]:
    """Return minus the slope of every edge, the second law's mass from that edge on."""
    return [-(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in itertools.pairwise(corners)]


def _not_below(a: tuple[Decimal, Decimal], b: tuple[Decimal, Decimal], c: tuple[Decimal, Decimal]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])


def _meet(one: tuple[Fraction, Fraction], two: tuple[Fraction, Fraction]) -> Fraction:
    """Return the x where the lines p - q x of two events cross; their slopes differ."""
    return (one[1] - two[1]) / (one[0] - two[0])
