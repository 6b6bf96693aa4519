import math

import pytest
from tests.certificate.made import made

from leakbound.certificate import issue, verify
from leakbound.errors import InvalidCertificate
from leakbound.guarantees import (
    ARROWS,
    ApproxDP,
    DPCurve,
    Events,
    GaussianCurve,
    GaussianDP,
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

CURVES = [GaussianCurve(0.5), LaplaceCurve(1.0), DPCurve(1.0, 1e-6), DPCurve(1.0, 0.0)]
EVENTS, STATEMENTS = Events(((0.7, 0.2), (0.1, 0.01))), Statements(((0.0, 0.3), (1.0, 0.01)))


def given(guarantee):
    return {"given": issue.claim_of(guarantee), "neighbouring": "as-stated"}


def judged(method, claim, inputs, evidence=None):
    return verify(made(method, claim, inputs, evidence)).status


def refused(method, claim, inputs, evidence=None):
    with pytest.raises(InvalidCertificate) as error:
        verify(made(method, claim, inputs, evidence))
    return str(error.value)


# Declared.


def test_every_kind_is_declared_as_it_was_given():
    for kind in kinds().values():
        for example in kind.examples():
            assert judged("declared", example, given(example)) == "confirmed", example


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (PureDP(1.0), PureDP(1.1)),
        (ApproxDP(1.0, 1e-6), ApproxDP(1.0, 1.1e-6)),
        (GaussianDP(1.0), GaussianDP(1.1)),
        (ZeroConcentratedDP(1.0), ZeroConcentratedDP(1.1)),
        (MutualInformation(1.0), MutualInformation(1.1)),
        (MaxInformation(1.0, 0.1), MaxInformation(1.0, 0.2)),
        (RiskBound(0.1), RiskBound(0.2)),
        (KernelRenyiDP("k", 2.0, 0.1, 1.0), KernelRenyiDP("k", 1.5, 0.1, 1.0)),
        (KernelRenyiDP("k", 2.0, 0.1, 1.0), KernelRenyiDP("k", 2.0, 0.2, 1.0)),
        (RenyiDP((2.0, 3.0), (1.0, 2.0)), RenyiDP((2.0, 3.0), (1.0, 2.1))),
        (RenyiDP((2.0, math.inf), (1.0, 2.0)), RenyiDP((2.0, 9.0), (1.0, 2.0))),
        (PrivacyProfile(GaussianCurve(1.0)), PrivacyProfile(GaussianCurve(1.1))),
        (TradeOff(DPCurve(1.0, 0.1)), TradeOff(DPCurve(1.0, 0.2))),
        (PrivacyProfile(Events(((0.7, 0.2),))), PrivacyProfile(Events(((0.7, 0.1),)))),
        (PrivacyProfile(Events(((0.7, 0.2),))), PrivacyProfile(Events(((0.8, 0.2),)))),
        (TradeOff(Statements(((1.0, 0.2),))), TradeOff(Statements(((1.0, 0.3),)))),
        (TradeOff(Statements(((1.0, 0.2),))), TradeOff(Statements(((1.1, 0.2),)))),
    ],
)
def test_a_declaration_may_be_weaker_than_what_was_given_but_not_stronger(better, worse):
    assert judged("declared", worse, given(better)) == "confirmed"
    assert judged("declared", better, given(worse)) == "refuted"


@pytest.mark.parametrize(
    ("claim", "inputs", "sentence"),
    [
        (PureDP(1.0), GaussianDP(1.0),
         "This method gives gdp claims, but the claim is of kind pure-dp; it does not fit."),
        (KernelRenyiDP("k", 2.0, 0.1, 1.0), KernelRenyiDP("l", 2.0, 0.1, 1.0),
         "The claim names another kernel than its inputs; it does not fit."),
        (RenyiDP((2.0,), (1.0,)), RenyiDP((2.0, 3.0), (1.0, 1.0)),
         "The claim has 1 orders, but 2 were given; it does not fit."),
        (PrivacyProfile(EVENTS), PrivacyProfile(Events(((0.7, 0.2),))),
         "The claim has 2 lines, its inputs 1; it does not fit."),
        (PrivacyProfile(GaussianCurve(1.0)), PrivacyProfile(LaplaceCurve(1.0)),
         "This method gives the family laplace, but the claim has gaussian; it does not fit."),
        (PrivacyProfile(EVENTS), PrivacyProfile(LaplaceCurve(1.0)),
         "This method gives the family laplace, but the claim has lines; it does not fit."),
        (PrivacyProfile(LaplaceCurve(1.0)), PrivacyProfile(EVENTS),
         "The certificate's claim must have 'lines'; it cannot be recomputed."),
        (PrivacyProfile(EVENTS), TradeOff(STATEMENTS),
         "This method gives tradeoff claims, but the claim is of kind profile; it does not fit."),
    ],
)  # fmt: skip
def test_a_declaration_of_something_else_is_refused(claim, inputs, sentence):
    assert refused("declared", claim, given(inputs)) == sentence


def test_inputs_without_a_guarantee_are_refused():
    assert (
        refused("declared", PureDP(1.0), {}) == "The certificate's inputs must have 'given'; it cannot be recomputed."
    )
    assert "kind" in refused("declared", PureDP(1.0), {"given": {}})
    assert refused("declared", PureDP(1.0), {"given": {"kind": "magic"}})


# Conversions, each confirmed as issued and refuted a little better.


@pytest.mark.parametrize("name", sorted(arrow.method for arrow in ARROWS.values()))
def test_every_arrow_refuses_a_claim_of_another_kind(name):
    (arrow,) = (arrow for arrow in ARROWS.values() if arrow.method == name)
    example = kinds()[arrow.source].examples()[1]
    wrong = RiskBound(0.5)
    inputs = {**given(example), "epsilon": 1.0, "orders": [2.0], "epsilons": [1.0], "records": 2, "order": 2.0}
    with pytest.raises(InvalidCertificate, match=r" claims, but the claim is of kind risk; it does not fit\.$"):
        verify(made(name, wrong, inputs, {"order": 2.0}))


@pytest.mark.parametrize("curve", CURVES)
def test_families_pass_from_profiles_to_trade_offs_and_back(curve):
    profile, tradeoff = PrivacyProfile(curve), TradeOff(curve)
    assert judged("profile-to-tradeoff", tradeoff, given(profile)) == "confirmed"
    assert judged("tradeoff-to-profile", profile, given(tradeoff)) == "confirmed"
    name, value = next(iter(curve.parameters().items()))
    weaker = type(curve)(**{**curve.parameters(), name: value * 1.1})
    assert judged("profile-to-tradeoff", tradeoff, given(PrivacyProfile(weaker))) == "refuted"
    assert judged("tradeoff-to-profile", profile, given(TradeOff(weaker))) == "refuted"


def test_lines_are_compared_as_curves():
    profile, tradeoff = PrivacyProfile(EVENTS), TradeOff(STATEMENTS)
    assert verify(issue.convert(profile, "tradeoff")).status == "confirmed"
    assert verify(issue.convert(tradeoff, "profile")).status == "confirmed"
    for claim, wanted in (
        (TradeOff(Statements(((0.0, 0.6),))), "confirmed"),
        (TradeOff(Statements(((0.0, 0.4),))), "refuted"),
    ):
        assert judged("profile-to-tradeoff", claim, given(profile)) == wanted
    for claim, wanted in (
        (PrivacyProfile(Events(((0.5, 0.0),))), "confirmed"),
        (PrivacyProfile(Events(((0.2, 0.0),))), "refuted"),
        (PrivacyProfile(Events(((0.5, 0.4),))), "refuted"),
    ):
        assert judged("tradeoff-to-profile", claim, given(tradeoff)) == wanted


def test_statements_with_an_infinite_epsilon_pass():
    tradeoff = TradeOff(Statements(((1.0, 0.1), (math.inf, 0.05))))
    assert verify(issue.convert(tradeoff, "profile")).status == "confirmed"


def test_statements_from_divergences_are_checked_one_by_one():
    certificate = issue.convert(RenyiDP((2.0, 8.0), (0.1, 0.5)), "tradeoff", epsilons=(0.0, 0.5))
    assert verify(certificate).status == "confirmed"
    ((_, first), (_, second)) = certificate.claim.curve.lines
    for lines in (((0.0, first * 0.99), (0.5, second)), ((0.0, first), (0.5, second * 0.99)),
                  ((0.0, first), (0.49, second))):  # fmt: skip
        assert verify(certificate.with_(claim=TradeOff(Statements(lines)))).status == "refuted"
    short = certificate.with_(claim=TradeOff(Statements(((0.0, first),))))
    with pytest.raises(InvalidCertificate, match=r"^The claim has 1 lines for 2 epsilons; it does not fit\.$"):
        verify(short)


@pytest.mark.parametrize("epsilon", [0.0, math.inf])
def test_gaussian_claims_of_nothing_and_of_everything(epsilon):
    certificate = issue.convert(PureDP(epsilon), "gdp")
    assert certificate.claim.mu == epsilon
    assert verify(certificate).status == "confirmed"
    if epsilon:
        assert verify(certificate.with_(claim=GaussianDP(100.0))).status == "refuted"
    else:
        assert judged("pure-dp-to-gdp", GaussianDP(0.0), given(PureDP(1e-3))) == "refuted"


@pytest.mark.parametrize(
    ("guarantee", "options"),
    [
        (PureDP(0.3), {}),
        (PureDP(math.inf), {}),
        (PureDP(0.3), {"records": 3}),
        (PureDP(0.3), {"records": 3, "independent": True}),
        (PureDP(0.3, neighbouring="add-or-remove-one"), {"records": 3}),
        (PureDP(0.3, neighbouring="add-or-remove-one"), {"records": 3, "independent": True}),
        (GaussianDP(0.3), {"records": 3}),
        (GaussianDP(0.3, neighbouring="add-or-remove-one"), {}),
        (ZeroConcentratedDP(0.3), {"records": 3, "independent": True}),
        (RenyiDP((2.0, 3.0), (0.4, 0.5)), {}),
    ],
)
def test_information_counts_its_records(guarantee, options):
    certificate = issue.convert(guarantee, "mutual-information", **options)
    assert verify(certificate).status == "confirmed"
    if certificate.claim.nats < math.inf:
        better = MutualInformation(certificate.claim.nats * (1 - 1e-6), neighbouring=certificate.claim.neighbouring)
        assert verify(certificate.with_(claim=better)).status == "refuted"


def test_divergences_alone_do_not_bound_a_group():
    inputs = {**given(RenyiDP((2.0,), (0.5,))), "neighbouring": "add-or-remove-one"}
    assert refused("renyi-to-mutual-information", MutualInformation(0.5, neighbouring="add-or-remove-one"), inputs) == (
        "Renyi guarantees have no group bound here, but the relation needs one."
    )


def test_max_information_has_no_failure():
    inputs = {**given(PureDP(0.5)), "records": 10}
    assert judged("pure-dp-to-max-information", MaxInformation(5.0, 0.0), inputs) == "confirmed"
    assert judged("pure-dp-to-max-information", MaxInformation(5.0, 0.1), inputs) == "confirmed"
    assert judged("pure-dp-to-max-information", MaxInformation(4.999, 0.0), inputs) == "refuted"


def test_a_kernel_divergence_is_at_most_a_classical_one_of_a_larger_order():
    inputs = {**given(RenyiDP((2.0, 8.0), (0.5, 0.4))), "kernel": "k", "order": 2.0, "regularization": 0.1}
    for claim, wanted in (
        (KernelRenyiDP("k", 2.0, 0.1, 0.4), "confirmed"),
        (KernelRenyiDP("k", 2.0, 0.1, 0.39), "refuted"),
        (KernelRenyiDP("k", 2.1, 0.1, 0.4), "refuted"),
        (KernelRenyiDP("k", 2.0, 0.09, 0.4), "refuted"),
    ):
        assert judged("renyi-to-kernel-renyi", claim, inputs) == wanted
    assert judged("renyi-to-kernel-renyi", KernelRenyiDP("k", 2.0, 0.1, 9.0), {**inputs, "order": 9.0}) != "confirmed"
    assert refused("renyi-to-kernel-renyi", KernelRenyiDP("l", 2.0, 0.1, 0.4), inputs) == (
        "The claim names another kernel than its inputs; it does not fit."
    )


@pytest.mark.parametrize("guarantee", [GaussianDP(1.0), PureDP(1.0), ApproxDP(1.0, 0.1)])
def test_a_guarantee_becomes_the_curve_of_its_hardest_pair(guarantee):
    for target in ("profile", "tradeoff"):
        certificate = issue.convert(guarantee, target)
        assert verify(certificate).status == "confirmed"
        cls = type(certificate.claim)
        with pytest.raises(InvalidCertificate, match="but the claim has laplace; it does not fit"):
            verify(certificate.with_(claim=cls(LaplaceCurve(1.0))))


@pytest.mark.parametrize(("order", "fits"), [(4.0, True), (3.0, False)])
def test_a_reading_is_checked_at_the_order_of_the_evidence(order, fits):
    certificate = issue.convert(RenyiDP((2.0, 4.0), (0.4, 0.5)), "approx-dp", epsilon=1.0)
    assert certificate.evidence["order"] == 4.0
    moved = certificate.with_(evidence={**certificate.evidence, "order": order})
    if fits:
        assert verify(moved).status == "confirmed"
    else:
        with pytest.raises(InvalidCertificate, match=r"^evidence\.order is 3\.0, at which the inputs say nothing"):
            verify(moved)
    assert verify(certificate.with_(evidence={**certificate.evidence, "order": 2.0})).status == "refuted"


@pytest.mark.parametrize("orders", [(1.0,), (1.0, 2.0, math.inf), (1.0001, 1e6)])
@pytest.mark.parametrize(
    "guarantee",
    [
        PureDP(0.5), PureDP(0.0), PureDP(math.inf), GaussianDP(0.5), GaussianDP(0.0), GaussianDP(math.inf),
        ZeroConcentratedDP(0.5), ZeroConcentratedDP(0.0), PrivacyProfile(LaplaceCurve(1.0)), PrivacyProfile(EVENTS),
        TradeOff(STATEMENTS), TradeOff(Statements(((1.0, 0.0), (0.5, 0.1)))), PrivacyProfile(Events(((0.7, 0.2),))),
        TradeOff(DPCurve(1.0, 0.1)), TradeOff(DPCurve(1.0, 0.0)),
    ],
)  # fmt: skip
def test_divergences_are_issued_and_confirmed_at_every_order(guarantee, orders):
    certificate = issue.convert(guarantee, "renyi", orders=orders)
    assert verify(certificate).status == "confirmed"
