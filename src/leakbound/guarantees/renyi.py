"""Renyi differential privacy at finitely many orders."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.base import Guarantee, common_relation
from leakbound.numerics.rounding import exact, exact_sum_up
from leakbound.numerics.validate import real

_INFINITY = float("inf")


@dataclass(frozen=True)
class RenyiDP(Guarantee):
    """The Renyi divergence of each order is at most the epsilon of the same place (Mironov 2017).

    Order one is the Kullback-Leibler divergence, order infinity is pure differential privacy.

    >>> RenyiDP((2, 8), (0.5, 2.0)).compose(3).epsilons
    (1.5, 6.0)
    """

    orders: tuple[float, ...]
    epsilons: tuple[float, ...]

    kind: ClassVar[str] = "renyi"
    title: ClassVar[str] = "Renyi differential privacy"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"orders": False, "epsilons": True}

    def _clean(self) -> dict[str, Any]:
        orders = _numbers("orders", self.orders, low=1)
        epsilons = _numbers("epsilons", self.epsilons, low=0)
        if len(orders) != len(epsilons):
            raise InvalidInput(
                f"orders and epsilons must be equally long, but got {len(orders)} and {len(epsilons)}; give one each."
            )
        if any(not a < b for a, b in itertools.pairwise(orders)):
            raise InvalidInput(f"orders must increase, but got orders={shown(orders)}; sort them and drop repetitions.")
        return {"orders": orders, "epsilons": epsilons}

    @classmethod
    def _total(cls, parts: Sequence[tuple[RenyiDP, int]]) -> RenyiDP:
        """Add at each order that every part knows: sum of count times epsilon (Mironov 2017, Proposition 1)."""
        relation = common_relation(parts)
        tables = [(dict(zip(part.orders, part.epsilons, strict=True)), n) for part, n in parts]
        orders = tuple(a for a in parts[0][0].orders if all(a in table for table, _ in tables))
        if not orders:
            raise InvalidInput("Renyi guarantees compose order by order, but these share no order; give a common one.")
        sums = (exact_sum_up((Fraction(n), table[a]) for table, n in tables) for a in orders)
        return cls(orders, tuple(sums), neighbouring=relation)

    @classmethod
    def examples(cls) -> tuple[RenyiDP, ...]:
        """Return one and several orders, the ends included."""
        return (
            cls((2.0,), (0.5,)),
            cls((1.0, 1.5, 64.0), (0.1, 0.2, 3.0)),
            cls((2.0, _INFINITY), (0.0, _INFINITY)),
        )

    def __str__(self) -> str:
        best = ", ".join(f"({exact(a)}, {exact(e)})" for a, e in zip(self.orders[:3], self.epsilons[:3], strict=True))
        return f"{best}{', ...' if len(self.orders) > 3 else ''}-Renyi DP"


def _numbers(name: str, values: object, *, low: float) -> tuple[float, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Sequence) or not values:
        raise InvalidInput(f"{name} must be a non-empty list of numbers, but got {name}={shown(values)}.")
    return tuple(real(name, value, low=low, infinite=True) for value in values)
