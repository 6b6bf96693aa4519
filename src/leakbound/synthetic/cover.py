"""Cells of norms that cover every pair: on each, one wider pair bounds them all; beyond the last, a tail bound does.

The laws of U have a monotone likelihood ratio, so every pair (a, a + shift) with a in [left, right] is no easier to
tell apart than (left, right + shift). What is found here in doubles is only a proposal: the recomputation encloses it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from leakbound.errors import Undecided
from leakbound.synthetic.law import Laws

ROOM = 2.5e-3
"""Relative room left below the target, for what the enclosure adds to a cell."""

_GAPS = (2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 10.0, 14.0, 20.0)
_MOST = 20_000
_FARTHEST = 1e6


@dataclass(frozen=True)
class Cover:
    """Edges of cells from zero on, and the gap of the tail bound beyond the last; no gap where none is needed."""

    edges: tuple[float, ...]
    gap: float | None


Value = Callable[[Laws], tuple[float, float]]
Tail = Callable[[float, float], float]


def cover(
    features: int, rows: int, shift: float, norm_bound: float | None, value: Value, tail: Tail, target: float
) -> Cover:
    """Return cells on each of which a divergence, in either order, stays below a target, and so does the tail bound.

    `tail(last, gap)` bounds the divergence of all pairs from a norm `last` on.

    >>> from leakbound.synthetic.pair import renyi
    >>> found = cover(
    ...     2, 1, 1.0, 1.0, lambda laws: renyi(laws, 2.0), lambda last, gap: renyi_tail(last, gap, 1.0, 1, 2.0), 0.3
    ... )
    >>> found.edges[0], found.gap
    (0.0, None)
    """
    cap = math.inf if norm_bound is None else norm_bound
    last, gap = (max(0.0, cap - shift), None) if cap < math.inf else _last(tail, target)
    edges, step = [0.0], shift / 8
    while True:
        left = edges[-1]
        right = min(left + step, last)
        high = min(right + shift, cap)
        if max(value(Laws(features, rows, left, high))) <= target * (1 - ROOM):
            edges += [right] if right > left else []
            step = min(1.4 * step, shift / 2)  # wider pairs have tails that cost the enclosure more than they save
            if right >= last:
                return Cover(tuple(edges), gap)
        else:
            step = (right - left) * 0.7
        if len(edges) > _MOST or step < 1e-7 * shift:
            raise Undecided("The norms could not be covered by cells on which the divergence stays below the target.")


def renyi_tail(last: float, gap: float, shift: float, rows: int, order: float) -> float:
    """Bound the Renyi divergence, in either order, of all pairs from a norm on; proofs/hidden-seeds.md.

    >>> renyi_tail(40.0, 5.0, 1.0, 1, 2.0) < 0.01
    True
    """
    inside = last - gap
    if inside <= 0:
        return math.inf
    ratio = (1 + shift / inside) ** 2
    log_ratio = math.log(ratio)
    kept = float(special.log_ndtr(gap))
    if order == 1:
        low = shift * math.exp(-gap * gap / 2) / math.sqrt(2 * math.pi) + shift**2 / 2 * float(special.ndtr(-gap))
        forward = rows / 2 * (1 / ratio - 1 + log_ratio) + low
        backward = rows / 2 * (ratio - 1 - log_ratio) - kept + shift**2 / 2 * float(special.ndtr(-gap - shift))
        return max(forward, backward)
    under = order + (1 - order) * ratio
    if under <= 0:
        return math.inf
    forward = rows / 2 * (order * log_ratio - math.log(order * ratio + 1 - order))
    backward = -rows / 2 * ((order - 1) * log_ratio + math.log(under)) + (1 - order) * kept
    scale = order * (order - 1) * shift**2 / 2
    low_forward = scale + float(special.log_ndtr((order - 1) * shift - gap))
    low_backward = scale + float(special.log_ndtr(-gap - order * shift))
    return float(max(np.logaddexp(forward, low_forward), np.logaddexp(backward, low_backward))) / (order - 1)


def stick_tail(last: float, gap: float, shift: float, rows: int, epsilon: float) -> float:
    """Bound the hockey-stick divergence, in either order, of all pairs from a norm on; proofs/hidden-seeds.md.

    >>> stick_tail(400.0, 6.0, 1.0, 1, 0.1) < 1e-8
    True
    """
    inside = last - gap
    if inside <= 0:
        return math.inf
    log_ratio, half = 2 * math.log1p(shift / inside), rows / 2
    ratio, share, gamma = math.exp(log_ratio), -math.expm1(-log_ratio), math.exp(epsilon)
    near = max(0.0, rows * log_ratio - 2 * epsilon) / share / 2
    far = (rows * log_ratio + 2 * epsilon) / share / 2
    forward = special.gammainc(half, near) - gamma * special.gammainc(half, near / ratio)
    backward = special.gammaincc(half, far / ratio) - gamma * special.gammaincc(half, far)
    return float(max(forward, backward, 0.0) + special.ndtr(-gap))


def _last(tail: Tail, target: float) -> tuple[float, float]:
    last = 4.0
    while last < _FARTHEST:
        gap = min(_GAPS, key=lambda gap: tail(last, gap))
        if tail(last, gap) <= target * (1 - ROOM):
            return last, gap
        last *= 1.15
    raise Undecided("No tail bound stays below the target.")
