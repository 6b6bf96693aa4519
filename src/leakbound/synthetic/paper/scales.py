"""Two centred normals of different scale: their trade-off curve and their Renyi divergence."""

from __future__ import annotations

import math

from scipy import special

from leakbound.numerics.validate import probability, real


def scale_tradeoff(level: float, first: float, second: float) -> float:
    """Return the least type two error of testing N(0, first^2) against N(0, second^2): an estimate, no guarantee.

    Formula: 2 Phi(r q) - 1, q = Phi^-1(1 - level/2), if r = first/second <= 1; else 2 - 2 Phi(r q'), q' =
    Phi^-1((1 + level)/2). r is the ratio of standard deviations; the paper's B.7 prints that of variances.
    `slopes.scale_slope` is its slope. Reference: Pierquin et al. (2025), Proposition 4.1.

    >>> round(scale_tradeoff(0.05, 1.0, 2.0), 6), round(scale_tradeoff(0.05, 2.0, 1.0), 6)
    (0.672905, 0.900196)
    """
    level = probability("level", level)
    ratio = real("first", first, above=0) / real("second", second, above=0)
    if level in (0.0, 1.0):
        return 1.0 - level
    if ratio <= 1:
        return float(special.erf(-ratio * special.ndtri(level / 2) / math.sqrt(2)))
    return float(special.erfc(ratio * special.erfinv(level)))


def scale_renyi(order: float, first: float, second: float) -> float:
    """Return Renyi's divergence of N(0, first^2) from N(0, second^2), infinity if there is none: an estimate.

    Formula: (a log x - log(a x + 1 - a)) / (2 (a - 1)), x = (second/first)^2. The paper's D_a(P, Q) is E_P (Q/P)^a,
    that is Renyi's D_a of Q from P. No guarantee. Reference: Gil, Alajaji and Linder (2013).

    >>> round(scale_renyi(2.0, 1.0, 2.0), 6), scale_renyi(2.0, 2.0, 1.0)
    (0.413339, inf)
    """
    order = real("order", order, above=1)
    ratio = real("second", second, above=0) / real("first", first, above=0)
    excess = ratio * ratio - 1
    if not 0 < 1 + order * excess < math.inf:
        return math.inf
    return (order * math.log1p(excess) - math.log1p(order * excess)) / (2 * (order - 1))
