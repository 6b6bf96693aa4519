"""Certificates: a claim with its direction, standing, confidence and assumptions, and its recomputation."""

from leakbound.certificate.assumption import Assumption
from leakbound.certificate.certificate import Certificate
from leakbound.certificate.document import dumps, load, loads, save
from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.standing import Standing
from leakbound.certificate.verify import Verification, verify
from leakbound.certificate.worker import Verifier

__all__ = [
    "Assumption",
    "Certificate",
    "FrozenMap",
    "Standing",
    "Verification",
    "Verifier",
    "dumps",
    "load",
    "loads",
    "save",
    "verify",
]
