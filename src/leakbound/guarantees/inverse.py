"""Inverse questions: the least noise, or the most uses, that keep a target; the answer keeps it as computed safely."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from leakbound.errors import InvalidInput, NoTheorem, shown
from leakbound.guarantees import convert
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.base import Guarantee
from leakbound.guarantees.compose import compose
from leakbound.guarantees.concentrated import ZeroConcentratedDP
from leakbound.guarantees.curves import Curve, GaussianCurve, LaplaceCurve
from leakbound.guarantees.gaussian import GaussianDP
from leakbound.guarantees.pure import PureDP
from leakbound.guarantees.renyi import RenyiDP
from leakbound.numerics.rounding import up
from leakbound.numerics.search import largest_count, smallest_true
from leakbound.numerics.validate import real, whole

_LEAST_NOISE, _MOST_NOISE = 1e-150, 1e150


def gaussian_noise(sensitivity: float, target: Guarantee) -> float:
    """Return the least standard deviation with which adding normal noise keeps the target.

    Formula: the least sigma whose Gaussian curve with mu = sensitivity / sigma (rounded up) implies the target.
    Reference: Balle and Wang (2018).

    >>> round(gaussian_noise(1.0, ApproxDP(1.0, 1e-5)), 4)
    3.7306
    """
    return _least_noise(sensitivity, GaussianCurve, target)


def laplace_noise(sensitivity: float, target: Guarantee) -> float:
    """Return the least scale with which adding Laplace noise keeps the target.

    Formula: the least b whose Laplace curve with shift sensitivity / b (rounded up) implies the target.
    Reference: Dwork, McSherry, Nissim and Smith (2006).

    >>> laplace_noise(1.0, PureDP(0.5)) >= 2.0
    True
    """
    return _least_noise(sensitivity, LaplaceCurve, target)


def most_uses(part: Guarantee, target: ApproxDP, *, limit: int = 1_000_000) -> int:
    """Return the largest number of uses of a guarantee, up to a limit, that keeps (epsilon, delta); zero if none does.

    Formula: the largest n with delta_n(epsilon) <= delta, delta_n by the smallest route of `compose`.

    >>> most_uses(GaussianDP(0.1), ApproxDP(1.0, 1e-5))
    7
    """
    if not isinstance(target, ApproxDP):
        raise NoTheorem(f"The target must be an (epsilon, delta) guarantee, but got {target}; give an ApproxDP.")

    def kept(count: int) -> bool:
        return compose([(part, count)], epsilon=target.epsilon).guarantee.delta <= target.delta

    return largest_count(kept, whole("limit", limit, low=1))


def _least_noise(sensitivity: float, family: Callable[[float], Curve], target: Guarantee) -> float:
    sensitivity = real("sensitivity", sensitivity, above=0)
    if not isinstance(target, Guarantee):
        raise InvalidInput(f"target must be a guarantee such as ApproxDP(1.0, 1e-5), but got target={shown(target)}.")
    keeps = partial(_keeps, target=target)
    return smallest_true(lambda noise: keeps(family(up(sensitivity / noise))), _LEAST_NOISE, _MOST_NOISE)


def _keeps(curve: Curve, *, target: Guarantee) -> bool:
    if isinstance(target, ApproxDP):
        return curve.hockey_stick(target.epsilon) <= target.delta
    if isinstance(target, RenyiDP):
        return all(curve.renyi(a) <= e for a, e in zip(target.orders, target.epsilons, strict=True))
    if isinstance(curve, GaussianCurve) and isinstance(target, GaussianDP):
        return curve.mu <= target.mu
    if isinstance(curve, GaussianCurve) and isinstance(target, ZeroConcentratedDP):
        return convert.gdp_to_zcdp(GaussianDP(curve.mu)).rho <= target.rho
    if isinstance(curve, LaplaceCurve) and isinstance(target, PureDP):
        return curve.epsilon <= target.epsilon
    raise NoTheorem(f"Noise with a {curve.name} curve cannot be set for a {target.kind} target; ask for another kind.")
