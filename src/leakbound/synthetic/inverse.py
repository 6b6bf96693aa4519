"""Inverse questions: how many rows, or how little noise, keep a target; the answer was seen to keep it."""

from __future__ import annotations

import math
from itertools import count

from leakbound.errors import NoTheorem
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.inverse import gaussian_noise
from leakbound.numerics.rounding import up
from leakbound.numerics.search import largest_count
from leakbound.numerics.validate import real, whole
from leakbound.synthetic.account import bounded_delta
from leakbound.synthetic.publication import LARGEST, Publication
from leakbound.synthetic.seeds.base import SeedModel, seed_model

_CLOSE = 1e-4
_HAIR = 1e-13


def largest_rows(
    target: ApproxDP,
    *,
    features: int,
    outputs: int,
    noise: float,
    sensitivity: float,
    norm_bound: float | None = None,
    seeds: SeedModel | type[SeedModel] | str,
    limit: int = LARGEST,
) -> int:
    """Return the largest number of rows, up to a limit, whose publication keeps (epsilon, delta); zero if none does.

    Formula: the largest rows with delta(epsilon) <= delta. Reference: proofs/public-seeds.md, proofs/hidden-seeds.md.

    >>> target = ApproxDP(1.0, 1e-3)
    >>> largest_rows(target, features=100, outputs=1, noise=1.0, sensitivity=1.0, seeds="public")
    12
    """
    model, goal = seed_model(seeds), _target(target)

    def kept(rows: int) -> bool:
        publication = Publication(features, outputs, rows, noise, sensitivity, norm_bound)
        return bounded_delta(publication, model, goal.epsilon).value <= goal.delta

    return largest_count(kept, whole("limit", limit, low=1, high=LARGEST))


def smallest_noise(
    target: ApproxDP,
    *,
    features: int,
    outputs: int,
    rows: int,
    sensitivity: float,
    norm_bound: float | None = None,
    seeds: SeedModel | type[SeedModel] | str,
) -> float:
    """Return the least noise, within one part in 10,000, with which publishing the rows keeps (epsilon, delta).

    Formula: the least sigma with delta(epsilon) <= delta, never more than post-processing needs.
    Reference: proofs/public-seeds.md, proofs/hidden-seeds.md.

    >>> target = ApproxDP(1.0, 1e-5)
    >>> sigma = smallest_noise(target, features=100, outputs=1, rows=1, sensitivity=1.0, seeds="public")
    >>> round(sigma, 2)
    0.77
    """
    model, goal = seed_model(seeds), _target(target)
    sensitivity = real("sensitivity", sensitivity, above=0)
    enough = gaussian_noise(sensitivity, goal)
    if math.isinf(enough):
        return enough

    def kept(noise: float) -> bool:
        publication = Publication(features, outputs, rows, noise, sensitivity, norm_bound)
        return bounded_delta(publication, model, goal.epsilon).value <= goal.delta

    # The two routes to the same Gaussian profile may round apart.
    low, high = enough, next(noise for k in count(1) if kept(noise := up(enough * (1 + k * _HAIR))))
    while kept(low / 2) and low > 1e-150:
        low, high = low / 2, low / 2
    low /= 2
    while high > low * (1 + _CLOSE):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high


def _target(target: object) -> ApproxDP:
    if not isinstance(target, ApproxDP):
        raise NoTheorem(f"The target must be an (epsilon, delta) guarantee, but got {target}; give an ApproxDP.")
    return target
