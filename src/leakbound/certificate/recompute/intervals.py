"""Recomputation of error rates measured on held-out records."""

from __future__ import annotations

from collections.abc import Iterator

from leakbound.certificate.check import Check
from leakbound.certificate.method import Method, Problem
from leakbound.certificate.recompute import answers
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import ball, crossing, flint


def holdout(problem: Problem) -> Iterator[Check]:
    """The error rate p at which so few errors have probability 1 - confidence: the incomplete beta function."""
    answers.expect_kind(problem, "risk")
    errors, records = problem.inputs.whole("errors"), problem.inputs.whole("records", low=1)
    if errors > records:
        raise InvalidCertificate(f"inputs.errors is {errors} of inputs.records {records}; it does not fit.")
    if errors == records or problem.confidence == 1:
        yield answers.exactly(problem, "bound", 1.0)
        return

    def enough(p: float) -> object:
        """P(more than `errors` errors) - confidence, increasing in p."""
        a, b = flint().arb(errors + 1), flint().arb(records - errors)
        if p == 1.0:
            return 1 - ball(problem.confidence)
        return flint().arb.beta_lower(ball(p), a, b, regularized=True) - ball(problem.confidence)

    yield answers.number(problem, "bound", crossing(enough, 0.0, 1.0))


METHODS = {"holdout-clopper-pearson": Method(holdout, assumptions=("independent-holdout",))}
