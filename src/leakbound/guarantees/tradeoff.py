"""Trade-off functions (f-DP): the least type two error as a function of the type one error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.guarantees.curves import (
    Curve,
    DPCurve,
    GaussianCurve,
    LaplaceCurve,
    Lines,
    Statements,
    compose_gaussian,
    curve_claim,
    curve_from_claim,
)
from leakbound.guarantees.registry import curve_families
from leakbound.numerics.validate import probability


@dataclass(frozen=True)
class TradeOff(Guarantee):
    """Every test of M(D) against M(D') at level a has type two error at least f(a) (Dong, Roth and Su 2022).

    The curve is a named family, or statements (epsilon, delta): f is the largest of the lines 1 - delta - e^epsilon a,
    of their mirror images e^-epsilon (1 - delta - a), and of zero.

    >>> round(TradeOff(GaussianCurve(1.0)).beta(0.05), 6)
    0.740489
    """

    curve: Curve

    kind: ClassVar[str] = "tradeoff"
    title: ClassVar[str] = "trade-off function"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"mu": True, "epsilon": True, "delta": True}

    def _clean(self) -> dict[str, Any]:
        wrong_lines = isinstance(self.curve, Lines) and not isinstance(self.curve, Statements)
        if wrong_lines or not isinstance(self.curve, Curve):
            raise InvalidInput(f"curve must be a Curve such as GaussianCurve(1.0), but got {shown(self.curve)}.")
        return {"curve": self.curve}

    def beta(self, level: float) -> float:
        """Return the least type two error at a type one error, rounded down."""
        return self.curve.trade_off(probability("level", level))

    def claim(self) -> dict[str, Any]:
        """Return the family and its parameters, or the lines."""
        return curve_claim(self.curve)

    @classmethod
    def from_claim(cls, claim: Mapping[str, Any], neighbouring: str) -> TradeOff:
        """Rebuild the trade-off function from `claim()`."""
        return cls(curve_from_claim(cls.kind, claim, curve_families(), Statements), neighbouring=neighbouring)

    @classmethod
    def _total(cls, parts: Sequence[tuple[TradeOff, int]]) -> TradeOff:
        """Compose Gaussian curves in quadrature; others have no closed form and are refused here."""
        curve = compose_gaussian(cls.title, [(part.curve, n) for part, n in parts])
        return cls(curve, neighbouring=common_relation(parts))

    @classmethod
    def examples(cls) -> tuple[TradeOff, ...]:
        """Return one of each family and a polygon."""
        curves = GaussianCurve(0.5), LaplaceCurve(1.0), DPCurve(1.0, 1e-6), Statements(((0.0, 0.3), (1.0, 0.01)))
        return tuple(cls(curve) for curve in curves)

    def __str__(self) -> str:
        return f"trade-off function {self.curve}"
