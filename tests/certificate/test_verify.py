import contextlib
import copy
import sys
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.certificate.generated import RECIPES, SLOW, issued

from leakbound.certificate import Standing, issue, verify
from leakbound.certificate.check import Check
from leakbound.certificate.document import from_document, to_document
from leakbound.certificate.method import Method
from leakbound.certificate.verify import Verification, enclosed, methods
from leakbound.errors import InvalidCertificate, InvalidInput, LeakboundError, MissingExtra, Undecided
from leakbound.guarantees import ApproxDP, GaussianDP, MutualInformation, PureDP, ZeroConcentratedDP, registry

MODULE = sys.modules["leakbound.certificate.verify"]  # the package's attribute of this name is the function
CERTIFICATE = issue.convert(GaussianDP(1.0), "approx-dp", epsilon=1.0)


def answering(monkeypatch, *checks, error=None):
    """Let the method of the certificate give these checks, or an error."""

    def recompute(_):
        yield from checks
        if error is not None:
            raise error

    table = {CERTIFICATE.method: Method(recompute)}
    monkeypatch.setattr(MODULE, "methods", lambda: table)


def check(claimed, low, high):
    return Check("delta", claimed, low, high, 1e-9, larger_is_weaker=True)


def test_a_confirmation_shows_the_last_number_beside_its_enclosure():
    verification = verify(CERTIFICATE)
    assert verification.status == "confirmed"
    assert str(verification) == verification.sentence
    delta = verification.checks[-1]
    assert verification.sentence == (
        f"confirmed: delta: claimed {CERTIFICATE.claim.delta!r}, enclosure [{delta.low!r}, {delta.high!r}] and 1 more."
    )
    assert delta.low <= CERTIFICATE.claim.delta


def test_the_worst_check_decides(monkeypatch):
    good, unsure, bad = check(1.0, 0.5, 1.0), check(1.0, 0.5, 2.0), check(1.0, 2.0, 3.0)
    for checks, sentence in (
        ((good,), "confirmed: delta: claimed 1.0, enclosure [0.5, 1.0]."),
        ((good, good, good), "confirmed: delta: claimed 1.0, enclosure [0.5, 1.0] and 2 more."),
        ((good, unsure), "cannot decide: delta: claimed 1.0, enclosure [0.5, 2.0]."),
        ((bad, unsure, good), "refuted: delta: claimed 1.0, enclosure [2.0, 3.0]."),
    ):
        answering(monkeypatch, *checks)
        verification = verify(CERTIFICATE)
        assert verification.sentence == sentence
        assert verification.checks == checks


def test_no_check_at_all_confirms_nothing(monkeypatch):
    answering(monkeypatch)
    with contextlib.suppress(LeakboundError):
        assert verify(CERTIFICATE).status == "undecided"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Undecided("too wide."), "cannot decide: too wide."),
        (ZeroDivisionError(), "cannot decide: the recomputation ended in ZeroDivisionError."),
        (OverflowError(), "cannot decide: the recomputation ended in OverflowError."),
        (MemoryError(), "cannot decide: the recomputation ended in MemoryError."),
    ],
)
def test_a_recomputation_that_fails_decides_nothing(monkeypatch, error, sentence):
    answering(monkeypatch, check(1.0, 0.5, 1.0), error=error)
    assert verify(CERTIFICATE) == Verification("undecided", sentence)
    assert not enclosed(CERTIFICATE)


def test_an_invalid_certificate_is_said_to_be_so(monkeypatch):
    answering(monkeypatch, error=InvalidCertificate("it does not fit."))
    with pytest.raises(InvalidCertificate, match=r"^it does not fit\.$"):
        verify(CERTIFICATE)


def test_a_method_nobody_knows_is_undecided():
    assert verify(CERTIFICATE.with_(method="magic")).sentence == (
        "cannot decide: No installed verifier knows the method 'magic'; install the package that made it."
    )


def test_a_lower_bound_by_a_method_for_upper_bounds_is_refused():
    with pytest.raises(InvalidCertificate) as error:
        verify(CERTIFICATE.with_(direction="lower"))
    assert str(error.value) == (
        "The method gdp-to-approx-dp gives upper bounds, but the claim is a lower one; the certificate does not fit"
        " its method."
    )


def test_a_standing_firmer_than_the_method_is_refused(monkeypatch):
    table = {CERTIFICATE.method: Method(lambda _: (), firmest=Standing.CONDITIONAL)}
    monkeypatch.setattr(MODULE, "methods", lambda: table)
    with pytest.raises(InvalidCertificate) as error:
        verify(CERTIFICATE)
    assert str(error.value) == (
        "The method gdp-to-approx-dp stands at best as conditional, but the certificate says proved; it claims more"
        " than was done."
    )


@pytest.mark.parametrize("place", [0, 1])
def test_a_missing_assumption_is_refused(place):
    missing = CERTIFICATE.assumptions[place]
    less = tuple(a for a in CERTIFICATE.assumptions if a != missing)
    with pytest.raises(InvalidCertificate) as error:
        verify(CERTIFICATE.with_(assumptions=less))
    assert str(error.value) == (
        f"The method gdp-to-approx-dp rests on the assumption {missing.id!r}, which the certificate does not list;"
        " it is incomplete."
    )


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ({}, "The certificate's evidence must have 'tolerance'; it cannot be recomputed."),
        ({"tolerance": 1e-3}, "evidence.tolerance must be a number in [0, 1e-09], but got evidence.tolerance=0.001;"
                              " give one."),
        ({"tolerance": "0"}, "evidence.tolerance must be a number in [0, 1e-09], but got evidence.tolerance='0'"
                             " (type str)."),
    ],
)  # fmt: skip
def test_a_tolerance_is_needed_and_no_looser_than_the_method_allows(evidence, sentence):
    with pytest.raises(InvalidCertificate) as error:
        verify(CERTIFICATE.with_(evidence=evidence))
    assert str(error.value) == sentence


def test_a_tighter_tolerance_is_kept_to():
    exact = issue.convert(GaussianDP(2.0), "zcdp")
    assert verify(exact.with_(evidence={"tolerance": 0.0})).status == "confirmed"
    off = exact.with_(claim=ZeroConcentratedDP(2.0 * (1 - 1e-12)))
    assert verify(off).status == "confirmed"
    assert verify(off.with_(evidence={"tolerance": 0.0})).status == "refuted"


def test_enclosed_means_safe_without_any_tolerance():
    exact = issue.convert(GaussianDP(2.0), "zcdp")
    assert enclosed(exact)
    better = exact.with_(claim=ZeroConcentratedDP(2.0 * (1 - 1e-12)))
    assert verify(better).status == "confirmed"
    assert not enclosed(better)


def test_outputs_reach_the_recomputation(monkeypatch):
    seen = []
    table = {CERTIFICATE.method: Method(lambda problem: seen.append(problem) or [check(1.0, 0.5, 1.0)])}
    monkeypatch.setattr(MODULE, "methods", lambda: table)
    verify(CERTIFICATE)
    verify(CERTIFICATE, outputs="o.npy")
    assert seen[0].outputs is None
    assert seen[1].outputs.name == "o.npy"
    assert seen[0].claim.number("epsilon") == 1.0
    assert seen[0].inputs.record("given").number("mu") == 1.0


def test_without_python_flint_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    with pytest.raises(MissingExtra, match=r"leakbound\[verify\]"):
        verify(CERTIFICATE)
    assert issue.convert(GaussianDP(1.0), "zcdp").standing is Standing.NUMERICAL


def test_two_verifiers_may_not_know_one_method(monkeypatch):
    ours, theirs = ModuleType("ours"), ModuleType("theirs")
    ours.METHODS = theirs.METHODS = {"magic": Method(lambda _: ())}
    methods.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(MODULE, "plugins", lambda _: {"ours": ours, "theirs": theirs})
        with pytest.raises(InvalidInput, match=r"^Two verifiers know the method 'magic', one of them theirs; "):
            methods()
    assert "magic" not in methods()


def test_methods_come_from_the_entry_points():
    assert set(registry.plugins("leakbound.verifiers")) >= {"conversions", "compositions", "intervals"}


# What a certificate says of itself must follow from what it holds.


def test_another_relation_than_the_inputs_is_not_confirmed():
    honest = issue.convert(GaussianDP(1.0, neighbouring="add-or-remove-one"), "approx-dp", epsilon=1.0)
    forged = honest.with_(claim=ApproxDP(1.0, honest.claim.delta, neighbouring="replace-one"))
    assert not confirmed(forged)
    composed = issue.compose([(PureDP(1.0, neighbouring="add-or-remove-one"), 3)])
    assert not confirmed(composed.with_(claim=PureDP(3.0, neighbouring="replace-one")))


def refusal(certificate):
    with pytest.raises(InvalidCertificate) as error:
        verify(certificate)
    return str(error.value)


def test_the_relation_of_a_claim_is_that_of_its_inputs():
    honest = issue.convert(GaussianDP(1.0, neighbouring="label-only"), "zcdp")
    stated = issue.declare(PureDP(1.0, neighbouring="replace-one"))
    for certificate in (honest, stated):
        assert verify(certificate).status == "confirmed"
        moved = certificate.with_(claim=certificate.claim.from_claim(certificate.claim.claim(), "declared-secret"))
        assert refusal(moved) == (
            f"The inputs are about the relation {certificate.neighbouring!r}, but the claim is about declared-secret;"
            " it does not follow from them."
        )
    unstated = {name: value for name, value in stated.inputs.items() if name != "neighbouring"}
    assert refusal(stated.with_(inputs=unstated)).startswith("The inputs are about the relation 'as-stated', but")


@pytest.mark.parametrize("relation", ["as-stated", "label-only", "replace-one", "add-or-remove-one"])
@pytest.mark.parametrize("records", [None, 1, 3])
def test_information_about_several_records_is_about_a_secret_of_its_own(relation, records):
    honest = issue.convert(PureDP(0.5, neighbouring=relation), "mutual-information", records=records)
    assert verify(honest).status == "confirmed"
    own = records == 3 and relation not in ("as-stated", "label-only")
    assert honest.neighbouring == ("declared-secret" if own else relation)
    other = relation if own else "declared-secret"
    assert "about the relation" in refusal(honest.with_(claim=MutualInformation(1.0, neighbouring=other)))


def test_the_standing_of_parts_is_one_of_four_and_no_weaker_than_the_whole():
    composed = issue.compose([issue.declare(PureDP(1.0)).with_(standing=Standing.CONDITIONAL), PureDP(2.0)])
    assert refusal(composed.with_(standing=Standing.PROVED)) == (
        "A part stands only as conditional, but the certificate says proved; it claims more than its parts."
    )
    (first, *rest) = composed.inputs["parts"]
    wrong = composed.with_(inputs={**composed.inputs, "parts": [{**first, "standing": "firm"}, *rest]})
    assert refusal(wrong) == "inputs.parts[0].standing must be one of the four standings, but is 'firm'."


def test_a_standing_firmer_than_a_part_is_not_confirmed():
    guess = issue.declare(PureDP(1.0)).with_(standing=Standing.ESTIMATE)
    composed = issue.compose([guess, PureDP(2.0)])
    assert composed.standing is Standing.ESTIMATE
    assert verify(composed).status == "confirmed"
    assert not confirmed(composed.with_(standing=Standing.PROVED))


def confirmed(certificate):
    try:
        return verify(certificate).status == "confirmed"
    except InvalidCertificate:
        return False


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(allow_nan=False), st.text(max_size=5), st.just("inf"),
    st.sampled_from(["gdp", "pure-dp", "profile", "renyi", "risk", "gaussian", "dp", "declared-secret"]),
    st.lists(st.floats(0, 3), max_size=3), st.just({}), st.just([[1.0, 0.5]]), st.sampled_from(sorted(methods())),
)  # fmt: skip


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_is_changed_nothing_but_leakbound_errors_comes_out(data):
    name = data.draw(st.sampled_from([name for name in RECIPES if name not in SLOW and "renyi" not in name]))
    document = to_document(data.draw(st.sampled_from(issued(name))))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(list(places(document))))
        if data.draw(st.booleans()) or isinstance(holder, list):
            holder[key] = copy.deepcopy(data.draw(VALUES))
        else:
            del holder[key]
    with contextlib.suppress(LeakboundError):
        assert verify(from_document(document)).status in ("confirmed", "refuted", "undecided")


def places(value):
    """Yield every (holder, key) inside plain JSON, but not the counts, which may take long."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in pairs:
        if key not in ("count", "records"):
            yield value, key
            yield from places(entry)
