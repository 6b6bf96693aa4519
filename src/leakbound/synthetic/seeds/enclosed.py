"""Hidden seeds with a proof: cells of norms and a tail bound that cover every pair, to be enclosed in balls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from leakbound.certificate.frozen import FrozenMap
from leakbound.synthetic import pair
from leakbound.synthetic.cover import Tail, Value, cover, renyi_tail, stick_tail
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.seeds.base import Bound
from leakbound.synthetic.seeds.hidden import HiddenSeeds
from leakbound.synthetic.seeds.public import PublicSeeds

PRICE = 8.5e-3
"""What a proof costs: the claim is this share above what the search finds."""


@dataclass(frozen=True)
class EnclosedHiddenSeeds(HiddenSeeds):
    """`HiddenSeeds` a little above what its search finds, with what proves that no norm leaks more.

    >>> published = Publication(features=2, outputs=1, rows=1, noise=1.0, sensitivity=1.0, norm_bound=0.5)
    >>> found, proved = (model.renyi(published, 2.0).value for model in (HiddenSeeds(), EnclosedHiddenSeeds()))
    >>> found < proved < 1.01 * found
    True
    """

    method: ClassVar[str] = "account-hidden-rigorous"

    def renyi(self, publication: Publication, order: float) -> Bound:
        """Return a Renyi divergence that no pair of norms exceeds, with its cells."""
        found, known = super().renyi(publication, order), PublicSeeds().renyi(publication, order)
        target = found.value * (1 + PRICE)
        if publication.outputs > 1 or not target < known.value:
            return _public(known)

        def tail(last: float, gap: float) -> float:
            return renyi_tail(last, gap, publication.shift, publication.rows, order)

        return _covered(publication, target, target, found, lambda laws: pair.renyi(laws, order), tail)

    def delta(self, publication: Publication, epsilon: float) -> Bound:
        """Return a hockey-stick divergence that no pair of norms exceeds, with its cells."""
        found, known = super().delta(publication, epsilon), PublicSeeds().delta(publication, epsilon)
        target = found.value * (1 + PRICE)
        if publication.outputs > 1 or not target < known.value:
            return _public(known)
        return _sticks(publication, target, target, found, epsilon)

    def epsilon(self, publication: Publication, delta: float, *, within: float) -> Bound:
        """Return an epsilon that no pair of norms needs more of, with its cells."""
        found = super().epsilon(publication, delta, within=within)
        target = found.value * (1 + PRICE)
        if publication.outputs > 1 or not target < within or PublicSeeds().delta(publication, target).value <= delta:
            return _public(PublicSeeds().epsilon(publication, delta, within=within))
        return _sticks(publication, target, delta, found, target)


def _public(known: Bound) -> Bound:
    return Bound(known.value, FrozenMap({**known.evidence, "public_seeds": True}))


def _sticks(publication: Publication, claim: float, delta: float, found: Bound, epsilon: float) -> Bound:
    def tail(last: float, gap: float) -> float:
        return stick_tail(last, gap, publication.shift, publication.rows, epsilon)

    return _covered(publication, claim, delta, found, lambda laws: pair.hockey_stick(laws, epsilon), tail)


def _covered(publication: Publication, claim: float, most: float, found: Bound, value: Value, tail: Tail) -> Bound:
    given = publication.features, publication.rows, publication.shift, publication.norm
    cells = cover(*given, value, tail, most)
    beyond = {} if cells.gap is None else {"gap": cells.gap}
    return Bound(claim, FrozenMap({**found.evidence, "edges": cells.edges, **beyond}))
