"""What every seed model answers: the divergences that a publication can show, at most."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import isabstract
from typing import ClassVar

from leakbound.certificate.assumption import REAL_ARITHMETIC, Assumption
from leakbound.certificate.frozen import FrozenMap
from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.registry import plugins
from leakbound.numerics.search import root
from leakbound.synthetic.publication import Publication

_CLOSE = 1e-12

GAUSSIAN_NOISE = Assumption(
    "noise-added-once",
    "Independent normal noise of the stated standard deviation was added to every weight, once, and is not reused.",
    "caller",
    "void",
)
SENSITIVITY = Assumption(
    "sensitivity-bound",
    "The weights of neighbouring data sets differ by at most the stated sensitivity, in Frobenius norm.",
    "caller",
    "void",
)
NORM = Assumption(
    "norm-bound", "The unperturbed weights of every data set have at most the stated norm.", "caller", "void"
)


@dataclass(frozen=True)
class Bound:
    """A number that leakage does not exceed, with the evidence that lets another route recompute it."""

    value: float
    evidence: FrozenMap = field(default_factory=FrozenMap)


@dataclass(frozen=True)
class SeedModel(ABC):
    """Who knows the seeds; a value without parameters, found by name in the entry-point group `leakbound.seeds`."""

    name: ClassVar[str]
    method: ClassVar[str]
    references: ClassVar[tuple[str, ...]]

    @abstractmethod
    def renyi(self, publication: Publication, order: float) -> Bound:
        """Bound the Renyi divergence of an order of at least one."""

    @abstractmethod
    def delta(self, publication: Publication, epsilon: float) -> Bound:
        """Bound delta at an epsilon of at least zero."""

    def epsilon(self, publication: Publication, delta: float, *, within: float) -> Bound:
        """Bound epsilon at a delta in (0, 1), given that it is at most `within`."""
        if self.delta(publication, 0.0).value <= delta:
            return Bound(0.0, self.delta(publication, 0.0).evidence)
        found = root(lambda e: self.delta(publication, e).value - delta, 0.0, within, tolerance=_CLOSE)
        return Bound(found, self.delta(publication, found).evidence)

    @abstractmethod
    def assumptions(self) -> tuple[Assumption, ...]:
        """Return what the model rests on, besides the noise, the sensitivity and a bound on the norm."""

    def all_assumptions(self, publication: Publication) -> tuple[Assumption, ...]:
        """Return everything that a certificate under this model rests on."""
        norm = () if publication.norm_bound is None else (NORM,)
        return (SENSITIVITY, *norm, GAUSSIAN_NOISE, *self.assumptions(), REAL_ARITHMETIC)


def seed_models() -> Mapping[str, type[SeedModel]]:
    """Return every installed seed model by name.

    >>> sorted(seed_models())
    ['fixed', 'hidden', 'public']
    """
    return plugins("leakbound.seeds")


def seed_model(given: object) -> SeedModel:
    """Return a seed model given itself, its class or its name.

    >>> seed_model("public").name
    'public'
    """
    known = seed_models()
    if isinstance(given, str) and given in known:
        return known[given]()
    if isinstance(given, type) and issubclass(given, SeedModel) and not isabstract(given):
        return given()
    if isinstance(given, SeedModel):
        return given
    raise InvalidInput(f"seeds must be one of {', '.join(sorted(known))}, or a seed model, but got {shown(given)}.")
