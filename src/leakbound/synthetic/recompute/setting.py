"""What a certificate's inputs say of the publication, with exact ratios in balls."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import ball


@dataclass(frozen=True)
class Setting:
    """Features, outputs, rows, and the shift and the norm bound in units of the noise, exactly."""

    features: int
    outputs: int
    rows: int
    exact_shift: Fraction
    exact_norm: Fraction | None

    @classmethod
    def read(cls, inputs: Record) -> Setting:
        """Read the inputs; what is no publication is refused."""
        features, outputs, rows = (inputs.whole(name, low=1) for name in ("features", "outputs", "rows"))
        noise, sensitivity = (_positive(inputs, name) for name in ("noise", "sensitivity"))
        if "norm_bound" not in inputs:
            return cls(features, outputs, rows, sensitivity / noise, None)
        norm = _positive(inputs, "norm_bound")
        return cls(features, outputs, rows, min(sensitivity, 2 * norm) / noise, norm / noise)

    @property
    def kept(self) -> int:
        """The dimension of the space that the seeds span."""
        return min(self.rows, self.features)

    def shift(self) -> Any:
        """Return the shift in the precision at work."""
        return ball(self.exact_shift)


def _positive(inputs: Record, name: str) -> Fraction:
    value = inputs.number(name)
    if not 0 < value < float("inf"):
        raise InvalidCertificate(f"The certificate's inputs.{name} must be positive and finite, but is {value!r}.")
    return Fraction(value)
