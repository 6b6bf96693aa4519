"""Curves: named pairs of laws, and finite sets of statements or events, each with its three readings.

A curve answers hockey-stick(epsilon) (rounded up), trade-off(level) (rounded down) and Renyi divergence(order) (rounded
up) for the pair of laws that is hardest to hide among those it allows. A new family is a subclass with a `name`,
registered in the entry-point group `leakbound.curves`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

from leakbound.errors import InvalidInput, NoTheorem, shown
from leakbound.numerics import divergences, normal, polygon
from leakbound.numerics.decimals import digits_for, double_below
from leakbound.numerics.rounding import exact, square_root_ceiling
from leakbound.numerics.validate import probability, real

_DECIMAL_LIMIT = 1e18
_MOST_LINES = 1000


@dataclass(frozen=True)
class Curve(ABC):
    """The shape of a privacy profile and of its trade-off curve."""

    name: ClassVar[str]

    def __post_init__(self) -> None:
        """Refuse bad parameters and store clean ones."""
        for field in fields(self):
            object.__setattr__(self, field.name, self._clean(field.name, getattr(self, field.name)))

    def _clean(self, name: str, value: Any) -> Any:
        return real(name, value, low=0, infinite=True)

    @abstractmethod
    def hockey_stick(self, epsilon: float) -> float:
        """Return delta(epsilon), rounded up."""

    @abstractmethod
    def trade_off(self, level: float) -> float:
        """Return the least type two error at a type one error, rounded down."""

    @abstractmethod
    def renyi(self, order: float) -> float:
        """Return the Renyi divergence of an order of at least one, rounded up."""

    def parameters(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={exact(value)}" for name, value in self.parameters().items())
        return f"{self.name}({inside})"


@dataclass(frozen=True)
class GaussianCurve(Curve):
    """N(0, 1) against N(mu, 1).

    >>> round(GaussianCurve(1.0).hockey_stick(1.0), 6)
    0.126937
    """

    mu: float
    name: ClassVar[str] = "gaussian"

    def hockey_stick(self, epsilon: float) -> float:
        """Return Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)."""
        return normal.hockey_stick_upper(self.mu, epsilon)

    def trade_off(self, level: float) -> float:
        """Return Phi(Phi^-1(1 - level) - mu)."""
        return normal.trade_off_lower(self.mu, level)

    def renyi(self, order: float) -> float:
        """Return order mu^2 / 2."""
        return divergences.gaussian_renyi(order, self.mu)


@dataclass(frozen=True)
class LaplaceCurve(Curve):
    """Lap(0, 1) against Lap(epsilon, 1), the Laplace mechanism with sensitivity over scale equal to epsilon.

    >>> round(LaplaceCurve(1.0).trade_off(0.3), 6)
    0.306566
    """

    epsilon: float
    name: ClassVar[str] = "laplace"

    def hockey_stick(self, epsilon: float) -> float:
        """Return 1 - e^((epsilon - shift)/2), or 0 beyond the shift."""
        return divergences.laplace_hockey_stick(self.epsilon, epsilon)

    def trade_off(self, level: float) -> float:
        """Return 1 - e^shift a below e^-shift/2, e^-shift (1 - a) above 1/2, and e^-shift/(4a) between."""
        if level == 0 or self.epsilon > _DECIMAL_LIMIT:
            return 1.0 if level == 0 else 0.0
        with digits_for(self.epsilon):
            a, shrink = Decimal(level), (-Decimal(self.epsilon)).exp()
            if 2 * a <= shrink:
                return double_below(1 - a / shrink)
            return max(0.0, double_below(shrink * (1 - a) if 2 * a >= 1 else shrink / (4 * a)))

    def renyi(self, order: float) -> float:
        """Return log[a/(2a-1) e^((a-1) shift) + (a-1)/(2a-1) e^(-a shift)] / (a-1)."""
        return divergences.laplace_renyi(order, self.epsilon)


@dataclass(frozen=True)
class DPCurve(Curve):
    """The hardest pair of laws to hide among all (epsilon, delta)-close ones (Kairouz, Oh and Viswanath 2017).

    >>> round(DPCurve(1.0, 0.0).hockey_stick(0.0), 6)
    0.462117
    """

    epsilon: float
    delta: float
    name: ClassVar[str] = "dp"

    def _clean(self, name: str, value: Any) -> Any:
        return probability(name, value) if name == "delta" else super()._clean(name, value)

    def hockey_stick(self, epsilon: float) -> float:
        """Return delta + (1 - delta) (e^eps0 - e^epsilon)^+ / (1 + e^eps0)."""
        if self.epsilon > _DECIMAL_LIMIT:
            return 1.0
        return polygon.hockey_stick_of_statements(((self.epsilon, self.delta),), epsilon)

    def trade_off(self, level: float) -> float:
        """Return max(0, 1 - delta - e^eps0 a, e^-eps0 (1 - delta - a))."""
        return polygon.trade_off_of_statements(((self.epsilon, self.delta),), level)

    def renyi(self, order: float) -> float:
        """Return log[cosh((a - 1/2) eps0) / cosh(eps0/2)] / (a-1), infinite when delta is positive."""
        return math.inf if self.delta > 0 else divergences.two_point_renyi(order, self.epsilon)


@dataclass(frozen=True)
class Lines(Curve):
    """A finite set of lines; subclasses say what a line is."""

    lines: tuple[tuple[float, float], ...]

    def _clean(self, name: str, value: Any) -> Any:
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence) or not 0 < len(value) <= _MOST_LINES:
            raise InvalidInput(f"{name} must be a list of 1 to {_MOST_LINES} pairs of numbers, but got {shown(value)}.")
        for pair in value:
            if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
                raise InvalidInput(f"{name} must hold pairs of numbers, but got the entry {shown(pair)}.")
        return tuple(self._pair(first, second) for first, second in value)

    @abstractmethod
    def _pair(self, first: object, second: object) -> tuple[float, float]:
        """Return a clean line."""

    def __str__(self) -> str:
        return f"{len(self.lines)} {self.name}"


@dataclass(frozen=True)
class Statements(Lines):
    """Lines (epsilon, delta): the trade-off curve is at least 1 - delta - e^epsilon level, and so is its inverse.

    >>> round(Statements(((1.0, 1e-5),)).trade_off(0.0), 6)
    0.99999
    """

    name: ClassVar[str] = "statements"

    def _pair(self, first: object, second: object) -> tuple[float, float]:
        return real("epsilon of a line", first, low=0, infinite=True), probability("delta of a line", second)

    def hockey_stick(self, epsilon: float) -> float:
        """Return the largest delta at epsilon that the statements allow."""
        return polygon.hockey_stick_of_statements(self.lines, epsilon)

    def trade_off(self, level: float) -> float:
        """Return the largest of the lines and their mirror images."""
        return polygon.trade_off_of_statements(self.lines, level)

    def renyi(self, order: float) -> float:
        """Return the Renyi divergence of the extreme pair of laws."""
        return polygon.renyi_of_statements(self.lines, order)


@dataclass(frozen=True)
class Events(Lines):
    """Lines (p, q): delta(epsilon) is at most the largest of p - q e^epsilon and zero, for epsilon >= 0.

    >>> round(Events(((0.7, 0.2),)).hockey_stick(0.5), 6)
    0.370256
    """

    name: ClassVar[str] = "events"

    def _pair(self, first: object, second: object) -> tuple[float, float]:
        return probability("p of a line", first), probability("q of a line", second)

    def hockey_stick(self, epsilon: float) -> float:
        """Return the largest of p - q e^epsilon and zero."""
        return polygon.hockey_stick_of_events(self.lines, epsilon)

    def trade_off(self, level: float) -> float:
        """Return the trade-off curve of the corners of the profile, symmetrised."""
        return polygon.trade_off_of_statements(polygon.statements_of_events(self.lines), level)

    def renyi(self, order: float) -> float:
        """Return the Renyi divergence of the extreme pair of laws, symmetrised."""
        return polygon.renyi_of_statements(polygon.statements_of_events(self.lines), order)


def curve_claim(curve: Curve) -> dict[str, Any]:
    """Return a curve as the fields of a claim: a family with its parameters, or lines."""
    if isinstance(curve, Lines):
        return {"lines": curve.lines}
    return {"family": curve.name, "parameters": curve.parameters()}


def curve_from_claim(
    kind: str, claim: Mapping[str, Any], families: Mapping[str, type[Curve]], lines: type[Lines]
) -> Curve:
    """Rebuild a curve from the fields of a claim."""
    if not isinstance(claim, Mapping) or not all(isinstance(name, str) for name in claim):
        raise InvalidInput(f"A {kind} claim is a map of names to values, but got {shown(claim)}.")
    if set(claim) == {"lines"}:
        return lines(claim["lines"])
    if set(claim) != {"family", "parameters"}:
        raise InvalidInput(
            f"A {kind} claim has either lines, or family and parameters; got {', '.join(sorted(claim))}."
        )
    family, parameters = claim["family"], claim["parameters"]
    if not isinstance(family, str) or family not in families:
        raise InvalidInput(f"family must be one of {', '.join(sorted(families))}, but got family={shown(family)}.")
    names = {field.name for field in fields(families[family])}
    if not isinstance(parameters, Mapping) or set(parameters) != names:
        raise InvalidInput(f"The family {family} needs exactly the parameters {', '.join(sorted(names))}.")
    return families[family](**parameters)


def compose_gaussian(title: str, curves: Sequence[tuple[Curve, int]]) -> GaussianCurve:
    """Return the Gaussian curve of a composition of Gaussian curves; refuse any other curve."""
    total = Fraction(0)
    for curve, count in curves:
        if not isinstance(curve, GaussianCurve):
            raise NoTheorem(
                f"A {title} composes in closed form when it is Gaussian, but got {curve};"
                " compose to a target delta or epsilon instead, which uses numerical composition."
            )
        if math.isinf(curve.mu):
            return GaussianCurve(math.inf)
        total += count * Fraction(curve.mu) ** 2
    return GaussianCurve(square_root_ceiling(total))
