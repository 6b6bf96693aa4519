"""Random seeds that may be published with the records: what they span is all an observer sees of the weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from leakbound.certificate.assumption import Assumption
from leakbound.certificate.frozen import FrozenMap
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.seeds.base import Bound, SeedModel
from leakbound.synthetic.subspace import Subspace

ISOTROPIC = Assumption(
    "isotropic-seeds",
    "The seeds are isotropic normal draws, independent of the data and of the noise on the weights, by a generator that"
    " nobody can predict, drawn after the data set was fixed.",
    "caller",
    "void",
)
UNSELECTED = Assumption(
    "unselected-rows",
    "No seed or record was redrawn, reordered or left out in view of the records.",
    "caller",
    "void",
)
ALL_ROWS = Assumption(
    "all-rows-counted",
    "No more than the stated number of rows is ever published from this fit, in any release, with or without seeds.",
    "caller",
    "void",
)


@dataclass(frozen=True)
class PublicSeeds(SeedModel):
    """Random seeds, known to everybody: the shift's share in a random subspace of min(rows, features) dimensions.

    A seed that anyone who can influence the data could know ahead (a literal seed=0) is `FixedSeeds`.

    >>> published = Publication(features=12, outputs=1, rows=1, noise=1.0, sensitivity=1.0)
    >>> round(PublicSeeds().renyi(published, 2.0).value, 8)
    0.08919265
    """

    name: ClassVar[str] = "public"
    method: ClassVar[str] = "account-public"
    references: ClassVar[tuple[str, ...]] = ("pierquin2025", "balle2018gaussian", "dong2022")

    def renyi(self, publication: Publication, order: float) -> Bound:
        """Return log 1F1(k/2; d/2; order (order - 1) shift^2 / 2) / (order - 1), for any number of outputs."""
        return Bound(_subspace(publication).renyi(order))

    def delta(self, publication: Publication, epsilon: float) -> Bound:
        """Return the mean Gaussian profile for one output, its least convex tangent bound for several."""
        if publication.outputs == 1:
            return Bound(_subspace(publication).rank_one(epsilon))
        value, point = _subspace(publication).any_rank(epsilon)
        return Bound(value, FrozenMap() if point is None else FrozenMap({"tangent": point}))

    def assumptions(self) -> tuple[Assumption, ...]:
        """Return what the seeds must be."""
        return (ISOTROPIC, UNSELECTED, ALL_ROWS)


def _subspace(publication: Publication) -> Subspace:
    return Subspace(publication.kept, publication.features, publication.shift)
