"""Kernels k(x, y) that depend on the Euclidean distance |x - y|, with k(x, x) = 1 exactly and values in [0, 1].

A kernel is a frozen value: it compares, hashes, pickles, prints, and survives the trip through JSON. Samples are rows
by columns; a list of numbers is read as points on the line. Distances are accurate from 1e-150 to 1e150; smaller ones
may be read as zero, and distances that overflow are refused.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leakbound.errors import InvalidInput, shown
from leakbound.numerics.validate import choice, real, sample, whole

_ENTRIES = 2**22  # of a block, where the caller does not say its rows: 32 megabytes
_DEPTH = 16  # of kernels within kernels, when read from JSON


class Kernel(ABC):
    """What every kernel offers; a kernel says only how it falls with the distance."""

    @abstractmethod
    def of_distance(self, distance: np.ndarray) -> np.ndarray:
        """Return the kernel's value at each distance: 1 at 0, never rising, in [0, 1]."""

    @abstractmethod
    def describe(self) -> str:
        """Return the kernel's name and parameters as one phrase."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the kernel as a plain dict that `kernel_from_json` reads."""

    def __call__(self, x: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Return the matrix of k(x_i, y_j).

        >>> RBF(1.0)([0.0, 1.0], [0.0])
        array([[1.        ],
               [0.36787944]])
        """
        return self.of_distance(_distances(*_pair(x, y)))

    def blocks(self, x: ArrayLike, y: ArrayLike, *, rows: int | None = None) -> Iterator[np.ndarray]:
        """Return an iterator over the matrix of k(x_i, y_j) in blocks of at most `rows` rows (as many as fill 32 MB).

        >>> [block.shape for block in RBF(1.0).blocks([0.0, 1.0, 2.0], [0.0], rows=2)]
        [(2, 1), (1, 1)]
        """
        rows = None if rows is None else whole("rows", rows, low=1)
        return (self.of_distance(block) for block in _distance_blocks(*_pair(x, y), rows))

    def __mul__(self, other: Kernel) -> Product:
        """Return the product of two kernels, which is a kernel.

        >>> RBF(1.0) * Laplace(2.0)
        Product(factors=(RBF(bandwidth=1.0), Laplace(bandwidth=2.0)))
        """
        if not isinstance(other, Kernel):
            return NotImplemented
        return Product((self, other))


@dataclass(frozen=True)
class _Simple(Kernel):
    """A kernel whose fields are positive numbers."""

    bandwidth: float

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, real(field.name, getattr(self, field.name), above=0.0))

    def describe(self) -> str:
        return repr(self)

    def to_json(self) -> dict[str, Any]:
        return {"kernel": type(self).__name__} | {field.name: getattr(self, field.name) for field in fields(self)}

    def _relative(self, distance: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):  # too far to tell from infinity
            return np.asarray(distance) / self.bandwidth


@dataclass(frozen=True)
class RBF(_Simple):
    """The Gaussian kernel without a factor of two.

    Formula: k(x, y) = exp(-|x - y|^2 / bandwidth^2). Reference: Domingo-Enrich and Mroueh (2022), section 2.

    >>> float(RBF(2.0)([0.0], [2.0])[0, 0]) == float(np.exp(-1.0))
    True
    """

    def of_distance(self, distance: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(-np.square(self._relative(distance))))


@dataclass(frozen=True)
class Laplace(_Simple):
    """The Laplace kernel of the Euclidean distance (not of the sum of the coordinates' distances).

    Formula: k(x, y) = exp(-|x - y| / bandwidth). Reference: Rasmussen and Williams (2006), section 4.2.1.

    >>> float(Laplace(2.0)([0.0], [2.0])[0, 0]) == float(np.exp(-1.0))
    True
    """

    def of_distance(self, distance: np.ndarray) -> np.ndarray:
        return np.asarray(np.exp(-self._relative(distance)))


@dataclass(frozen=True)
class RationalQuadratic(_Simple):
    """The rational quadratic kernel, a mixture of Gaussian kernels that tends to `RBF` as the shape grows.

    Formula: k(x, y) = (1 + |x - y|^2 / (shape bandwidth^2))^(-shape), like `RBF` without a factor of two.
    Reference: Rasmussen and Williams (2006), section 4.2.1.

    >>> float(RationalQuadratic(2.0)([0.0], [2.0])[0, 0])
    0.5
    """

    shape: float = 1.0

    def of_distance(self, distance: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore"):  # log(0) at distance zero, where the kernel is one
            log_square = 2 * (np.log(distance) - math.log(self.bandwidth)) - math.log(self.shape)
        return np.asarray(np.exp(-self.shape * np.logaddexp(0.0, log_square)))


@dataclass(frozen=True)
class Product(Kernel):
    """The product of kernels; a product among the factors is replaced by its own factors.

    Formula: k(x, y) = k_1(x, y) k_2(x, y) ... Reference: Rasmussen and Williams (2006), section 4.2.4.

    >>> float(Product((Laplace(1.0), Laplace(1.0)))([0.0], [0.5])[0, 0]) == float(np.exp(-1.0))
    True
    """

    factors: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        factors = _kernels("factors", self.factors)
        flat = [part for factor in factors for part in (factor.factors if isinstance(factor, Product) else (factor,))]
        object.__setattr__(self, "factors", tuple(flat))

    def of_distance(self, distance: np.ndarray) -> np.ndarray:
        value = self.factors[0].of_distance(distance)
        for factor in self.factors[1:]:
            value = value * factor.of_distance(distance)
        return value

    def describe(self) -> str:
        return " * ".join(factor.describe() for factor in self.factors)

    def to_json(self) -> dict[str, Any]:
        return {"kernel": "Product", "factors": [factor.to_json() for factor in self.factors]}


@dataclass(frozen=True)
class Mixture(Kernel):
    """A convex combination of kernels: the weights are positive and sum to one.

    Formula: k(x, y) = w_1 k_1(x, y) + w_2 k_2(x, y) + ... Reference: Rasmussen and Williams (2006), section 4.2.4.

    >>> float(Mixture((RBF(1.0), RBF(2.0)), (0.25, 0.75))([0.0], [0.0])[0, 0])
    1.0
    """

    kernels: tuple[Kernel, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "kernels", _kernels("kernels", self.kernels))
        given = sample("weights", self.weights).tolist()
        object.__setattr__(self, "weights", tuple(real("weights", weight, above=0.0) for weight in given))
        if len(self.weights) != len(self.kernels):
            raise InvalidInput(
                f"weights must have one entry for each of the {len(self.kernels)} kernels, but has"
                f" {len(self.weights)}; add or remove some."
            )
        if not abs(math.fsum(self.weights) - 1) <= 1e-12:
            raise InvalidInput(
                f"weights must sum to 1, but got weights={shown(self.weights)} with sum {math.fsum(self.weights)};"
                " divide them by their sum."
            )

    def of_distance(self, distance: np.ndarray) -> np.ndarray:
        # Both sums are rounded in the same order: the result is exactly one where every kernel is, and never above.
        value, total = np.zeros_like(distance, dtype=np.float64), 0.0
        for weight, kernel in zip(self.weights, self.kernels, strict=True):
            value, total = value + weight * kernel.of_distance(distance), total + weight
        return value / total

    def describe(self) -> str:
        pairs = zip(self.weights, self.kernels, strict=True)
        return f"Mixture({' + '.join(f'{weight} {kernel.describe()}' for weight, kernel in pairs)})"

    def to_json(self) -> dict[str, Any]:
        kernels = [kernel.to_json() for kernel in self.kernels]
        return {"kernel": "Mixture", "kernels": kernels, "weights": list(self.weights)}


_KINDS: dict[str, type[Kernel]] = {kind.__name__: kind for kind in (RBF, Laplace, RationalQuadratic, Product, Mixture)}


def kernel_from_json(data: object) -> Kernel:
    """Return the kernel that `to_json` wrote, or refuse the data; nothing in them is executed.

    >>> kernel_from_json({"kernel": "RBF", "bandwidth": 2.0})
    RBF(bandwidth=2.0)
    """
    return _read(data, _DEPTH)


def median_bandwidth(x: ArrayLike, y: ArrayLike) -> float:
    """Return the median Euclidean distance between the points of two samples, a common choice of bandwidth.

    Formula: the median of |x_i - y_j| over all pairs (i, j), exactly; the mean of the two middle ones if their number
    is even. Reference: Gretton et al. (2012), "A kernel two-sample test", section 8.

    >>> median_bandwidth([0.0, 1.0], [3.0, 7.0])
    4.5
    """
    x, y = _pair(x, y)
    pairs = len(x) * len(y)
    middle, repeated = _ranked_distance(x, y, (pairs - 1) // 2)
    if pairs % 2 == 0 and not repeated:
        larger = min(float(np.min(block, where=block > middle, initial=math.inf)) for block in _distance_blocks(x, y))
        middle = float((Fraction(middle) + Fraction(larger)) / 2)
    if not middle > 0:
        raise InvalidInput(
            f"bandwidth must be positive, but the median distance between x and y is {middle}: at least half of the"
            " pairs coincide; choose a bandwidth by hand."
        )
    return middle


def _ranked_distance(x: np.ndarray, y: np.ndarray, rank: int) -> tuple[float, bool]:
    """Return the distance that has `rank` others before it in sorted order, and whether the next one is equal to it.

    Its bits are found 16 at a time, in passes that count: doubles of one sign are ordered as their bits are.
    """
    found = 0
    for shift in (48, 32, 16, 0):
        counts = np.zeros(2**16, dtype=np.int64)
        for block in _distance_blocks(x, y):
            bits = block.view(np.int64).ravel() >> shift
            counts += np.bincount(bits[bits >> 16 == found] & 0xFFFF, minlength=2**16)
        until = np.cumsum(counts)
        digit = int(np.searchsorted(until, rank, side="right"))
        rank -= int(until[digit] - counts[digit])
        found = found << 16 | digit
    return float(np.int64(found).view(np.float64)), rank + 1 < int(counts[digit])


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    first, second = sample("x", x, columns=True), sample("y", y, columns=True)
    if first.shape[1] != second.shape[1]:
        raise InvalidInput(
            f"y must have as many columns as x, which has {first.shape[1]}, but has shape {second.shape};"
            " give points of one space."
        )
    return first, second


def _distance_blocks(x: np.ndarray, y: np.ndarray, rows: int | None = None) -> Iterator[np.ndarray]:
    rows = max(1, _ENTRIES // len(y)) if rows is None else rows
    return (_distances(x[start : start + rows], y) for start in range(0, len(x), rows))


def _distances(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    from scipy.spatial.distance import cdist  # imported here, to keep `import leakbound` quick

    distances = np.asarray(cdist(x, y))
    if not np.isfinite(distances).all():
        raise InvalidInput("x and y must lie at distances that doubles hold, but some overflow; rescale both.")
    return distances


def _kernels(name: str, value: object) -> tuple[Kernel, ...]:
    if not isinstance(value, (tuple, list)) or not value or not all(isinstance(part, Kernel) for part in value):
        raise InvalidInput(
            f"{name} must be a tuple of at least one kernel, but got {name}={shown(value)}; give kernels."
        )
    return tuple(value)


def _read(data: object, depth: int) -> Kernel:
    if not isinstance(data, Mapping) or depth == 0:
        raise InvalidInput(
            f"kernel must be a JSON object with at most {_DEPTH} levels, but got kernel={shown(data)}; see `to_json`."
        )
    kind = _KINDS[choice("kernel", data.get("kernel"), _KINDS)]
    wanted = {"kernel", *(field.name for field in fields(kind))}  # type: ignore[arg-type]  # every kind is a dataclass
    if set(data) != wanted:
        raise InvalidInput(
            f"kernel must have exactly the fields {', '.join(sorted(wanted))}, but has {shown(sorted(map(str, data)))};"
            " add or remove some."
        )
    parameters = {name: value for name, value in data.items() if name != "kernel"}
    for name in {"factors", "kernels"} & set(parameters):
        if not isinstance(parameters[name], list):
            raise InvalidInput(f"{name} must be a list of kernels, but got {name}={shown(parameters[name])}; give one.")
        parameters[name] = tuple(_read(part, depth - 1) for part in parameters[name])
    return kind(**parameters)
