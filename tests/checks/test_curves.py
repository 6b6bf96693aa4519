import math
from dataclasses import dataclass
from typing import ClassVar

import pytest

from leakbound import checks
from leakbound.checks import curves
from leakbound.checks.law import Violation
from leakbound.guarantees import Curve, DPCurve, Events, GaussianCurve


def broken(subject):
    return {violation.law: str(violation) for violation in checks.run(subject)}


@dataclass(frozen=True)
class Noisy(GaussianCurve):
    """A Gaussian curve with one reading replaced by a test."""

    name: ClassVar[str] = "noisy"


def replaced(**readings):
    return dataclass(frozen=True)(type("Noisy", (Noisy,), readings))


def test_a_family_without_examples_has_those_of_a_few_parameters():
    assert curves.examples(GaussianCurve) == tuple(map(GaussianCurve, curves._PROBES))
    assert checks.run(Noisy) == ()


def test_a_family_may_give_its_own_examples():
    class Own(Noisy):
        @classmethod
        def examples(cls):
            return [cls(0.25)]

    assert curves.examples(Own) == (Own(0.25),)


def test_parameters_that_a_family_refuses_are_no_examples():
    assert all(curve.delta <= 1 for curve in curves.examples(DPCurve))
    with pytest.raises(AssertionError, match="are parameters of Events; give it a classmethod examples"):
        curves.examples(Events)  # whose parameter is a list of pairs


@pytest.mark.parametrize(
    ("readings", "law", "how"),
    [
        ({"hockey_stick": lambda self, e: 1.5}, "reads-as-probabilities", "of noisy(mu=0) leaves [0, 1]"),
        ({"hockey_stick": lambda self, e: min(1.0, e)}, "reads-as-probabilities", "stick of noisy(mu=0) increases"),
        ({"trade_off": lambda self, a: a}, "reads-as-probabilities", "trade_off of noisy(mu=0) increases"),
        ({"trade_off": lambda self, a: 1.0}, "reads-as-probabilities", "is above 1 - level, which guessing reaches"),
        ({"trade_off": lambda self, a: 0.0}, "readings-are-conjugate", "but its trade-off at"),
        ({"hockey_stick": lambda self, e: 0.0}, "readings-are-conjugate", "has delta 0.0 at"),
        ({"renyi": lambda self, a: 1 / a}, "divergences-grow", "decrease"),
        ({"renyi": lambda self, a: -1.0}, "divergences-grow", "decrease"),
        ({"_clean": lambda self, name, value: value}, "refuses-bad-parameters", "mu=nan is accepted"),
        ({"parameters": lambda self: {"mu": self.mu / 2}}, "states-its-parameters", "comes back from its claim as"),
    ],
)  # fmt: skip
def test_a_flaw_breaks_its_law(readings, law, how):
    found = broken(replaced(**readings))
    assert law in found, found
    assert how in found[law]


def test_what_is_no_curve_is_no_subject():
    assert curves.is_curve(Curve)
    assert not curves.is_curve(GaussianCurve(1.0))
    assert not curves.is_curve(math)


def test_a_violation_is_raised_by_a_single_law():
    with pytest.raises(Violation, match=r"^Noisy breaks the law divergences-grow: "):
        curves.divergences_grow.check(replaced(renyi=lambda self, order: -order))
