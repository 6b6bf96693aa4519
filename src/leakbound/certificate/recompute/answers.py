"""From recomputed functions to checks: the same few shapes of answer serve every method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from leakbound.certificate.check import Check
from leakbound.certificate.method import Problem
from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import ball, enclose, precision

Interval = tuple[float, float]


def expect_kind(problem: Problem, kind: str) -> None:
    """Refuse a claim of another kind than the method gives."""
    found = problem.claim.text("kind")
    if found != kind:
        raise InvalidCertificate(f"This method gives {kind} claims, but the claim is of kind {found}; it does not fit.")


def number(problem: Problem, name: str, interval: Interval, *, larger_is_weaker: bool = True) -> Check:
    """Check one number of the claim against an interval."""
    claimed = problem.claim.number(name)
    return Check(name, claimed, *interval, problem.tolerance, larger_is_weaker)


def exactly(problem: Problem, name: str, value: float, *, larger_is_weaker: bool = True) -> Check:
    """Check that a number of the claim is no better than a number that was given."""
    return number(problem, name, (value, value), larger_is_weaker=larger_is_weaker)


def formula(problem: Problem, name: str, value: Callable[[], Any]) -> Check:
    """Check one number of the claim against a formula in balls."""
    return number(problem, name, enclose(value))


def listed(
    problem: Problem, name: str, at: str, given: tuple[float, ...], value: Callable[[float], Any]
) -> Iterator[Check]:
    """Check a list of numbers of the claim, each against a formula at the entry of another list that was given."""
    places, claimed = problem.claim.numbers(at), problem.claim.numbers(name)
    if len(places) != len(given) or len(claimed) != len(given):
        raise InvalidCertificate(f"The claim has {len(places)} {at}, but {len(given)} were given; it does not fit.")
    for place, asked, bound in zip(places, given, claimed, strict=True):
        yield Check(f"{at} entry", place, asked, asked, problem.tolerance, larger_is_weaker=False)
        yield Check(f"{name} at {place:g}", bound, *enclose(lambda: value(asked)), problem.tolerance, True)


def approximate(problem: Problem, delta: Callable[[float], Any]) -> Iterator[Check]:
    """Check an (epsilon, delta) claim against a profile in balls; inputs say which of the two was asked for."""

    def exceeds(epsilon: float, target: float) -> bool | None:
        for bits in _COMPARED:
            with precision(bits):
                over = delta(epsilon) - ball(target)
                if over > 0:
                    return True
                if over <= 0:
                    return False
        return None

    yield from _approximate(problem, lambda e: probability(lambda: delta(e)), exceeds)


def approximate_between(problem: Problem, delta: Callable[[float], Interval]) -> Iterator[Check]:
    """Check an (epsilon, delta) claim against a profile whose values are enclosed in intervals."""

    def exceeds(epsilon: float, target: float) -> bool | None:
        low, high = delta(epsilon)
        return True if low > target else (False if high <= target else None)

    yield from _approximate(problem, delta, exceeds)


def probability(value: Callable[[], Any]) -> Interval:
    """Enclose a formula in balls that is a probability: what a ball has beyond one or below zero is cut off."""
    low, high = enclose(value)
    return min(1.0, max(0.0, low)), min(1.0, high)


_COMPARED = (128, 512, 2048, 8192)
"""Bits with which a delta is compared with a target; what is still equal is left open."""


def _approximate(
    problem: Problem, delta: Callable[[float], Interval], exceeds: Callable[[float, float], bool | None]
) -> Iterator[Check]:
    expect_kind(problem, "approx-dp")
    if "epsilon" in problem.inputs:
        epsilon = problem.inputs.number("epsilon")
        yield exactly(problem, "epsilon", epsilon)
        yield number(problem, "delta", delta(epsilon))
        return
    target = problem.inputs.number("delta", high=1.0)
    yield exactly(problem, "delta", target)
    yield number(problem, "epsilon", _least_epsilon(problem, lambda e: target < 1 and exceeds(e, target)))


def _least_epsilon(problem: Problem, exceeds: Callable[[float], bool | None]) -> Interval:
    """Enclose the least epsilon whose delta does not exceed the target, most closely where the claim is close to it."""
    claimed = problem.claim.number("epsilon")
    if claimed == math.inf:
        return math.inf, math.inf
    found = [0.0, math.inf]

    def look(epsilon: float) -> bool:
        """Narrow the enclosure by the delta at an epsilon, and say whether that could be decided."""
        above = exceeds(epsilon)
        if above is False:
            found[1] = min(found[1], epsilon)
        elif above:
            found[0] = max(found[0], math.nextafter(epsilon, math.inf))
        return above is not None

    for step in (0.0, 2**-52, 1e-15, 1e-13, 1e-11, problem.tolerance, 1e-6):
        for epsilon in {claimed * (1 + step), claimed * (1 - step)}:
            look(epsilon)
        if found[0] > 0 and found[1] < math.inf:
            break
    probe = max(2 * found[0], 1e-12)
    while found[1] == math.inf and probe < 1e18:
        look(probe)
        probe *= 2
    while found[1] < math.inf and found[1] > found[0] * (1 + 1e-6):
        if found[1] < 1e-300 or not look((found[0] + found[1]) / 2):
            break
    return found[0], found[1]


def copied(problem: Problem, kind: str, given: Record, *, weaker: dict[str, bool]) -> Iterator[Check]:
    """Check that a claim repeats, no better, the numbers of a guarantee."""
    expect_kind(problem, kind)
    for name, larger_is_weaker in weaker.items():
        claimed = problem.claim.number(name)
        value = given.number(name)
        yield Check(name, claimed, value, value, problem.tolerance, larger_is_weaker)


def family(problem: Problem, kind: str, name: str, parameters: dict[str, float]) -> Iterator[Check]:
    """Check that a curve's claim is a named family with parameters no better than these."""
    expect_kind(problem, kind)
    found = problem.claim.text("family") if "family" in problem.claim else "lines"
    if found != name:
        raise InvalidCertificate(f"This method gives the family {name}, but the claim has {found}; it does not fit.")
    claimed = problem.claim.record("parameters")
    for parameter, value in parameters.items():
        yield Check(parameter, claimed.number(parameter), value, value, problem.tolerance, True)
