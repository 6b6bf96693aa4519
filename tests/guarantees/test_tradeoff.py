import math

import pytest
from tests.oracles import gaussian_oracle
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import DPCurve, Events, GaussianCurve, LaplaceCurve, Statements, TradeOff

LINES = ((0.0, 0.3), (1.0, 0.01))


@pytest.mark.parametrize("curve", [None, 1.0, "gaussian", GaussianCurve, {"mu": 1.0}, LINES])
def test_a_curve_is_needed(curve):
    with pytest.raises(InvalidInput, match=r"^curve must be a .* such as GaussianCurve.*, but got "):
        TradeOff(curve)


def test_events_are_no_trade_off_function():
    # their lines would be read as statements when the claim is read again
    with pytest.raises(InvalidInput, match=r"^curve must be "):
        TradeOff(Events(((0.7, 0.2),)))


def test_beta_is_that_of_the_curve():
    curve = TradeOff(GaussianCurve(0.75))
    assert 0 <= excess(curve.beta(0.25), lambda: gaussian_oracle.trade_off(0.75, 0.25), up=False) <= 2e-11
    assert (curve.beta(0), curve.beta(1)) == (1.0, 0.0)
    for bad in (-1e-9, 1.001, math.nan, True, "1"):
        with pytest.raises(InvalidInput, match=r"^level must be a number in \[0, 1\], but got level="):
            curve.beta(bad)


def test_claims():
    assert TradeOff(Statements(LINES)).claim() == {"lines": LINES}
    assert TradeOff(DPCurve(1.0, 0.5)).claim() == {"family": "dp", "parameters": {"epsilon": 1.0, "delta": 0.5}}
    assert TradeOff.from_claim({"lines": LINES}, "as-stated") == TradeOff(Statements(LINES))
    with pytest.raises(InvalidInput, match=r"^A tradeoff claim has either lines, or family and parameters; got mu"):
        TradeOff.from_claim({"mu": 1.0}, "as-stated")


def test_text():
    assert str(TradeOff(GaussianCurve(1.0))) == "trade-off function gaussian(mu=1)"
    assert str(TradeOff(Statements(LINES))) == "trade-off function 2 statements"


def test_gaussian_curves_compose_and_others_do_not():
    assert TradeOff(GaussianCurve(3.0)).compose(4) == TradeOff(GaussianCurve(6.0))
    with pytest.raises(NoTheorem, match=r"^A trade-off function composes in closed form when it is Gaussian, but got"):
        TradeOff(LaplaceCurve(1.0)).compose(2)
