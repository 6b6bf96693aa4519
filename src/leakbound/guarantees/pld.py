"""Numerical composition with dp-accounting's privacy loss distributions, from a pessimistic discretisation.

The library rounds privacy losses up, so its delta is an upper bound but for the rounding of its Fourier transforms,
which has no stated bound; a slack far above what was measured is added. The result is numerical, never proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from leakbound.errors import MissingExtra
from leakbound.guarantees.curves import Curve, DPCurve, Events, GaussianCurve, LaplaceCurve, Statements
from leakbound.numerics import polygon

MOST_USES = 1_000_000
_FARTHEST = 1e18
_LEAST_SPREAD = 1e-6
_INTERVAL = 1e-4
_MOST_POINTS = 1e6
_LOG_TRUNCATION = -80.0
_LIFT = 1 + 1e-6
"""Lifts delta above what another lattice of similar fineness gives, so that a recomputation can prove it."""


def covers(curve: Curve) -> bool:
    """Return whether a curve has a privacy loss distribution here: every family of ours with finite parameters.

    >>> covers(GaussianCurve(1.0)), covers(GaussianCurve(math.inf))
    (True, False)
    """
    if isinstance(curve, (Statements, Events)):
        return True
    known = isinstance(curve, (GaussianCurve, LaplaceCurve, DPCurve))
    return known and all(value < 1e3 for value in curve.parameters().values())


def slack(uses: int) -> float:
    """Return what is added to every delta for the rounding of Fourier transforms: 1e-15 (100 + uses).

    >>> slack(900)
    1e-12
    """
    return 1e-15 * (100 + uses)


def interval(parts: Sequence[tuple[Curve, int]]) -> float:
    """Return the step of the lattice on which losses are rounded up.

    >>> interval([(GaussianCurve(0.5), 4)])
    0.0001
    """
    return max(_INTERVAL, sum(n * _reach(curve) for curve, n in parts) / _MOST_POINTS)


def composed(parts: Sequence[tuple[Curve, int]]) -> Callable[[float], float]:
    """Return the function from epsilon to a safe delta of a composition of curves.

    Reference: Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022).

    >>> delta = composed([(GaussianCurve(0.5), 4)])
    >>> 0.126936 < delta(1.0) < 0.126940
    True
    """
    if any(curve.hockey_stick(_FARTHEST) >= 1 for curve, _ in parts):
        return lambda _: 1.0  # a part that gives everything away
    library, step = _library(), interval(parts)
    whole = None
    for curve, n in parts:
        part = _distribution(library, curve, step).self_compose(n)
        whole = part if whole is None else whole.compose(part)
    assert whole is not None
    extra = slack(sum(n for _, n in parts))

    def delta_at(epsilon: float) -> float:
        value = float(whole.get_delta_for_epsilon(epsilon)) * _LIFT + extra
        return min(1.0, value) if value >= 0 else 1.0  # NaN counts as one

    return delta_at


def _library() -> Any:
    try:
        from dp_accounting.pld import privacy_loss_distribution
    except ImportError:
        raise MissingExtra("dp-accounting", "compose") from None
    return privacy_loss_distribution


def _reach(curve: Curve) -> float:
    """Return roughly how far the losses of one use spread."""
    if isinstance(curve, GaussianCurve):
        return curve.mu**2 / 2
    if isinstance(curve, LaplaceCurve):
        return curve.epsilon
    losses, _ = polygon.losses(_statements(curve))
    return max((loss for loss, _ in losses), default=0.0)


def _statements(curve: Curve) -> polygon.Lines:
    if isinstance(curve, Events):
        return polygon.statements_of_events(curve.lines)
    if isinstance(curve, Statements):
        return curve.lines
    spread = curve.parameters()
    return ((spread.get("epsilon", 0.0), spread.get("delta", 0.0)),)


def _distribution(library: Any, curve: Curve, interval: float) -> Any:
    options = {"value_discretization_interval": interval}
    if isinstance(curve, GaussianCurve) and curve.mu > 0:
        mu = max(curve.mu, _LEAST_SPREAD)
        return library.from_gaussian_mechanism(1 / mu, log_mass_truncation_bound=_LOG_TRUNCATION, **options)
    if isinstance(curve, LaplaceCurve) and curve.epsilon > 0:
        return library.from_laplace_mechanism(1 / max(curve.epsilon, _LEAST_SPREAD), **options)
    losses, infinite = polygon.losses(_statements(curve))
    rounded: dict[int, float] = {}
    for loss, mass in losses:
        index = math.ceil(loss / interval)
        rounded[index] = rounded.get(index, 0.0) + mass
    return library.PrivacyLossDistribution.create_from_rounded_probability(rounded, infinite, interval)
