"""The conformance suite: laws that every guarantee, family of curves and seed model must pass, ours and yours.

Subjects are found by themselves, through the entry-point groups `leakbound.guarantees`, `leakbound.curves` and
`leakbound.seeds`; so are laws, through `leakbound.checks`. In a test of your own package one line is enough,
`assert not checks.run(MyKind)`:

>>> from leakbound import checks
>>> from leakbound.guarantees import PureDP
>>> assert not checks.run(PureDP)

Or one test per law, for everything that is installed:

>>> import pytest
>>> @pytest.mark.parametrize(("subject", "law"), checks.conformance())
... def test_conformance(subject, law):
...     law.check(subject)

An entry point of the group `leakbound.checks` names a module with `LAWS`, a tuple of `Law`, and, where it brings a new
sort of subject, a function `subjects()` that returns them. A law is applied to every subject that it says it applies
to, whoever brought it.
"""

from leakbound.checks.law import Law, Violation, law
from leakbound.checks.suite import conformance, run

__all__ = ["Law", "Violation", "conformance", "law", "run"]
