"""How leakage grows with the number of published rows under every seed model, and where rows stop paying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from leakbound.synthetic.account import bounded_delta, bounded_epsilon, bounded_renyi
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.seeds.base import SeedModel, seed_models
from leakbound.synthetic.seeds.fixed import FixedSeeds

WORTH = 0.01
"""A saving below this share of what publishing the model leaks counts as none."""

MODEL = "model"
"""The name, in tables and figures, of publishing the model itself: the seed model `fixed`."""


@dataclass(frozen=True)
class Question:
    """Which number is asked of every publication: epsilon at a `delta`, delta at an `epsilon`, or an `order`'s Renyi.

    >>> Question("delta", 1e-5).answered
    'epsilon'
    """

    name: str
    value: float

    @property
    def answered(self) -> str:
        """What the answer is called."""
        return {"delta": "epsilon", "epsilon": "delta", "order": "Renyi divergence"}[self.name]

    def answer(self, publication: Publication, model: SeedModel) -> float:
        """Return the bound for one publication."""
        bounded = {"delta": bounded_epsilon, "epsilon": bounded_delta, "order": bounded_renyi}[self.name]
        return bounded(publication, model, self.value).value


def counts(rows: int) -> tuple[int, ...]:
    """Return 1, 2, 5, 10, 20, 50, ... up to a number of rows, and that number.

    >>> counts(30)
    (1, 2, 5, 10, 20, 30)
    """
    steps = [factor * 10**power for power in range(len(str(rows))) for factor in (1, 2, 5)]
    return (*(step for step in steps if step < rows), rows)


def models() -> Mapping[str, SeedModel]:
    """Return every seed model under its name in tables: the model itself first, then the stronger assumptions.

    >>> list(models())
    ['model', 'public', 'hidden']
    """
    others = {name: kind() for name, kind in seed_models().items() if name != FixedSeeds.name}
    return {MODEL: FixedSeeds(), **dict(sorted(others.items(), reverse=True))}


def growth(publication: Publication, question: Question) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield growing numbers of rows, up to those of a publication, with the bound of every seed model.

    Formula: the bounds of `account` at 1, 2, 5, 10, ... rows.
    Reference: proofs/fixed-seeds.md, proofs/public-seeds.md, proofs/hidden-seeds.md.

    >>> published = Publication(features=12, outputs=1, rows=2, noise=1.0, sensitivity=1.0)
    >>> [(rows, round(bounds["public"], 4)) for rows, bounds in growth(published, Question("order", 2.0))]
    [(1, 0.0892), (2, 0.1772)]
    """
    for rows in counts(publication.rows):
        fewer = replace(publication, rows=rows)
        yield rows, {name: question.answer(fewer, model) for name, model in models().items()}


def stops_paying(
    publication: Publication, question: Question, name: str, seen: Sequence[tuple[int, Mapping[str, float]]]
) -> int | None:
    """Return the fewest rows from which a seed model saves less than one part in 100; None if more rows still pay.

    `seen` holds what `growth` yielded; the place between two of its rows is found by halving.

    >>> published = Publication(features=12, outputs=1, rows=20, noise=1.0, sensitivity=1.0)
    >>> asked = Question("order", 2.0)
    >>> stops_paying(published, asked, "public", list(growth(published, asked)))
    12
    """
    model = models()[name]
    paying = [rows for rows, bounds in seen if _pays(bounds[name], bounds[MODEL])]
    low = max(paying, default=0)
    beyond = [rows for rows, _ in seen if rows > low]
    if not beyond:
        return None
    high, whole = min(beyond), seen[0][1][MODEL]
    while high - low > 1:
        middle = (low + high) // 2
        if _pays(question.answer(replace(publication, rows=middle), model), whole):
            low = middle
        else:
            high = middle
    return high


def curves(question: Question, seen: Sequence[tuple[int, Mapping[str, float]]]) -> dict[str, dict[str, list[float]]]:
    """Return what `growth` yielded as a certificate's series, one curve per seed model.

    >>> list(curves(Question("delta", 1e-5), [(1, {"model": 2.0, "public": 1.0})]))
    ['epsilon against rows: model', 'epsilon against rows: public']
    """
    rows = [float(count) for count, _ in seen]
    return {
        f"{question.answered} against rows: {name}": {"x": rows, "y": [bounds[name] for _, bounds in seen]}
        for name in seen[0][1]
    }


def _pays(own: float, whole: float) -> bool:
    return own < (1 - WORTH) * whole
