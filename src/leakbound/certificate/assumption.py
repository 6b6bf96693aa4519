"""Assumptions: what a claim rests on, who checks it, and how bad it is if it fails."""

from __future__ import annotations

from dataclasses import dataclass

from leakbound.errors import InvalidInput, shown
from leakbound.numerics.validate import choice

CHECKERS = ("library", "caller", "nobody")
SEVERITIES = ("void", "weaker", "negligible")
"""If the assumption fails the claim is void, holds in a weaker form, or is off by a negligible amount."""


@dataclass(frozen=True)
class Assumption:
    """One assumption, with an id that stays the same, a sentence, who checks it and its severity.

    >>> Assumption("iid", "The records are independent draws from one law.", "caller", "void").severity
    'void'
    """

    id: str
    text: str
    checked_by: str
    severity: str

    def __post_init__(self) -> None:
        """Refuse empty texts and unknown words."""
        for name in ("id", "text"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise InvalidInput(f"{name} of an assumption must be a non-empty text, but got {name}={shown(value)}.")
        choice("checked_by", self.checked_by, CHECKERS)
        choice("severity", self.severity, SEVERITIES)


STATED = Assumption(
    "stated-guarantee", "What was put in holds: the guarantees or counts given as inputs are true.", "caller", "void"
)
SYMMETRIC = Assumption(
    "symmetric-relation",
    "The neighbouring relation is symmetric: the guarantees given hold for both orders of every pair.",
    "caller",
    "void",
)
REAL_ARITHMETIC = Assumption(
    "real-arithmetic",
    "The release itself behaves as its real-number description: no leak through floating-point noise.",
    "nobody",
    "void",
)
ADAPTIVE = Assumption(
    "fixed-parameters",
    "Each use keeps its stated guarantee whatever the earlier outputs were; how many uses there are was fixed ahead.",
    "caller",
    "void",
)
INDEPENDENT_RELEASES = Assumption(
    "releases-fixed-in-advance",
    "The releases were fixed in advance, and their randomness is independent given the secret.",
    "caller",
    "void",
)
ONE_STEP = Assumption(
    "values-are-neighbours",
    "The relation that was not named lets one record change from any value to any other in one step.",
    "caller",
    "void",
)
INDEPENDENT_RECORDS = Assumption(
    "independent-records", "The records of the data set are independent of each other.", "caller", "void"
)
FIXED_SIZE = Assumption(
    "fixed-size",
    "The secret is a data set of the stated number of records; the number is not secret.",
    "caller",
    "void",
)
KERNEL = Assumption("unit-kernel", "The kernel is positive definite with k(x, x) = 1.", "caller", "void")
IID_HOLDOUT = Assumption(
    "independent-holdout",
    "The held-out records are independent draws from the law of new data, and played no part in choosing the model.",
    "caller",
    "void",
)
FOURIER = Assumption(
    "fourier-rounding",
    "The Fourier transforms of dp-accounting err by less than the slack added to delta.",
    "nobody",
    "negligible",
)
