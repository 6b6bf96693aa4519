"""Divergences of all pairs of norms, enclosed from above: one wider pair on every cell, a bound beyond the last.

On a cell of norms [left, right] every pair (a, a + shift) is no easier to tell apart than (left, right + shift); the
proof page hidden-seeds.md says why, and derives the bound beyond the last cell. All pairs share one table of U.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from leakbound.errors import InvalidCertificate, Undecided
from leakbound.numerics.ball import ball, ends, flint, normal_tail, precision
from leakbound.synthetic.recompute import cells
from leakbound.synthetic.recompute.cells import Convex
from leakbound.synthetic.recompute.setting import Setting
from leakbound.synthetic.recompute.tables import Node, Pair, Seen, Tables

_BITS = 128
_GAP = 2e-3
_ROUNDS = 4
_SAMPLES, _KINKED = 9, 120
"""Cells whose pairs say where nodes are needed: more for functions with a kink, which each pair has elsewhere."""
_MOST_CELLS = 20_000
_FARTHEST = 60.0


class Everywhere:
    """Upper bounds over all norms of a setting, from the edges of cells and the gap of the bound beyond them."""

    def __init__(self, setting: Setting, edges: Sequence[float], gap: float | None) -> None:
        """Refuse cells that leave out a norm."""
        rising = all(before < after for before, after in itertools.pairwise(edges))
        if not 1 <= len(edges) <= _MOST_CELLS or edges[0] != 0 or not rising or not math.isfinite(edges[-1]):
            raise InvalidCertificate("The edges in the evidence must rise from zero; they do not fit.")
        covered = setting.exact_norm is not None and edges[-1] >= setting.exact_norm - setting.exact_shift
        if not covered and (gap is None or not 0 < gap < edges[-1]):
            raise InvalidCertificate("The cells in the evidence end before the largest norm, without a bound beyond.")
        self._setting, self._edges, self._gap = setting, tuple(edges), None if covered else gap
        steps = (after - before for before, after in itertools.pairwise(edges))
        self._width = max(steps, default=0.0) + float(setting.exact_shift)

    def renyi(self, order: float, wanted: float) -> float:
        """Bound the Renyi divergence of an order of at least one, of every pair in either order.

        The bound is made closer until it is at most what is wanted, or for a few rounds.
        """
        with self._precision(order * self._width):
            a = ball(order)
            functions = cells.kullback_leibler() if order == 1 else cells.powers(a)
            most = ball(wanted) if order == 1 else ((a - 1) * ball(wanted)).exp()
            inside = self._inside(functions, 0.0 if order == 1 else 1.0, _SAMPLES, most)
            beyond = self._beyond_kl() if order == 1 else self._beyond_powers(a)
            worst = _largest([*inside, *beyond])
            return ends(worst if order == 1 else worst.log() / (a - 1))[1]

    def delta(self, epsilon: float, wanted: float) -> float:
        """Bound the hockey-stick divergence of every pair in either order, as closely as is wanted."""
        with self._precision(min(epsilon / float(self._setting.exact_shift), _FARTHEST)):
            gamma = ball(epsilon).exp()
            inside = self._inside(_sticks(gamma), 0.0, _KINKED, ball(wanted))
            return min(1.0, ends(_largest([*inside, *self._beyond_sticks(gamma, ball(epsilon))]))[1])

    def _precision(self, reach: float) -> Any:
        if reach > _FARTHEST:
            raise Undecided("The tails that matter are too far out for this recomputation.")
        self._reach = reach
        return precision(_BITS + math.ceil(1.5 * reach * reach))

    # Inside the cells.

    def _inside(self, functions: tuple[Convex, Convex], base: float, count: int, most: Any) -> list[Any]:
        """Return upper bounds of the means of both functions on every cell."""
        setting, edges = self._setting, self._edges
        parts = list(itertools.pairwise(edges)) or [(0.0, 0.0)]
        tables = Tables(setting)
        tables.widen(edges[-1] + float(setting.exact_shift), self._reach)

        def pair(k: int) -> Pair:
            return tables.pair(ball(parts[k][0]), tables.above(parts[k][1]))

        found: dict[int, Any] = {}
        open_ = list(range(len(parts)))
        chosen, gap = _spread(open_, count), _GAP
        for _ in range(_ROUNDS):
            samples = [pair(k) for k in chosen]
            nodes = cells.refined(tables, samples, samples, functions, base, gap)
            norms = [(ball(parts[k][0]), tables.above(parts[k][1])) for k in open_]
            for k, seen in zip(open_, _together(tables, nodes, norms), strict=True):
                found[k] = _largest([cells.mean(seen, nodes, convex)[1] for convex in functions])
            open_ = [k for k in open_ if not found[k] <= most]
            chosen, gap = _spread(open_, _KINKED), gap / 4
            if not open_:
                break
        return list(found.values())

    # Beyond the last cell: V_1, the weight along which the norms differ, is beyond the last norm less the gap or not.

    def _beyond(self) -> tuple[Any, Any, Any, Any] | None:
        """Return the squared ratio of the scales, the shift, the gap and half the rows; None without a last cell."""
        if self._gap is None:
            return None
        inside = Fraction(self._edges[-1]) - Fraction(self._gap)
        ratio = (1 + self._setting.shift() / ball(inside)) ** 2
        return ratio, self._setting.shift(), ball(self._gap), ball(self._setting.rows) / 2

    def _beyond_powers(self, a: Any) -> list[Any]:
        if (known := self._beyond()) is None:
            return []
        ratio, shift, gap, half = known
        under = a + (1 - a) * ratio
        if not under > 0:
            return [flint().arb.pos_inf()]
        scale = (a * (a - 1) * shift**2 / 2).exp()
        kept = 1 - normal_tail(gap)
        forward = (ratio**a / (a * ratio + 1 - a)) ** half + scale * normal_tail(gap - (a - 1) * shift)
        backward = (ratio ** (1 - a) / under) ** half * kept ** (1 - a) + scale * normal_tail(gap + a * shift)
        return [forward, backward]

    def _beyond_kl(self) -> list[Any]:
        if (known := self._beyond()) is None:
            return []
        ratio, shift, gap, half = known
        bell = (-gap * gap / 2).exp() / (2 * flint().arb.pi()).sqrt()
        forward = half * (1 / ratio - 1 + ratio.log()) + shift * bell + shift**2 / 2 * normal_tail(gap)
        kept = -(1 - normal_tail(gap)).log()
        backward = half * (ratio - 1 - ratio.log()) + kept + shift**2 / 2 * normal_tail(gap + shift)
        return [forward, backward]

    def _beyond_sticks(self, gamma: Any, epsilon: Any) -> list[Any]:
        if (known := self._beyond()) is None:
            return []
        ratio, _, gap, half = known
        share = 1 - 1 / ratio
        near = ((half * ratio.log() - epsilon) / share).max(0)
        far = (half * ratio.log() + epsilon) / share
        forward = _lower_gamma(half, near) - gamma * _lower_gamma(half, near / ratio)
        backward = gamma * _lower_gamma(half, far) - _lower_gamma(half, far / ratio) + 1 - gamma
        return [forward.max(0) + normal_tail(gap), backward.max(0) + normal_tail(gap)]


def _spread(places: Sequence[int], count: int) -> list[int]:
    """Return at most so many of the places, evenly spread, the ends included."""
    last = len(places) - 1
    return sorted({places[round(k * last / (count - 1))] for k in range(count)}) if places else []


def _lower_gamma(half: Any, x: Any) -> Any:
    """Return P(X <= 2 x) for a chi-square X of twice `half` degrees."""
    return ball(0.0) if x == 0 else x.gamma_lower(half, regularized=1)


def _sticks(gamma: Any) -> tuple[Convex, Convex]:
    """Return (r - gamma)^+ and (1 - gamma r)^+."""
    return (
        Convex(lambda r: (r - gamma).max(0), lambda pair, node: pair.at(node).high.abs_upper()),
        Convex(
            lambda r: (1 - gamma * r).max(0),
            lambda pair, node: (1 - gamma * pair.at(node).ratio).max(0) * pair.at(node).low.abs_upper(),
        ),
    )


def _together(tables: Tables, nodes: list[Node], norms: list[tuple[Any, Any]]) -> Iterator[Pair]:
    """Yield pairs of norms whose densities and survival probabilities at all nodes were found by one matrix product."""
    terms, arb_mat = tables.terms, flint().arb_mat
    densities = arb_mat(len(nodes), terms, [node.densities[j, 0] for node in nodes for j in range(terms)])
    survivals = arb_mat(len(nodes), terms, [node.survivals[j, 0] for node in nodes for j in range(terms)])
    for first in range(0, len(norms), 100):
        pairs = [tables.pair(*ends_) for ends_ in norms[first : first + 100]]
        columns = [w for pair in pairs for w in pair.weights]
        weights = arb_mat(len(columns), terms, [w[0, j] for w in columns for j in range(terms)]).transpose()
        at, over = densities * weights, survivals * weights
        for k, pair in enumerate(pairs):
            low, high = (ball(0.0).union(rest) for rest in pair.rest)
            cap_low, cap_high = (ball(0.0).union(rest * pair.cap) for rest in pair.rest)
            for i, node in enumerate(nodes):
                ratio = (at[i, 2 * k + 1] + cap_high) / (at[i, 2 * k] + cap_low)
                pair.known[node.y] = Seen(over[i, 2 * k] + low, over[i, 2 * k + 1] + high, ratio)
            yield pair


def _largest(values: Sequence[Any]) -> Any:
    """Return the largest of balls; one that says nothing makes the answer say nothing."""
    top = values[0]
    for value in values[1:]:
        top = top.max(value)
    return top if all(value.is_finite() for value in values) else flint().arb.pos_inf()
