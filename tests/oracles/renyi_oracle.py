"""Divergences of explicit pairs of laws, straight from their definitions, in ball arithmetic."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from leakbound.numerics.ball import ball


def gaussian(order: float, shift: float) -> Any:
    """order shift^2 / 2."""
    return ball(order) * ball(shift) ** 2 / 2


def laplace(order: float, shift: float) -> Any:
    """log[a/(2a-1) e^((a-1) shift) + (a-1)/(2a-1) e^(-a shift)] / (a-1)."""
    a, s = ball(order), ball(shift)
    if order == 1:
        return s + (-s).exp() - 1
    return ((a * ((a - 1) * s).exp() + (a - 1) * (-a * s).exp()) / (2 * a - 1)).log() / (a - 1)


def laplace_hockey_stick(shift: float, threshold: float) -> Any:
    """1 - e^((threshold - shift)/2), or zero beyond the shift."""
    return 1 - ((ball(threshold) - ball(shift)) / 2).exp() if threshold < shift else ball(0.0)


def coin(log_odds: float) -> tuple[Any, Any]:
    """The two masses of a coin of given log-odds."""
    e = ball(log_odds).exp()
    return e / (1 + e), 1 / (1 + e)


def two_point(order: float, log_odds: float) -> Any:
    """The Renyi divergence of a coin from its mirror image, as a sum over heads and tails."""
    heads, tails = coin(log_odds)
    return finite(order, (heads, tails), (tails, heads))


def two_point_hockey_stick(log_odds: float, threshold: float, copies: int = 1) -> Any:
    """The sum over all sequences of heads and tails of the positive part of P - e^threshold Q, sequence by sequence."""
    heads, tails = coin(log_odds)
    gamma = ball(threshold).exp()
    total = ball(0.0)
    for flips in itertools.product((False, True), repeat=copies):
        p, q = ball(1.0), ball(1.0)
        for flip in flips:
            p, q = p * (tails if flip else heads), q * (heads if flip else tails)
        total += (p - gamma * q).max(ball(0.0))
    return total


def finite(order: float, first: Sequence[Any], second: Sequence[Any]) -> Any:
    """log(sum p^a q^(1-a)) / (a-1), its limits at orders one and infinity; masses are positive balls or fractions."""
    pairs = [tuple(ball(x) if isinstance(x, Fraction) else x for x in pair) for pair in zip(first, second, strict=True)]
    if order == 1:
        return sum((p * (p / q).log() for p, q in pairs), ball(0.0))
    if math.isinf(order):
        ratios = [p / q for p, q in pairs]
        top = ratios[0]
        for ratio in ratios:
            top = top.max(ratio)
        return top.log()
    a = ball(order)
    return sum(((a * p.log() + (1 - a) * q.log()).exp() for p, q in pairs), ball(0.0)).log() / (a - 1)


def laplace_trade_off(shift: float, level: float) -> Any:
    """The least type two error of testing Lap(0, 1) against Lap(shift, 1), on the three pieces of the normal order."""
    s, a = ball(shift), ball(level)
    shrink = (-s).exp()
    if 2 * a <= shrink:
        return 1 - a / shrink
    return shrink * (1 - a) if level >= 0.5 else shrink / (4 * a)
