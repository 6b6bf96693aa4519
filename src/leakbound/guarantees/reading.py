"""Small steps that several conversions share: reading a curve, tabulating orders, counting neighbouring steps."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.base import Guarantee
from leakbound.guarantees.mutual_information import MutualInformation
from leakbound.guarantees.renyi import RenyiDP
from leakbound.numerics.rounding import ceiling
from leakbound.numerics.search import smallest_true
from leakbound.numerics.validate import probability, real, whole

LARGEST_EPSILON = 1e18
"""No epsilon beyond this is looked for; where none suffices the answer is infinity."""


def approx_from(
    delta_at: Callable[[float], float], *, epsilon: float | None, delta: float | None, neighbouring: str
) -> ApproxDP:
    """Read (epsilon, delta) off a function that gives a safe delta for an epsilon: exactly one of the two is asked."""
    if (epsilon is None) == (delta is None):
        raise InvalidInput(f"Give exactly one of epsilon and delta, but got epsilon={epsilon} and delta={delta}.")
    if epsilon is not None:
        epsilon = real("epsilon", epsilon, low=0, infinite=True)
        return ApproxDP(epsilon, min(1.0, delta_at(epsilon)), neighbouring=neighbouring)
    delta = probability("delta", delta)
    found = smallest_true(lambda e: delta_at(e) <= delta, 0.0, LARGEST_EPSILON)
    return ApproxDP(found, delta, neighbouring=neighbouring)


def renyi_at(divergence: Callable[[float], float], orders: Sequence[float], given: Guarantee) -> RenyiDP:
    asked = listed("orders", orders)
    clean = RenyiDP(asked, (0.0,) * len(asked)).orders
    return RenyiDP(clean, tuple(divergence(a) for a in clean), neighbouring=given.neighbouring)


def listed(name: str, values: object) -> tuple[Any, ...]:
    """Return anything that lists values as a tuple, or refuse it."""
    if not isinstance(values, (str, bytes)) and isinstance(values, Iterable):
        with contextlib.suppress(TypeError):  # an array of no dimension only looks like a list
            return tuple(values)
    raise InvalidInput(f"{name} must be a list of numbers, but got {name}={shown(values)}; give one.")


def group_size(given: Guarantee, records: int, independent: bool) -> int:
    """Return how many neighbouring steps lead from one value of the secret to another."""
    if not isinstance(independent, bool):
        raise InvalidInput(f"independent must be True or False, but got independent={independent!r}.")
    step = 2 if given.neighbouring == "add-or-remove-one" else 1
    return step if independent else step * whole("records", records, low=1)


def information(nats: float, given: Guarantee, records: int, independent: bool) -> MutualInformation:
    count = whole("records", records, low=1)
    kept = count == 1 or given.neighbouring in ("as-stated", "label-only")
    relation = given.neighbouring if kept else "declared-secret"
    return MutualInformation(product(count if independent else 1, nats), neighbouring=relation)


def product(factor: int | float, value: float) -> float:
    if 0 in (factor, value):
        return 0.0
    return math.inf if math.inf in (factor, value) else ceiling(Fraction(factor) * Fraction(value))
