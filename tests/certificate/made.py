"""Certificates made by hand, as a forger or another program might write them."""

from leakbound.certificate import Assumption, Certificate, Standing
from leakbound.certificate.verify import methods


def made(method, claim, inputs, evidence=None, *, confidence=1.0, standing=Standing.NUMERICAL):
    """Return a certificate of a method with its assumptions and tolerance, and nothing computed."""
    return Certificate(
        claim=claim,
        direction="upper",
        standing=standing,
        confidence=confidence,
        assumptions=tuple(Assumption(name, "It holds.", "caller", "void") for name in methods()[method].assumptions),
        method=method,
        references=(),
        inputs=inputs,
        evidence={"tolerance": methods()[method].tolerance, **(evidence or {})},
        series={},
        provenance={},
    )
