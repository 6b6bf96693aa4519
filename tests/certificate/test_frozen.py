import copy
import math
import pickle

import pytest

from leakbound.certificate.frozen import FrozenMap, freeze, thaw
from leakbound.errors import InvalidInput


@pytest.fixture
def sample():
    return FrozenMap({"a": [1, 2.5, {"b": None}], "c": "text", "d": True, "e": math.inf})


def test_everything_inside_is_frozen(sample):
    assert sample["a"] == (1, 2.5, FrozenMap({"b": None}))
    assert type(sample["a"][2]) is FrozenMap
    assert list(sample) == ["a", "c", "d", "e"]
    assert len(sample) == 4
    with pytest.raises(TypeError):
        sample["a"] = 1
    with pytest.raises(KeyError):
        sample["x"]


def test_a_frozen_map_does_not_follow_what_it_was_made_from():
    source = {"a": [1]}
    frozen = FrozenMap(source)
    source["a"].append(2)
    source["b"] = 3
    assert frozen == FrozenMap({"a": (1,)})


def test_it_hashes_compares_copies_and_pickles_by_content(sample):
    again = FrozenMap(dict(reversed(list(sample.items()))))
    assert again == sample
    assert hash(again) == hash(sample)
    assert len({again, sample}) == 1
    assert FrozenMap() == FrozenMap({})
    assert sample != FrozenMap({"a": 1})
    assert sample != dict(sample)
    for other in (copy.copy(sample), copy.deepcopy(sample), pickle.loads(pickle.dumps(sample))):
        assert other == sample
        assert type(other["a"][2]) is FrozenMap


def test_its_repr_is_plain_json_values(sample):
    assert repr(sample) == "FrozenMap({'a': [1, 2.5, {'b': None}], 'c': 'text', 'd': True, 'e': 'inf'})"
    assert repr(FrozenMap()) == "FrozenMap({})"


@pytest.mark.parametrize("value", [None, "x", 1, -2.5, True, (), (1, (2,)), math.inf, -math.inf])
def test_plain_values_stay_as_they_are(value):
    assert freeze(value) == value
    assert type(freeze(value)) is type(value)


def test_lists_become_tuples_and_thaw_again():
    assert freeze([1, [2, {"x": []}]]) == (1, (2, FrozenMap({"x": ()})))
    assert thaw(freeze([1, [2, {"x": []}]])) == [1, [2, {"x": []}]]


def test_infinities_thaw_as_texts():
    assert thaw((math.inf, -math.inf, 1.0)) == ["inf", "-inf", 1.0]


@pytest.mark.parametrize("value", [math.nan, [1, math.nan], {"a": {"b": math.nan}}])
def test_nan_is_refused_at_any_depth(value):
    with pytest.raises(InvalidInput, match=r"^A certificate holds no NaN, but got one; leave the entry out\.$"):
        freeze(value)


@pytest.mark.parametrize("value", [b"x", {1, 2}, object, 1j, range(3)])
def test_what_json_cannot_say_is_refused(value):
    with pytest.raises(
        InvalidInput, match=r"^A certificate holds numbers, texts, lists and maps, but got .*convert it"
    ):
        freeze(value)


@pytest.mark.parametrize("make", [FrozenMap, freeze])
def test_keys_are_texts(make):
    with pytest.raises(InvalidInput, match=r"^A certificate's maps have texts as keys, but got the key 1\.$"):
        make({1: 2})


def test_nesting_has_an_end():
    value: object = 1.0
    for _ in range(20):
        value = [value]
    assert freeze(value)
    with pytest.raises(InvalidInput, match=r"^A certificate's values may nest 20 deep, but these go deeper"):
        freeze([value])


def test_a_value_inside_itself_is_refused():
    ring: list = []
    ring.append(ring)
    with pytest.raises(InvalidInput, match="go deeper"):
        freeze(ring)


def test_an_integer_that_no_json_reader_takes_is_refused():
    for number in (10**1000, -(10**1000), 10**5000):
        with pytest.raises(InvalidInput, match=r"^A certificate's whole numbers have at most 1000 digits, but got a l"):
            freeze([number])
    assert freeze(10**1000 - 1) == 10**1000 - 1
