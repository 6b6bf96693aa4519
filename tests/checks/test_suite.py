from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from leakbound import checks
from leakbound.checks import suite
from leakbound.checks.law import expect
from leakbound.errors import InvalidInput
from leakbound.guarantees import PureDP
from leakbound.guarantees.registry import curve_families, kinds
from leakbound.synthetic.seeds.base import seed_models


@pytest.mark.parametrize(("subject", "law"), checks.conformance())
def test_conformance(subject, law):
    law.check(subject)


def test_every_kind_every_family_and_every_seed_model_is_a_subject_once():
    found = suite.subjects()
    assert set(found) == {*kinds().values(), *curve_families().values(), *seed_models().values()}
    assert len(found) == len(set(found))


def test_every_law_has_subjects_and_every_pair_is_listed():
    pairs = checks.conformance()
    assert {law for _, law in pairs} == set(suite.laws())
    assert {subject for subject, _ in pairs} == set(suite.subjects())
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize("subject", [int, 3, "PureDP", PureDP(1.0), None])
def test_what_no_law_is_about_is_refused(subject):
    with pytest.raises(
        InvalidInput, match=r"^No law applies to .+; give a class of guarantees, curves or seed models\.$"
    ):
        checks.run(subject)


def test_laws_and_subjects_of_other_packages_are_found_and_every_violation_returned(monkeypatch):
    @dataclass
    class Thing:
        size: int

    small, big = Thing(1), Thing(100)

    def is_thing(subject):
        return isinstance(subject, Thing)

    def fits_a_hand(thing):
        expect(thing.size < 10, "10 or more")

    def fits_a_room(thing):
        expect(thing.size < 50, "50 or more")

    laws = tuple(checks.law(is_thing)(test) for test in (fits_a_hand, fits_a_room))
    module = SimpleNamespace(LAWS=laws, subjects=lambda: (small, big, small))
    monkeypatch.setattr(suite, "plugins", lambda _: {"theirs": module, "silent": SimpleNamespace(LAWS=())})
    assert suite.subjects() == (small, big)
    assert checks.run(small) == ()
    assert [violation.law for violation in checks.run(big)] == ["fits-a-hand", "fits-a-room"]
    assert str(checks.run(big)[0]).endswith("breaks the law fits-a-hand: 10 or more")
