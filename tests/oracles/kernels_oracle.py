"""Kernel matrices, entry by entry, in mpmath; the median distance by sorting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from mpmath import mp, mpf, workdps

Points = Sequence[Sequence[float]]


def squared_distance(x: Sequence[float], y: Sequence[float]) -> mpf:
    return sum(((mpf(a) - mpf(b)) ** 2 for a, b in zip(x, y, strict=True)), mpf(0))


def rbf(bandwidth: float) -> Callable[[mpf], mpf]:
    return lambda square: mp.exp(-square / mpf(bandwidth) ** 2)


def laplace(bandwidth: float) -> Callable[[mpf], mpf]:
    return lambda square: mp.exp(-mp.sqrt(square) / mpf(bandwidth))


def rational_quadratic(bandwidth: float, shape: float) -> Callable[[mpf], mpf]:
    return lambda square: (1 + square / (mpf(shape) * mpf(bandwidth) ** 2)) ** -mpf(shape)


def matrix(kernel: Callable[[mpf], mpf], x: Points, y: Points) -> list[list[float]]:
    with workdps(40):
        return [[float(kernel(squared_distance(a, b))) for b in y] for a in x]


def median_distance(x: Points, y: Points) -> float:
    with workdps(40):
        return float(median(mp.sqrt(squared_distance(a, b)) for a in x for b in y))
