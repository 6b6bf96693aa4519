"""The largest hockey-stick divergence under a Renyi bound, between a feasible pair of coins and a dual bound.

Both sides are elementary, so neither needs the search that proposes the pair to be right. Primal: coins of biases p and
q whose Renyi divergence was checked to be small enough reach p - gamma q. Dual: x^a y^(1-a) is convex and homogeneous,
so it lies above its tangent a r^(a-1) x - (a-1) r^a y at every ratio r; adding the tangents of heads at r and of tails
at s, chosen such that the slopes of p and q are as 1 to -gamma, bounds p - gamma q for every feasible pair.
"""

from __future__ import annotations

import math
from typing import Any

from leakbound.numerics.ball import ball, flint


def ratios(a: Any, gamma: Any, t: Any) -> tuple[Any, Any]:
    """The ratios (r, s) = (s e^t, s) at which the tangents have slopes as 1 to -gamma."""
    b = a - 1
    s = gamma * (t / t.expm1() if b == 0 else a / b * (b * t).expm1() / (a * t).expm1())
    return s * t.exp(), s


def coins(r: Any, s: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The masses (p, q) of heads, in ratio r, and (1 - p, 1 - q) of tails, in ratio s."""
    q, rest = (1 - s) / (r - s), (r - 1) / (r - s)
    return (r * q, q), (s * rest, rest)


def divergence(a: Any, heads: tuple[Any, Any], tails: tuple[Any, Any]) -> Any:
    """The Renyi divergence of the first coin from the second."""
    if a == 1:
        return sum((p * (p / q).log() for p, q in (heads, tails)), ball(0.0))
    return sum(((a * p.log() + (1 - a) * q.log()).exp() for p, q in (heads, tails)), ball(0.0)).log() / (a - 1)


def dual(a: Any, kappa: Any, r: Any, s: Any) -> Any:
    """What the tangents at r and s say about p - gamma q."""
    b = a - 1
    if b == 0:
        return (kappa + s - 1 - s.log()) / (r / s).log()
    s_b, r_b = (b * s.log()).exp(), (b * r.log()).exp()
    return ((b * kappa).exp() - a * s_b + b * s_b * s) / (a * (r_b - s_b))


def optimum(order: float, bound: float, threshold: float) -> Any:
    """A ball around the maximum of p - e^threshold q over coins with Renyi divergence at most `bound`."""
    if bound == 0 or math.isinf(threshold):
        return ball(0.0)
    if math.isinf(bound):
        return ball(1.0)
    kappa, eps = ball(bound), ball(threshold)
    if math.isinf(order):
        return (1 - (eps - kappa).exp()).max(ball(0.0))
    a, gamma = ball(order), eps.exp()
    if order > 1 and kappa >= eps + (a / (a - 1)).log():
        return 1 - (eps - kappa).exp()  # p = 1, q = e^-kappa, and the tangent at that ratio alone is tight
    low, high = ball(-100.0), ball(100.0)  # of log t; the larger the t, the farther apart are the coins
    for _ in range(flint().ctx.prec):
        middle = ((low + high) / 2).mid()
        r, s = ratios(a, gamma, middle.exp())
        inside = bool(s >= 1) or divergence(a, *coins(r, s)) <= kappa
        low, high = (middle, high) if inside else (low, middle)
    r, s = ratios(a, gamma, low.exp())
    (p, q), tails = coins(r, s)
    feasible = s < 1 and divergence(a, (p, q), tails) <= kappa
    return (p - gamma * q if feasible else ball(0.0)).union(dual(a, kappa, r, s))
