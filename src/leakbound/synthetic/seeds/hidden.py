"""Random seeds that stay secret: for one output, all that the records show is the norm of the perturbed weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from leakbound.certificate.assumption import Assumption
from leakbound.certificate.frozen import FrozenMap
from leakbound.synthetic import pair
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.seeds.base import Bound, SeedModel
from leakbound.synthetic.seeds.public import ALL_ROWS, ISOTROPIC, UNSELECTED, PublicSeeds
from leakbound.synthetic.supremum import SLACK, Divergences, Worst, worst

SECRET = Assumption(
    "secret-seeds",
    "Nobody ever learns a seed, or the perturbed weights; if seeds become known, the certificate for public seeds"
    " holds, and if the weights do, the one for fixed seeds.",
    "caller",
    "weaker",
)


@dataclass(frozen=True)
class HiddenSeeds(SeedModel):
    """Random seeds that nobody learns: the worst pair of norms for one output, `PublicSeeds` for several.

    >>> published = Publication(features=12, outputs=1, rows=1, noise=1.0, sensitivity=1.0)
    >>> 0.04523008 < HiddenSeeds().renyi(published, 2.0).value < 0.045236
    True
    """

    name: ClassVar[str] = "hidden"
    method: ClassVar[str] = "account-hidden"
    references: ClassVar[tuple[str, ...]] = ("pierquin2025", "karlin1968", "dong2022")

    def renyi(self, publication: Publication, order: float) -> Bound:
        """Return the largest Renyi divergence of a pair of norms, in either order."""
        known = PublicSeeds().renyi(publication, order)
        if publication.outputs > 1 or order == float("inf"):
            return known
        return _least(known, _worst(publication, lambda laws: pair.renyi(laws, order)))

    def delta(self, publication: Publication, epsilon: float) -> Bound:
        """Return the largest hockey-stick divergence of a pair of norms, in either order."""
        known = PublicSeeds().delta(publication, epsilon)
        if publication.outputs > 1 or epsilon == float("inf"):
            return known
        return _least(known, _worst(publication, lambda laws: pair.hockey_stick(laws, epsilon)))

    def epsilon(self, publication: Publication, delta: float, *, within: float) -> Bound:
        """Return the largest epsilon that a pair of norms needs, in either order."""
        if publication.outputs > 1:
            return PublicSeeds().epsilon(publication, delta, within=within)
        # A little less than delta leaves room for what the search misses where epsilon is nearly zero.
        found = _worst(publication, lambda laws: pair.least_epsilon(laws, delta * (1 - SLACK)))
        if found.value <= 0 or PublicSeeds().delta(publication, found.value).value > delta:  # as it should be
            return _least(Bound(within), found)
        return _least(PublicSeeds().epsilon(publication, delta, within=within), found)

    def assumptions(self) -> tuple[Assumption, ...]:
        """Return what the seeds must be."""
        return (ISOTROPIC, SECRET, UNSELECTED, ALL_ROWS)


def _worst(publication: Publication, value: Divergences) -> Worst:
    return worst(publication.features, publication.rows, publication.shift, publication.norm, value)


def _least(known: Bound, found: Worst) -> Bound:
    evidence = FrozenMap({"norm": found.at, "larger_first": not found.reverse})
    return Bound(max(0.0, min(known.value, found.value)), evidence)
