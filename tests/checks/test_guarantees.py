"""The suite catches what it is there to catch: each flaw below breaks the law that is named for it."""

import dataclasses
import math
from types import SimpleNamespace

import pytest

from leakbound import checks
from leakbound.checks import guarantees
from leakbound.checks.claims import numbers, readings, weakened
from leakbound.errors import InvalidInput
from leakbound.guarantees import ApproxDP, Events, KernelRenyiDP, MutualInformation, PrivacyProfile, PureDP


def flawed(**changes):
    """PureDP with some methods replaced."""
    return dataclasses.dataclass(frozen=True)(type("Flawed", (PureDP,), changes))


def broken(subject):
    return {violation.law: str(violation) for violation in checks.run(subject)}


def takes_anything(self):
    return {"epsilon": self.epsilon}


def ignores_the_count(cls, parts):
    return cls(parts[0][0].epsilon, neighbouring=parts[0][0].neighbouring)


def forgets_the_relation(cls, parts):
    return cls(sum(n * part.epsilon for part, n in parts))


def takes_any_parts(cls, parts):
    return cls(
        sum(n * part.epsilon for part, n in parts), neighbouring=parts[0][0].neighbouring if parts else "as-stated"
    )


def prints_nothing(self):
    return ""


@pytest.mark.parametrize(
    ("changes", "law", "how"),
    [
        ({"_clean": takes_anything}, "refuses-bad-numbers", "epsilon=nan is accepted"),
        ({"_total": classmethod(ignores_the_count)}, "composes-by-count", "is the count ignored?"),
        ({"_total": classmethod(forgets_the_relation)}, "composes-by-count", "have another relation"),
        ({"total": classmethod(takes_any_parts)}, "refuses-bad-composition", "is accepted"),
        ({"__str__": prints_nothing}, "prints", "prints as nothing"),
        ({"title": " "}, "introduces-itself", "its title must be a text, but is ' '"),
        ({"examples": classmethod(lambda _: ())}, "introduces-itself", "must return a tuple of its values"),
        ({"examples": classmethod(lambda _: (PureDP(1.0),))}, "introduces-itself", "which is of another class"),
    ],
)  # fmt: skip
def test_a_flaw_breaks_its_law(changes, law, how):
    found = broken(flawed(**changes))
    assert law in found, found
    assert how in found[law]


def test_a_mix_of_relations_must_be_refused():
    with pytest.raises(AssertionError, match=r"^a mix of relations is accepted and gives 1$"):
        guarantees._refused(lambda: 1, "a mix of relations")


def test_a_composition_in_one_way_only_breaks_the_law():
    def total(cls, parts):
        if len(parts) > 1:
            cls.compose(MutualInformation(1.0), 2)  # any
            raise guarantees.NoTheorem("one at a time")
        (part, n) = parts[0]
        return cls(n * part.epsilon, neighbouring=part.neighbouring)

    assert "compose only in one of two ways" in broken(flawed(total=classmethod(total)))["composes-by-count"]


def test_a_conversion_without_known_options_is_left_out():
    for names, count in ((("epsilon", "delta", "strange"), 0), (("epsilon", "delta"), 3), ((), 1), (("orders",), 2)):
        assert len(list(guarantees._options(SimpleNamespace(options=names)))) == count


def test_the_numbers_of_a_claim_are_found_and_changed():
    profile = PrivacyProfile(Events(((0.7, 0.2), (0.1, 0.01))))
    assert [(n.name, n.value, n.field) for n in numbers(profile)] == [
        ("p", 0.7, "lines"), ("q", 0.2, "lines"), ("p", 0.1, "lines"), ("q", 0.01, "lines"),
    ]  # fmt: skip
    (_, delta) = numbers(ApproxDP(1.0, 0.9))
    assert list(weakened(ApproxDP(1.0, 0.9), delta, larger=True)) == [ApproxDP(1.0, 0.91)]  # 1.35 is no probability
    assert all(weaker.delta < 0.9 for weaker in weakened(ApproxDP(1.0, 0.9), delta, larger=False))
    assert readings(KernelRenyiDP("k", 2.0, 0.1, math.inf)) == ()
    with pytest.raises(InvalidInput):
        dataclasses.replace(profile, curve=None)
