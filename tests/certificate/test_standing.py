import itertools

import pytest

from leakbound.certificate import Standing

ORDER = [Standing.PROVED, Standing.NUMERICAL, Standing.CONDITIONAL, Standing.ESTIMATE]


def test_the_words_are_those_of_the_contract():
    assert [standing.value for standing in Standing] == ["proved", "numerical", "conditional", "estimate"]


@pytest.mark.parametrize(("one", "other"), list(itertools.product(ORDER, ORDER)))
def test_a_combination_stands_as_its_weakest_part(one, other):
    assert Standing.weakest([one, other]) is ORDER[max(ORDER.index(one), ORDER.index(other))]


def test_every_standing_says_what_it_means():
    meanings = [standing.meaning for standing in Standing]
    assert len(set(meanings)) == 4
    assert all(meaning.startswith(("It ", "The ")) for meaning in meanings)
    assert "guarantees nothing" in Standing.ESTIMATE.meaning
