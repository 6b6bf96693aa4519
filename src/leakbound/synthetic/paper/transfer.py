"""From the trade-off curve of two normal limits to that of the records, as far as these are from normal."""

from __future__ import annotations

import math
from collections.abc import Callable

from leakbound.errors import InvalidInput, shown
from leakbound.numerics.validate import real, sample, whole
from leakbound.synthetic.paper.closeness import product_distance
from leakbound.synthetic.paper.covariances import covariance_tradeoff
from leakbound.synthetic.paper.limits import remaining_features
from leakbound.synthetic.paper.scales import scale_tradeoff


def transferred(curve: Callable[[float], float], level: float, *, distance: float) -> tuple[float, float]:
    """Return what the curve of two laws says of two others at most a total variation away: an estimate, no guarantee.

    Formula: curve(level + g) - g and curve(level - g) + g, g the distance, for g < level < 1 - g.
    The lemma is exact; the distances put into it here are not known. Reference: Pierquin et al. (2025), Lemma 4.2.

    >>> transferred(lambda level: 1 - level, 0.5, distance=0.125)
    (0.25, 0.75)
    """
    gap = real("distance", distance, low=0, below=0.5)
    level = real("level", level, above=gap, below=1 - gap)
    return curve(level + gap) - gap, curve(level - gap) + gap


def record_tradeoff(
    level: float, *, features: int, noise: float, norms: tuple[float, float], constant: float
) -> tuple[float, float]:
    """Return the paper's lower and upper bound on the trade-off curve of one record of one output: an estimate.

    Formula: `transferred` at distance constant/d from N(0, d noise^2 + v^2) against N(0, d noise^2 + w^2), v and w the
    `norms`. The constant is not known, the paper sets it to one: no guarantee.
    Reference: Pierquin et al. (2025), Theorem 4.3.

    >>> low, high = record_tradeoff(0.3, features=12, noise=1.0, norms=(3.0, 4.0), constant=1.0)
    >>> round(low, 4), round(high, 4)
    (0.4664, 0.7987)
    """
    d, noise = whole("features", features, low=1), real("noise", noise, above=0)
    if len(sample("norms", norms)) != 2:
        raise InvalidInput(f"norms must be two numbers, but got norms={shown(norms)}; give the norms of v and w.")
    first, second = (math.hypot(math.sqrt(d) * noise, real("norms", norm, low=0)) for norm in norms)
    distance = real("constant", constant, above=0) / d
    _must_be_near(distance, d)
    return transferred(lambda at: scale_tradeoff(at, first, second), level, distance=distance)


def rows_tradeoff(
    level: float, first: object, second: object, *, rows: int, noise: float, constant: float
) -> tuple[float, float]:
    """Return the paper's lower and upper bound on the trade-off curve of several records: an estimate, no guarantee.

    Formula: `transferred` at distance constant n sqrt(l / (d - n)) from `covariance_tradeoff` of variance
    (d - n) noise^2, v and w = `first` and `second` (n outputs times d features), l rows. The constant is not known,
    the paper sets it to one. Reference: Pierquin et al. (2025), Theorem 4.6.

    >>> weights, others = [[0.0] * 101], [[0.3] * 101]
    >>> low, high = rows_tradeoff(0.3, weights, others, rows=2, noise=1.0, constant=1.0)
    >>> round(low, 4), round(high, 4)
    (0.386, 0.9565)
    """
    v, noise, rows = sample("first", first, columns=True), real("noise", noise, above=0), whole("rows", rows, low=1)
    n, d = v.shape
    variance = remaining_features(d, n) * noise**2
    distance = product_distance(features=d, outputs=n, rows=rows, rank=n, constant=constant)
    _must_be_near(distance, d)
    return transferred(
        lambda at: covariance_tradeoff(at, v, second, variance=variance, rows=rows), level, distance=distance
    )


def _must_be_near(distance: float, features: int) -> None:
    if not distance < 0.5:
        raise InvalidInput(
            f"features must bring the distance below 1/2, but got features={features} with distance={distance:g};"
            " the paper says nothing there."
        )
