import copy
import math
import pickle

import numpy as np
import pytest

from leakbound.certificate import Certificate, FrozenMap, Standing, issue
from leakbound.certificate.assumption import STATED, SYMMETRIC
from leakbound.errors import InvalidInput
from leakbound.guarantees import GaussianDP, PureDP

FIELDS = {
    "claim": PureDP(1.0, neighbouring="replace-one"),
    "direction": "upper",
    "standing": Standing.PROVED,
    "confidence": 0.95,
    "assumptions": [STATED],
    "method": "declared",
    "references": ["Dwork (2006)."],
    "inputs": {"given": {"kind": "pure-dp", "epsilon": 1.0}},
    "evidence": {"tolerance": 1e-9},
    "series": {"curve": {"x": [0, 1], "y": [1.0, math.inf]}},
    "provenance": {"leakbound": "0.1.0"},
}


UNEVEN = "series must map a name to equally long lists x and y, but 'c' does not."


def make(**changes):
    return Certificate(**{**FIELDS, **changes})


def test_fields_are_stored_frozen():
    certificate = make()
    assert certificate.assumptions == (STATED,)
    assert certificate.references == ("Dwork (2006).",)
    assert certificate.inputs["given"]["epsilon"] == 1.0
    assert certificate.series["curve"]["y"] == (1.0, math.inf)
    assert certificate.neighbouring == "replace-one"
    with pytest.raises(AttributeError):
        certificate.confidence = 1.0


def test_it_hashes_copies_and_pickles():
    certificate = make()
    for other in (make(), copy.deepcopy(certificate), pickle.loads(pickle.dumps(certificate)), certificate.with_()):
        assert other == certificate
        assert hash(other) == hash(certificate)


def test_a_changed_copy_is_checked_as_well():
    assert make().with_(confidence=0.5).confidence == 0.5
    with pytest.raises(InvalidInput, match=r"^confidence must be a number in \(0, 1\], but got confidence=0\.0"):
        make().with_(confidence=0.0)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "[proved] at most 1-DP (replace-one, confidence 0.95) by declared"),
        ({"confidence": 1}, "[proved] at most 1-DP (replace-one) by declared"),
        ({"direction": "lower"}, "[proved] at least 1-DP (replace-one, confidence 0.95) by declared"),
        ({"standing": Standing.ESTIMATE}, "[estimate] at most 1-DP (replace-one, confidence 0.95) by declared"),
    ],
)
def test_it_prints_its_standing_first(changes, text):
    assert str(make(**changes)) == text


def test_a_confidence_near_one_does_not_print_as_one():
    assert "confidence 1)" not in str(make(confidence=1 - 1e-12))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"claim": 1.0}, "claim must be a guarantee, but got claim=1.0."),
        ({"standing": "proved"}, "standing must be a Standing, but got standing='proved'."),
        ({"direction": "up"}, "direction must be one of upper, lower, but got direction='up'."),
        ({"confidence": 1.5}, "confidence must be a number in (0, 1], but got confidence=1.5; give one."),
        ({"confidence": math.nan}, "confidence must be a number in (0, 1], but got confidence=nan; give one."),
        ({"confidence": True}, "confidence must be a number in (0, 1], but got confidence=True (type bool)."),
        ({"assumptions": ["x"]}, "assumptions must be a list of Assumption values, but got assumptions=['x']."),
        ({"assumptions": "text"}, "assumptions must be a list of Assumption values, but got assumptions='text'."),
        ({"assumptions": None}, "assumptions must be a list of Assumption values, but got assumptions=None."),
        ({"references": [1]}, "references must be a list of str values, but got references=[1]."),
        ({"references": ["a", " "]}, "references must be a non-empty text, but got references=' '."),
        ({"method": ""}, "method must be a non-empty text, but got method=''."),
        ({"method": None}, "method must be a non-empty text, but got method=None."),
        ({"inputs": [1]}, "inputs must be a map of names to values, but got inputs=[1]."),
        ({"evidence": None}, "evidence must be a map of names to values, but got evidence=None."),
        ({"provenance": "x"}, "provenance must be a map of names to values, but got provenance='x'."),
        ({"inputs": {"x": math.nan}}, "A certificate holds no NaN, but got one; leave the entry out."),
        ({"series": {"c": {"x": [1]}}}, UNEVEN),
        ({"series": {"c": {"x": [1], "y": [1, 2]}}}, UNEVEN),
        ({"series": {"c": {"x": 1, "y": 2}}}, UNEVEN),
        ({"series": {"c": [1]}}, UNEVEN),
        ({"series": {"c": {"x": ["1"], "y": [1]}}}, "series c must be a number, but got series c='1' (type str)."),
    ],
)  # fmt: skip
def test_wrong_fields_are_refused_in_a_sentence(changes, sentence):
    with pytest.raises(InvalidInput) as error:
        make(**changes)
    assert str(error.value) == sentence


def test_an_assumption_is_listed_once():
    with pytest.raises(InvalidInput, match=r"^assumptions must have different ids, but got stated-guarantee, symm"):
        make(assumptions=(STATED, SYMMETRIC, STATED))


@pytest.mark.parametrize("number", [np.float64(0.5), 1, 0.25])
def test_confidence_is_stored_as_a_plain_double(number):
    assert type(make(confidence=number).confidence) is float


def test_an_issued_certificate_is_made_of_the_same_fields():
    certificate = issue.convert(GaussianDP(1.0), "zcdp")
    assert set(vars(certificate)) == set(FIELDS)
    assert isinstance(certificate.evidence, FrozenMap)
