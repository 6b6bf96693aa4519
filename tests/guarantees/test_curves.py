import math
import random
from fractions import Fraction

import pytest
from tests.oracles import gaussian_oracle, polygon_oracle, renyi_oracle
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import Curve, DPCurve, Events, GaussianCurve, LaplaceCurve, Statements
from leakbound.guarantees.curves import Lines, compose_gaussian, curve_claim, curve_from_claim
from leakbound.guarantees.registry import curve_families
from leakbound.numerics.ball import ball
from leakbound.numerics.polygon import statements_of_events
from leakbound.numerics.rounding import square_root_ceiling

RANDOM = random.Random(9)
CLOSE = 4.5e-16
LINES = ((0.25, 0.1), (1.0, 0.01), (2.0, 0.0))
EVENTS = ((0.7, 0.2), (0.2, 0.01))


def above(found, formula, close=CLOSE):
    return 0 <= excess(found, formula) <= close


def below(found, formula, close=CLOSE):
    return 0 <= excess(found, formula, up=False) <= close


def test_a_gaussian_curve():
    for mu, eps, level, order in ((0.75, 0.5, 0.1, 3.0), (2.0, 0.0, 0.9, 1.0)):
        curve = GaussianCurve(mu)
        assert above(curve.hockey_stick(eps), lambda mu=mu, e=eps: gaussian_oracle.hockey_stick(mu, e), 2e-11)
        assert below(curve.trade_off(level), lambda mu=mu, a=level: gaussian_oracle.trade_off(mu, a), 2e-11)
        assert above(curve.renyi(order), lambda mu=mu, a=order: renyi_oracle.gaussian(a, mu))


def test_a_laplace_curve():
    for shift in (1e-9, 0.75, 6.0):
        curve = LaplaceCurve(shift)
        levels = (1e-12, 0.3 * math.exp(-shift), 0.5 * math.exp(-shift), 0.4, 0.5, 0.7, 1.0)
        for level in levels:
            assert below(curve.trade_off(level), lambda s=shift, a=level: renyi_oracle.laplace_trade_off(s, a)), level
        assert above(curve.hockey_stick(shift / 3), lambda s=shift: renyi_oracle.laplace_hockey_stick(s, s / 3))
        assert above(curve.renyi(2.5), lambda s=shift: renyi_oracle.laplace(2.5, s))


def test_the_ends_of_a_laplace_curve():
    assert [LaplaceCurve(shift).trade_off(0.0) for shift in (0.0, 1.0, 1e19, math.inf)] == [1.0] * 4
    assert [LaplaceCurve(shift).trade_off(0.5) for shift in (1e4, 1e18, 1e19, math.inf)] == [0.0] * 4
    assert LaplaceCurve(0.0).trade_off(0.25) == pytest.approx(0.75, rel=1e-15)
    assert LaplaceCurve(1.0).trade_off(1.0) == 0.0


def test_a_dp_curve():
    for eps, delta in ((0.75, 0.01), (3.0, 0.0), (1e-9, 0.5)):
        curve, line = DPCurve(eps, delta), ((eps, delta),)
        for at in (0.0, eps / 2, 2 * eps):
            assert above(curve.hockey_stick(at), lambda line=line, t=at: polygon_oracle.hockey_stick(line, t))
        for level in (0.0, 0.1, 0.4, 0.99):
            found = curve.trade_off(level)
            assert found == 0 or below(found, lambda line=line, a=level: polygon_oracle.trade_off(line, a))
    assert above(DPCurve(0.75, 0.0).renyi(2.5), lambda: renyi_oracle.two_point(2.5, 0.75))
    assert DPCurve(0.75, 5e-324).renyi(2.5) == math.inf


def test_the_ends_of_a_dp_curve():
    assert DPCurve(math.inf, 0.0).hockey_stick(5.0) == DPCurve(1.001e18, 0.0).hockey_stick(5.0) == 1.0
    assert DPCurve(1e18, 0.0).hockey_stick(5.0) == 1.0
    assert DPCurve(1e18, 0.0).hockey_stick(1e18) == 0.0
    assert DPCurve(0.0, 1.0).hockey_stick(3.0) == 1.0
    assert DPCurve(0.0, 1.0).trade_off(0.0) == 0.0
    assert DPCurve(math.inf, 0.0).renyi(2.0) == math.inf


@pytest.mark.parametrize("delta", [0.0, 0.25, 1.0])
def test_an_infinite_epsilon_keeps_only_delta(delta):
    curve = DPCurve(math.inf, delta)
    assert curve.trade_off(0.0) == pytest.approx(1 - delta, rel=1e-15)
    assert curve.trade_off(1e-9) == curve.trade_off(1.0) == 0.0
    assert curve.hockey_stick(0.0) == 1.0


def test_statements():
    curve = Statements(LINES)
    for eps in (0.0, 0.5, 1.5):
        assert above(curve.hockey_stick(eps), lambda e=eps: polygon_oracle.hockey_stick(LINES, e))
    for level in (0.0, 0.1, 0.6):
        assert below(curve.trade_off(level), lambda a=level: polygon_oracle.trade_off(LINES, a))
    for order in (1.0, 2.0, math.inf):
        assert above(curve.renyi(order), lambda a=order: polygon_oracle.renyi(LINES, a))


def test_events():
    curve = Events(EVENTS)
    for eps in (0.0, 0.5, 2.0, 3.0):
        assert above(curve.hockey_stick(eps), lambda e=eps: polygon_oracle.hockey_stick_of_events(EVENTS, e))
    for level in (0.0, 0.1, 0.6):
        exact = polygon_oracle.trade_off_of_events(EVENTS, level)
        assert below(curve.trade_off(level), lambda exact=exact: ball(exact), 1e-14)
    lines = statements_of_events(EVENTS)
    for order in (1.0, 2.0, math.inf):
        assert above(curve.renyi(order), lambda a=order: polygon_oracle.renyi(lines, a))
    assert curve.renyi(math.inf) == pytest.approx(math.log(20), rel=1e-15)
    assert Events(((0.2, 0.0),)).renyi(2.0) == math.inf


@pytest.mark.parametrize(
    ("family", "names"),
    [(GaussianCurve, ("mu",)), (LaplaceCurve, ("epsilon",)), (DPCurve, ("epsilon", "delta"))],
)
def test_parameters_are_checked(family, names):
    assert family(**dict.fromkeys(names, 1)).parameters() == dict.fromkeys(names, 1.0)
    assert family(**dict.fromkeys(names, 0)).parameters() == dict.fromkeys(names, 0.0)
    for name in names:
        for bad in (-1e-9, math.nan, -math.inf, True, "1", None, *((1.001, math.inf) if name == "delta" else ())):
            with pytest.raises(InvalidInput, match=rf"^{name} must be a number .* but got {name}="):
                family(**{**dict.fromkeys(names, 0.5), name: bad})
    if "delta" not in names:
        assert family(math.inf).parameters() == {names[0]: math.inf}


@pytest.mark.parametrize(("kind", "first", "second"), [(Statements, "epsilon", "delta"), (Events, "p", "q")])
def test_lines_are_checked(kind, first, second):
    assert kind([[0, 1], (0.5, 0.25)]).lines == ((0.0, 1.0), (0.5, 0.25))
    for bad in ((), [], None, 5, "12", b"12", {0.5: 0.1}, {(0.5, 0.1)}, iter([(0.5, 0.1)])):
        with pytest.raises(InvalidInput, match=r"^lines must be a list of 1 to 1000 pairs of numbers, but got "):
            kind(bad)
    for bad in ((), (0.5,), (0.5, 0.1, 0.2), 0.5, "12", b"12", None, {0.5, 0.1}):
        with pytest.raises(InvalidInput, match=r"^lines must hold pairs of numbers, but got the entry "):
            kind(((0.5, 0.1), bad))
    for bad in (-1e-9, math.nan, True, "1", None):
        with pytest.raises(InvalidInput, match=rf"^{first} of a line must be a number .* but got {first} of a line="):
            kind(((0.5, 0.1), (bad, 0.1)))
        with pytest.raises(InvalidInput, match=rf"^{second} of a line must be a number .* but got {second} of a line="):
            kind(((0.5, 0.1), (0.5, bad)))
    with pytest.raises(InvalidInput, match=rf"^{second} of a line"):
        kind(((0.5, 1.001),))


def test_a_statement_may_be_about_infinity_and_an_event_not_above_one():
    assert Statements(((math.inf, 1.0),)).lines == ((math.inf, 1.0),)
    with pytest.raises(InvalidInput, match=r"^p of a line"):
        Events(((1.001, 0.5),))


def test_text():
    assert str(GaussianCurve(0.5)) == "gaussian(mu=0.5)"
    assert str(DPCurve(1.0, 1e-6)) == "dp(epsilon=1, delta=1e-06)"
    assert str(Statements(LINES)) == "3 statements"
    assert str(Events(EVENTS)) == "2 events"


def test_a_curve_and_lines_are_abstract():
    for abstract in (Curve, Lines):
        with pytest.raises(TypeError, match="abstract"):
            abstract()


def test_claims_give_the_curve_back():
    families = curve_families()
    for curve in (GaussianCurve(0.5), LaplaceCurve(math.inf), DPCurve(1.0, 0.25), Statements(LINES)):
        assert curve_from_claim("tradeoff", curve_claim(curve), families, Statements) == curve
    assert curve_claim(Events(EVENTS)) == {"lines": EVENTS}
    assert curve_from_claim("profile", {"lines": [[0.7, 0.2], [0.2, 0.01]]}, families, Events) == Events(EVENTS)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({}, r"^A profile claim has either lines, or family and parameters; got \.$"),
        ({"family": "dp"}, "got family"),
        ({"lines": EVENTS, "family": "dp"}, "got family, lines"),
        ({"family": "dp", "parameters": {}, "extra": 1}, "got extra, family, parameters"),
        (
            {"family": "cauchy", "parameters": {}},
            "^family must be one of dp, gaussian, laplace, but got family='cauchy'",
        ),
        ({"family": ["dp"], "parameters": {}}, "^family must be one of"),
        ({"family": "dp", "parameters": {}}, "^The family dp needs exactly the parameters delta, epsilon"),
        ({"family": "dp", "parameters": {"epsilon": 1.0}}, "^The family dp needs exactly"),
        ({"family": "gaussian", "parameters": {"mu": 1.0, "nu": 1.0}}, "^The family gaussian needs exactly the param"),
        ({"family": "gaussian", "parameters": [("mu", 1.0)]}, "^The family gaussian needs exactly"),
        ({"family": "gaussian", "parameters": {"mu": -1.0}}, "^mu must be a number of at least 0"),
        ({"lines": ()}, "^lines must be a list of 1 to 1000"),
    ],
)
def test_other_claims_are_refused(claim, message):
    with pytest.raises(InvalidInput, match=message):
        curve_from_claim("profile", claim, curve_families(), Events)


def test_gaussian_curves_compose_in_quadrature():
    parts = [(GaussianCurve(0.1), 3), (GaussianCurve(0.7), 2)]
    exact = 3 * Fraction(0.1) ** 2 + 2 * Fraction(0.7) ** 2
    assert compose_gaussian("privacy profile", parts) == GaussianCurve(square_root_ceiling(exact))
    assert compose_gaussian("x", [(GaussianCurve(1.0), 1), (GaussianCurve(math.inf), 1)]) == GaussianCurve(math.inf)
    with pytest.raises(
        NoTheorem, match=r"^A privacy profile composes in closed form .* but got 2 events; compose to a"
    ):
        compose_gaussian("privacy profile", [(GaussianCurve(0.1), 1), (Events(EVENTS), 1)])
