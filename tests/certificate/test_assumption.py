import pytest

from leakbound.certificate import Assumption, assumption
from leakbound.certificate.assumption import CHECKERS, SEVERITIES
from leakbound.errors import InvalidInput

GOOD = {"id": "iid", "text": "The records are independent.", "checked_by": "caller", "severity": "void"}
KNOWN = [value for value in vars(assumption).values() if isinstance(value, Assumption)]


def test_the_words_are_those_of_the_contract():
    assert CHECKERS == ("library", "caller", "nobody")
    assert SEVERITIES == ("void", "weaker", "negligible")


def test_an_assumption_is_a_value():
    assert Assumption(**GOOD) == Assumption(**GOOD)
    assert len({Assumption(**GOOD), Assumption(**GOOD)}) == 1
    with pytest.raises(AttributeError):
        Assumption(**GOOD).text = "other"


@pytest.mark.parametrize("name", ["id", "text"])
@pytest.mark.parametrize("bad", ["", " \n", None, 1, b"x"])
def test_empty_texts_are_refused(name, bad):
    with pytest.raises(InvalidInput) as error:
        Assumption(**{**GOOD, name: bad})
    assert str(error.value) == f"{name} of an assumption must be a non-empty text, but got {name}={bad!r}."


@pytest.mark.parametrize(
    ("name", "words"),
    [("checked_by", "library, caller, nobody"), ("severity", "void, weaker, negligible")],
)
@pytest.mark.parametrize("bad", ["", "Void", None, 1])
def test_other_words_are_refused(name, words, bad):
    with pytest.raises(InvalidInput) as error:
        Assumption(**{**GOOD, name: bad})
    assert str(error.value) == f"{name} must be one of {words}, but got {name}={bad!r}."


def test_the_known_ones_have_different_ids_and_end_as_sentences():
    assert len(KNOWN) >= 10
    assert len({known.id for known in KNOWN}) == len(KNOWN)
    assert all(known.text.endswith(".") and known.id == known.id.lower() for known in KNOWN)
