"""Noisy gradient descent on a ridge loss: the law of its weights, and what they or one query tell about the labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from leakbound.errors import InvalidInput
from leakbound.guarantees.gaussian import GaussianDP
from leakbound.numerics.rounding import ceiling, exact, floor, lowered, raised, square_root_ceiling
from leakbound.numerics.validate import real, sample, whole

_SMALLEST, _LARGEST = 1e-50, 1e50
"""Parameters in between leave room for their squares and quotients in doubles."""
_MOST_STEPS = 10**12
_ON_THE_BOUND = Fraction(1, 10**12)
"""A row may be longer than the bound by this share, so that rows clipped to it are taken; every bound counts it."""
_LARGEST_LABEL = 1e100
_EPS = 2.0**-52
_MARGIN = 1e-12


@dataclass(frozen=True)
class NoisyGradientDescent:
    """Noisy gradient descent on (1/m) sum_k |V x_k - y_k|^2 + lam |V|^2 from a hidden standard normal start.

    Formula: V <- V M + (2 eta/m) Y'X + sqrt(2 eta) sigma N, with Sigma = X'X/m + lam I and M = I - 2 eta Sigma. m is
    `records`, lam `penalty`, eta `learning_rate`, sigma `noise`. Only the weights after `steps` steps are ever seen.
    It contracts, for all rows within `row_bound`, if eta (lam + row_bound^2) < 1; other learning rates are refused.
    Reference: Pierquin, Bellet, Tommasi and Boussard (2025), section 3.2; corrected in
    proofs/noisy-gradient-descent.md.

    >>> descent = NoisyGradientDescent(records=100, penalty=0.5, learning_rate=0.1, noise=1.0, row_bound=1.0)
    >>> print(descent.guarantee(label_bound=1.0))
    0.0385827...-GDP
    """

    records: int
    penalty: float
    learning_rate: float
    noise: float
    row_bound: float
    steps: float = math.inf

    def __post_init__(self) -> None:
        """Refuse bad values and learning rates that do not contract; store clean ones."""
        object.__setattr__(self, "records", whole("records", self.records, low=1, high=10**9))
        for name in ("penalty", "learning_rate", "noise", "row_bound"):
            value = real(name, getattr(self, name), low=_SMALLEST, high=_LARGEST)
            object.__setattr__(self, name, value)
        endless = isinstance(self.steps, float) and self.steps == math.inf
        steps = math.inf if endless else whole("steps (or math.inf)", self.steps, low=1, high=_MOST_STEPS)
        object.__setattr__(self, "steps", steps)
        if self._steepest * Fraction(self.learning_rate) >= 1:
            most = float(1 / self._steepest) * (1 - 1e-9)
            raise InvalidInput(
                "learning_rate must contract: learning_rate * (penalty + row_bound^2) must be below 1, but got"
                f" learning_rate={exact(self.learning_rate)}; give at most {most:.9g}, or a smaller row_bound."
            )

    @property
    def _longest(self) -> Fraction:
        """The largest squared norm of a row."""
        return (Fraction(self.row_bound) * (1 + _ON_THE_BOUND)) ** 2

    @property
    def _steepest(self) -> Fraction:
        """The largest eigenvalue that Sigma can have."""
        return Fraction(self.penalty) + self._longest

    # The law of the weights.

    def mean(self, inputs: object, labels: object) -> np.ndarray:
        """Return the mean of the weights, outputs by features.

        Formula: (2 eta/m) Y'X sum_{k<t} M^k; in the limit Y'X Sigma^-1 / m, the ridge solution.
        Reference: proofs/noisy-gradient-descent.md, item 1.

        >>> descent = NoisyGradientDescent(records=2, penalty=1.0, learning_rate=0.2, noise=1.0, row_bound=1.0)
        >>> descent.mean([[1.0], [0.0]], [3.0, 5.0]).round(12)
        array([[1.]])
        """
        rows = self._inputs(inputs)
        spectrum = _Spectrum(self, rows)
        pulled = spectrum.vectors.T @ (rows.T @ self._labels("labels", labels))
        moved: np.ndarray = (spectrum.vectors @ (spectrum.reach[:, np.newaxis] * pulled)).T / self.records
        return moved

    def covariance(self, inputs: object) -> np.ndarray:
        """Return the covariance of every row of the weights; rows are independent, and labels do not matter.

        Formula: M^2t + 2 eta sigma^2 sum_{k<t} M^2k; in the limit (sigma^2/2) Sigma^-1 (I - eta Sigma)^-1.
        Reference: proofs/noisy-gradient-descent.md, item 1; the paper's sigma^2 M^-1 Sigma^-1 is wrong.

        >>> descent = NoisyGradientDescent(records=2, penalty=1.0, learning_rate=0.2, noise=1.0, row_bound=1.0)
        >>> descent.covariance([[1.0], [0.0]]).round(12)  # 1 / (2 * 1.5 * 0.7)
        array([[0.47619048]])
        """
        spectrum = _Spectrum(self, self._inputs(inputs))
        spread: np.ndarray = (spectrum.vectors * spectrum.spread) @ spectrum.vectors.T
        return spread

    # What two label sets differ by. Numbers of one pair are no guarantees.

    def pair_mu(self, inputs: object, labels: object, other_labels: object) -> float:
        """Return mu such that telling the weights of two label sets apart is telling N(0, 1) from N(mu, 1), rounded up.

        Formula: |C^-1/2 R X'(Y - Y')| / m, with C the covariance and R = 2 eta sum_{k<t} M^k; in the limit
        (sqrt 2 / (m sigma)) |(I - eta Sigma)^1/2 Sigma^-1/2 X'(Y - Y')|.
        Reference: proofs/noisy-gradient-descent.md, item 2.

        >>> descent = NoisyGradientDescent(records=2, penalty=1.0, learning_rate=0.2, noise=1.0, row_bound=1.0)
        >>> descent.pair_mu([[1.0], [0.0]], [3.0, 5.0], [1.0, 5.0])  # sqrt(2 * 0.7 / 1.5)
        0.9660917830...
        """
        rows = self._inputs(inputs)
        change = _Change(rows, *self._pair(labels, other_labels))
        return self._model(_Spectrum(self, rows), change)

    def query_mu(self, inputs: object, labels: object, other_labels: object, *, query: object) -> float:
        """Return the mu that the answer V z to one query z attains between two label sets, rounded up.

        Formula: |(Y - Y')'X R z| / (m sqrt(z'C z)), with C and R as in `pair_mu`.
        Reference: proofs/noisy-gradient-descent.md, item 3.

        >>> descent = NoisyGradientDescent(records=1, penalty=1.0, learning_rate=0.2, noise=1.0, row_bound=1.0)
        >>> descent.query_mu([[1.0, 0.0]], [3.0], [1.0], query=[0.0, 1.0]) < 1e-12
        True
        """
        rows = self._inputs(inputs)
        change = _Change(rows, *self._pair(labels, other_labels))
        asked = sample("query", query)
        if len(asked) != rows.shape[1] or not asked.any():
            raise InvalidInput(
                f"query must hold {rows.shape[1]} numbers that are not all 0, but has shape {asked.shape} and"
                f" largest entry {np.abs(asked).max():g}; give one number for each column of inputs."
            )
        spectrum = _Spectrum(self, rows)
        return min(self._model(spectrum, change), self._scaled(change, spectrum.seen_through(change, asked)))

    def best_query(self, inputs: object, labels: object, other_labels: object) -> tuple[tuple[float, ...], float]:
        """Return the unit query that tells two label sets best apart, and the mu that it attains, rounded up.

        Formula: z = C^-1/2 u, u the right singular vector of (Y - Y')'X R C^-1/2 for its largest singular value, which
        over m is mu. If one label changed this is the `pair_mu` of the model: one answer leaks what the model leaks.
        Reference: Pierquin et al. (2025), Proposition 3.3; proofs/noisy-gradient-descent.md, item 3.

        >>> descent = NoisyGradientDescent(records=2, penalty=1.0, learning_rate=0.2, noise=1.0, row_bound=1.0)
        >>> descent.best_query([[1.0], [0.0]], [3.0, 5.0], [1.0, 5.0])
        ((1.0,), 0.9660917830...)
        """
        rows = self._inputs(inputs)
        spectrum, change = _Spectrum(self, rows), _Change(rows, *self._pair(labels, other_labels))
        best = spectrum.best_query(change)
        return tuple(float(entry) + 0.0 for entry in best), self.query_mu(inputs, labels, other_labels, query=best)

    # Guarantees: for every pair of labels within a bound.

    def guarantee(self, *, label_bound: float, inputs: object = None) -> GaussianDP:
        """Return the guarantee against replacing one record's label, all labels having norm at most `label_bound`.

        Formula: mu = (2 label_bound / m) max_k sqrt(x_k' R C^-1 R x_k) for given `inputs`. Without them the largest
        over all inputs within `row_bound`: in the limit, with a = min(row_bound^2, m (sqrt(lam/eta) - lam)),
        mu^2 = 8 label_bound^2 / (m^2 sigma^2) (a / (lam + a/m) - eta a), which is attained; for finite t at most
        (1 - q)/(1 + q) times that, q = (1 - 2 eta (lam + row_bound^2))^t (0 for even t if the base is negative), and at
        most 8 label_bound^2 row_bound^2 eta t / (m^2 sigma^2). Rounded up.
        Reference: proofs/noisy-gradient-descent.md, items 4 to 6.

        >>> descent = NoisyGradientDescent(records=1, penalty=1.0, learning_rate=0.25, noise=1.0, row_bound=1.0)
        >>> descent.guarantee(label_bound=1.0)  # sqrt(8 (1/2 - 1/4)) = sqrt 2
        GaussianDP(neighbouring='label-only', mu=1.41421356237...)
        """
        bound = Fraction(real("label_bound", label_bound, low=0))
        unit = 4 * bound**2 / Fraction(self.records) ** 2
        mu = square_root_ceiling(unit * self._worst_pull())
        if inputs is not None:
            rows = self._inputs(inputs)
            pull = self._pull(_Spectrum(self, rows), _Change.every_record(rows))
            scale = 2 * bound / self.records * Fraction(float(np.abs(rows).max()))
            mu = min(mu, ceiling(scale * Fraction(raised(float(pull.max()), _MARGIN))))
        return GaussianDP(mu, neighbouring="label-only")

    def _worst_pull(self) -> Fraction:
        """Return an upper bound of x' R C^-1 R x over all inputs and rows x of them, exact in the limit."""
        lam, eta, m, longest = Fraction(self.penalty), Fraction(self.learning_rate), self.records, self._longest
        if lam >= eta * (lam + longest / m) ** 2:
            pull = longest / (lam + longest / m) - eta * longest
        else:
            pull = m * (1 + eta * lam - 2 * _root_below(eta * lam))
        twice = 2 / Fraction(self.noise) ** 2
        if self.steps == math.inf:
            return twice * pull
        stepwise = twice * eta * int(self.steps) * longest
        share = self._share()
        return stepwise if share is None else min(stepwise, twice * pull * share)

    def _share(self) -> Fraction | None:
        """Return how large mu^2 can be, as a share of the limit's, rounded up; None if no bound comes out."""
        base = 1 - 2 * Fraction(self.learning_rate) * self._steepest
        if self.steps == math.inf or (base <= 0 and self.steps % 2 == 0):
            return Fraction(1)
        least = lowered(floor(base) ** self.steps, _MARGIN)
        return (1 - Fraction(least)) / (1 + Fraction(least)) if least > -1 else None

    def _pull(self, spectrum: _Spectrum, change: _Change) -> np.ndarray:
        """Return, for each column of the change, an upper bound of its length after C^-1/2 R."""
        length = change.length + change.error
        limit: np.ndarray = np.minimum(spectrum.in_the_limit(change), length * math.sqrt(2 / self.penalty) / self.noise)
        if self.steps == math.inf:
            return limit
        steps = length * (math.sqrt(2 * self.learning_rate * self.steps) / self.noise)
        found: np.ndarray = np.minimum(spectrum.at_finite_time(change), steps)
        share = self._share()
        if share is not None:
            np.minimum(found, limit * square_root_ceiling(share), out=found)
        return found

    def _model(self, spectrum: _Spectrum, change: _Change) -> float:
        return self._scaled(change, float(np.linalg.norm(self._pull(spectrum, change))))

    def _scaled(self, change: _Change, value: float) -> float:
        """Return a value of the scaled change in units of the change itself, rounded up."""
        if change.scale == 0:
            return 0.0
        if math.isinf(value):
            return math.inf
        margin = _MARGIN + _EPS * change.pulled.shape[1]
        return ceiling(change.scale * Fraction(raised(value, margin)) / self.records)

    # What comes in.

    def _inputs(self, inputs: object) -> np.ndarray:
        rows = sample("inputs", inputs, columns=True)
        if len(rows) != self.records:
            raise InvalidInput(f"inputs must have records={self.records} rows, but has shape {rows.shape}; give all.")
        with np.errstate(over="ignore"):
            longest = float(np.linalg.norm(rows, axis=1).max())
        if not longest <= self.row_bound * (1 + 0.5 * float(_ON_THE_BOUND)):
            raise InvalidInput(
                f"inputs must have rows of norm at most row_bound={exact(self.row_bound)}, but one has norm"
                f" {exact(longest)}; clip the rows, or declare a larger row_bound."
            )
        return rows

    def _labels(self, name: str, labels: object) -> np.ndarray:
        found = sample(name, labels, columns=True)
        if len(found) != self.records:
            raise InvalidInput(f"{name} must have records={self.records} rows, but has shape {found.shape}; give all.")
        largest = float(np.abs(found).max())
        if not largest <= _LARGEST_LABEL:
            raise InvalidInput(
                f"{name} must lie within {-_LARGEST_LABEL:g} and {_LARGEST_LABEL:g}, but one has size"
                f" {exact(largest)}; rescale them."
            )
        return found

    def _pair(self, labels: object, other_labels: object) -> tuple[np.ndarray, np.ndarray]:
        first, second = self._labels("labels", labels), self._labels("other_labels", other_labels)
        if first.shape != second.shape:
            raise InvalidInput(
                f"other_labels must have the shape of labels, {first.shape}, but has shape {second.shape}; reshape it."
            )
        return first, second


class _Change:
    """X'(Y - Y') divided by a scale that keeps it near one, with a bound on the rounding error of each column."""

    def __init__(self, rows: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
        changed = (first != second).any(axis=1)
        rows, gap = rows[changed], (first - second)[changed]
        tall, wide = (float(np.abs(table).max(initial=0)) for table in (rows, gap))
        self.scale = Fraction(tall) * Fraction(wide)
        rows, gap = rows / (tall or 1.0), gap / (wide or 1.0)
        self.pulled = rows.T @ gap
        self.length = np.linalg.norm(self.pulled, axis=0)
        self.error = (len(rows) + 8) * _EPS * np.linalg.norm(rows) * np.linalg.norm(gap, axis=0)

    @classmethod
    def every_record(cls, rows: np.ndarray) -> _Change:
        """Return the changes of each record's label by one, as columns."""
        change = cls.__new__(cls)
        change.scale = Fraction(float(np.abs(rows).max()))
        change.pulled = (rows / (float(change.scale) or 1.0)).T
        change.length = np.linalg.norm(change.pulled, axis=0)
        change.error = 8 * _EPS * change.length
        return change


class _Spectrum:
    """Eigenvalues of Sigma, what the descent makes of each, and bounds on how wrong all of it can be."""

    def __init__(self, descent: NoisyGradientDescent, rows: np.ndarray) -> None:
        self.descent = descent
        lam, eta, sigma, t = descent.penalty, descent.learning_rate, descent.noise, descent.steps
        m, d = rows.shape
        self.values, self.vectors = np.linalg.eigh(rows.T @ rows / m + lam * np.eye(d))
        self.values = np.maximum(self.values, lam)
        # The decomposition is exact for a matrix this close to Sigma: products and LAPACK are backward stable, and
        # raising eigenvalues to lam at most doubles the distance.
        self.turn = 16 * d * _EPS
        size = lam + float(np.linalg.norm(rows)) ** 2 / m
        self.error = 2 * (m + 16 * d + 16) * _EPS * size + 1e-300
        step = eta * self.values
        left = np.maximum(1 - step, _EPS)
        limit = sigma**2 / (2 * self.values * left)
        if t == math.inf:
            self.reach, self.spread = 1 / self.values, limit
            return
        with np.errstate(divide="ignore", under="ignore"):  # a multiplier of zero has logarithm -infinity
            decay = t * np.log1p(-np.minimum(2 * np.minimum(step, left), 1.0))
            kept = np.exp(decay)
        flipped = (step > 0.5) & (t % 2 == 1)
        self.reach = np.where(flipped, 1 + kept, -np.expm1(decay)) / self.values
        self.spread = kept**2 - limit * np.expm1(2 * decay)

    def drift(self) -> tuple[float, float]:
        """Return how far R and C can be from those of the exact Sigma, in spectral norm.

        Formula: |A^k - B^k| <= k q^(k-1) |A - B| if |A|, |B| <= q, summed over k.
        """
        eta, sigma, t = self.descent.learning_rate, self.descent.noise, self.descent.steps
        gap = 2 * min(eta * (self.descent.penalty - self.error), 1 - eta * (float(self.values[-1]) + self.error))
        if not 0 < gap <= 1:
            return math.inf, math.inf
        triangle = t * (t - 1) / 2
        start = 0.0 if t == math.inf else t * math.exp((2 * t - 1) * math.log1p(-min(gap, 1 - _EPS)))
        reach = 4 * eta**2 * self.error * min(triangle, gap**-2)
        added = 2 * eta * sigma**2 * min(triangle, (gap * (2 - gap)) ** -2)
        return reach * (1 + _MARGIN), 4 * eta * self.error * (start + added) * (1 + _MARGIN)

    def in_the_limit(self, change: _Change) -> np.ndarray:
        """Return upper bounds of the columns' lengths after (sqrt 2/sigma) (Sigma^-1 - eta)^1/2."""
        least = self.values - self.error
        if not least[0] > 0:
            return np.full(change.length.shape, math.inf)
        pull = (np.maximum(1 - self.descent.learning_rate * least, 0) + 4 * _EPS) / least
        seen = self.vectors.T @ change.pulled
        size = np.sqrt((pull[:, np.newaxis] * seen**2).sum(axis=0))
        lost = math.sqrt(pull[0]) * (self.turn * change.length + change.error)
        found: np.ndarray = (size + lost) * (math.sqrt(2) / self.descent.noise)
        return found

    def at_finite_time(self, change: _Change) -> np.ndarray:
        """Return upper bounds of the columns' lengths after C^-1/2 R."""
        reach, spread = self.drift()
        least = float(self.spread.min())
        if not spread < least / 2:
            return np.full(change.length.shape, math.inf)
        seen = self.vectors.T @ change.pulled
        size = np.linalg.norm((self.reach / np.sqrt(self.spread))[:, np.newaxis] * seen, axis=0)
        lost = float(self.reach.max()) * (self.turn * change.length + change.error) + reach * (
            change.length + change.error
        )
        found: np.ndarray = (size + lost / math.sqrt(least)) / math.sqrt(1 - spread / least)
        return found

    def seen_through(self, change: _Change, query: np.ndarray) -> float:
        """Return an upper bound of |(Y - Y')'X R z| / sqrt(z'C z), infinite if rounding hides it."""
        reach, spread = self.drift()
        largest, least = float(self.spread.max()), float(self.spread.min())
        query = query / np.abs(query).max()
        size = float(np.linalg.norm(query))
        seen, asked = self.vectors.T @ change.pulled, self.vectors.T @ query
        noise = float(np.linalg.norm(np.sqrt(self.spread) * asked)) - math.sqrt(largest) * self.turn * size
        if not (spread < least / 2 and noise > 0):
            return math.inf
        length, wrong = float(np.linalg.norm(change.length)), float(np.linalg.norm(change.error))
        moved = float(np.linalg.norm(seen.T @ (self.reach * asked)))
        lost = float(self.reach.max()) * (2 * self.turn * length + wrong) * size + reach * (length + wrong) * size
        return float((moved + lost) / (noise * math.sqrt(1 - spread / least)))

    def best_query(self, change: _Change) -> np.ndarray:
        """Return the unit z = C^-1/2 u."""
        root = np.sqrt(self.spread)
        seen = (self.reach / root)[:, np.newaxis] * (self.vectors.T @ change.pulled)
        left, _, _ = np.linalg.svd(seen, full_matrices=False)
        query: np.ndarray = self.vectors @ (left[:, 0] / root)
        query /= np.abs(query).max() * (1.0 if query[np.argmax(np.abs(query))] > 0 else -1.0)
        query /= np.linalg.norm(query)
        return query


def _root_below(x: Fraction) -> Fraction:
    """Return a fraction at most sqrt(x) and within 2^-1000 of it, for x at most 1."""
    return Fraction(math.isqrt(math.floor(x * 2**2000)), 2**1000)
