import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import pytest

from leakbound import checks
from leakbound.checks import seeds
from leakbound.checks.law import Violation
from leakbound.synthetic import FixedSeeds, HiddenSeeds, PublicSeeds, SeedModel
from leakbound.synthetic.seeds.base import Bound


@dataclass(frozen=True)
class Other(FixedSeeds):
    """Post-processing under another name, with some of it replaced by a test."""


def replaced(**changes):
    return module_level(dataclass(frozen=True)(type("Flawed", (Other,), changes)))


def module_level(subject):
    """Make a class that pickles."""
    subject.__module__, subject.__qualname__ = __name__, subject.__name__
    globals()[subject.__name__] = subject
    return subject


def broken(subject):
    return {violation.law: str(violation) for violation in checks.run(subject)}


def scaled(by):
    return lambda self, published, order: Bound(by(published) * FixedSeeds().renyi(published, order).value)


def of_delta(by):
    return lambda self, published, epsilon: Bound(by(FixedSeeds().delta(published, epsilon).value, published))


def test_every_installed_seed_model_is_a_subject():
    assert set(seeds.subjects()) == {FixedSeeds, PublicSeeds, HiddenSeeds}


def test_what_is_no_class_of_seed_models_is_no_subject():
    assert seeds.is_seed_model(SeedModel)
    assert not seeds.is_seed_model(FixedSeeds())
    assert not seeds.is_seed_model(math)
    assert not seeds.is_seed_model(int)


def test_without_python_flint_nothing_is_verified(monkeypatch):
    assert seeds.is_verifiable(FixedSeeds)
    monkeypatch.setattr(seeds.importlib.util, "find_spec", lambda name: None)
    assert not seeds.is_verifiable(FixedSeeds)


def test_a_model_that_is_not_installed_breaks_only_the_law_about_that():
    found = broken(Other)
    assert set(found) == {"introduces-itself-as-seeds"}
    assert "leakbound.seeds has" in found["introduces-itself-as-seeds"]


INTRODUCED = "introduces-itself-as-seeds"


@pytest.mark.parametrize(
    ("changes", "law", "how"),
    [
        ({"name": " "}, INTRODUCED, "its name must be a text, but is ' '"),
        ({"method": None}, INTRODUCED, "its method must be a text, but is None"),
        ({"__str__": lambda self: "two\nlines"}, "is-a-plain-value", "not as one line"),
        ({"__str__": lambda self: ""}, "is-a-plain-value", "prints as nothing"),
        ({"renyi": scaled(lambda p: 1 / p.rows)}, "leaks-more-with-more", "renyi at order 2 falls from"),
        ({"renyi": scaled(lambda p: p.noise**3)}, "leaks-more-with-more", "{'noise': 0.5}"),
        ({"renyi": scaled(lambda p: p.sensitivity**-3)}, "leaks-more-with-more", "{'sensitivity': 1.5}"),
        ({"renyi": scaled(lambda p: 0.0)}, "leaks-more-with-more", "told apart by something"),
        ({"delta": of_delta(lambda d, p: d / p.rows)}, "leaks-more-with-more", "delta at 0.5 falls from"),
        ({"renyi": scaled(lambda p: 0.99)}, "certifies-as-verified", "refuted: epsilon at order"),
        ({"delta": of_delta(lambda d, p: 0.99 * d)}, "certifies-as-verified", "refuted: delta"),
    ],
)  # fmt: skip
def test_a_flaw_breaks_its_law(changes, law, how):
    found = broken(replaced(**changes))
    assert law in found, found
    assert how in found[law]


@pytest.mark.parametrize(
    ("changes", "how"),
    [
        ({"references": ()}, "it has no references"),
        ({"references": ("nobody1900",)}, "KeyError|InvalidInput"),
        ({"method": "account-nowhere"}, "no installed verifier knows its method 'account-nowhere'"),
        ({"method": "account-public"}, "rests on assumptions that it does not list: \\['isotropic-seeds'"),
    ],
)  # fmt: skip
def test_an_installed_model_must_say_where_it_comes_from(monkeypatch, changes, how):
    subject = replaced(**changes)
    monkeypatch.setattr(seeds, "seed_models", lambda: {"fixed": subject})
    with pytest.raises(Violation, match=how):
        seeds.introduces_itself_as_seeds.check(subject)


def test_an_empty_reference_breaks_the_law(monkeypatch):
    monkeypatch.setattr(seeds, "citation", lambda key: " ")
    with pytest.raises(Violation, match="its reference 'pierquin2025' is empty"):
        seeds.introduces_itself_as_seeds.check(FixedSeeds)


def test_a_model_that_can_be_changed_breaks_the_law():
    class Loose(FixedSeeds):
        note: ClassVar[str] = "not a frozen dataclass"

        def __setattr__(self, name, value):
            object.__setattr__(self, name, value)

    with pytest.raises(Violation, match=r"name of .* can be changed; make the dataclass frozen"):
        seeds.is_a_plain_value.check(module_level(Loose))


def test_a_bound_above_post_processing_breaks_the_law(monkeypatch):
    claims = iter((1.5, 1.0))

    def certified(subject, question):
        claim = SimpleNamespace(larger_is_weaker={"mu": True}, value=next(claims))
        return SimpleNamespace(claim=claim)

    monkeypatch.setattr(seeds, "_certified", certified)
    monkeypatch.setattr(seeds, "numbers", lambda claim: (SimpleNamespace(name="mu", value=claim.value),))
    with pytest.raises(Violation, match=r"gives mu 1.5, but post-processing 1.0"):
        seeds.stays_within_post_processing.check(FixedSeeds)


def test_a_certificate_that_json_changes_breaks_the_law(monkeypatch):
    monkeypatch.setattr(seeds, "_QUESTIONS", ({"epsilon": 0.5},))
    monkeypatch.setattr(seeds.document, "loads", lambda text: ("something else",))
    with pytest.raises(Violation, match="comes back from JSON as something else"):
        seeds.certifies_as_verified.check(FixedSeeds)
