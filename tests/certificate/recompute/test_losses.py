import math
from fractions import Fraction

import pytest
from tests.oracles import gaussian_oracle, polygon_oracle

from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.recompute import laws, losses
from leakbound.certificate.record import Record
from leakbound.errors import Undecided
from leakbound.numerics.ball import ends

STATEMENTS = ((0.25, 0.1), (1.0, 0.01), (2.0, 0.0))
EVENTS = ((0.7, 0.2), (0.2, 0.01))


def record(**entries):
    return Record("inputs.parts.claim", FrozenMap(entries))


GAUSSIAN = record(kind="gdp", mu=0.5)
CURVES = [
    GAUSSIAN,
    record(kind="profile", family="gaussian", parameters={"mu": 0.5}),
    record(kind="profile", family="laplace", parameters={"epsilon": 1.5}),
    record(kind="pure-dp", epsilon=1.0),
    record(kind="approx-dp", epsilon=1.0, delta=0.1),
    record(kind="tradeoff", lines=STATEMENTS),
    record(kind="profile", lines=EVENTS),
]


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 1.7, math.inf])
def test_one_use_lies_just_above_its_profile(curve, epsilon):
    low, high = losses.composed([(curve, 1)], 1e-2)(epsilon)
    exact_low, exact_high = ends(laws.profile(curve)(epsilon))
    assert low <= high
    assert exact_low <= high
    assert high <= exact_high + 1e-4  # a chord over a hundredth is no further off


@pytest.mark.parametrize("uses", [2, 3, 4, 9])
def test_uses_of_a_gaussian_lie_just_above_the_closed_form(uses):
    for epsilon in (0.0, 0.5, 2.0):
        exact = float(gaussian_oracle.hockey_stick(0.5 * math.sqrt(uses), epsilon))
        _, high = losses.composed([(GAUSSIAN, uses)], 1e-2)(epsilon)
        assert exact <= high * (1 + 1e-12)
        assert high <= exact + 1e-4 * uses


def test_uses_of_different_curves_and_their_order():
    a, b = record(kind="tradeoff", lines=STATEMENTS), record(kind="profile", lines=EVENTS)
    one = losses.composed([(a, 1), (b, 2)], 1e-2)(0.5)
    assert losses.composed([(b, 2), (a, 1)], 1e-2)(0.5) == pytest.approx(one, rel=1e-12)
    single = float(polygon_oracle.hockey_stick(STATEMENTS, 0.5))
    assert single < one[1] < 1


def test_infinite_losses_stay_and_add_up():
    curve = record(kind="approx-dp", epsilon=1.0, delta=0.25)
    low, high = losses.composed([(curve, 3)], 1e-2)(math.inf)
    exact = 1 - 0.75**3
    assert exact <= high <= exact * (1 + 1e-15)
    assert low == pytest.approx(exact, rel=1e-15)
    nothing = losses.composed([(record(kind="pure-dp", epsilon=1.0), 3)], 1e-2)(math.inf)
    assert nothing == (0.0, 0.0)


@pytest.mark.parametrize("step", [0.01, 0.1, 1 / 3, 1e-4, 0.25])
def test_a_lattice_point_is_never_read_beyond_itself(step):
    points = [losses._at_most(j, step) for j in range(1000)]
    for j, point in enumerate(points):
        assert Fraction(point) <= j * Fraction(step)
        assert point == pytest.approx(j * step, rel=1e-15)


def test_a_finer_lattice_lies_closer():
    exact = float(gaussian_oracle.hockey_stick(1.0, 1.0))
    off = [losses.composed([(GAUSSIAN, 4)], step)(1.0)[1] - exact for step in (0.2, 0.05, 0.0125)]
    assert off[0] > off[1] > off[2] > 0


def test_a_lattice_that_is_too_long_is_made_coarser(monkeypatch):
    fine = losses.composed([(GAUSSIAN, 4)], 1e-2)(1.0)
    monkeypatch.setattr(losses, "_MOST_POINTS", 400)
    coarse = losses.composed([(GAUSSIAN, 4)], 1e-2)(1.0)
    assert float(gaussian_oracle.hockey_stick(1.0, 1.0)) < fine[1] < coarse[1] < fine[1] + 1e-2


@pytest.mark.parametrize("most", ["_MOST_POINTS", "_MOST_POINTS_OF_ONE_USE"])
def test_losses_that_spread_too_far_are_not_composed(monkeypatch, most):
    monkeypatch.setattr(losses, most, 0)
    with pytest.raises(Undecided) as error:
        losses.composed([(GAUSSIAN, 4)], 1e-2)
    assert str(error.value) == "The losses spread too far for a lattice; the composition cannot be recomputed."
