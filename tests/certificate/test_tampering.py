"""Certificates of every recipe are confirmed, and refuted when the claim is a little too good or no longer follows."""

import contextlib
import itertools

import pytest
from tests.certificate.generated import RECIPES, SLOW, issued
from tests.certificate.tampering import CLOSED_FORM, falsified, too_good

from leakbound.certificate import verify
from leakbound.errors import InvalidCertificate
from leakbound.guarantees.registry import kinds

NAMES = [name for name in RECIPES if name not in SLOW]
SEARCHED = ("renyi to approx-dp", "renyi to tradeoff", "zcdp to approx-dp", "composed by renyi", "composed by zcdp",
            "composed by every route")  # fmt: skip
"""Where it takes seconds to tell by the fast route whether a change matters: a few changes are tried."""


def test_two_hundred_certificates_of_all_kinds_are_generated():
    made = [certificate for name in NAMES if name not in SEARCHED for certificate in issued(name)]
    assert len(made) >= 200
    assert {certificate.claim.kind for certificate in made} == set(kinds())


@pytest.mark.parametrize("name", NAMES)
def test_it_is_confirmed(name):
    for certificate in issued(name):
        assert verify(certificate).status == "confirmed", certificate


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_a_little_too_good_is_refuted(name):
    for certificate in issued(name):
        by = max(CLOSED_FORM, 2 * certificate.evidence["tolerance"])
        for what, forged in too_good(certificate, by):
            verification = verify(forged)
            assert verification.status == "refuted", (what, str(forged), certificate.inputs, str(verification))


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_that_no_longer_follows_is_refuted(name):
    several = name not in SEARCHED
    for certificate in issued(name)[: None if several else 1]:
        for what, forged in itertools.islice(falsified(certificate), None if several else 1):
            status = "refused"  # what no longer fits at all
            with contextlib.suppress(InvalidCertificate):
                status = verify(forged).status
            assert status in ("refuted", "refused"), (what, str(certificate), certificate.inputs)


def test_nearly_every_certificate_can_be_tampered_with():
    made = [certificate for name in NAMES if name not in SEARCHED for certificate in issued(name)]
    assert sum(1 for certificate in made if any(True for _ in too_good(certificate))) > 0.9 * len(made)
