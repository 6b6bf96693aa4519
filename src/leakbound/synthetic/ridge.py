"""A generator of synthetic records: ridge regression, perturbed once, that counts every row it publishes."""

from __future__ import annotations

import logging
import math
import secrets
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from scipy.special import ndtri

from leakbound.certificate import Certificate
from leakbound.certificate.assumption import FIXED_SIZE, Assumption
from leakbound.certificate.frozen import FrozenMap
from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.base import Guarantee
from leakbound.numerics.search import largest_count
from leakbound.numerics.validate import choice, real, whole
from leakbound.numerics.validate import sample as table
from leakbound.synthetic.account import account, bounded_delta
from leakbound.synthetic.publication import LARGEST, Publication
from leakbound.synthetic.ridge_sensitivity import norm_bound, ridge_sensitivity
from leakbound.synthetic.seeds.base import seed_model

_OWNER = logging.getLogger(__name__)
_COUNTING = threading.Lock()
"""Held while rows are counted, so that two threads never spend the same rows of a budget."""

_SMALLEST, _LARGEST = 1e-100, 1e100
"""Parameters beyond these would overflow doubles on the way."""
_FINEST, _COARSEST = 2.0**-64, 2.0**64
_INSIDE = 1 - 1e-12
"""Records are clipped to this share of their bound: more than the norm's rounding takes."""

SEEDS = ("public", "hidden")
MOST_COUNTED = 10**6
"""How far `remaining_rows` counts unless told otherwise."""
_MOST_NUMBERS = 10**8
ORDERS = (1.5, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Renyi orders of the guarantee where no question is asked and no budget is declared."""

SINGLE_COPY = Assumption(
    "single-copy",
    "The rows of this fit were published by one object: no copy of it, unpickled, cloned with its weights or forked,"
    " published rows too; each copy counts only its own.",
    "caller",
    "void",
)
DECLARED = Assumption(
    "declared-parameters",
    "Bounds, penalty, noise, grid and budget were chosen without looking at the data, and a new fit on the same records"
    " is accounted for as another release.",
    "caller",
    "void",
)
ENFORCED = ("sensitivity-bound", "norm-bound", "noise-added-once", "isotropic-seeds")
"""Assumptions of `account` that the generator itself takes care of."""


@dataclass(frozen=True)
class _Settings:
    """Declared parameters, validated."""

    noise: float
    penalty: float
    row_bound: float
    label_bound: float
    budget: ApproxDP | None
    grid: float

    def __post_init__(self) -> None:
        """Refuse bad values and store clean ones."""
        for name in ("noise", "penalty", "row_bound", "label_bound"):
            object.__setattr__(self, name, real(name, getattr(self, name), low=_SMALLEST, high=_LARGEST))
        grid = real("grid", self.grid, low=_FINEST, high=_COARSEST)
        if math.frexp(grid)[0] != 0.5:
            raise InvalidInput(f"grid must be a power of two, but got grid={shown(grid)}; give 2**-20, for example.")
        object.__setattr__(self, "grid", grid)
        relation = self.budget.neighbouring if isinstance(self.budget, ApproxDP) else "none"
        if self.budget is not None and relation not in ("as-stated", "replace-one"):
            raise InvalidInput(
                "budget must be an ApproxDP target for replacing one record, or None, but got"
                f" budget={shown(self.budget)}; give ApproxDP(epsilon, delta)."
            )

    @property
    def bounds(self) -> dict[str, float]:
        """What the norm of the weights follows from, by name."""
        return {"penalty": self.penalty, "row_bound": self.row_bound, "label_bound": self.label_bound}


@dataclass
class _Release:
    """One fit: its settings, its perturbed weights, and the rows published so far; never data or bare weights."""

    settings: _Settings
    weights: np.ndarray
    flat: bool
    records: int
    sensitivity: float
    norm_bound: float
    rows: int = 0
    public: bool = False

    def publication(self, rows: int) -> Publication:
        """Return what a number of rows in all would be."""
        outputs, features = self.weights.shape
        return Publication(features, outputs, rows, self.settings.noise, self.sensitivity, self.norm_bound)

    def within_budget(self, rows: int, seeds: str) -> bool:
        """Say whether that many rows in all keep the budget; the models that take no search are asked first."""
        budget = self.settings.budget
        if budget is None:
            return True
        names = ("fixed", "public", "hidden")
        models = [seed_model(name) for name in names[: names.index(seeds) + 1]]
        publication = self.publication(rows)
        return any(bounded_delta(publication, model, budget.epsilon).value <= budget.delta for model in models)

    def remaining(self, seeds: str, limit: int) -> int:
        """Return how many more rows the budget allows, up to a number of rows in all."""
        if self.within_budget(limit, seeds):
            return limit - self.rows
        return max(0, largest_count(lambda rows: self.within_budget(rows, seeds), limit) - self.rows)

    def count(self, rows: int, seeds: str) -> None:
        """Count rows before they are made, or refuse them: what is interrupted counts as published."""
        billed = self.billed(seeds)
        total = self.publication(self.rows + rows).rows
        if not self.within_budget(total, billed):
            raise InvalidInput(
                f"rows must keep the declared budget of {self.settings.budget}, but got rows={rows} after {self.rows}"
                f" published, with {billed} seeds; {self.remaining(billed, total)} more rows keep it."
            )
        self.rows, self.public = total, billed == "public"

    def billed(self, seeds: str) -> str:
        """Return the model that covers earlier rows and these: public as soon as one seed is."""
        return "public" if self.public else seeds


class RidgeGenerator:
    """Fit ridge regression, perturb its weights once, and publish rows V z of random seeds z.

    Formula: V = argmin (1/m) sum |w x_k - y_k|^2 + penalty |w|^2, plus `noise` times standard normal entries; records
    are clipped to |x_k| <= row_bound and |y_k| <= label_bound first. What is published is rounded to the `grid`.
    Reference: Pierquin, Bellet, Tommasi and Boussard (2025), and proofs/ridge-sensitivity.md, proofs/public-seeds.md.

    Parameters take effect at the next `fit`; each fit is a release of its own, and its rows are counted anew.

    >>> generator = RidgeGenerator(noise=0.5, penalty=1.0, row_bound=1.0, label_bound=1.0)
    >>> seeds, outputs = generator.fit([[0.1, 0.2], [0.3, -0.4], [0.5, 0.0]], [0.3, -0.1, 0.5]).sample(1)
    >>> seeds.shape, outputs.shape, generator.rows_
    ((1, 2), (1,), 1)
    >>> print(generator.certificate(orders=[2.0]))
    [proved] at most (2, 0.766...)-Renyi DP (replace-one) by account-public
    """

    def __init__(
        self,
        *,
        noise: float,
        penalty: float,
        row_bound: float,
        label_bound: float,
        budget: ApproxDP | None = None,
        grid: float = 2.0**-20,
    ) -> None:
        self.noise = noise
        self.penalty = penalty
        self.row_bound = row_bound
        self.label_bound = label_bound
        self.budget = budget
        self.grid = grid
        self._release: _Release | None = None
        _Settings(**self.get_params())

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - scikit-learn's signature
        """Return the parameters by name, as they were given."""
        return {name: getattr(self, name) for name in _Settings.__dataclass_fields__}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters for the next fit; nothing changes if one of them is refused."""
        for name in parameters:
            choice("parameter", name, _Settings.__dataclass_fields__)
        _Settings(**{**self.get_params(), **parameters})
        for name, value in parameters.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({inside})"

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - scikit-learn's signature
        """Clip the records to the declared bounds, fit, and perturb the weights with fresh noise.

        How many records were clipped goes to the log `leakbound.synthetic.ridge` of the owner and nowhere else.
        """
        settings = _Settings(**self.get_params())
        if y is None:
            raise InvalidInput("y must have one label per row of X, but got y=None; give the labels.")
        rows, labels = table("X", X, columns=True), np.asarray(table("y", y, columns=True))
        if len(labels) != len(rows):
            raise InvalidInput(
                f"y must have one label per row of X, but got y of length {len(labels)} for X of length {len(rows)};"
                " give as many labels as rows."
            )
        if self._release is not None and self._release.rows:
            _OWNER.warning("Rows published from an earlier fit, a release of its own: %d.", self._release.rows)
        rows = _clipped("rows", rows, settings.row_bound)
        labels = _clipped("labels", labels, settings.label_bound)
        weights = _ridge(rows, labels, settings.penalty)
        self._release = _Release(
            settings=settings,
            weights=weights + settings.noise * _normal(weights.shape),
            flat=np.ndim(y) == 1,
            records=len(rows),
            sensitivity=ridge_sensitivity(records=len(rows), **settings.bounds),
            norm_bound=norm_bound(**settings.bounds),
        )
        return self

    def sample(self, rows: int, seeds: str = "public") -> Any:
        """Publish rows: (seeds, outputs) for public seeds, outputs alone for hidden ones.

        Formula: round(V z) and round(z), z standard normal and drawn anew from the operating system. Rounding to the
        grid comes last, so it is post-processing. Rows that would exceed the budget are refused before any is made.
        """
        release = self._fitted()
        count = whole("rows", rows, low=1, high=LARGEST)
        seeds = str(choice("seeds", seeds, SEEDS))
        most = _MOST_NUMBERS // sum(release.weights.shape)
        if count > most:
            raise InvalidInput(
                f"rows must be at most {most} a call, which memory holds, but got rows={count}; publish them in several"
                " calls."
            )
        with _COUNTING:
            release.count(count, seeds)
        drawn = _normal((count, release.weights.shape[1]))
        outputs = _rounded(drawn @ release.weights.T, release.settings.grid)
        outputs = outputs[:, 0] if release.flat else outputs
        return outputs if seeds == "hidden" else (_rounded(drawn, release.settings.grid), outputs)

    @property
    def rows_(self) -> int:
        """How many rows of this fit were published so far, with and without seeds."""
        return self._fitted().rows

    @property
    def sensitivity_(self) -> float:
        """The proved bound on how far replacing one record moves the weights."""
        return self._fitted().sensitivity

    def remaining_rows(self, seeds: str = "public", *, limit: int = MOST_COUNTED) -> int:
        """Return how many more rows the budget allows with such seeds, up to a number of rows in all."""
        release = self._fitted()
        limit = whole("limit", limit, low=1, high=LARGEST)
        return release.remaining(release.billed(choice("seeds", seeds, SEEDS)), max(limit, release.rows, 1))

    def guarantee(self, rows: int | None = None, **question: Any) -> Guarantee:
        """Return the guarantee of `certificate`, whose arguments it takes."""
        return self.certificate(rows, **question).claim

    def certificate(
        self,
        rows: int | None = None,
        *,
        seeds: str | None = None,
        delta: float | None = None,
        epsilon: float | None = None,
        orders: float | Sequence[float] | None = None,
        epsilons: Sequence[float] | None = None,
    ) -> Certificate:
        """Certify all rows published so far, or what some number of rows in all would leak.

        Asked nothing, it says delta at the budget's epsilon, or without a budget Renyi divergences at several orders.
        Rows are billed as `hidden` only if no seed was published. Reference: see `account`.
        """
        release = self._fitted()
        with _COUNTING:
            published, public = release.rows, release.public
        total = published if rows is None else whole("rows", rows, low=1, high=LARGEST)
        if total < max(published, 1):
            raise InvalidInput(
                f"rows must be all rows ever published from this fit, but got rows={total} with {published}"
                " published; publish some or give a larger number."
            )
        before = "hidden" if published and not public else "public"
        asked = {"delta": delta, "epsilon": epsilon, "orders": orders, "epsilons": epsilons}
        if all(value is None for value in asked.values()):
            budget = release.settings.budget
            asked = {"orders": ORDERS} if budget is None else {"epsilon": budget.epsilon}
        model = "public" if public else before if seeds is None else choice("seeds", seeds, SEEDS)
        publication = release.publication(total)
        made = account(**publication.inputs(), seeds=model, neighbouring="replace-one", **asked)  # type: ignore[arg-type]  # by name, from one dictionary
        origin = {"records": release.records, **asdict(release.settings), "budget": str(release.settings.budget)}
        return made.with_(
            assumptions=(*map(_taken_care_of, made.assumptions), SINGLE_COPY, DECLARED, FIXED_SIZE),
            provenance=FrozenMap({**made.provenance, "ridge": FrozenMap(origin)}),
        )

    def _fitted(self) -> _Release:
        if self._release is None:
            raise InvalidInput(f"generator must be fitted, but got generator={shown(self)}; call fit(X, y) first.")
        return self._release


def _taken_care_of(given: Assumption) -> Assumption:
    return Assumption(given.id, given.text, "library", given.severity) if given.id in ENFORCED else given


def _clipped(name: str, records: np.ndarray, bound: float) -> np.ndarray:
    """Shrink records to a norm of at most the bound, and tell the owner how many were longer."""
    largest = np.abs(records).max(axis=1, keepdims=True)
    scaled = np.divide(records, largest, out=np.zeros_like(records), where=largest > 0)
    length = np.linalg.norm(scaled, axis=1, keepdims=True)  # times `largest`, which could overflow or underflow
    with np.errstate(over="ignore"):
        room = np.divide(bound, largest, out=np.full_like(largest, math.inf), where=largest > 0)
    clipped = int((length > room).sum())
    _OWNER.log(
        logging.WARNING if clipped else logging.INFO, "%d of %d %s were clipped to norm %g.",
        clipped, len(records), name, bound,
    )  # fmt: skip
    return np.where(length > _INSIDE * room, scaled * (_INSIDE * bound) / np.maximum(length, 1.0), records)


def _ridge(rows: np.ndarray, labels: np.ndarray, penalty: float) -> np.ndarray:
    """Return the minimiser, outputs by features, from singular values: no squared condition number."""
    root = math.sqrt(len(rows))
    left, values, right = np.linalg.svd(rows / root, full_matrices=False)
    return np.asarray((labels.T / root @ left) * (values / (values**2 + penalty)) @ right)


def _normal(shape: tuple[int, ...]) -> np.ndarray:
    """Draw independent standard normal entries from the operating system's entropy: 53 bits and a sign each."""
    bits = np.frombuffer(secrets.token_bytes(8 * math.prod(shape)), dtype=np.uint64).reshape(shape)
    magnitude = -ndtri(((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-54)
    return np.asarray(np.where(bits & np.uint64(1), magnitude, -magnitude))


def _rounded(values: np.ndarray, grid: float) -> np.ndarray:
    return np.asarray(np.rint(values / grid) * grid + 0.0)
