import dataclasses

import pytest

from leakbound.certificate import Standing, verify
from leakbound.certificate.frozen import FrozenMap
from leakbound.errors import InvalidCertificate
from leakbound.synthetic import account
from leakbound.synthetic.seeds import enclosed

GIVEN = {"features": 12, "outputs": 1, "rows": 2, "noise": 1.0, "sensitivity": 1.0, "norm_bound": 2.0}
QUESTIONS = [{"orders": [2.0]}, {"delta": 1e-5}, {"epsilon": 0.5}, {"epsilons": [0.1, 0.5]}]


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: next(iter(asked)))
def test_a_rigorous_certificate_is_proved_within_one_part_in_100(asked):
    proved = account(**GIVEN, seeds="hidden", rigorous=True, **asked)
    found = account(**GIVEN, seeds="hidden", **asked)
    assert (proved.standing, found.standing) == (Standing.PROVED, Standing.NUMERICAL)
    assert verify(proved).status == "confirmed"
    for better, weaker in zip(numbers(found), numbers(proved), strict=True):
        assert better < weaker <= 1.01 * better


def numbers(certificate):
    claim = certificate.claim
    if certificate.claim.kind == "renyi":
        return claim.epsilons
    if certificate.claim.kind == "tradeoff":
        return tuple(delta for _, delta in claim.curve.lines)
    return (claim.epsilon,) if "delta" in certificate.inputs else (claim.delta,)


@pytest.mark.parametrize("asked", [{"orders": [2.0]}, {"epsilon": 0.5}], ids=["orders", "epsilon"])
def test_without_a_norm_bound_the_tail_is_covered_too(asked):
    given = {"features": 2, "outputs": 1, "rows": 1, "noise": 1.0, "sensitivity": 1.0, "seeds": "hidden"}
    proved = account(**given, **asked, rigorous=True)
    assert proved.standing is Standing.PROVED
    least = 0.2124008366 if "orders" in asked else account(**given, **asked).claim.delta / 1.0002
    assert least <= numbers(proved)[0] <= least * 1.01
    evidence = proved.evidence["numbers"][0]
    assert evidence["gap"] < evidence["edges"][-1]


@pytest.mark.parametrize("asked", [{"orders": [2.0, float("inf")]}, {"delta": 1e-3}, {"epsilon": 0.5}, {"delta": 0.9}])
def test_several_outputs_are_public_seeds(asked):
    given = {**GIVEN, "outputs": 3}
    proved = account(**given, seeds="hidden", rigorous=True, **asked)
    assert proved.standing is Standing.PROVED
    assert proved.claim == account(**given, seeds="public", **asked).claim


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: next(iter(asked)))
def test_where_a_proof_would_cost_more_public_seeds_are_taken(asked, monkeypatch):
    monkeypatch.setattr(enclosed, "PRICE", 9.0)
    proved = account(**GIVEN, seeds="hidden", rigorous=True, **asked)
    assert proved.standing is Standing.PROVED
    assert proved.claim == account(**GIVEN, seeds="public", **asked).claim
    assert proved.evidence["numbers"][0]["public_seeds"] is True


def changed(certificate, **evidence):
    [number] = certificate.evidence["numbers"]
    kept = {name: value for name, value in {**number, **evidence}.items() if value is not None}
    return certificate.with_(evidence=FrozenMap({**certificate.evidence, "numbers": [kept]}))


def test_evidence_that_covers_less_or_does_not_fit_proves_nothing():
    proved = account(**GIVEN, seeds="hidden", rigorous=True, orders=[2.0])
    edges = proved.evidence["numbers"][0]["edges"]
    for bad in ({"edges": edges[:-1]}, {"edges": edges[1:]}, {"edges": None}, {"edges": (0.0,)}):
        with pytest.raises(InvalidCertificate):
            verify(changed(proved, **bad))
    with pytest.raises(InvalidCertificate, match="Cells of norms are for one output"):
        verify(proved.with_(inputs=FrozenMap({**proved.inputs, "outputs": 2})))
    coarse = changed(proved, edges=(edges[0], edges[-1]))
    assert verify(coarse).status == "undecided"


@pytest.mark.parametrize("asked", [{"orders": [2.0]}, {"delta": 1e-5}, {"epsilon": 0.5}])
def test_a_claim_that_is_too_good_is_not_confirmed(asked):
    proved = account(**GIVEN, seeds="hidden", rigorous=True, **asked)
    name = {"orders": "epsilons", "delta": "epsilon", "epsilon": "delta"}[next(iter(asked))]
    for factor, answer in ((0.993, "undecided"), (0.97, "refuted")):
        value = getattr(proved.claim, name)
        better = tuple(v * factor for v in value) if isinstance(value, tuple) else value * factor
        tampered = proved.with_(claim=dataclasses.replace(proved.claim, **{name: better}))
        assert verify(tampered).status == answer


@pytest.mark.parametrize("seeds", ["fixed", "public", "hidden"])
def test_a_bound_on_the_norm_must_be_assumed(seeds):
    certificate = account(**{**GIVEN, "rows": 1}, seeds=seeds, orders=[2.0])
    kept = tuple(one for one in certificate.assumptions if one.id != "norm-bound")
    with pytest.raises(
        InvalidCertificate, match="rests on the assumption 'norm-bound', which the certificate does not"
    ):
        verify(certificate.with_(assumptions=kept))


def test_nothing_is_said_of_pairs_too_far_apart():
    proved = account(**GIVEN, seeds="hidden", rigorous=True, epsilon=1.0)
    inputs = {name: value for name, value in proved.inputs.items() if name != "norm_bound"}
    wide = proved.with_(inputs=FrozenMap({**inputs, "features": 1, "rows": 300}))
    assert verify(changed(wide, norm=1.0, edges=(0.0, 60.0, 60.5), gap=5.0)).status in ("undecided", "refuted")
    assert (
        verify(
            changed(
                wide.with_(claim=dataclasses.replace(wide.claim, delta=0.3)), norm=1.0, edges=(0.0, 60.0, 60.5), gap=5.0
            )
        ).status
        == "undecided"
    )
