"""Conversions between guarantees: one function, one theorem, one citation each; every result errs on the safe side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from leakbound.errors import NoTheorem
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.arrows import arrow
from leakbound.guarantees.concentrated import ZeroConcentratedDP
from leakbound.guarantees.curves import DPCurve, Events, GaussianCurve, Statements
from leakbound.guarantees.gaussian import GaussianDP
from leakbound.guarantees.kernel_renyi import KernelRenyiDP
from leakbound.guarantees.max_information import MaxInformation
from leakbound.guarantees.mutual_information import MutualInformation
from leakbound.guarantees.profile import PrivacyProfile
from leakbound.guarantees.pure import PureDP
from leakbound.guarantees.reading import approx_from, group_size, information, listed, product, renyi_at
from leakbound.guarantees.renyi import RenyiDP
from leakbound.guarantees.tradeoff import TradeOff
from leakbound.numerics import divergences, joint_range, normal, polygon
from leakbound.numerics.rounding import exact_sum_up
from leakbound.numerics.validate import probability, real, whole

_HARDEST_PAIR = "The hardest pair of approximate differential privacy", "kairouz2017"
_INFORMATION = "Information is at most the largest divergence", "bun2016"
_JOINT_RANGE = "The joint range of two divergences", "asoodeh2020"


@arrow("pure-dp", "approx-dp", "Optimal composition, one use", "kairouz2017", page="dp-curve.md")
def pure_to_approx(given: PureDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    """Give up part of a pure guarantee for a smaller epsilon: delta(eps) = (e^eps0 - e^eps)^+ / (1 + e^eps0).

    >>> pure_to_approx(PureDP(1.0), delta=0.0).epsilon
    1.0
    """
    curve = DPCurve(given.epsilon, 0.0)
    return approx_from(curve.hockey_stick, epsilon=epsilon, delta=delta, neighbouring=given.neighbouring)


@arrow("pure-dp", "profile", "The hardest pair of pure differential privacy", "kairouz2017", page="dp-curve.md")
def pure_to_profile(given: PureDP) -> PrivacyProfile:
    """Return the profile of the hardest pair: delta(eps) = (e^eps0 - e^eps)^+ / (1 + e^eps0).

    >>> round(pure_to_profile(PureDP(1.0)).delta(0.0), 6)
    0.462117
    """
    return PrivacyProfile(DPCurve(given.epsilon, 0.0), neighbouring=given.neighbouring)


@arrow("pure-dp", "tradeoff", "Wasserman and Zhou's region", "wasserman2010", page="dp-curve.md")
def pure_to_tradeoff(given: PureDP) -> TradeOff:
    """Return f(a) = max(0, 1 - e^eps a, e^-eps (1 - a)).

    >>> round(pure_to_tradeoff(PureDP(1.0)).beta(0.1), 6)
    0.728172
    """
    return TradeOff(DPCurve(given.epsilon, 0.0), neighbouring=given.neighbouring)


@arrow("pure-dp", "gdp", "The corner of the pure region lies on a Gaussian curve", "dong2022", page="pure-to-gdp.md")
def pure_to_gdp(given: PureDP) -> GaussianDP:
    """Return mu = 2 Phi^-1(e^eps / (1 + e^eps)), the least mu whose curve lies below the pure one.

    >>> round(pure_to_gdp(PureDP(1.0)).mu, 6)
    1.232035
    """
    return GaussianDP(normal.mirror_shift_upper(given.epsilon), neighbouring=given.neighbouring)


@arrow("pure-dp", "renyi", "Renyi divergence of randomised response", "mironov2017", page="pure-to-renyi.md")
def pure_to_renyi(given: PureDP, *, orders: Sequence[float]) -> RenyiDP:
    """Return log[cosh((a - 1/2) eps) / cosh(eps/2)] / (a - 1) at each order a.

    >>> round(pure_to_renyi(PureDP(1.0), orders=(2,)).epsilons[0], 6)
    0.735326
    """
    return renyi_at(lambda a: divergences.two_point_renyi(a, given.epsilon), orders, given)


@arrow("pure-dp", "zcdp", "Concavity of log cosh in the square", "bun2016", page="pure-to-zcdp.md")
def pure_to_zcdp(given: PureDP) -> ZeroConcentratedDP:
    """Return rho = eps tanh(eps/2), the least rho that holds for every eps-DP output.

    >>> round(pure_to_zcdp(PureDP(1.0)).rho, 6)
    0.462117
    """
    return ZeroConcentratedDP(divergences.two_point_renyi(1.0, given.epsilon), neighbouring=given.neighbouring)


@arrow("pure-dp", "mutual-information", *_INFORMATION, page="information.md")
def pure_to_mutual_information(given: PureDP, *, records: int = 1, independent: bool = False) -> MutualInformation:
    """Return the nats about `records` records: n g(eps) if independent, else g(n eps), g(e) = e tanh(e/2).

    >>> round(pure_to_mutual_information(PureDP(1.0)).nats, 6)
    0.462117
    """
    group = product(group_size(given, records, independent), given.epsilon)
    nats = divergences.two_point_renyi(1.0, group)
    return information(nats, given, records, independent)


@arrow("pure-dp", "max-information", "Max-information of pure differential privacy", "dwork2015", page="information.md")
def pure_to_max_information(given: PureDP, *, records: int) -> MaxInformation:
    """Return n eps nats for a data set of n records, whatever their law.

    >>> pure_to_max_information(PureDP(0.5), records=100).nats
    50.0
    """
    if given.neighbouring not in ("replace-one", "as-stated"):
        raise NoTheorem(f"Max-information needs replace-one neighbours, not {given.neighbouring}; restate epsilon.")
    nats = exact_sum_up([(Fraction(whole("records", records, low=1)), given.epsilon)])
    return MaxInformation(nats, 0.0, neighbouring=given.neighbouring)


@arrow("approx-dp", "approx-dp", *_HARDEST_PAIR, page="dp-curve.md")
def approx_to_approx(given: ApproxDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    """Move along the curve: delta(eps) = delta0 + (1 - delta0) (e^eps0 - e^eps)^+ / (1 + e^eps0).

    >>> round(approx_to_approx(ApproxDP(1.0, 1e-5), epsilon=0.5).delta, 6)
    0.287656
    """
    curve = DPCurve(given.epsilon, given.delta)
    return approx_from(curve.hockey_stick, epsilon=epsilon, delta=delta, neighbouring=given.neighbouring)


@arrow("approx-dp", "profile", *_HARDEST_PAIR, page="dp-curve.md")
def approx_to_profile(given: ApproxDP) -> PrivacyProfile:
    """Return delta(eps) = delta0 + (1 - delta0) (e^eps0 - e^eps)^+ / (1 + e^eps0).

    >>> round(approx_to_profile(ApproxDP(1.0, 0.25)).delta(2.0), 12)
    0.25
    """
    return PrivacyProfile(DPCurve(given.epsilon, given.delta), neighbouring=given.neighbouring)


@arrow("approx-dp", "tradeoff", "Wasserman and Zhou's region", "wasserman2010", "dong2022", page="dp-curve.md")
def approx_to_tradeoff(given: ApproxDP) -> TradeOff:
    """Return f(a) = max(0, 1 - delta - e^eps a, e^-eps (1 - delta - a)).

    >>> round(approx_to_tradeoff(ApproxDP(1.0, 0.25)).beta(0.0), 12)
    0.75
    """
    return TradeOff(DPCurve(given.epsilon, given.delta), neighbouring=given.neighbouring)


@arrow("profile", "approx-dp", "Reading a profile", "balle2018", page="conjugacy.md")
def profile_to_approx(given: PrivacyProfile, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    """Read delta at epsilon, or the least epsilon for delta.

    >>> round(profile_to_approx(PrivacyProfile(GaussianCurve(1.0)), delta=1e-5).epsilon, 4)
    4.3772
    """
    return approx_from(given.curve.hockey_stick, epsilon=epsilon, delta=delta, neighbouring=given.neighbouring)


@arrow("profile", "tradeoff", "Convex conjugacy", "dong2022", page="conjugacy.md")
def profile_to_tradeoff(given: PrivacyProfile) -> TradeOff:
    """Return f(a) = sup over eps >= 0 of max(0, 1 - delta(eps) - e^eps a, e^-eps (1 - delta(eps) - a)).

    >>> str(profile_to_tradeoff(PrivacyProfile(Events(((0.75, 0.25),)))))
    'trade-off function 2 statements'
    """
    curve = given.curve
    if isinstance(curve, Events):
        curve = Statements(polygon.statements_of_events(curve.lines))
    return TradeOff(curve, neighbouring=given.neighbouring)


@arrow("profile", "renyi", "Renyi divergence of the extreme pair", "dong2022", page="tradeoff-to-renyi.md")
def profile_to_renyi(given: PrivacyProfile, *, orders: Sequence[float]) -> RenyiDP:
    """Return the Renyi divergence of the hardest pair the profile allows, symmetrised.

    >>> profile_to_renyi(PrivacyProfile(GaussianCurve(1.0)), orders=(4,)).epsilons
    (2.0,)
    """
    return renyi_at(given.curve.renyi, orders, given)


@arrow("tradeoff", "approx-dp", "Convex conjugacy", "dong2022", page="conjugacy.md")
def tradeoff_to_approx(given: TradeOff, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    """Read delta(eps) = 1 - inf over a of f(a) + e^eps a, or the least epsilon for delta.

    >>> round(tradeoff_to_approx(TradeOff(GaussianCurve(1.0)), epsilon=1.0).delta, 6)
    0.126937
    """
    return approx_from(given.curve.hockey_stick, epsilon=epsilon, delta=delta, neighbouring=given.neighbouring)


@arrow("tradeoff", "profile", "Convex conjugacy", "dong2022", page="conjugacy.md")
def tradeoff_to_profile(given: TradeOff) -> PrivacyProfile:
    """Return delta(eps) = 1 - inf over a of f(a) + e^eps a.

    >>> round(tradeoff_to_profile(TradeOff(Statements(((1.0, 0.0),)))).delta(0.0), 6)
    0.462117
    """
    curve = given.curve
    if isinstance(curve, Statements):
        curve = Events(polygon.events_of_statements(curve.lines))
    return PrivacyProfile(curve, neighbouring=given.neighbouring)


@arrow("tradeoff", "renyi", "Renyi divergence of the extreme pair", "dong2022", page="tradeoff-to-renyi.md")
def tradeoff_to_renyi(given: TradeOff, *, orders: Sequence[float]) -> RenyiDP:
    """Return log of the integral of |f'|^(1-a), over a - 1; infinite where f reaches zero before one.

    >>> tradeoff_to_renyi(TradeOff(GaussianCurve(1.0)), orders=(4,)).epsilons
    (2.0,)
    """
    return renyi_at(given.curve.renyi, orders, given)


@arrow("gdp", "approx-dp", "The Gaussian profile", "balle2018gaussian", "dong2022", page="gaussian-profile.md")
def gdp_to_approx(given: GaussianDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    """Return delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), or the least eps for delta.

    >>> round(gdp_to_approx(GaussianDP(1.0), epsilon=1.0).delta, 6)
    0.126937
    """
    curve = GaussianCurve(given.mu)
    return approx_from(curve.hockey_stick, epsilon=epsilon, delta=delta, neighbouring=given.neighbouring)


@arrow("gdp", "profile", "The Gaussian profile", "balle2018gaussian", "dong2022", page="gaussian-profile.md")
def gdp_to_profile(given: GaussianDP) -> PrivacyProfile:
    """Return delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).

    >>> str(gdp_to_profile(GaussianDP(1.0)))
    'privacy profile gaussian(mu=1)'
    """
    return PrivacyProfile(GaussianCurve(given.mu), neighbouring=given.neighbouring)


@arrow("gdp", "tradeoff", "Definition", "dong2022", page="gaussian-profile.md")
def gdp_to_tradeoff(given: GaussianDP) -> TradeOff:
    """Return f(a) = Phi(Phi^-1(1 - a) - mu).

    >>> round(gdp_to_tradeoff(GaussianDP(1.0)).beta(0.05), 6)
    0.740489
    """
    return TradeOff(GaussianCurve(given.mu), neighbouring=given.neighbouring)


@arrow("gdp", "renyi", "Renyi divergence of two normals", "dong2022", "mironov2017", page="gaussian-profile.md")
def gdp_to_renyi(given: GaussianDP, *, orders: Sequence[float]) -> RenyiDP:
    """Return a mu^2 / 2 at each order a.

    >>> gdp_to_renyi(GaussianDP(1.0), orders=(2, 8)).epsilons
    (1.0, 4.0)
    """
    return renyi_at(GaussianCurve(given.mu).renyi, orders, given)


@arrow("gdp", "zcdp", "Renyi divergence of two normals", "dong2022", "bun2016", page="gaussian-profile.md")
def gdp_to_zcdp(given: GaussianDP) -> ZeroConcentratedDP:
    """Return rho = mu^2 / 2.

    >>> gdp_to_zcdp(GaussianDP(2.0)).rho
    2.0
    """
    return ZeroConcentratedDP(divergences.gaussian_renyi(1.0, given.mu), neighbouring=given.neighbouring)


@arrow("gdp", "mutual-information", *_INFORMATION, page="information.md")
def gdp_to_mutual_information(given: GaussianDP, *, records: int = 1, independent: bool = False) -> MutualInformation:
    """Return the nats about `records` records: n mu^2/2 if independent, else n^2 mu^2/2.

    >>> gdp_to_mutual_information(GaussianDP(1.0)).nats
    0.5
    """
    return zcdp_to_mutual_information(gdp_to_zcdp(given), records=records, independent=independent)


@arrow("renyi", "approx-dp", *_JOINT_RANGE, page="renyi-to-approx-dp.md")
def renyi_to_approx(given: RenyiDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    """Return the least, over the orders, of the largest delta (or epsilon) a Renyi divergence of that order allows.

    >>> round(renyi_to_approx(RenyiDP((2,), (0.5,)), epsilon=1.0).delta, 4)
    0.0897
    """
    pairs = list(zip(given.orders, given.epsilons, strict=True))
    if delta is None or epsilon is not None:
        return approx_from(
            lambda e: min(joint_range.largest_hockey_stick(order, bound, e) for order, bound in pairs),
            epsilon=epsilon, delta=delta, neighbouring=given.neighbouring,
        )  # fmt: skip
    delta, best = probability("delta", delta), math.inf
    pairs.sort(key=lambda pair: joint_range.familiar_threshold(pair[0], pair[1], delta))
    for order, bound in pairs:
        best = min(best, joint_range.least_threshold(order, bound, delta, below=best))
    return ApproxDP(best, delta, neighbouring=given.neighbouring)


@arrow("renyi", "tradeoff", *_JOINT_RANGE, page="renyi-to-approx-dp.md")
def renyi_to_tradeoff(given: RenyiDP, *, epsilons: Sequence[float]) -> TradeOff:
    """Return the statements (eps, delta(eps)) at the given epsilons.

    >>> round(renyi_to_tradeoff(RenyiDP((2,), (0.5,)), epsilons=(0.0, 1.0)).beta(0.0), 4)
    0.9103
    """
    values = tuple(real("epsilons", e, low=0) for e in listed("epsilons", epsilons))
    lines = tuple((e, renyi_to_approx(given, epsilon=e).delta) for e in values)
    return TradeOff(Statements(lines), neighbouring=given.neighbouring)


@arrow("renyi", "mutual-information", *_INFORMATION, page="information.md")
def renyi_to_mutual_information(given: RenyiDP, *, records: int = 1, independent: bool = False) -> MutualInformation:
    """Return n times the least epsilon, the nats about n independent records; nothing is known of dependent ones.

    >>> renyi_to_mutual_information(RenyiDP((2, 4), (0.5, 0.75))).nats
    0.5
    """
    if group_size(given, records, independent) > 1:
        raise NoTheorem("A Renyi bound says nothing of two steps: give replace-one neighbours and independent records.")
    return information(min(given.epsilons), given, records, independent=True)


@arrow("renyi", "kernel-renyi", "Monotonicity of kernel divergences", "domingo2022", page="kernel-renyi.md")
def renyi_to_kernel_renyi(given: RenyiDP, *, kernel: str, order: float, regularization: float) -> KernelRenyiDP:
    """Return the least epsilon at an order of at least the asked one: kernel divergences are no larger.

    >>> renyi_to_kernel_renyi(RenyiDP((2,), (0.5,)), kernel="rbf(bandwidth=1.0)", order=2, regularization=0.01).epsilon
    0.5
    """
    order = real("order", order, low=1, infinite=True)
    known = [bound for at, bound in zip(given.orders, given.epsilons, strict=True) if at >= order]
    if not known:
        raise NoTheorem(f"Nothing is known at order {order} or above; give a Renyi guarantee of a larger order.")
    return KernelRenyiDP(kernel, order, regularization, min(known), neighbouring=given.neighbouring)


@arrow("zcdp", "approx-dp", *_JOINT_RANGE, "bun2016", page="renyi-to-approx-dp.md")
def zcdp_to_approx(given: ZeroConcentratedDP, *, epsilon: float | None = None, delta: float | None = None) -> ApproxDP:
    """Return the Renyi conversion at the best order found, of all orders above one.

    >>> round(zcdp_to_approx(ZeroConcentratedDP(0.5), delta=1e-5).epsilon, 3)
    4.728
    """
    if delta is None or epsilon is not None:
        return approx_from(
            lambda e: joint_range.over_orders(given.rho, e)[0],
            epsilon=epsilon, delta=delta, neighbouring=given.neighbouring,
        )  # fmt: skip
    delta = probability("delta", delta)
    return ApproxDP(joint_range.threshold_over_orders(given.rho, delta)[0], delta, neighbouring=given.neighbouring)


@arrow("zcdp", "renyi", "Definition", "bun2016", page="information.md")
def zcdp_to_renyi(given: ZeroConcentratedDP, *, orders: Sequence[float]) -> RenyiDP:
    """Return rho a at each order a.

    >>> zcdp_to_renyi(ZeroConcentratedDP(0.5), orders=(2, 8)).epsilons
    (1.0, 4.0)
    """
    return renyi_at(lambda a: product(a, given.rho), orders, given)


@arrow("zcdp", "mutual-information", *_INFORMATION, page="information.md")
def zcdp_to_mutual_information(
    given: ZeroConcentratedDP, *, records: int = 1, independent: bool = False
) -> MutualInformation:
    """Return the nats about `records` records: n rho if independent, else n^2 rho.

    >>> zcdp_to_mutual_information(ZeroConcentratedDP(0.5), records=3).nats
    4.5
    """
    group = group_size(given, records, independent)
    return information(product(group**2, given.rho), given, records, independent)
