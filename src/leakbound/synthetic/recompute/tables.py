"""Pairs of norms in ball arithmetic: survival probabilities and the likelihood ratio of U at any point."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from leakbound.errors import Undecided
from leakbound.numerics.ball import ball, flint
from leakbound.synthetic.recompute.columns import column
from leakbound.synthetic.recompute.setting import Setting

_MOST_TERMS = 40_000
_MOST_NODES = 4_000


@dataclass(frozen=True)
class Node:
    """One y = log u with the table of its mixture components."""

    y: float
    densities: Any
    survivals: Any


@dataclass(frozen=True)
class Seen:
    """What a node says of a pair: P_low(U > u), P_high(U > u), and the likelihood ratio r at u."""

    low: Any
    high: Any
    ratio: Any


@dataclass(frozen=True)
class Pair:
    """Two norms as balls, low < high, with their Poisson weights and what those leave out."""

    features: int
    low: Any
    high: Any
    weights: tuple[Any, Any]
    rest: tuple[Any, Any]
    cap: Any
    known: dict[float, Seen] = field(default_factory=dict)

    def at(self, node: Node) -> Seen:
        """Return what a node says of this pair."""
        if node.y not in self.known:
            mixed = []
            for weights, rest in zip(self.weights, self.rest, strict=True):
                density = (weights * node.densities)[0, 0] + ball(0.0).union(rest * self.cap)
                survival = (weights * node.survivals)[0, 0] + ball(0.0).union(rest)
                mixed.append((density, survival))
            self.known[node.y] = Seen(mixed[0][1], mixed[1][1], mixed[1][0] / mixed[0][0])
        return self.known[node.y]

    def least_ratio(self) -> Any:
        """Return a number below every likelihood ratio: e^((low^2 - high^2)/2)."""
        return ((self.low**2 - self.high**2) / 2).exp()

    def moment_beyond(self, power: Any, node: Node) -> Any:
        """Bound the mean of r^power over U > u, power >= 1, by Cauchy and Schwarz.

        r is at most the mean of e^((low^2-high^2)/2 + (high-low) R) given U; R is 1-Lipschitz in normal noise and has
        a mean of at most sqrt(features + low^2).
        """
        rate = 2 * power * (self.high - self.low)
        log_mean = rate * (self.features + self.low**2).sqrt() + rate**2 / 2
        shrink = power * (self.low**2 - self.high**2) / 2
        return (shrink + log_mean / 2).exp() * self.at(node).low.abs_upper().sqrt()


class Tables:
    """The pairs of one setting, and the mixture components at each y, shared by all pairs."""

    def __init__(self, setting: Setting) -> None:
        """Start with an empty table."""
        self.setting = setting
        self.nodes: dict[float, Node] = {}
        self.terms = 0

    def widen(self, top: float, reach: float) -> None:
        """Keep components enough for norms up to the top; `reach` is how far out tails matter."""
        mean = top * (top + reach) / 2
        terms = math.ceil(mean + 20 * math.sqrt(mean) + 200)
        if terms + self.setting.features + self.setting.rows > _MOST_TERMS:
            raise Undecided("The norm in the evidence, features or rows are too large for this recomputation.")
        if terms > self.terms:
            self.terms, self.nodes = terms, {}

    def pairs(self, lows: list[float], reach: float) -> list[Pair]:
        """Return the pairs (low, low + shift), cut at a bound on the norm."""
        self.widen(max(lows) + float(self.setting.exact_shift), reach)
        return [self.pair(ball(low), self.above(low)) for low in lows]

    def above(self, low: float) -> Any:
        """Return low + shift, or the bound on the norm where that is less."""
        high = ball(low) + self.setting.shift()
        cut = self.setting.exact_norm
        return high if cut is None or high <= ball(cut) else ball(cut)

    def node(self, y: float) -> Node:
        """Return the node at y."""
        if y not in self.nodes:
            if len(self.nodes) >= _MOST_NODES:
                raise Undecided("The pair of norms could not be enclosed closely with so many points.")
            arb_mat = flint().arb_mat
            densities, survivals = column(self.setting.features, self.setting.rows, y, self.terms)
            self.nodes[y] = Node(y, arb_mat(self.terms, 1, densities), arb_mat(self.terms, 1, survivals))
        return self.nodes[y]

    def middle(self) -> float:
        """Return a y near the middle of all laws."""
        return math.log(self.setting.features) + math.log(self.setting.rows)

    def pair(self, low: Any, high: Any) -> Pair:
        """Return the pair of two norms, balls."""
        arb_mat = flint().arb_mat
        weights, rest = [], []
        for norm in (low, high):
            mean = norm**2 / 2
            row, term = [], (-mean).exp()
            for j in range(self.terms):
                row.append(term)
                term = term * mean / (j + 1)
            weights.append(arb_mat(1, self.terms, row))
            rest.append((1 - sum(row)).abs_upper())
        cap = (ball(self.setting.rows) / (4 * flint().arb.pi())).sqrt()
        return Pair(self.setting.features, low, high, (weights[0], weights[1]), (rest[0], rest[1]), cap)
