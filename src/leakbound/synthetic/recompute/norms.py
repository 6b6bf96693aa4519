"""Divergences of pairs of norms for hidden seeds, enclosed.

The likelihood ratio r of U increases. Renyi divergences are means over cells of U. Hockey-stick divergences need no
cells: at the point where r = e^epsilon they are P_high(U > u) - e^epsilon P_low(U > u), and that point is bracketed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from leakbound.errors import Undecided
from leakbound.numerics.ball import ball, ends, precision
from leakbound.synthetic.recompute import cells
from leakbound.synthetic.recompute.setting import Setting
from leakbound.synthetic.recompute.tables import Node, Pair, Seen, Tables

Interval = tuple[float, float]

_BITS = 320
_FARTHEST = 60.0
_AROUND = (0.93, 1.07)
"""Norms tried beside the one in the evidence, as multiples of it."""
_EVERYWHERE = (0.0, 0.12, 0.25, 0.4, 0.55, 0.7, 0.85, 1.0, 1.2, 1.5, 1.8)
"""Norms tried whatever the evidence says, as multiples of where the worst norm is to be expected."""
_GAP = 2e-4
_NEGLIGIBLE = 1e-6
_NARROW = 1e-9
_ROUNDS = 4


class Norms:
    """Enclosures for one setting, at the norm that the evidence names and at others around it."""

    def __init__(self, setting: Setting) -> None:
        """Start with empty tables."""
        self._tables = Tables(setting)

    def renyi(self, order: float, norm: float) -> Interval:
        """Enclose the largest Renyi divergence, in either order of the pair."""
        reach = order * float(self._tables.setting.exact_shift)
        with self._precision(reach):
            a = ball(order)
            functions = cells.kullback_leibler() if order == 1 else cells.powers(a)
            pairs = self._pairs(norm, reach)
            base = 0.0 if order == 1 else 1.0
            nodes = cells.refined(self._tables, pairs, pairs[:1], functions, base, _GAP)

            def value(pair: Pair, _: float) -> Interval:
                found = [cells.mean(pair, nodes, convex) for convex in functions]
                if order != 1:
                    found = [(low.log() / (a - 1), high.log() / (a - 1)) for low, high in found]
                return _largest([(ends(low)[0], ends(high)[1]) for low, high in found])

            return self._over(pairs, reach, value)

    def delta(self, epsilon: float, norm: float) -> Interval:
        """Enclose the largest hockey-stick divergence, in either order of the pair."""
        reach = min(epsilon / float(self._tables.setting.exact_shift), _FARTHEST)
        with self._precision(reach):
            gamma = ball(epsilon).exp()

            def value(pair: Pair, known: float) -> Interval:
                forward = self._stick(pair, gamma, gamma, False, known)
                return _largest([forward, self._stick(pair, gamma, 1 / gamma, True, max(known, forward[0]))])

            low, high = self._over(self._pairs(norm, reach), reach, value)
            return low, min(1.0, high)

    def epsilon(self, delta: float, norm: float) -> Interval:
        """Enclose the largest epsilon >= 0 at which the hockey-stick divergence is still delta, in either order."""
        reach = math.sqrt(-2 * math.log(delta))
        with self._precision(reach):

            def value(pair: Pair, known: float) -> Interval:
                forward = self._threshold(pair, ball(delta), False, known)
                return _largest([forward, self._threshold(pair, ball(delta), True, max(known, forward[0]))])

            return self._over(self._pairs(norm, reach), reach, value)

    def _over(self, pairs: list[Pair], reach: float, value: Callable[[Pair, float], Interval]) -> Interval:
        """Return the largest value over pairs; unless the first, from the evidence, is it, look closer around it."""
        best: Interval = (0.0, 0.0)
        tried: dict[float, Interval] = {}
        first = float(pairs[0].low.mid())
        for closer in range(_ROUNDS + 1):
            for pair in pairs:
                low = float(pair.low.mid())
                tried[low] = value(pair, best[0])
                best = _largest([best, tried[low]])
            norms = sorted(tried)
            k = max(range(len(norms)), key=lambda i: (tried[norms[i]][0], norms[i] == first))
            if closer == _ROUNDS or (closer == 0 and norms[k] == first):
                break
            beside = [norms[i] for i in (k - 1, k + 1) if 0 <= i < len(norms)]
            pairs = self._tables.pairs([(norms[k] + other) / 2 for other in beside], reach)
        return best

    def _precision(self, reach: float) -> AbstractContextManager[None]:
        """Work with bits enough for tails that fall like e^(-reach^2/2)."""
        if reach > _FARTHEST:
            raise Undecided("The tails that matter are too far out for this recomputation.")
        return precision(_BITS + math.ceil(1.5 * reach * reach))

    def _pairs(self, norm: float, reach: float) -> list[Pair]:
        """Return the pair of a norm first, then others: a claim below any of them is refuted."""
        setting = self._tables.setting
        cut = setting.exact_norm
        last = math.inf if cut is None else max(0.0, float(cut - setting.exact_shift))
        scale = math.sqrt(setting.features) * max(1.0, (2 * setting.rows / setting.features) ** 0.25)
        expected = scale + float(setting.exact_shift)
        wanted = [norm, *(factor * norm for factor in _AROUND), *(factor * expected for factor in _EVERYWHERE)]
        return self._tables.pairs(list(dict.fromkeys(min(low, last) for low in wanted)), reach)

    # Hockey-stick divergences: brackets of one point.

    def _stick(self, pair: Pair, gamma: Any, target: Any, reverse: bool, known: float) -> Interval:
        left, right = self._bracket(pair, lambda node: pair.at(node).ratio > target, _NEGLIGIBLE * known)
        if left is None:
            return 0.0, ends(1 - pair.at(right).low)[1]
        step = right.y - left.y
        while step > _NARROW:
            node = self._tables.node(left.y + step / 2)
            left, right = (left, node) if pair.at(node).ratio > target else (node, right)
            step /= 2
            low, high = _between(pair.at(left), pair.at(right), gamma, reverse)
            if ends(high)[1] <= ends(low)[0] * (1 + _NEGLIGIBLE):
                break
        low, high = _between(pair.at(left), pair.at(right), gamma, reverse)
        return ends(low)[0], ends(high)[1]

    def _threshold(self, pair: Pair, delta: Any, reverse: bool, known: float) -> Interval:
        """Enclose epsilon at delta for one order; stop once it is seen to be below what is known already."""

        def beyond(node: Node) -> bool:
            """Whether rejecting beyond a node gives a divergence of at most delta at the ratio there."""
            seen = pair.at(node)
            if reverse:
                return bool((1 - seen.low) - (1 - seen.high) / seen.ratio > delta)
            return bool(seen.high - seen.ratio * seen.low < delta)

        def epsilon(node: Node) -> Interval:
            low, high = ends(pair.at(node).ratio.log())
            return (-high, -low) if reverse else (low, high)

        left, right = self._bracket(pair, beyond, _NEGLIGIBLE * float(delta))
        if left is None:
            return 0.0, 0.0
        near, far = (right, left) if reverse else (left, right)
        while abs(far.y - near.y) > _NARROW and epsilon(far)[1] > known:
            node = self._tables.node((near.y + far.y) / 2)
            near, far = (near, node) if beyond(node) != reverse else (node, far)
        return max(0.0, epsilon(near)[0]), max(0.0, epsilon(far)[1])

    def _bracket(self, pair: Pair, later: Callable[[Node], bool], least: float) -> tuple[Node | None, Node]:
        """Return nodes around the point from which on a statement holds.

        There is no left one if the statement holds wherever more than the least mass lies before.
        """
        left = right = self._tables.node(self._tables.middle())
        step = 0.5
        while not later(right):
            left, right = right, self._tables.node(right.y + step)
        while later(left):
            if ends(1 - pair.at(left).low)[1] <= least:
                return None, left
            left, right = self._tables.node(left.y - step), left
            step *= 1.3
        return left, right


def _between(left: Seen, right: Seen, gamma: Any, reverse: bool) -> tuple[Any, Any]:
    """Enclose a hockey-stick divergence whose threshold lies between two nodes: a test at either end from below.

    The ratio at the left node may be known only to its ball; what its excess beyond the threshold can hide is added.
    """
    if reverse:
        sure = (1 - left.low) - gamma * (1 - left.high)
        other = (1 - right.low) - gamma * (1 - right.high)
        slack = (left.low - right.low) * (1 - gamma * left.ratio)
        hidden = gamma * left.ratio.abs_upper() - 1
    else:
        sure = right.high - gamma * right.low
        other = left.high - gamma * left.low
        slack = (left.low - right.low) * (right.ratio - gamma)
        hidden = left.ratio.abs_upper() - gamma
    return sure.max(other), sure + slack.abs_upper() + hidden.max(0).abs_upper()


def _largest(found: list[Interval]) -> Interval:
    return max(low for low, _ in found), max(high for _, high in found)
