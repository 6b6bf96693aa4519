import math
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from leakbound.guarantees import (
    ApproxDP,
    DPCurve,
    Events,
    GaussianCurve,
    GaussianDP,
    Guarantee,
    KernelRenyiDP,
    LaplaceCurve,
    MaxInformation,
    MutualInformation,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    RiskBound,
    Statements,
    TradeOff,
    ZeroConcentratedDP,
)
from leakbound.guarantees.registry import kinds
from leakbound.report.claims import numbers_of, promises_nothing, short_and_meaning

THIRD = 1 / 3


@dataclass(frozen=True)
class Foreign(Guarantee):
    """A kind that another package brings."""

    leak: float
    note: str
    steps: tuple[float, ...]
    kind: ClassVar[str] = "foreign"
    title: ClassVar[str] = "foreign privacy"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"leak": True, "steps": False}

    def _clean(self) -> dict[str, Any]:
        return {}

    @classmethod
    def examples(cls):
        return ()

    def __str__(self) -> str:
        return "foreign"


FOREIGN = Foreign(THIRD, "x", (THIRD, 1.0))


@pytest.mark.parametrize(
    ("claim", "short", "words"),
    [
        (PureDP(THIRD), "0.333334-DP", "no event becomes more than 1.39562 times as likely."),
        (PureDP(800.0), "800-DP", "no event becomes more than e^800 times as likely."),
        (ApproxDP(1.0, 1e-5), "(1, 1e-05)-DP", "2.71829 times as likely, up to an added probability of 1e-05."),
        (GaussianDP(THIRD), "0.333334-GDP", "from a draw of N(0.333334, 1)."),
        (ZeroConcentratedDP(0.5), "0.5-zCDP", "at most 0.5 times its order, at every order above 1."),
        (
            RenyiDP((2.0, 1e9 / 3), (THIRD, 1.0)),
            "Renyi DP (0.333334 at order 2, 1 at order 3.33333e+08)",
            "at most 0.333334 at order 2",
        ),
        (
            RenyiDP(tuple(range(2, 10)), (1.0,) * 8),
            "Renyi DP (1 at order 2, 1 at order 3, 1 at order 4, 1 at order 5, 1 at order 6, 1 at order 7, so on at 2"
            " more orders)",
            "so on at 2 more orders.",
        ),
        (
            KernelRenyiDP("rbf", 2.0, 0.1, THIRD),
            "0.333334 kernel Renyi DP (order 2, kernel rbf, regularization 0.1)",
            "is at most 0.333334 (order 2,",
        ),
        (
            MutualInformation(THIRD),
            "0.333334 nats of mutual information",
            "nats (0.480899 bits) about what the",
        ),
        (
            MutualInformation(1.0, neighbouring="declared-secret"),
            "1 nats of mutual information",
            "1 nats (1.4427 bits) about the declared secret.",
        ),
        (MutualInformation(math.inf), "infinity nats of mutual information", "infinity nats (infinity bits)"),
        (
            MaxInformation(1.0, 0.05),
            "1 nats of max-information, failure 0.05",
            "than 2.71829 times as likely as with",
        ),
        (RiskBound(THIRD), "0.333334", "a loss between 0 and 1, is at most 0.333334."),
        (
            PrivacyProfile(GaussianCurve(1.0)),
            "the privacy profile of the family gaussian with mu 1",
            "read off the profile: 0.126937 at epsilon 1.",
        ),
        (PrivacyProfile(Events(((0.7, 0.2),))), "the privacy profile given by 1 lines", "0.156344 at epsilon 1."),
        (
            TradeOff(DPCurve(1.0, 1e-5)),
            "the trade-off curve of the family dp with epsilon 1, delta 1e-05",
            "misses at least as often as the curve says",
        ),
        (TradeOff(Statements(((1.0, 0.0), (2.0, 0.0)))), "the trade-off curve given by 2 lines", "Every test"),
        (
            FOREIGN,
            "foreign privacy (leak 0.333334, note x, steps 0.333333, 1)",
            "This is foreign privacy with leak 0.333334, note x, steps 0.333333, 1.",
        ),
    ],
)
def test_a_claim_has_a_short_form_and_a_meaning(claim, short, words):
    told, meaning = short_and_meaning(claim, upper=True)
    assert told == short
    assert words in meaning


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_every_kind_has_words_of_its_own(kind):
    for claim in kinds()[kind].examples():
        short, meaning = short_and_meaning(claim, upper=True)
        assert claim.title not in short or kind in ("mutual-information", "max-information", "profile")
        assert meaning.endswith(".")


def test_a_lower_bound_is_rounded_down():
    assert numbers_of(ApproxDP(THIRD, THIRD), upper=False) == {"epsilon": "0.333333", "delta": "0.333333"}
    assert numbers_of(FOREIGN, upper=False) == {"leak": "0.333333", "note": "x", "steps": "0.333334, 1"}
    assert short_and_meaning(GaussianDP(THIRD), upper=False)[0] == "0.333333-GDP"


def test_long_lists_are_counted():
    assert numbers_of(RenyiDP(tuple(range(2, 10)), (1.0,) * 8), upper=True)["orders"] == "8 entries"
    assert numbers_of(TradeOff(Statements(((1.0, 0.0),))), upper=True) == {"lines": "1 entries"}


@pytest.mark.parametrize(
    ("claim", "nothing"),
    [
        (PureDP(math.inf), True),
        (PureDP(1e300), False),
        (ApproxDP(0.0, 1.0), True),
        (ApproxDP(math.inf, 0.0), True),
        (ApproxDP(1.0, 0.5), False),
        (GaussianDP(math.inf), True),
        (ZeroConcentratedDP(math.inf), True),
        (RenyiDP((2.0, 3.0), (1.0, math.inf)), False),
        (RenyiDP((2.0, 3.0), (math.inf, math.inf)), True),
        (RenyiDP((2.0, math.inf), (1.0, 2.0)), False),
        (KernelRenyiDP("rbf", 2.0, 0.0, math.inf), True),
        (KernelRenyiDP("rbf", math.inf, 0.0, 1.0), False),
        (MutualInformation(math.inf), True),
        (MaxInformation(0.0, 1.0), True),
        (MaxInformation(1.0, 0.1), False),
        (RiskBound(1.0), True),
        (RiskBound(0.99), False),
        (TradeOff(LaplaceCurve(math.inf)), True),
        (PrivacyProfile(DPCurve(1.0, 1.0)), True),
        (TradeOff(Statements(((1.0, 0.0),))), False),
    ],
)
def test_what_promises_nothing_is_known(claim, nothing):
    assert promises_nothing(claim) is nothing
