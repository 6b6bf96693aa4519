"""Divergences and the trade-off curve of one pair of norms, for records whose seeds stay hidden.

Both kernels are totally positive, so the likelihood ratio of U increases: best tests reject for large U. A divergence
is the integral of p_low f(ratio) with a convex f that vanishes to second order at one, all terms positive. Densities
and ratios are tabulated once on Gaussian panels; a panel that a threshold cuts is interpolated.
"""

from __future__ import annotations

import math

import numpy as np

from leakbound.numerics.rounding import TINY, lowered, raised
from leakbound.numerics.search import root
from leakbound.synthetic import convex
from leakbound.synthetic.lattice import DEEP
from leakbound.synthetic.law import Laws

MARGIN = 1e-7
"""Relative safety margin of every number of one pair, at least ten times the largest error seen against Arb."""

_COARSE = 1.0
_PANEL = 2.0
_NODES = 12
_GAUSS, _WEIGHTS = np.polynomial.legendre.leggauss(_NODES)
_BARYCENTRIC = (-1.0) ** np.arange(_NODES) * np.sqrt((1 - _GAUSS**2) * _WEIGHTS)
_PIECES = 6
_PARTS = ((np.arange(_PIECES)[:, np.newaxis] + (_GAUSS + 1) / 2) / _PIECES).ravel()
_PART_WEIGHTS = np.tile(_WEIGHTS / 2 / _PIECES, _PIECES)
_SHALLOW, _DEEPEST = 60.0, 650.0
_NEGLIGIBLE = 1e-9
_FADED = 35.0
_STEEPEST = 300.0
_MORE, _LOWEST = 10.0, -600.0
_UNSEEN = math.exp(50 - _DEEPEST)


class Table:
    """Log-densities and log-ratios of a pair on panels that hold all mass of both laws, and of their tilts."""

    def __init__(self, laws: Laws, *, tilts: tuple[float, ...] = (), deep: float = DEEP) -> None:
        """Tabulate; a tilt t asks for the mass of p_low^(1-t) p_high^t as well."""
        self.laws = laws
        low, high = (laws.to_x(y) for y in _range(laws, tilts, deep))
        self.panels = math.ceil((high - low) / _PANEL)
        self.edges = np.linspace(low, high, self.panels + 1)
        self.width = (high - low) / self.panels
        self.nodes = (self.edges[:-1, np.newaxis] + self.width * (_GAUSS + 1) / 2).ravel()
        y, slope = laws.from_x(self.nodes)
        self.density, self.ratio = laws.densities(y)
        self.density = self.density + np.log(slope)
        self.log_weights = np.tile(np.log(_WEIGHTS * self.width / 2), self.panels)

    def renyi(self, order: float, *, reverse: bool) -> float:
        """Return the Renyi divergence of `high` from `low` (of `low` from `high` if reversed), rounded up."""
        if order == 1:
            bend = convex.backward(self.ratio) if reverse else convex.forward(self.ratio)
            return raised(math.exp(_log_sum(self.density + bend + self.log_weights)), MARGIN)
        power = 1 - order if reverse else order
        log_total = _log_sum(self.density + convex.power(power, self.ratio) + self.log_weights)
        value = math.log1p(math.exp(log_total)) if log_total < 700 else log_total
        return raised(value / (order - 1), MARGIN)

    def place(self, target: float) -> float | None:
        """Return the x at which the log-ratio is the target, None if the table does not reach it."""
        after = int(np.searchsorted(self.ratio, target))
        if after in (0, len(self.ratio)):
            return None
        before, x = after - 1, self.nodes
        return root(lambda at: target - self.ratio_at(at), x[before] - self.width / 4, x[after] + self.width / 4)

    def ratio_at(self, x: float) -> float:
        """Return the log-ratio at a place."""
        return float(self._interpolated(self._panel(x), np.array([x]), self.ratio)[0])

    def beyond(self, x: float, epsilon: float, *, reverse: bool) -> tuple[float, bool]:
        """Return log of the integral, beyond a place, of p_high - e^epsilon p_low, and whether it fades in the table.

        Reversed: before the place, of p_low - e^epsilon p_high.
        """
        panel, step = self._panel(x), -1 if reverse else 1
        near = [(panel, x)]  # fine pieces, because the integrand may fall steeply
        if 0 <= panel + step < self.panels:
            near.append((panel + step, float(self.edges[panel + (0 if reverse else 1)])))
        columns, logs_of_weights = [], []
        for at, start in near:
            end = self.edges[at] if reverse else self.edges[at + 1]
            part = start + (end - start) * _PARTS
            columns.append([self._interpolated(at, part, column) for column in (self.density, self.ratio)])
            with np.errstate(divide="ignore"):
                logs_of_weights.append(np.log(_PART_WEIGHTS * abs(end - start)))
        whole = slice(0, max(panel - 1, 0) * _NODES) if reverse else slice((panel + 2) * _NODES, None)
        rest = slice(None, None, step)  # from near to far
        density = np.concatenate([*(c[0] for c in columns), self.density[whole][rest]])
        ratio = np.concatenate([*(c[1] for c in columns), self.ratio[whole][rest]])
        weights = np.concatenate([*logs_of_weights, self.log_weights[whole][rest]])
        gap = np.maximum(-(ratio + epsilon) if reverse else ratio - epsilon, 1e-300)
        logs = density + np.log(-np.expm1(-gap)) + (0.0 if reverse else ratio) + weights
        return _log_sum(logs), bool(logs[-1] < logs.max() - _FADED)

    def hockey_stick(self, epsilon: float, *, reverse: bool, last: bool) -> float | None:
        """Return a hockey-stick divergence, or None where a deeper table would tell; the last one always tells."""
        at = self.place(-epsilon if reverse else epsilon)
        if at is None:
            return _UNSEEN if last else None
        log_mass, faded = self.beyond(at, epsilon, reverse=reverse)
        return math.exp(log_mass) if faded or last else None

    def _panel(self, x: float) -> int:
        return min(max(int((x - self.edges[0]) / self.width), 0), self.panels - 1)

    def _interpolated(self, panel: int, x: np.ndarray, column: np.ndarray) -> np.ndarray:
        values = column[panel * _NODES : (panel + 1) * _NODES]
        gaps = ((x - self.edges[panel]) * 2 / self.width - 1)[:, np.newaxis] - _GAUSS
        at_node = gaps == 0
        terms = _BARYCENTRIC / np.where(at_node, 1.0, gaps)
        terms = np.where(at_node.any(axis=1, keepdims=True), at_node, terms)
        return np.asarray(terms @ values / terms.sum(axis=1))


def renyi(laws: Laws, order: float) -> tuple[float, float]:
    """Return the Renyi divergences of `high` from `low` and of `low` from `high`, rounded up.

    Formula: log(1 + integral of p_low [r^t - 1 - t (r - 1)]) / (order - 1), t = order, or 1 - order for the second.

    >>> [round(value, 6) for value in renyi(Laws(12, 1, 3.167, 4.167), 2.0)]
    [0.04523, 0.030297]
    """
    if order * (laws.high - laws.low) > _STEEPEST:  # the integrand lies too far out: no claim
        return math.inf, math.inf
    table = Table(laws, tilts=(order, 1 - order))
    return table.renyi(order, reverse=False), table.renyi(order, reverse=True)


def hockey_stick(laws: Laws, epsilon: float) -> tuple[float, float]:
    """Return the hockey-stick divergences at e^epsilon of `high` from `low` and of `low` from `high`, rounded up.

    >>> [round(value, 6) for value in hockey_stick(Laws(12, 1, 3.167, 4.167), 0.1)]
    [0.044956, 0.015684]
    """
    if epsilon == math.inf:
        return 0.0, 0.0
    deep, forward, backward = _SHALLOW, None, None
    if -epsilon <= laws.least_ratio():
        backward = TINY
    while forward is None or backward is None:
        table = Table(laws, deep=deep)
        forward = table.hockey_stick(epsilon, reverse=False, last=deep == _DEEPEST)
        backward = table.hockey_stick(epsilon, reverse=True, last=deep == _DEEPEST) if backward is None else backward
        if backward is None and forward is not None:  # what lies before the table may be too little to matter
            before = laws.mass(laws.low, float(laws.from_x(table.edges[:1])[0][0]), below=True)
            backward = before if before < _NEGLIGIBLE * forward else None
        deep = min(4 * deep, _DEEPEST)
    return min(1.0, raised(forward, MARGIN)), min(1.0, raised(backward, MARGIN))


def least_epsilon(laws: Laws, delta: float) -> tuple[float, float]:
    """Return for both orders the least epsilon, of any sign, whose hockey-stick divergence is at most delta > 0.

    Below zero it tells how far the pair is from needing one, so that a search over pairs sees a smooth function.

    >>> [round(value, 6) for value in least_epsilon(Laws(12, 1, 3.167, 4.167), 1e-5)]
    [1.581209, 0.153014]
    """
    table = Table(laws, deep=min(_DEEPEST, 60 - math.log(delta)))
    middle = table.place(0.0)
    assert middle is not None  # the ratio passes one, because both laws have mass one
    found = []
    for reverse in (False, True):
        sign = -1.0 if reverse else 1.0

        def excess(x: float) -> float:
            log_mass, _ = table.beyond(x, sign * table.ratio_at(x), reverse=reverse)  # noqa: B023 - called here
            return log_mass - math.log(delta) + 2 * MARGIN

        first, last = float(table.edges[0]), float(table.edges[-1])
        far, near = (first, last) if reverse else (last, first)
        if excess(middle) > 0:
            at = root(excess, middle, far)
        else:
            at = root(excess, near, middle) if excess(near) > 0 else near
        found.append(raised(sign * table.ratio_at(at), MARGIN))
    return found[0], found[1]


def trade_off(laws: Laws, level: float, *, reverse: bool = False) -> float:
    """Return the least type two error at a type one error, `low` being the null hypothesis (`high` if reversed).

    >>> round(trade_off(Laws(12, 1, 3.167, 4.167), 0.1), 6)
    0.849232
    """
    if level in (0.0, 1.0):
        return 1.0 - level
    null, other = (laws.high, laws.low) if reverse else (laws.low, laws.high)
    left, right = laws.central()
    while laws.mass(null, left, below=True) > min(level, 1 - level) / 2:
        left -= 10.0
    while laws.mass(null, right, below=False) > min(level, 1 - level) / 2:
        right += 2.0
    while right - left > 1e-13 * (1 + abs(left)):
        middle = (left + right) / 2
        if level > 0.5:  # there the complement is the more accurate
            rejects_more = laws.mass(null, middle, below=not reverse) < 1 - level
        else:
            rejects_more = laws.mass(null, middle, below=reverse) > level
        left, right = (left, middle) if rejects_more == reverse else (middle, right)
    # The end that rejects at least as often as allowed has the smaller type two error.
    return max(0.0, lowered(laws.mass(other, right if reverse else left, below=not reverse), MARGIN))


def _range(laws: Laws, tilts: tuple[float, ...], deep: float) -> tuple[float, float]:
    """Return the range of y in which p_low, p_high or a tilt p_low^(1-t) p_high^t has mass."""
    low, high = laws.central()
    stretch = deep / DEEP
    shift = max((abs(t) for t in tilts), default=0.0) * (laws.high - laws.low)
    reach = 4 * math.log1p(shift / math.exp(high / 4)) + 4 * math.log(stretch)
    middle = math.log(laws.features * laws.rows)
    low, high = min(low, middle + (low - middle) * stretch), high + reach
    while True:
        y, _ = laws.lattice(low, high, _COARSE)
        density, ratio = laws.densities(y)
        keep = np.zeros(len(y), dtype=bool)
        for power in (0.0, 1.0, *tilts):
            logs = density + power * ratio
            keep |= logs > logs.max() - deep
        inside = np.flatnonzero(keep)
        if not (tilts and (keep[0] or keep[-1]) and low > _LOWEST):
            return float(y[max(inside[0] - 1, 0)]), float(y[min(inside[-1] + 1, len(y) - 1)])
        low, high = low - (_MORE if keep[0] else 0), high + (1 if keep[-1] else 0)  # a tilt has mass beyond


def _log_sum(logs: np.ndarray) -> float:
    top = float(logs.max())
    return top + math.log(math.fsum(np.exp(logs - top))) if top > -math.inf else -math.inf
