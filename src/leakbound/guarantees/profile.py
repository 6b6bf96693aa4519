"""Privacy profiles: delta as a function of epsilon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.guarantees.curves import (
    Curve,
    DPCurve,
    Events,
    GaussianCurve,
    LaplaceCurve,
    Lines,
    compose_gaussian,
    curve_claim,
    curve_from_claim,
)
from leakbound.guarantees.registry import curve_families
from leakbound.numerics.validate import real


@dataclass(frozen=True)
class PrivacyProfile(Guarantee):
    """The output is (epsilon, delta(epsilon))-DP for every epsilon >= 0 (Balle, Barthe and Gaboardi 2018).

    The curve is a named family, or events (p, q): delta(epsilon) is the largest of p - q e^epsilon and zero. Known on
    epsilon >= 0 only, it says nothing that tells the two orders of a pair apart, and holds for both.

    >>> round(PrivacyProfile(GaussianCurve(1.0)).delta(1.0), 6)
    0.126937
    """

    curve: Curve

    kind: ClassVar[str] = "profile"
    title: ClassVar[str] = "privacy profile"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"mu": True, "epsilon": True, "delta": True, "p": True, "q": False}

    def _clean(self) -> dict[str, Any]:
        wrong_lines = isinstance(self.curve, Lines) and not isinstance(self.curve, Events)
        if wrong_lines or not isinstance(self.curve, Curve):
            raise InvalidInput(f"curve must be a Curve such as GaussianCurve(1.0), but got {shown(self.curve)}.")
        return {"curve": self.curve}

    def delta(self, epsilon: float) -> float:
        """Return delta at an epsilon of at least zero, rounded up."""
        return self.curve.hockey_stick(real("epsilon", epsilon, low=0, infinite=True))

    def claim(self) -> dict[str, Any]:
        """Return the family and its parameters, or the lines."""
        return curve_claim(self.curve)

    @classmethod
    def from_claim(cls, claim: Mapping[str, Any], neighbouring: str) -> PrivacyProfile:
        """Rebuild the profile from `claim()`."""
        return cls(curve_from_claim(cls.kind, claim, curve_families(), Events), neighbouring=neighbouring)

    @classmethod
    def _total(cls, parts: Sequence[tuple[PrivacyProfile, int]]) -> PrivacyProfile:
        """Compose Gaussian profiles in quadrature; others have no closed form and are refused here."""
        curve = compose_gaussian(cls.title, [(part.curve, n) for part, n in parts])
        return cls(curve, neighbouring=common_relation(parts))

    @classmethod
    def examples(cls) -> tuple[PrivacyProfile, ...]:
        """Return one of each family and a polygon."""
        curves = GaussianCurve(0.5), LaplaceCurve(1.0), DPCurve(1.0, 1e-6), Events(((0.7, 0.2), (0.1, 0.01)))
        return tuple(cls(curve) for curve in curves)

    def __str__(self) -> str:
        return f"privacy profile {self.curve}"
