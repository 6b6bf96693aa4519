"""Kernels with k(x, x) = 1, evaluated in blocks of rows, and the median bandwidth."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from leakbound.errors import InvalidInput, shown
from leakbound.numerics.rounding import exact
from leakbound.numerics.validate import real, sample, whole

_ROWS = 1024


@dataclass(frozen=True)
class Kernel(ABC):
    """A positive definite function of two points with k(x, x) = 1."""

    name: ClassVar[str]

    def __call__(self, x: object, y: object) -> np.ndarray:
        """Return the matrix k(x_i, y_j)."""
        return np.concatenate([block for _, block in self.blocks(x, y)])

    def blocks(self, x: object, y: object, *, rows: int = _ROWS) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield (rows of x, their part of the matrix), so that memory stays bounded by `rows` times the size of y."""
        left, right = _points(x, y)
        for part in _row_blocks(len(left), whole("rows", rows, low=1)):
            yield part, self._matrix(left[part], right)

    @abstractmethod
    def _matrix(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the matrix for clean arrays of points."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the kernel as plain values, for `kernel_from_json`."""

    def __mul__(self, other: Kernel) -> Product:
        return Product((self, other))


@dataclass(frozen=True)
class _Radial(Kernel):
    bandwidth: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", real("bandwidth", self.bandwidth, above=0))

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "bandwidth": self.bandwidth}

    def __str__(self) -> str:
        return f"{self.name}(bandwidth={exact(self.bandwidth)})"


@dataclass(frozen=True)
class RBF(_Radial):
    """k(x, y) = exp(-|x - y|^2 / bandwidth^2), without a factor two (Domingo-Enrich and Mroueh 2022).

    >>> round(float(RBF(2.0)([0.0], [2.0])[0, 0]), 6)
    0.367879
    """

    name: ClassVar[str] = "rbf"

    def _matrix(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.asarray(np.exp(-((_distances(x, y) / self.bandwidth) ** 2)))


@dataclass(frozen=True)
class Laplace(_Radial):
    """k(x, y) = exp(-|x - y| / bandwidth), with the Euclidean distance.

    >>> round(float(Laplace(2.0)([0.0], [2.0])[0, 0]), 6)
    0.367879
    """

    name: ClassVar[str] = "laplace"

    def _matrix(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.asarray(np.exp(-_distances(x, y) / self.bandwidth))


@dataclass(frozen=True)
class RationalQuadratic(_Radial):
    """k(x, y) = (1 + |x - y|^2 / (2 shape bandwidth^2))^-shape.

    >>> round(float(RationalQuadratic(2.0)([0.0], [2.0])[0, 0]), 6)
    0.666667
    """

    shape: float = 1.0

    name: ClassVar[str] = "rational-quadratic"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "shape", real("shape", self.shape, above=0))

    def _matrix(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        scaled = (_distances(x, y) / self.bandwidth) ** 2
        return np.asarray(np.exp(-self.shape * np.log1p(scaled / (2 * self.shape))))

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "shape": self.shape}

    def __str__(self) -> str:
        return f"{self.name}(bandwidth={exact(self.bandwidth)}, shape={exact(self.shape)})"


@dataclass(frozen=True)
class Product(Kernel):
    """The product of kernels.

    >>> str(RBF(1.0) * Laplace(2.0))
    'rbf(bandwidth=1) * laplace(bandwidth=2)'
    """

    factors: tuple[Kernel, ...]

    name: ClassVar[str] = "product"

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", _kernels("factors", self.factors))

    def _matrix(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        result = np.ones((len(x), len(y)))
        for factor in self.factors:
            result *= factor._matrix(x, y)
        return result

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "factors": [factor.to_json() for factor in self.factors]}

    def __str__(self) -> str:
        return " * ".join(f"({factor})" if isinstance(factor, Mixture) else str(factor) for factor in self.factors)


@dataclass(frozen=True)
class Mixture(Kernel):
    """A combination of kernels with positive weights that sum to one.

    >>> float(Mixture((RBF(1.0), Laplace(2.0)), (0.25, 0.75))([0.0], [0.0])[0, 0])
    1.0
    """

    parts: tuple[Kernel, ...]
    weights: tuple[float, ...]

    name: ClassVar[str] = "mixture"

    def __post_init__(self) -> None:
        parts = _kernels("parts", self.parts)
        if not isinstance(self.weights, (tuple, list)) or len(self.weights) != len(parts):
            raise InvalidInput(f"weights must be one for each of {len(parts)} kernels, but got {shown(self.weights)}.")
        weights = tuple(real("weights", weight, above=0, high=1) for weight in self.weights)
        if abs(math.fsum(weights) - 1) > 1e-12:
            raise InvalidInput(f"weights must sum to 1, but sum to {math.fsum(weights)!r}; divide them by their sum.")
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "weights", weights)

    def _matrix(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        result = np.zeros((len(x), len(y)))
        for weight, part in zip(self.weights, self.parts, strict=True):
            result += weight * part._matrix(x, y)
        return result

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "parts": [p.to_json() for p in self.parts], "weights": list(self.weights)}

    def __str__(self) -> str:
        return " + ".join(f"{exact(weight)} {part}" for weight, part in zip(self.weights, self.parts, strict=True))


def kernel_from_json(document: object) -> Kernel:
    """Return the kernel of the plain values that `to_json` gives.

    >>> kernel_from_json({"name": "rbf", "bandwidth": 2.0})
    RBF(bandwidth=2.0)
    """
    if not isinstance(document, Mapping):
        raise InvalidInput(f"A kernel is a map with a name, but got {shown(document)}.")
    fields = {key: value for key, value in document.items() if key != "name"}
    name = document.get("name")
    if not isinstance(name, str) or name not in _KERNELS:
        raise InvalidInput(f"A kernel's name must be one of {', '.join(sorted(_KERNELS))}, but is {shown(name)}.")
    for key in ("factors", "parts"):
        if isinstance(fields.get(key), (list, tuple)):
            fields[key] = tuple(kernel_from_json(entry) for entry in fields[key])
    try:
        return _KERNELS[name](**fields)
    except TypeError:
        raise InvalidInput(f"The kernel {name} does not have the fields {', '.join(sorted(fields))}.") from None


def median_bandwidth(x: object, y: object) -> float:
    """Return the median of the Euclidean distances |x_i - y_j| over all pairs.

    >>> median_bandwidth([0.0, 1.0], [2.0, 5.0])
    3.0
    """
    left, right = _points(x, y)
    distances = np.empty(len(left) * len(right))
    for part in _row_blocks(len(left), _ROWS):
        start, stop = part.start * len(right), part.stop * len(right)
        distances[start:stop] = _distances(left[part], right).ravel()
    median = float(np.median(distances))
    if not median > 0:
        raise InvalidInput("The median distance between x and y is 0, no bandwidth; give one, or drop repeated points.")
    return median


_KERNELS: dict[str, type[Kernel]] = {
    kernel.name: kernel for kernel in (RBF, Laplace, RationalQuadratic, Product, Mixture)
}


def _distances(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    from scipy.spatial.distance import cdist  # loaded here: it is slow to import

    return np.asarray(cdist(x, y))


def _row_blocks(count: int, rows: int) -> Iterator[slice]:
    for start in range(0, count, rows):
        yield slice(start, min(start + rows, count))


def _points(x: object, y: object) -> tuple[np.ndarray, np.ndarray]:
    left, right = sample("x", x, columns=True), sample("y", y, columns=True)
    if left.shape[1] != right.shape[1]:
        raise InvalidInput(f"x and y must have equally many columns, but have {left.shape[1]} and {right.shape[1]}.")
    return left, right


def _kernels(name: str, values: object) -> tuple[Kernel, ...]:
    if not isinstance(values, (tuple, list)) or not values or not all(isinstance(v, Kernel) for v in values):
        raise InvalidInput(f"{name} must be a non-empty list of kernels, but got {shown(values)}.")
    return tuple(values)
