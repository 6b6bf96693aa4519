import math

import pytest

from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate

ENTRIES = FrozenMap(
    {
        "number": 0.5,
        "whole": 3,
        "infinite": math.inf,
        "negative": -1.0,
        "text": "gaussian",
        "flag": True,
        "numbers": [1, 2.5],
        "pairs": [[0.0, 1.0], [2, math.inf]],
        "map": {"inside": 1},
        "maps": [{"n": 1}, {"n": 2}],
        "empty": [],
        "mixed": [1, "x"],
    }
)

NUMBER = "inputs.{0} must be a number of at least 0, but got inputs.{0}={1}."
WHOLE = "inputs.{0} must be a whole number of at least {1}, but got inputs.{0}={2}."


@pytest.fixture
def record():
    return Record("inputs", ENTRIES)


def test_entries_are_read_by_name_and_kind(record):
    assert "number" in record
    assert "nothing" not in record
    assert record.get("text") == "gaussian"
    assert record.number("number") == 0.5
    assert record.number("whole") == 3.0
    assert type(record.number("whole")) is float
    assert record.number("infinite") == math.inf
    assert record.whole("whole", low=3) == 3
    assert record.text("text") == "gaussian"
    assert record.flag("flag") is True
    assert record.numbers("numbers") == (1.0, 2.5)
    assert record.pairs("pairs") == ((0.0, 1.0), (2.0, math.inf))


def test_maps_inside_know_their_place(record):
    assert record.record("map").place == "inputs.map"
    assert record.record("map").whole("inside") == 1
    assert [entry.whole("n") for entry in record.records("maps")] == [1, 2]
    with pytest.raises(InvalidCertificate, match=r"^The certificate's inputs\.maps\[1\] must have 'x'; it cannot be"):
        record.records("maps")[1].get("x")


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda r: r.number("nothing"), "The certificate's inputs must have 'nothing'; it cannot be recomputed."),
        (lambda r: r.number("negative"), NUMBER.format("negative", "-1.0; give one")),
        (lambda r: r.number("number", high=0.25), "inputs.number must be a number in [0, 0.25], but got"
                                                  " inputs.number=0.5; give one."),
        (lambda r: r.number("text"), NUMBER.format("text", "'gaussian' (type str)")),
        (lambda r: r.number("flag"), NUMBER.format("flag", "True (type bool)")),
        (lambda r: r.whole("number"), WHOLE.format("number", 0, "0.5; give one")),
        (lambda r: r.whole("whole", low=4), WHOLE.format("whole", 4, "3; give one")),
        (lambda r: r.text("number"), "The certificate's inputs.number must be a text, but is 0.5."),
        (lambda r: r.flag("whole"), "The certificate's inputs.whole must be a flag, but is 3."),
        (lambda r: r.numbers("number"), "The certificate's inputs.number must be a list, but is 0.5."),
        (lambda r: r.numbers("empty"), "The certificate's inputs.empty must be a list, but is ()."),
        (lambda r: r.numbers("mixed"), NUMBER.format("mixed", "'x' (type str)")),
        (lambda r: r.numbers("numbers", low=2), NUMBER.replace("0,", "2,").format("numbers", "1.0; give one")),
        (lambda r: r.pairs("numbers"), "The certificate's inputs.numbers must hold pairs, but has 1."),
        (lambda r: r.record("text"), "The certificate's inputs.text must be a map, but is 'gaussian'."),
        (lambda r: r.records("numbers"), "The certificate's inputs.numbers must hold maps, not 1."),
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_a_sentence(record, read, sentence):
    with pytest.raises(InvalidCertificate) as error:
        read(record)
    assert str(error.value) == sentence


@pytest.mark.parametrize("pair", [[1.0], [1.0, 2.0, 3.0], "ab", 1.0])
def test_a_pair_has_two_numbers(pair):
    with pytest.raises(InvalidCertificate, match=r"^The certificate's inputs\.lines must hold pairs, but has "):
        Record("inputs", FrozenMap({"lines": [pair]})).pairs("lines")


@pytest.mark.parametrize("pair", [[-1.0, 0.0], [0.0, -1.0], [None, 0.0], [0.0, "x"]])
def test_the_numbers_of_a_pair_are_at_least_zero(pair):
    with pytest.raises(InvalidCertificate, match=r"^inputs\.lines must be a number of at least 0, but got "):
        Record("inputs", FrozenMap({"lines": [pair]})).pairs("lines")
