"""Seeds that an adversary chooses or knows ahead: publishing records costs what publishing the model costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from leakbound.certificate.assumption import Assumption
from leakbound.guarantees.convert import gdp_to_approx
from leakbound.guarantees.gaussian import GaussianDP
from leakbound.numerics import normal
from leakbound.numerics.divergences import gaussian_renyi
from leakbound.numerics.rounding import raised
from leakbound.numerics.validate import real, sample
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.seeds.base import Bound, SeedModel

_MARGIN = 1e-12


@dataclass(frozen=True)
class FixedSeeds(SeedModel):
    """Post-processing: (sensitivity / noise)-Gaussian DP, however many records are published.

    Reference: Pierquin, Bellet, Tommasi and Boussard (2025), Proposition 3.1: one chosen seed attains it.

    >>> published = Publication(features=12, outputs=1, rows=100, noise=1.0, sensitivity=1.0)
    >>> FixedSeeds().renyi(published, 2.0).value
    1.0
    """

    name: ClassVar[str] = "fixed"
    method: ClassVar[str] = "account-fixed"
    references: ClassVar[tuple[str, ...]] = ("pierquin2025", "dong2022")

    def renyi(self, publication: Publication, order: float) -> Bound:
        """Return order shift^2 / 2."""
        return Bound(gaussian_renyi(order, publication.shift))

    def delta(self, publication: Publication, epsilon: float) -> Bound:
        """Return the Gaussian profile of the shift."""
        return Bound(normal.hockey_stick_upper(publication.shift, epsilon))

    def epsilon(self, publication: Publication, delta: float, *, within: float = float("inf")) -> Bound:
        """Return the least epsilon of the Gaussian profile of the shift."""
        return Bound(min(within, gdp_to_approx(GaussianDP(publication.shift), delta=delta).epsilon))

    def assumptions(self) -> tuple[Assumption, ...]:
        """Return nothing: whoever chooses the seeds, this holds."""
        return ()


def worst_seed(shift: object, *, noise: float) -> tuple[tuple[float, ...], float]:
    """Return the unit seed that tells two models best apart, and the mu of the Gaussian DP that it attains.

    Formula: the right singular vector of the largest singular value s of the difference of the weights; mu = s / noise.
    Reference: Pierquin, Bellet, Tommasi and Boussard (2025), Proposition 3.1.

    >>> worst_seed([[0.0, 3.0], [0.0, 0.0]], noise=2.0)
    ((0.0, 1.0), 1.5...)
    """
    weights = sample("shift", shift, columns=True)
    _, values, right = np.linalg.svd(weights)
    direction = right[0] * (1.0 if right[0][np.argmax(np.abs(right[0]))] > 0 else -1.0)
    size = 1e-13 * max(weights.shape)
    mu = raised(float(values[0]) * (1 + size) / real("noise", noise, above=0), _MARGIN)
    return tuple(float(entry) + 0.0 for entry in direction), mu
