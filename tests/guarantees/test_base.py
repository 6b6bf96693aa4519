import dataclasses
import math
import pickle

import pytest

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import NEIGHBOURING, Guarantee, PureDP, RiskBound
from leakbound.guarantees.base import common_relation, refuse_wrong_fields
from leakbound.guarantees.registry import kinds

KINDS = sorted(kinds().values(), key=lambda cls: cls.kind)
EXAMPLES = [example for cls in KINDS for example in cls.examples()]
every_kind = pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)


def composes(example: Guarantee) -> bool:
    try:
        example.compose(1)
    except NoTheorem:
        return False
    return True


def test_the_relations():
    assert NEIGHBOURING == ("replace-one", "add-or-remove-one", "label-only", "declared-secret", "as-stated")


@every_kind
def test_every_kind_shows_its_range(cls):
    assert len(cls.examples()) >= 2
    assert all(type(example) is cls for example in cls.examples())
    assert cls.title.strip()
    assert cls.larger_is_weaker
    assert set(cls.larger_is_weaker.values()) <= {True, False}


def test_examples_are_values():
    for example in EXAMPLES:
        again = pickle.loads(pickle.dumps(example))
        assert again == example
        assert hash(again) == hash(example)
        assert example.neighbouring == "as-stated"
        assert str(example)
        with pytest.raises(dataclasses.FrozenInstanceError):
            example.neighbouring = "replace-one"


def test_a_claim_and_a_relation_give_the_guarantee_back():
    for example in EXAMPLES:
        for relation in NEIGHBOURING:
            again = type(example).from_claim(example.claim(), relation)
            assert again.claim() == example.claim()
            assert again.neighbouring == relation
            assert (again == example) == (relation == "as-stated")
            assert "neighbouring" not in example.claim()


def test_claims_with_other_fields_are_refused():
    for example in EXAMPLES:
        claim = dict(example.claim())
        for wrong in ({**claim, "extra": 1.0}, {k: v for k, v in claim.items() if k != next(iter(claim))}, {}):
            with pytest.raises(InvalidInput):
                type(example).from_claim(wrong, "replace-one")


def test_a_wrong_field_is_named():
    refuse_wrong_fields("gdp", {"mu": 1}, {"mu"})
    with pytest.raises(InvalidInput, match=r"^A gdp claim has no field 'nu'; its fields are mu, xi\.$"):
        refuse_wrong_fields("gdp", {"mu": 1, "nu": 2, "xi": 3}, {"xi", "mu"})
    with pytest.raises(InvalidInput, match=r"^A gdp claim needs the field 'mu'; add it\.$"):
        refuse_wrong_fields("gdp", {}, {"mu"})
    with pytest.raises(InvalidInput, match="has no field 'neighbouring'"):
        PureDP.from_claim({"epsilon": 1.0, "neighbouring": "replace-one"}, "replace-one")


@pytest.mark.parametrize("relation", ["", "replace", "Replace-one", None, 1, True, ["replace-one"]])
def test_other_relations_are_refused(relation):
    with pytest.raises(InvalidInput, match=r"^neighbouring must be one of replace-one, .*, but got neighbouring="):
        PureDP(1.0, neighbouring=relation)
    with pytest.raises(InvalidInput, match=r"^neighbouring must be one of"):
        PureDP.from_claim({"epsilon": 1.0}, relation)


def test_many_uses_are_single_uses_one_after_the_other():
    for example in filter(composes, EXAMPLES):
        assert example.compose(1) == example, example
        many = type(example).total([(example, 1)] * 5)
        assert example.compose(5) == many, example
        assert type(example).total([(example, 2), (example, 3)]) == many, example


def test_composition_keeps_the_relation_and_never_mixes_two():
    for example in filter(composes, EXAMPLES):
        cls = type(example)
        one = cls.from_claim(example.claim(), "replace-one")
        other = cls.from_claim(example.claim(), "label-only")
        assert one.compose(3).neighbouring == "replace-one"
        with pytest.raises(InvalidInput, match="only under one neighbouring relation, but got label-only and replace-"):
            cls.total([(one, 1), (other, 1)])


def test_which_kinds_compose():
    able = {type(example).kind for example in EXAMPLES if composes(example)}
    assert able == {"pure-dp", "approx-dp", "gdp", "renyi", "zcdp", "mutual-information", "profile", "tradeoff"}
    with pytest.raises(NoTheorem, match=r"^risk has no composition theorem of its own, but 1 parts were given"):
        RiskBound(0.1).compose(2)


@pytest.mark.parametrize("count", [0, -1, 1.5, 2.0, True, "2", None, math.nan])
def test_a_count_is_a_whole_number_of_at_least_one(count):
    for cls in KINDS:
        with pytest.raises(InvalidInput, match=r"^count must be a whole number of at least 1 and at most"):
            cls.examples()[0].compose(count)


def test_the_common_relation():
    assert common_relation([(PureDP(1.0, neighbouring="label-only"), 1)] * 2) == "label-only"
    with pytest.raises(InvalidInput, match="only under one neighbouring relation, but got none; restate"):
        common_relation([])


def test_a_guarantee_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        Guarantee()


def test_a_total_is_of_one_kind():
    with pytest.raises(
        InvalidInput, match=r"^parts must be of the kind pure-dp, but one is RiskBound\(.*; convert it f"
    ):
        PureDP.total([(PureDP(1.0), 1), (RiskBound(0.5), 1)])


@every_kind
@pytest.mark.parametrize("claim", [None, 1, [("epsilon", 1.0)], {1: 1.0}])
def test_a_claim_is_a_map_of_names(cls, claim):
    with pytest.raises(InvalidInput, match=rf"^A {cls.kind} claim is a map of names to values, but got "):
        cls.from_claim(claim, "as-stated")
