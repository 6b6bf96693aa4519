"""What is published: records of a linear generator whose weights were perturbed once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from leakbound.numerics.rounding import ceiling
from leakbound.numerics.validate import real, whole

LARGEST = 10**9
"""No more features, outputs or rows than this."""


@dataclass(frozen=True)
class Publication:
    """`rows` records V z of a generator with `outputs` times `features` weights V, each perturbed by normal noise.

    `sensitivity` bounds the Frobenius distance between the unperturbed weights of neighbouring data sets, and
    `norm_bound` their Frobenius norm; `noise` is the standard deviation added to every weight.

    >>> Publication(features=12, outputs=1, rows=1, noise=2.0, sensitivity=1.0).shift
    0.5
    """

    features: int
    outputs: int
    rows: int
    noise: float
    sensitivity: float
    norm_bound: float | None = None

    def __post_init__(self) -> None:
        """Refuse bad values and store clean ones."""
        for name in ("features", "outputs", "rows"):
            object.__setattr__(self, name, whole(name, getattr(self, name), low=1, high=LARGEST))
        for name in ("noise", "sensitivity"):
            object.__setattr__(self, name, real(name, getattr(self, name), above=0))
        if self.norm_bound is not None:
            object.__setattr__(self, "norm_bound", real("norm_bound", self.norm_bound, above=0))

    @property
    def shift(self) -> float:
        """The largest distance of neighbouring weights in units of the noise, rounded up.

        Formula: min(sensitivity, 2 norm_bound) / noise.
        """
        widest = Fraction(self.sensitivity)
        if self.norm_bound is not None:
            widest = min(widest, 2 * Fraction(self.norm_bound))
        return ceiling(widest / Fraction(self.noise))

    @property
    def norm(self) -> float | None:
        """The bound on the norm of the weights in units of the noise, rounded up; None without one."""
        return None if self.norm_bound is None else ceiling(Fraction(self.norm_bound) / Fraction(self.noise))

    @property
    def kept(self) -> int:
        """The dimension of the space that the seeds span: the lesser of rows and features."""
        return min(self.rows, self.features)

    def inputs(self) -> dict[str, float | int]:
        """Return the numbers by name, as certificates hold them."""
        numbers: dict[str, float | int] = {
            "features": self.features,
            "outputs": self.outputs,
            "rows": self.rows,
            "noise": self.noise,
            "sensitivity": self.sensitivity,
        }
        return numbers if self.norm_bound is None else {**numbers, "norm_bound": self.norm_bound}
