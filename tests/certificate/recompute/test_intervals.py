import pytest
from tests.certificate.made import made

from leakbound.certificate import issue, verify
from leakbound.errors import InvalidCertificate
from leakbound.guarantees import PureDP, RiskBound

METHOD = "holdout-clopper-pearson"


@pytest.mark.parametrize(
    ("errors", "records"), [(0, 1), (0, 59), (3, 10), (9, 10), (10, 10), (123, 45_678), (1, 10**6)]
)
@pytest.mark.parametrize("confidence", [0.1, 0.5, 0.95, 1 - 1e-9])
def test_a_bound_is_confirmed_and_refuted_when_better(errors, records, confidence):
    certificate = issue.holdout(errors, records, confidence=confidence)
    assert verify(certificate).status == "confirmed"
    bound = certificate.claim.bound
    assert verify(certificate.with_(claim=RiskBound(bound * (1 - 3e-9)))).status == "refuted"
    assert verify(certificate.with_(claim=RiskBound(min(1.0, bound * 1.1)))).status == "confirmed"


def test_the_bound_follows_from_counts_and_confidence():
    certificate = issue.holdout(5, 100, confidence=0.95)
    for changes in ({"errors": 6}, {"records": 99}):
        assert verify(certificate.with_(inputs={**certificate.inputs, **changes})).status == "refuted"
    assert verify(certificate.with_(confidence=0.951)).status == "refuted"
    assert verify(certificate.with_(confidence=0.949)).status == "confirmed"


def test_certainty_has_the_bound_one_only():
    inputs = {"errors": 5, "records": 100}
    assert verify(made(METHOD, RiskBound(1.0), inputs, confidence=1.0)).status == "confirmed"
    assert verify(made(METHOD, RiskBound(0.999), inputs, confidence=1.0)).status != "confirmed"


@pytest.mark.parametrize(
    ("claim", "inputs", "sentence"),
    [
        (PureDP(1.0), {"errors": 1, "records": 2}, "This method gives risk claims, but the claim is of kind pure-dp; it"
                                                   " does not fit."),
        (RiskBound(0.5), {"errors": 3, "records": 2}, "inputs.errors is 3 of inputs.records 2; it does not fit."),
        (RiskBound(0.5), {"errors": 0, "records": 0}, "inputs.records must be a whole number of at least 1, but got"
                                                      " inputs.records=0; give one."),
        (RiskBound(0.5), {"errors": -1, "records": 2}, "inputs.errors must be a whole number of at least 0, but got"
                                                       " inputs.errors=-1; give one."),
        (RiskBound(0.5), {"records": 2}, "The certificate's inputs must have 'errors'; it cannot be recomputed."),
    ],
)  # fmt: skip
def test_wrong_inputs_are_refused(claim, inputs, sentence):
    with pytest.raises(InvalidCertificate) as error:
        verify(made(METHOD, claim, inputs, confidence=0.9))
    assert str(error.value) == sentence
