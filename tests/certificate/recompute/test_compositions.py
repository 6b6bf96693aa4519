import math

import pytest
from tests.certificate.made import made

from leakbound.certificate import issue, verify
from leakbound.errors import InvalidCertificate
from leakbound.guarantees import (
    ApproxDP,
    DPCurve,
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

INF = math.inf


def parts(*entries, confidence=1.0):
    return {
        "parts": [{"claim": issue.claim_of(claim), "count": n, "confidence": confidence} for claim, n in entries],
    }


def judged(method, claim, inputs, evidence=None, **more):
    return verify(made(method, claim, inputs, evidence, **more)).status


def refused(method, claim, inputs, evidence=None):
    with pytest.raises(InvalidCertificate) as error:
        verify(made(method, claim, inputs, evidence))
    return str(error.value)


# Of one kind.


@pytest.mark.parametrize(
    ("one", "total", "better"),
    [
        (PureDP(0.5), PureDP(1.5), PureDP(1.49)),
        (ApproxDP(0.5, 0.1), ApproxDP(1.5, 0.1 * 3), ApproxDP(1.5, 0.29)),
        (ApproxDP(0.5, 0.1), ApproxDP(1.5, 0.1 * 3), ApproxDP(1.49, 0.31)),
        (ApproxDP(0.5, 0.5), ApproxDP(1.5, 1.0), ApproxDP(1.5, 0.99)),
        (GaussianDP(1.0), GaussianDP(3**0.5 * (1 + 1e-15)), GaussianDP(1.73)),
        (ZeroConcentratedDP(0.5), ZeroConcentratedDP(1.5), ZeroConcentratedDP(1.49)),
        (MutualInformation(0.5), MutualInformation(1.5), MutualInformation(1.49)),
        (RenyiDP((2.0, 3.0), (0.5, 1.0)), RenyiDP((2.0, 3.0), (1.5, 3.0)), RenyiDP((2.0, 3.0), (1.5, 2.9))),
        (RenyiDP((2.0, INF), (0.5, 1.0)), RenyiDP((2.0, INF), (1.5, 3.0)), RenyiDP((2.0, INF), (1.5, 2.9))),
        (PrivacyProfile(GaussianCurve(1.0)), PrivacyProfile(GaussianCurve(1.7320508075688774)),
         PrivacyProfile(GaussianCurve(1.73))),
        (TradeOff(GaussianCurve(1.0)), TradeOff(GaussianCurve(1.7320508075688774)), TradeOff(GaussianCurve(1.73))),
        (PureDP(INF), PureDP(INF), PureDP(1e9)),
        (GaussianDP(INF), GaussianDP(INF), GaussianDP(1e9)),
        (PureDP(0.0), PureDP(0.0), None),
    ],
)  # fmt: skip
def test_uses_of_one_kind_add_up(one, total, better):
    inputs = parts((one, 1), (one, 2))
    assert judged("compose-same-kind", total, inputs) == "confirmed"
    if better is not None:
        assert judged("compose-same-kind", better, inputs) == "refuted"


@pytest.mark.parametrize(
    ("claim", "inputs", "sentence"),
    [
        (PureDP(1.0), parts((GaussianDP(1.0), 1)), "Not every part is of the claim's kind pure-dp; it does not fit."),
        (PrivacyProfile(GaussianCurve(1.0)), parts((PrivacyProfile(LaplaceCurve(1.0)), 1)),
         "Only Gaussian curves compose in closed form; it does not fit."),
        (PureDP(1.0), {}, "The certificate's inputs must have 'parts'; it cannot be recomputed."),
        (PureDP(1.0), {"parts": []}, "The certificate's inputs.parts must be a list, but is ()."),
        (PureDP(1.0), {"parts": [{"count": 1, "confidence": 1.0}]},
         "The certificate's inputs.parts[0] must have 'claim'; it cannot be recomputed."),
        (PureDP(1.0), {"parts": [{"claim": {"kind": "pure-dp", "epsilon": 1.0}, "count": 0, "confidence": 1.0}]},
         "inputs.parts[0].count must be a whole number of at least 1, but got inputs.parts[0].count=0; give one."),
        (PureDP(1.0), {"parts": [{"claim": {"kind": "pure-dp", "epsilon": 1.0}, "count": 1}]},
         "The certificate's inputs.parts[0] must have 'confidence'; it cannot be recomputed."),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit_are_refused(claim, inputs, sentence):
    assert refused("compose-same-kind", claim, inputs) == sentence


@pytest.mark.parametrize("claim", [RiskBound(0.1), MaxInformation(1.0, 0.0), KernelRenyiDP("k", 2.0, 0.1, 1.0)])
def test_kinds_without_a_composition_theorem_are_refused(claim):
    assert refused("compose-same-kind", claim, parts((claim, 1)))


def test_a_profile_of_lines_does_not_compose_in_closed_form():
    lines = TradeOff(Statements(((1.0, 0.0),)))
    assert refused("compose-same-kind", lines, parts((lines, 2)))


def test_orders_that_some_part_does_not_know_are_left_out():
    inputs = parts((RenyiDP((2.0, 3.0), (0.5, 1.0)), 1), (RenyiDP((3.0, 4.0), (1.0, 1.0)), 1))
    assert judged("compose-same-kind", RenyiDP((3.0,), (2.0,)), inputs) == "confirmed"
    assert refused("compose-same-kind", RenyiDP((2.0, 3.0), (0.5, 2.0)), inputs)


@pytest.mark.parametrize(
    ("confidence", "status"),
    [(0.98, "confirmed"), (0.97, "confirmed"), (0.98 * (1 + 2e-9), "refuted"), (1.0, "refuted")],
)
def test_failures_add_up(confidence, status):
    inputs = parts((PureDP(0.5), 3), (PureDP(0.25), 1), confidence=0.99)
    assert judged("compose-same-kind", PureDP(1.75), inputs, confidence=confidence) == status


def test_a_part_is_no_surer_than_one():
    assert "number in [0, 1]" in refused("compose-same-kind", PureDP(1.0), parts((PureDP(0.5), 1), confidence=1.5))


# To a target.


TARGETS = [
    ("basic", [(PureDP(0.25), 4), (ApproxDP(0.5, 1e-6), 2), (PrivacyProfile(DPCurve(0.1, 1e-9)), 1)]),
    ("basic", [(TradeOff(DPCurve(0.1, 0.0)), 8)]),
    ("gaussian", [(GaussianDP(0.25), 4), (PrivacyProfile(GaussianCurve(0.1)), 2), (TradeOff(GaussianCurve(0.2)), 1)]),
    ("zcdp", [(GaussianDP(0.25), 4), (ZeroConcentratedDP(0.01), 2), (PureDP(0.1), 3)]),
    ("zcdp", [(TradeOff(GaussianCurve(0.5)), 2), (PrivacyProfile(DPCurve(0.1, 0.0)), 3)]),
    ("renyi", [(GaussianDP(0.25), 4), (RenyiDP((2.0, 8.0), (0.1, 0.5)), 2), (PrivacyProfile(LaplaceCurve(0.1)), 3)]),
    ("renyi", [(TradeOff(Statements(((0.5, 0.0), (0.1, 0.01)))), 2), (ZeroConcentratedDP(0.01), 1)]),
    ("optimal", [(PureDP(0.25), 40)]),
    ("optimal", [(ApproxDP(0.25, 1e-7), 40)]),
    ("pld", [(PrivacyProfile(LaplaceCurve(0.5)), 2), (GaussianDP(0.3), 2)]),
]


@pytest.mark.parametrize("target", [{"epsilon": 0.5}, {"delta": 1e-3}], ids=str)
@pytest.mark.parametrize(("route", "given"), TARGETS)
def test_every_route_is_confirmed_and_refuted_when_too_good(route, given, target):
    certificate = issue.compose(given, **target, routes=(route,))
    assert verify(certificate).status == "confirmed"
    claim, off = certificate.claim, 3 * certificate.evidence["tolerance"]
    for better in (ApproxDP(claim.epsilon * (1 - off), claim.delta), ApproxDP(claim.epsilon, claim.delta * (1 - off))):
        assert verify(certificate.with_(claim=better)).status == "refuted"
    more = certificate.with_(inputs={**certificate.inputs, **parts(*((claim, n + 3) for claim, n in given))})
    assert verify(more).status == "refuted"


@pytest.mark.parametrize("target", [{"epsilon": 1.0}, {"delta": 1e-3}, {"epsilon": INF}, {"delta": 0.0}, {"delta": 1.0},
                                    {"epsilon": 0.0}], ids=str)  # fmt: skip
@pytest.mark.parametrize(
    ("route", "given"),
    [
        ("gaussian", [(GaussianDP(INF), 2)]),
        ("gaussian", [(GaussianDP(0.0), 2)]),
        ("gaussian", [(GaussianDP(0.5), 2)]),
        ("basic", [(PureDP(INF), 1)]),
        ("basic", [(ApproxDP(INF, 0.3), 1), (PureDP(1.0), 1)]),
        ("basic", [(ApproxDP(INF, 1.0), 1), (PureDP(1.0), 1)]),
        ("basic", [(ApproxDP(1.0, 0.4), 3)]),
        ("optimal", [(PureDP(INF), 3)]),
        ("optimal", [(PureDP(0.0), 3)]),
        ("optimal", [(PureDP(1.0), 3)]),
        ("optimal", [(ApproxDP(1.0, 0.4), 3)]),
        ("optimal", [(ApproxDP(1.0, 1.0), 3)]),
        ("zcdp", [(ZeroConcentratedDP(INF), 2)]),
        ("zcdp", [(ZeroConcentratedDP(0.0), 2)]),
        ("renyi", [(RenyiDP((2.0,), (INF,)), 2)]),
        ("renyi", [(RenyiDP((2.0, INF), (0.0, 0.0)), 2)]),
    ],
)  # fmt: skip
def test_the_ends_are_confirmed(route, given, target):
    certificate = issue.compose(given, **target, routes=(route,))
    assert verify(certificate).status == "confirmed"


@pytest.mark.parametrize("delta", [0.5, 0.99])
def test_nothing_follows_from_parts_that_promise_nothing(delta):
    inputs = {**parts((ApproxDP(INF, 1.0), 1), (PureDP(1.0), 1)), "delta": delta}
    assert judged("compose-basic", ApproxDP(INF, delta), inputs) == "confirmed"
    for forged in (ApproxDP(0.0, 0.0), ApproxDP(0.0, delta), ApproxDP(5.0, delta), ApproxDP(INF, delta / 2)):
        assert judged("compose-basic", forged, inputs) == "refuted"


@pytest.mark.parametrize("route", ["basic", "gaussian"])
def test_vacuous_parts_do_not_hide_the_number_that_was_asked(route):
    given = (PureDP(INF), 1) if route == "basic" else (GaussianDP(INF), 1)
    inputs = {**parts(given), "epsilon": 3.0}
    assert judged(f"compose-{route}", ApproxDP(3.0, 1.0), inputs) == "confirmed"
    assert judged(f"compose-{route}", ApproxDP(1.0, 1.0), inputs) == "refuted"
    assert judged(f"compose-{route}", ApproxDP(3.0, 0.5), inputs) == "refuted"


@pytest.mark.parametrize(
    ("method", "inputs", "evidence", "sentence"),
    [
        ("compose-basic", parts((GaussianDP(1.0), 1)), {},
         "Basic composition takes pure and approximate guarantees, not gdp; it does not fit."),
        ("compose-basic", parts((PrivacyProfile(LaplaceCurve(1.0)), 1)), {},
         "Basic composition takes pure and approximate guarantees, not profile; it does not fit."),
        ("compose-gaussian", parts((PureDP(1.0), 1)), {},
         "Gaussian composition takes Gaussian parts only; it does not fit."),
        ("compose-gaussian", parts((PrivacyProfile(LaplaceCurve(1.0)), 1)), {},
         "Gaussian composition takes Gaussian parts only; it does not fit."),
        ("compose-optimal", parts((PureDP(1.0), 1), (PureDP(2.0), 1)), {},
         "Optimal composition takes equal parts, but 2 differ; it does not fit."),
        ("compose-renyi", parts((PureDP(1.0), 1)), {},
         "The certificate's evidence must have 'order'; it cannot be recomputed."),
        ("compose-renyi", parts((RenyiDP((2.0,), (1.0,)), 1)), {"order": 3.0},
         "evidence.order is 3.0, at which the inputs say nothing; it does not fit them."),
        ("compose-zcdp", parts((PureDP(1.0), 1)), {"order": 0.5},
         "evidence.order must be a number of at least 1, but got evidence.order=0.5; give one."),
        ("compose-pld", parts((PureDP(1.0), 1)), {},
         "The certificate's evidence must have 'interval'; it cannot be recomputed."),
        ("compose-pld", parts((PureDP(1.0), 1)), {"interval": 0.0},
         "evidence.interval must be a number in [1e-09, 1000], but got evidence.interval=0.0; give one."),
    ],
)  # fmt: skip
def test_inputs_that_do_not_fit_their_route_are_refused(method, inputs, evidence, sentence):
    assert refused(method, ApproxDP(1.0, 0.9), {**inputs, "epsilon": 1.0}, evidence) == sentence


@pytest.mark.parametrize("part", [RenyiDP((1.0, 2.0), (0.5, 1.0)), ApproxDP(0.5, 0.1), RiskBound(0.1),
                                  PrivacyProfile(LaplaceCurve(1.0)), MutualInformation(0.5)])  # fmt: skip
def test_only_what_is_concentrated_composes_as_zcdp(part):
    """A divergence of order one alone says nothing of the other orders."""
    certificate = made("compose-zcdp", ApproxDP(3.0, 0.5), {**parts((part, 1)), "epsilon": 3.0}, {"order": 4.0})
    try:
        assert verify(certificate).status == "refuted"
    except InvalidCertificate as error:
        sentence = str(error)
        assert sentence.endswith(".")


def test_the_order_of_the_evidence_may_be_any_at_which_the_claim_holds():
    certificate = issue.compose([(GaussianDP(0.25), 4)], delta=1e-3, routes=("zcdp",))
    order = certificate.evidence["order"]
    for factor, wanted in ((1.0, "confirmed"), (1.5, "refuted"), (0.5, "refuted")):
        moved = certificate.with_(evidence={**certificate.evidence, "order": 1 + (order - 1) * factor})
        assert verify(moved).status == wanted


@pytest.mark.parametrize("uses", [1, 2, 7, 300])
def test_optimal_composition_is_the_sum_over_coins(uses):
    certificate = issue.compose([(ApproxDP(0.1, 1e-6), uses)], epsilon=0.25, routes=("optimal",))
    assert verify(certificate).status == "confirmed"
    fewer = certificate.with_(claim=ApproxDP(0.25, certificate.claim.delta * (1 - 3e-9)))
    assert verify(fewer).status == "refuted"
