"""Laws of families of curves: the three readings of one pair of laws agree with each other."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields
from typing import Any

from leakbound.checks import values
from leakbound.checks.law import Law, expect, law
from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.curves import Curve, Events, curve_claim, curve_from_claim

_PROBES = (0.0, 1e-6, 0.3, 1.0, 2.0, 40.0)
_MOST_EXAMPLES = 36
_EPSILONS = (0.0, 1e-3, 0.1, 0.5, 1.0, 3.0, 10.0, 700.0)
_LEVELS = (0.0, 1e-9, 1e-3, 0.1, 0.3, 0.5, 0.7, 0.999, 1.0)
_ORDERS = (1.0, 1.001, 1.5, 2.0, 8.0, 100.0, math.inf)
_CLOSE = 1e-9


def is_curve(subject: Any) -> bool:
    """Whether a subject is a class of curves."""
    return isinstance(subject, type) and issubclass(subject, Curve)


def examples(subject: type[Curve]) -> tuple[Curve, ...]:
    """Return curves of a family: its own examples, or what its parameters take of a few numbers.

    >>> from leakbound.guarantees import GaussianCurve
    >>> examples(GaussianCurve)[0]
    GaussianCurve(mu=0.0)
    """
    if hasattr(subject, "examples"):
        return tuple(subject.examples())
    found = []
    for choice in itertools.islice(itertools.product(_PROBES, repeat=len(fields(subject))), _MOST_EXAMPLES):
        try:
            found.append(subject(*choice))
        except InvalidInput:
            continue
    expect(len(found) > 0, f"none of {_PROBES} are parameters of {subject.__name__}; give it a classmethod examples()")
    return tuple(found)


@law(is_curve)
def is_a_value(subject: type[Curve]) -> None:
    """A curve is frozen, hashes, pickles and prints as one line."""
    for test in (values.do_not_change, values.hash_alike, values.pickle_alike, values.print_one_line):
        test(examples(subject))


@law(is_curve)
def states_its_parameters(subject: type[Curve]) -> None:
    """A curve is made again from the family and the parameters of its claim."""
    for curve in examples(subject):
        again = curve_from_claim("profile", curve_claim(curve), {subject.name: subject}, Events)
        expect(again == curve, f"{curve} comes back from its claim as {again}")


@law(is_curve)
def refuses_bad_parameters(subject: type[Curve]) -> None:
    """NaN, minus infinity, negatives, booleans, texts and None are refused as parameters, by name."""
    good = examples(subject)[-1].parameters()
    for name in good:
        for bad in values.NOT_NUMBERS:
            values.refuses(lambda value: subject(**{**good, name: value}), name, bad)  # noqa: B023 - called at once
        values.takes_or_refuses(lambda value: subject(**{**good, name: value}), name, math.inf)  # noqa: B023 - called at once


@law(is_curve)
def reads_as_probabilities(subject: type[Curve]) -> None:
    """Delta and the type two error lie in [0, 1] and never increase; the type two error is below 1 - level."""
    for curve in examples(subject):
        deltas = [curve.hockey_stick(epsilon) for epsilon in (*_EPSILONS, math.inf)]
        betas = [curve.trade_off(level) for level in _LEVELS]
        for name, numbers in (("hockey_stick", deltas), ("trade_off", betas)):
            expect(all(0 <= number <= 1 for number in numbers), f"{name} of {curve} leaves [0, 1]: {shown(numbers)}")
            falls = all(after <= before * (1 + _CLOSE) for before, after in itertools.pairwise(numbers))
            expect(falls, f"{name} of {curve} increases: {shown(numbers, 300)}")
        below = all(beta <= 1 - level + _CLOSE for beta, level in zip(betas, _LEVELS, strict=True))
        expect(below, f"trade_off of {curve} is above 1 - level, which guessing reaches: {shown(betas, 300)}")


@law(is_curve)
def readings_are_conjugate(subject: type[Curve]) -> None:
    """The trade-off curve lies on or above every line 1 - delta(epsilon) - e^epsilon level, and some line meets it."""
    for curve, level in itertools.product(examples(subject), _LEVELS):
        beta = curve.trade_off(level)
        for epsilon in _EPSILONS:
            delta = curve.hockey_stick(epsilon)
            low = max(1 - delta - math.exp(epsilon) * level, math.exp(-epsilon) * (1 - delta - level))
            good = beta >= low - _CLOSE
            expect(good, f"{curve} has delta {delta} at {epsilon}, but its trade-off at {level} is {beta} < {low}")


@law(is_curve)
def divergences_grow(subject: type[Curve]) -> None:
    """Renyi divergences are at least zero and never decrease with the order."""
    for curve in examples(subject):
        found = [curve.renyi(order) for order in _ORDERS]
        grows = all(0 <= before <= after * (1 + _CLOSE) for before, after in itertools.pairwise(found))
        expect(grows, f"the Renyi divergences of {curve} at orders {_ORDERS} decrease: {found}")


LAWS: tuple[Law, ...] = (
    is_a_value,
    states_its_parameters,
    refuses_bad_parameters,
    reads_as_probabilities,
    readings_are_conjugate,
    divergences_grow,
)
