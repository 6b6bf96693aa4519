import math
from fractions import Fraction

import pytest
from tests.oracles import binomial_oracle

from leakbound.certificate import Certificate, FrozenMap, Standing, issue, verify
from leakbound.certificate.issue import ceiling_failure
from leakbound.errors import InvalidInput, LeakboundError, NoTheorem
from leakbound.guarantees import (
    ApproxDP,
    GaussianDP,
    LaplaceCurve,
    MutualInformation,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    RiskBound,
    TradeOff,
    ZeroConcentratedDP,
    restate,
)
from leakbound.guarantees.compose import compose
from leakbound.guarantees.registry import kinds


def ids(certificate):
    return [assumption.id for assumption in certificate.assumptions]


# Declared.


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_a_declaration_repeats_its_guarantee_and_is_proved_from_it(kind):
    for example in kinds()[kind].examples():
        certificate = issue.declare(example)
        assert certificate.claim == example
        assert certificate.method == "declared"
        assert certificate.standing is Standing.PROVED
        assert certificate.confidence == 1.0
        assert ids(certificate) == ["stated-guarantee"]
        assert certificate.inputs["given"] == FrozenMap({"kind": kind, **example.claim()})
        assert verify(certificate).status == "confirmed"


def test_provenance_is_the_version_and_nothing_of_time_or_place():
    assert issue.provenance() == {"leakbound": "0.1.0"}
    assert issue.declare(PureDP(1.0)).provenance == FrozenMap(issue.provenance())


# Converted.


def test_a_conversion_carries_its_theorem_and_what_was_given():
    given = GaussianDP(1.0, neighbouring="replace-one")
    certificate = issue.convert(given, "approx-dp", epsilon=1.0, delta=None)
    assert certificate.claim == restate(given, "approx-dp", epsilon=1.0)
    assert certificate.method == "gdp-to-approx-dp"
    assert certificate.inputs == FrozenMap(
        {"given": {"kind": "gdp", "mu": 1.0}, "neighbouring": "replace-one", "epsilon": 1.0}
    )
    assert certificate.evidence == FrozenMap({"tolerance": 1e-9})
    assert ids(certificate) == ["stated-guarantee", "symmetric-relation", "real-arithmetic"]
    assert len(certificate.references) == 2
    assert certificate.standing is Standing.PROVED


def test_a_conversion_to_its_own_kind_is_a_declaration():
    assert issue.convert(PureDP(1.0), "pure-dp") == issue.declare(PureDP(1.0))
    moved = issue.convert(ApproxDP(1.0, 1e-5), "approx-dp", epsilon=0.5)
    assert moved.method == "approx-dp-to-approx-dp"


@pytest.mark.parametrize(
    ("given", "target", "options", "more"),
    [
        (RenyiDP((2.0,), (0.5,), neighbouring="replace-one"), "kernel-renyi",
         {"kernel": "rbf(bandwidth=1.0)", "order": 2.0, "regularization": 0.1}, {"unit-kernel"}),
        (PureDP(0.1, neighbouring="replace-one"), "max-information", {"records": 10}, {"fixed-size"}),
        (PureDP(0.1, neighbouring="replace-one"), "mutual-information", {}, set()),
        (PureDP(0.1, neighbouring="replace-one"), "mutual-information", {"records": 10}, {"fixed-size"}),
        (PureDP(0.1, neighbouring="replace-one"), "mutual-information", {"records": 10, "independent": True},
         {"fixed-size", "independent-records"}),
        (ZeroConcentratedDP(0.1, neighbouring="replace-one"), "mutual-information",
         {"records": 2, "independent": True}, {"fixed-size", "independent-records"}),
    ],
)  # fmt: skip
def test_what_a_theorem_needs_is_listed(given, target, options, more):
    listed = set(ids(issue.convert(given, target, **options)))
    assert listed == {"stated-guarantee", "symmetric-relation", "real-arithmetic"} | more


@pytest.mark.parametrize("delta", [None, 1e-6])
@pytest.mark.parametrize("given", [RenyiDP((1.5, 4.0, 32.0), (0.1, 0.3, 3.0)), ZeroConcentratedDP(0.1)])
def test_the_order_of_a_renyi_reading_is_evidence(given, delta):
    options = {"delta": delta} if delta else {"epsilon": 1.0}
    certificate = issue.convert(given, "approx-dp", **options)
    order = certificate.evidence["order"]
    assert 1 < order < math.inf
    assert verify(certificate).status == "confirmed"
    if isinstance(given, RenyiDP):
        assert order in given.orders


def test_what_cannot_be_converted_is_refused():
    with pytest.raises(NoTheorem, match=r"^No conversion leads from risk to gdp; from risk one reaches nothing\.$"):
        issue.convert(RiskBound(0.1), "gdp")
    with pytest.raises(InvalidInput, match="exactly one of epsilon and delta"):
        issue.convert(GaussianDP(1.0), "approx-dp", epsilon=1.0, delta=0.1)


# Composed.


def test_a_composition_lists_its_parts_and_composes_their_confidence_and_standing():
    measured = issue.declare(PureDP(0.5)).with_(confidence=0.99, standing=Standing.CONDITIONAL)
    certificate = issue.compose([(measured, 2), PureDP(1.0), measured])
    assert certificate.claim == PureDP(2.5)
    assert certificate.method == "compose-same-kind"
    assert certificate.inputs["parts"] == (
        FrozenMap({"claim": {"kind": "pure-dp", "epsilon": 0.5}, "count": 3, "standing": "conditional",
                   "confidence": 0.99}),
        FrozenMap({"claim": {"kind": "pure-dp", "epsilon": 1.0}, "count": 1, "standing": "proved", "confidence": 1.0}),
    )  # fmt: skip
    assert certificate.confidence == pytest.approx(0.99, rel=1e-12)
    assert certificate.confidence <= 0.99
    assert certificate.standing is Standing.CONDITIONAL
    assert verify(certificate).status == "confirmed"


def test_a_composition_rests_on_all_that_its_parts_rest_on():
    part = issue.convert(PureDP(0.1, neighbouring="replace-one"), "mutual-information", records=10, independent=True)
    certificate = issue.compose([part, MutualInformation(0.5, neighbouring="declared-secret")])
    assert ids(certificate) == [
        "stated-guarantee", "symmetric-relation", "real-arithmetic", "releases-fixed-in-advance", "fixed-size",
        "independent-records",
    ]  # fmt: skip
    assert "fixed-parameters" in ids(issue.compose([PureDP(1.0), PureDP(2.0)]))


@pytest.mark.parametrize(
    ("parts", "route"),
    [
        ([(GaussianDP(0.1), 10)], "gaussian"),
        ([(PureDP(0.1), 10)], "optimal"),
        ([(PureDP(0.1), 2), (ApproxDP(0.2, 1e-9), 1)], "basic"),
        ([(GaussianDP(0.1), 10), (ZeroConcentratedDP(0.01), 3)], "zcdp"),
        ([(RenyiDP((2.0, 8.0), (0.01, 0.05)), 10)], "renyi"),
    ],
)
def test_a_target_is_reached_by_the_smallest_route(parts, route):
    certificate = issue.compose(parts, delta=1e-3, routes=("gaussian", "optimal", "basic", "zcdp", "renyi"))
    found = compose(parts, delta=1e-3, routes=("gaussian", "optimal", "basic", "zcdp", "renyi"))
    assert found.route == route
    assert certificate.method == f"compose-{route}"
    assert certificate.claim == found.guarantee
    assert certificate.evidence["routes"] == FrozenMap(dict(found.routes))
    assert ("order" in certificate.evidence) == (route in ("zcdp", "renyi"))
    assert certificate.standing is Standing.PROVED
    assert certificate.references


def test_a_numerical_composition_says_so_and_a_rigorous_one_may_be_proved():
    parts = [(PrivacyProfile(LaplaceCurve(0.3)), 2), (ApproxDP(0.1, 1e-7), 1)]
    certificate = issue.compose(parts, epsilon=0.4, routes=("pld",))
    assert certificate.method == "compose-pld"
    assert certificate.standing is Standing.NUMERICAL
    assert "fourier-rounding" in ids(certificate)
    assert verify(certificate).status == "confirmed"
    rigorous = issue.compose(parts, epsilon=0.4, routes=("pld",), rigorous=True)
    assert rigorous.claim == certificate.claim
    assert (rigorous.standing is Standing.PROVED) == ("fourier-rounding" not in ids(rigorous))


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, None), (None, 1e-5)])
def test_equal_guarantees_known_with_different_confidence_compose_by_every_route(epsilon, delta):
    for guarantee in (PureDP(0.5), GaussianDP(0.3), ZeroConcentratedDP(0.1), ApproxDP(0.1, 1e-9)):
        one = issue.declare(guarantee)
        other = one.with_(confidence=0.99)
        certificate = issue.compose([(one, 2), other], epsilon=epsilon, delta=delta)
        assert certificate.confidence <= 0.99
        assert certificate.claim == issue.compose([(one, 3)], epsilon=epsilon, delta=delta).claim
        assert verify(certificate).status == "confirmed"


def test_only_upper_bounds_compose():
    lower = issue.declare(PureDP(1.0)).with_(direction="lower")
    with pytest.raises(InvalidInput) as error:
        issue.compose([lower, PureDP(1.0)])
    assert str(error.value) == "Only upper bounds compose, but one part is a lower bound (1-DP); leave it out."


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ([], "parts must hold at least one certificate, but is empty; give one."),
        ([1.0], "parts must hold certificates or guarantees, but got 1.0."),
        (["pure"], "parts must hold certificates or guarantees, but got 'pure'."),
        ([(PureDP(1.0), 0)], "count must be a whole number of at least 1, but got count=0; give one."),
        ([(PureDP(1.0), True)], "count must be a whole number of at least 1, but got count=True; give one."),
        ([PureDP(1.0), GaussianDP(1.0)], "Guarantees of different kinds (gdp, pure-dp) compose only to a target; give"
                                         " delta or epsilon."),
    ],
)  # fmt: skip
def test_wrong_parts_are_refused(parts, sentence):
    with pytest.raises(InvalidInput) as error:
        issue.compose(parts)
    assert str(error.value) == sentence


def test_relations_do_not_mix():
    with pytest.raises(InvalidInput, match="add-or-remove-one and replace-one"):
        issue.compose([PureDP(1.0, neighbouring="replace-one"), PureDP(1.0, neighbouring="add-or-remove-one")])


def test_failures_that_fill_the_whole_are_refused():
    guess = issue.declare(PureDP(1.0)).with_(confidence=0.4)
    other = issue.declare(PureDP(2.0)).with_(confidence=0.6)
    with pytest.raises(InvalidInput) as error:
        issue.compose([guess, other])
    assert str(error.value) == "The parts' failure probabilities add up to 1, so nothing is known of the total."


@pytest.mark.parametrize(
    "confidences",
    [[1.0], [1.0, 1.0], [0.95], [0.95, 0.99], [1 - 2**-53] * 3, [0.1] + [1 - 1e-16] * 5, [0.5, 0.5000001]],
)
def test_confidence_is_one_minus_the_sum_of_failures_rounded_down(confidences):
    exact = 1 - sum(1 - Fraction(c) for c in confidences)
    found = Fraction(ceiling_failure(confidences))
    assert 0 < found <= exact
    assert exact - found <= Fraction(4, 2**53)
    assert found == 1 or exact < 1


@pytest.mark.parametrize("confidences", [[0.5, 0.5], [0.1, 0.2], [0.9] * 11])
def test_nothing_is_known_when_failures_reach_one(confidences):
    with pytest.raises(InvalidInput, match=r"^The parts' failure probabilities add up to "):
        ceiling_failure(confidences)


# Held out.


@pytest.mark.parametrize(("errors", "records"), [(0, 1), (0, 59), (3, 100), (50, 100), (99, 100), (7, 100_000)])
@pytest.mark.parametrize("confidence", [0.95, 0.5, 0.99, 1 - 1e-9, 0.1])
def test_a_held_out_bound_is_where_so_few_errors_are_as_rare_as_the_failure(errors, records, confidence):
    certificate = issue.holdout(errors, records, confidence=confidence)
    bound = certificate.claim.bound
    failure = binomial_oracle.exact(1) - binomial_oracle.exact(confidence)
    assert binomial_oracle.lower_tail(errors, records, bound) <= failure
    assert binomial_oracle.lower_tail(errors, records, bound * (1 - 1e-9)) > failure
    assert certificate.standing is Standing.PROVED
    assert certificate.confidence == confidence
    assert ids(certificate) == ["independent-holdout"]
    assert certificate.inputs == FrozenMap({"errors": errors, "records": records})


def test_nothing_but_errors_bounds_nothing():
    assert issue.holdout(10, 10).claim == RiskBound(1.0)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"errors": -1, "records": 10}, "errors"),
        ({"errors": 11, "records": 10}, "errors"),
        ({"errors": 1.5, "records": 10}, "errors"),
        ({"errors": True, "records": 10}, "errors"),
        ({"errors": 0, "records": 0}, "records"),
        ({"errors": 0, "records": None}, "records"),
        ({"errors": 0, "records": 10, "confidence": 0.0}, "confidence"),
        ({"errors": 0, "records": 10, "confidence": 1.0}, "confidence"),
        ({"errors": 0, "records": 10, "confidence": math.nan}, "confidence"),
        ({"errors": 0, "records": 10, "confidence": "95%"}, "confidence"),
    ],
)
def test_wrong_counts_are_refused_by_name(arguments, name):
    with pytest.raises(InvalidInput, match=rf"^{name} must be "):
        issue.holdout(**arguments)


@pytest.mark.parametrize("confidence", [1e-20, 1e-300, 1 - 2**-53])
def test_extreme_confidence_gives_a_bound_or_a_sentence(confidence):
    try:
        certificate = issue.holdout(3, 10, confidence=confidence)
    except InvalidInput as error:
        sentence = str(error)
        assert sentence.startswith("confidence must be ")
    else:
        assert verify(certificate).status == "confirmed"


# What every certificate of ours keeps.


@pytest.mark.parametrize("curve", [LaplaceCurve(0.5), LaplaceCurve(math.inf), LaplaceCurve(0.0)])
@pytest.mark.parametrize(
    "options", [{"epsilon": 0.2}, {"delta": 1e-3}, {"epsilon": math.inf}, {"delta": 0.0}, {"delta": 1.0}]
)
def test_every_reading_of_a_curve_is_issued(curve, options):
    for given in (PrivacyProfile(curve), TradeOff(curve)):
        certificate = issue.convert(given, "approx-dp", **options)
        assert isinstance(certificate, Certificate)
        assert verify(certificate).status == "confirmed"


def test_a_refusal_is_always_one_of_ours():
    for wrong in ({"epsilon": "1"}, {"epsilon": math.nan}, {"delta": 2.0}, {"epsilon": -1.0}, {"order": 2.0}, {}):
        with pytest.raises(LeakboundError):
            issue.convert(GaussianDP(1.0), "approx-dp", **wrong)
