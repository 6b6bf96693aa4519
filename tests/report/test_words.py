import os

import pytest

from leakbound.certificate import Assumption, Standing, issue
from leakbound.certificate.assumption import CHECKERS, SEVERITIES
from leakbound.guarantees import NEIGHBOURING, GaussianDP, KernelRenyiDP, PureDP, RiskBound
from leakbound.report import words

PURE = issue.declare(PureDP(1 / 3))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("é", "é"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\u202ereversed", "\\u202ereversed"),
        (os.fsdecode(b"\xff"), "\\udcff"),
        ("x" * 2000, "x" * 2000),
        ("x" * 2001, "x" * 2000 + "... (2001 characters)"),
    ],
)
def test_printable_text_steers_nothing(text, shown):
    assert words.printable(text) == shown


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "The leakage is at most 0.333334-DP."),
        ({"direction": "lower"}, "The leakage is at least 0.333333-DP."),
        ({"confidence": 0.95}, "With confidence 0.95, the leakage is at most 0.333334-DP."),
        ({"confidence": 0.99999999}, "With confidence 0.999999, the leakage is at most 0.333334-DP."),
        ({"standing": Standing.NUMERICAL}, "The leakage is at most 0.333334-DP."),
        (
            {"standing": Standing.CONDITIONAL, "confidence": 0.9},
            "If a named unproved step holds, with confidence 0.9, the leakage is at most 0.333334-DP.",
        ),
        ({"standing": Standing.ESTIMATE}, "By an estimate without guarantee, the leakage is at most 0.333334-DP."),
        ({"claim": RiskBound(0.25)}, "The risk is at most 0.25."),
        ({"claim": RiskBound(0.25), "direction": "lower"}, "The risk is at least 0.25."),
    ],
)
def test_the_headline_says_direction_confidence_and_standing(changes, sentence):
    assert words.headline(PURE.with_(**changes)) == sentence


def test_meanings_and_their_ends():
    assert words.meaning(PURE)[0].endswith("no event becomes more than 1.39562 times as likely.")
    assert words.meaning(PURE)[1].startswith("An attacker with at most 5 % false alarms")
    assert words.meaning(PURE.with_(direction="lower")) == ("No smaller bound of this form can hold.",)
    nothing = PURE.with_(claim=RiskBound(1.0))
    assert words.meaning(nothing) == ("This bound promises nothing: everything satisfies it.",)


def test_a_hostile_kernel_is_spelled_out():
    claim = KernelRenyiDP("rbf\x1b[2J", 2.0, 0.1, 0.5)
    certificate = PURE.with_(claim=claim)
    for text in (words.short(certificate), *words.meaning(certificate)):
        assert "\x1b" not in text
        assert "rbf\\x1b[2J" in text


@pytest.mark.parametrize(
    ("confidence", "text"),
    [
        (1.0, "1 (no chance is involved in computing the claim)"),
        (0.95, "0.95 (the claim fails with probability at most 0.05, over the chance in its own computation)"),
        (
            0.9999999,
            "0.999999 (the claim fails with probability at most 1e-06, over the chance in its own computation)",
        ),
    ],
)
def test_the_confidence_and_what_it_means(confidence, text):
    assert words.confidence(PURE.with_(confidence=confidence)) == text


def test_every_relation_checker_and_severity_has_words():
    assert set(words.RELATIONS) == set(NEIGHBOURING)
    assert set(words.CHECKERS) == set(CHECKERS)
    assert set(words.SEVERITIES) == set(SEVERITIES)
    for name in NEIGHBOURING:
        certificate = issue.declare(PureDP(1.0, neighbouring=name))
        assert words.relation(certificate) == f"{name} ({words.RELATIONS[name]})"


def test_an_assumption_says_who_checks_it_and_what_breaks():
    entry = Assumption("a", "It holds.\x07", "nobody", "weaker")
    assert words.assumption(entry) == "It holds.\\x07 [checked by nobody; if it fails, a weaker claim holds]"


def test_a_method_has_its_theorem_where_it_is_a_conversion():
    assert words.method(PURE) == "declared"
    assert words.method(issue.convert(GaussianDP(1.0), "tradeoff")) == "gdp-to-tradeoff (Definition)"
    assert words.method(PURE.with_(method="odd\n")) == "odd\\n"
