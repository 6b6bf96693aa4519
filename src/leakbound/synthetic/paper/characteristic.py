"""The characteristic function of synthetic records with hidden seeds."""

from __future__ import annotations

import math

import numpy as np

from leakbound.errors import InvalidInput
from leakbound.numerics.validate import real, sample


def characteristic(at: object, weights: object, *, noise: float, seed_scale: float = 1.0) -> float:
    """Return the characteristic function of (noise N + weights) Z, which is real: an estimate, no guarantee.

    Formula: exp(-s^2/2 tr(t'v v't (I + s^2 noise^2 t't)^-1)) / det(I + s^2 noise^2 t't)^(d/2), where t = `at`
    (outputs times rows), v = `weights` (outputs times features, d of them), Z has entries N(0, s^2), s = `seed_scale`.
    Reference: Pierquin et al. (2025), Lemma 4.1.

    >>> round(characteristic([[1.0]], [[0.0]], noise=1.0), 6)  # the product of two unit normals: 1 / sqrt(1 + t^2)
    0.707107
    """
    t, v = sample("at", at, columns=True), sample("weights", weights, columns=True)
    if len(t) != len(v):
        raise InvalidInput(
            f"at must have as many rows as weights, but got {len(t)} and {len(v)}; give one row per output."
        )
    scale = real("seed_scale", seed_scale, above=0)
    inner = np.eye(t.shape[1]) + (scale * real("noise", noise, above=0)) ** 2 * (t.T @ t)
    mixed = v.T @ t
    bend = float(np.trace(mixed @ np.linalg.solve(inner, mixed.T)))
    return math.exp(-(scale**2) / 2 * bend - v.shape[1] / 2 * float(np.linalg.slogdet(inner)[1]))
