import math
import sys

import pytest
from tests.oracles.composition_oracle import two_laplace

from leakbound.errors import MissingExtra
from leakbound.guarantees import DPCurve, Events, GaussianCurve, LaplaceCurve, Statements, pld
from leakbound.guarantees.curves import Curve

STATEMENTS = Statements(((0.25, 0.1), (1.0, 0.01), (2.0, 0.0)))
EVENTS = Events(((0.7, 0.2), (0.2, 0.01)))


class Odd(Curve):
    """A curve of someone else's."""

    name = "odd"

    def hockey_stick(self, _):
        return 1.0

    def trade_off(self, _):
        return 0.0

    def renyi(self, _):
        return math.inf


def test_which_curves_are_covered():
    for curve in (STATEMENTS, EVENTS, GaussianCurve(999.0), LaplaceCurve(999.0), DPCurve(999.0, 0.5)):
        assert pld.covers(curve)
    for curve in (GaussianCurve(1e3), LaplaceCurve(math.inf), DPCurve(1e3, 0.0), Odd()):
        assert not pld.covers(curve)


@pytest.mark.parametrize(
    "curve",
    [
        GaussianCurve(0.75),
        LaplaceCurve(0.75),
        DPCurve(0.75, 0.01),
        STATEMENTS,
        EVENTS,
        GaussianCurve(0.0),
        LaplaceCurve(0.0),
        DPCurve(0.0, 0.25),
    ],
)
def test_one_use_lies_just_above_the_curve(curve):
    delta = pld.composed([(curve, 1)])
    for epsilon in (0.0, 0.3, 1.5):
        exact = curve.hockey_stick(epsilon)
        assert exact <= delta(epsilon) <= exact * 1.001 + 1e-9, epsilon


def test_nothing_hidden_stays_nothing_hidden():
    delta = pld.composed([(DPCurve(1.0, 1.0), 2)])
    assert delta(0.5) == 1.0


def test_many_gaussians_are_one():
    delta = pld.composed([(GaussianCurve(0.5), 3), (GaussianCurve(0.25), 4)])
    for epsilon in (0.0, 1.0, 3.0):
        exact = GaussianCurve(1.0).hockey_stick(epsilon)
        assert exact <= delta(epsilon) <= exact * 1.001


def test_two_laplace_mechanisms():
    delta = pld.composed([(LaplaceCurve(0.5), 1), (LaplaceCurve(0.5), 1)])
    for epsilon in (0.0, 0.4, 0.9):
        exact = float(two_laplace(0.5, epsilon))
        assert exact <= delta(epsilon) <= exact * 1.002


def test_what_is_added_for_transforms():
    assert pld.slack(1) == pytest.approx(1.01e-13, rel=1e-12)
    delta = pld.composed([(GaussianCurve(0.5), 2), (GaussianCurve(0.5), 1)])
    assert delta(200.0) == pytest.approx(pld.slack(3), rel=1e-3)


def test_steps_grow_with_the_reach():
    assert pld.interval([(GaussianCurve(0.5), 4)]) == 1e-4
    assert pld.interval([(GaussianCurve(10.0), 4)]) == pytest.approx(200 / 1e6)
    assert pld.interval([(LaplaceCurve(100.0), 3), (DPCurve(100.0, 0.1), 1)]) == pytest.approx(400 / 1e6)
    assert pld.interval([(STATEMENTS, 100), (EVENTS, 100)]) == pytest.approx(100 * (2 + math.log(20)) / 1e6)


def test_delta_is_at_most_one_and_doubt_counts_as_one(monkeypatch):
    assert pld.composed([(DPCurve(40.0, 0.0), 2)])(0.0) == 1.0

    class Doubtful:
        def self_compose(self, _):
            return self

        def get_delta_for_epsilon(self, _):
            return math.nan

    monkeypatch.setattr(pld, "_distribution", lambda *_: Doubtful())
    assert pld.composed([(GaussianCurve(0.5), 1)])(1.0) == 1.0


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", None)
    with pytest.raises(MissingExtra, match=r"^dp-accounting is needed .* pip install 'leakbound\[compose\]'\.$"):
        pld.composed([(GaussianCurve(0.5), 1)])
