"""Recomputation of what `account` certifies, in ball arithmetic and by other formulas than the fast route's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from leakbound.certificate.check import Check
from leakbound.certificate.method import Method, Problem
from leakbound.certificate.recompute import answers
from leakbound.certificate.record import Record
from leakbound.certificate.standing import Standing
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import ball, enclose, normal_tail
from leakbound.synthetic.recompute.everywhere import Everywhere
from leakbound.synthetic.recompute.norms import Norms
from leakbound.synthetic.recompute.setting import Setting
from leakbound.synthetic.recompute.subspace import Subspace

Interval = tuple[float, float]
Renyi = Callable[[float, Record], Interval]
Delta = Callable[[float, Record], Interval]


def _checks(problem: Problem, setting: Setting, own_renyi: Renyi, own_delta: Delta) -> Iterator[Check]:
    """Check a claim of any of the four kinds of question, number by number, each with its piece of evidence.

    Evidence may name post-processing, which bounds every seed model.
    """
    numbers = problem.evidence.records("numbers")

    def renyi(order: float, evidence: Record) -> Interval:
        return _gaussian_renyi(setting, order) if _is_plain(evidence) else own_renyi(order, evidence)

    def delta(epsilon: float, evidence: Record) -> Interval:
        return _gaussian(setting, epsilon) if _is_plain(evidence) else own_delta(epsilon, evidence)

    if "orders" in problem.inputs:
        yield from _orders(problem, numbers, renyi)
    elif "epsilons" in problem.inputs:
        yield from _statements(problem, numbers, delta)
    else:
        _refuse_other_count(1, len(numbers))
        yield from answers.approximate_between(problem, lambda e: delta(e, numbers[0]))


def _orders(problem: Problem, numbers: tuple[Record, ...], renyi: Renyi) -> Iterator[Check]:
    answers.expect_kind(problem, "renyi")
    asked = problem.inputs.numbers("orders", low=1.0)
    orders, claimed = problem.claim.numbers("orders"), problem.claim.numbers("epsilons")
    _refuse_other_count(len(asked), len(orders), len(claimed), len(numbers))
    for order, place, bound, evidence in zip(asked, orders, claimed, numbers, strict=True):
        yield Check("orders entry", place, order, order, problem.tolerance, larger_is_weaker=False)
        yield Check(f"epsilon at order {order:g}", bound, *renyi(order, evidence), problem.tolerance, True)


def _statements(problem: Problem, numbers: tuple[Record, ...], delta: Delta) -> Iterator[Check]:
    answers.expect_kind(problem, "tradeoff")
    asked, lines = problem.inputs.numbers("epsilons"), problem.claim.pairs("lines")
    _refuse_other_count(len(asked), len(lines), len(numbers))
    for epsilon, (place, bound), evidence in zip(asked, lines, numbers, strict=True):
        yield Check("epsilon of a line", place, epsilon, epsilon, problem.tolerance, True)
        yield Check(f"delta at {epsilon:g}", bound, *delta(epsilon, evidence), problem.tolerance, True)


def _refuse_other_count(asked: int, *given: int) -> None:
    if any(count != asked for count in given):
        raise InvalidCertificate(
            f"The inputs ask for {asked} numbers, but the certificate has others; it does not fit."
        )


def fixed(problem: Problem) -> Iterator[Check]:
    """Two normals sensitivity / noise apart."""
    setting = Setting.read(problem.inputs)
    return _checks(
        problem, setting, lambda order, _: _gaussian_renyi(setting, order), lambda e, _: _gaussian(setting, e)
    )


def _is_plain(evidence: Record) -> bool:
    return "post_processing" in evidence and evidence.flag("post_processing")


def _gaussian_renyi(setting: Setting, order: float) -> Interval:
    return enclose(lambda: ball(order) * setting.shift() ** 2 / 2)


def _gaussian(setting: Setting, epsilon: float) -> Interval:
    def value() -> Any:
        mu, e = setting.shift(), ball(epsilon)
        return normal_tail(e / mu - mu / 2) - e.exp() * normal_tail(e / mu + mu / 2)

    return (0.0, 0.0) if epsilon == float("inf") else answers.probability(value)


def public(problem: Problem) -> Iterator[Check]:
    """The mean over a random subspace: 1F1 for Renyi divergences, rigorous quadrature over its angle for deltas."""
    setting = Setting.read(problem.inputs)
    subspace = Subspace(setting)

    def delta(epsilon: float, evidence: Record) -> Interval:
        plain = _gaussian(setting, epsilon)
        own = subspace.delta(epsilon, evidence)
        return min(own[0], plain[0]), min(own[1], plain[1])

    return _checks(problem, setting, lambda order, _: subspace.renyi(order), delta)


def hidden(problem: Problem) -> Iterator[Check]:
    """The pair of norms that the evidence names, and others around it, on adaptive cells; no more than public seeds."""
    setting = Setting.read(problem.inputs)
    if setting.outputs > 1:
        yield from public(problem)
        return
    norms = Norms(setting)

    def renyi(order: float, evidence: Record) -> Interval:
        return (order, order) if order == float("inf") else norms.renyi(order, evidence.number("norm"))

    def delta(epsilon: float, evidence: Record) -> Interval:
        return (0.0, 0.0) if epsilon == float("inf") else norms.delta(epsilon, evidence.number("norm"))

    numbers = problem.evidence.records("numbers")
    if "delta" not in problem.inputs or _is_plain(numbers[0]):
        yield from _checks(problem, setting, renyi, delta)
        return
    _refuse_other_count(1, len(numbers))
    answers.expect_kind(problem, "approx-dp")
    target = problem.inputs.number("delta", high=1.0)
    yield answers.exactly(problem, "delta", target)
    if not 0 < target < 1:
        raise InvalidCertificate(f"A delta of {target!r} needs no pair of norms; the evidence does not fit.")
    yield answers.number(problem, "epsilon", norms.epsilon(target, numbers[0].number("norm")))


_ENOUGH = 1.0083
"""How close to what one pair attains the bound over all norms is to be: a little closer than claims are made."""


def hidden_rigorous(problem: Problem) -> Iterator[Check]:
    """All norms at once, by the cells that the evidence lists; where it says so, public seeds or post-processing."""
    setting = Setting.read(problem.inputs)
    subspace = Subspace(setting)

    def everywhere(evidence: Record) -> Everywhere:
        if setting.outputs > 1:
            raise InvalidCertificate("Cells of norms are for one output; the evidence does not fit.")
        gap = evidence.number("gap") if "gap" in evidence else None
        return Everywhere(setting, evidence.numbers("edges"), gap)

    def renyi(order: float, evidence: Record) -> Interval:
        if _is_public(evidence):
            return subspace.renyi(order)
        low = Norms(setting).renyi(order, evidence.number("norm"))[0]
        return low, everywhere(evidence).renyi(order, low * _ENOUGH)

    def delta(epsilon: float, evidence: Record) -> Interval:
        if _is_public(evidence) or epsilon == float("inf"):
            return subspace.delta(epsilon, evidence)
        low = Norms(setting).delta(epsilon, evidence.number("norm"))[0]
        return low, everywhere(evidence).delta(epsilon, low * _ENOUGH)

    numbers = problem.evidence.records("numbers")
    if "delta" not in problem.inputs or _is_plain(numbers[0]) or _is_public(numbers[0]):
        yield from _checks(problem, setting, renyi, delta)
        return
    _refuse_other_count(1, len(numbers))
    answers.expect_kind(problem, "approx-dp")
    target = problem.inputs.number("delta", high=1.0, low=5e-324)
    yield answers.exactly(problem, "delta", target)
    claimed = problem.claim.number("epsilon")
    low = Norms(setting).epsilon(target, numbers[0].number("norm"))[0] if target < 1 else 0.0
    high = claimed if everywhere(numbers[0]).delta(claimed, target) <= target else float("inf")
    yield answers.number(problem, "epsilon", (low, max(low, high)))


def _is_public(evidence: Record) -> bool:
    return "public_seeds" in evidence and evidence.flag("public_seeds")


_NEEDED = (
    "sensitivity-bound",
    "noise-added-once",
)
_BOUNDED = (("norm_bound", "norm-bound"),)
_SEEDS = ("isotropic-seeds", "unselected-rows", "all-rows-counted")

METHODS = {
    "account-fixed": Method(fixed, assumptions=_NEEDED, when=_BOUNDED),
    "account-public": Method(public, tolerance=1e-7, assumptions=(*_NEEDED, *_SEEDS), when=_BOUNDED),
    "account-hidden": Method(
        hidden,
        tolerance=1e-3,
        firmest=Standing.NUMERICAL,
        assumptions=(*_NEEDED, *_SEEDS, "secret-seeds"),
        when=_BOUNDED,
    ),
    "account-hidden-rigorous": Method(
        hidden_rigorous, tolerance=1e-9, assumptions=(*_NEEDED, *_SEEDS, "secret-seeds"), when=_BOUNDED
    ),
}
