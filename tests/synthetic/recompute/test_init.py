"""The methods: which assumptions they need, how firm they are, and what they read."""

import pytest
from tests.certificate.made import made

from leakbound.certificate import Standing, verify
from leakbound.certificate.verify import methods
from leakbound.errors import InvalidCertificate
from leakbound.guarantees import ApproxDP, RenyiDP, Statements, TradeOff
from leakbound.synthetic import recompute
from leakbound.synthetic.seeds.base import seed_models
from leakbound.synthetic.seeds.enclosed import EnclosedHiddenSeeds

INPUTS = {"features": 4, "outputs": 1, "rows": 4, "noise": 1.0, "sensitivity": 1.0, "neighbouring": "as-stated"}
NUMBERS = {"numbers": ({},)}
MU = 0.5  # the Kullback-Leibler divergence of two normals a distance of one apart


def renyi(epsilon=MU, *, method="account-fixed", evidence=NUMBERS, **inputs):
    return made(method, RenyiDP((1.0,), (epsilon,)), {**INPUTS, "orders": (1.0,), **inputs}, evidence)


def test_every_seed_model_has_its_method():
    rigorous = {EnclosedHiddenSeeds.method}
    assert {model.method for model in seed_models().values()} | rigorous == set(recompute.METHODS)
    assert all(methods()[name] is method for name, method in recompute.METHODS.items())


def test_only_hidden_seeds_are_numerical():
    firm = {name: method.firmest for name, method in recompute.METHODS.items()}
    assert firm.pop("account-hidden") is Standing.NUMERICAL
    assert set(firm.values()) == {Standing.PROVED}


@pytest.mark.parametrize("method", ["account-fixed", "account-public"])
def test_a_certificate_made_by_hand_is_confirmed_and_a_better_one_refuted(method):
    assert verify(renyi(method=method)).status == "confirmed"
    assert verify(renyi(MU * 2, method=method)).status == "confirmed"
    assert verify(renyi(MU * (1 - 1e-6), method=method)).status == "refuted"


@pytest.mark.parametrize("orders", [(1.0, 2.0), (), (0.5,), "1", (True,)])
def test_orders_that_do_not_fit_are_refused(orders):
    with pytest.raises(InvalidCertificate):
        verify(renyi(orders=orders))


def test_an_order_above_the_one_asked_is_refuted_and_one_below_is_weaker():
    assert verify(renyi(orders=(0.99 + 0.01,))).status == "confirmed"
    higher = made("account-fixed", RenyiDP((1.5,), (1.0,)), {**INPUTS, "orders": (1.0,)}, NUMBERS)
    assert verify(higher).status == "refuted"
    lower = made("account-fixed", RenyiDP((1.0,), (1.0,)), {**INPUTS, "orders": (2.0,)}, NUMBERS)
    assert verify(lower).status == "confirmed"


@pytest.mark.parametrize("name", ["features", "outputs", "rows", "noise", "sensitivity"])
@pytest.mark.parametrize("method", recompute.METHODS)
def test_inputs_that_are_no_publication_are_refused(method, name):
    for bad in (0, -1, "1", True):
        with pytest.raises(InvalidCertificate, match=rf"inputs\.{name}"):
            verify(renyi(method=method, **{name: bad}))


@pytest.mark.parametrize("method", recompute.METHODS)
def test_no_question_is_refused(method):
    certificate = made(method, ApproxDP(1.0, 0.5), INPUTS, {"numbers": ({"norm": 1.0},)})
    with pytest.raises(InvalidCertificate):
        verify(certificate)


def test_lines_are_checked_one_by_one():
    def lines(*pairs):
        inputs = {**INPUTS, "epsilons": (0.0, float("inf"))}
        return verify(made("account-fixed", TradeOff(Statements(pairs)), inputs, {"numbers": ({}, {})})).status

    assert lines((0.0, 0.382925), (700.0, 0.0)) == "refuted"  # the second was asked at infinity
    assert lines((0.0, 0.382925), (float("inf"), 0.0)) == "confirmed"
    assert lines((0.0, 0.382924), (float("inf"), 0.0)) == "refuted"
