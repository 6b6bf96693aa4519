import itertools
from decimal import Decimal

import pytest

from leakbound.certificate import issue
from leakbound.guarantees import (
    ApproxDP,
    DPCurve,
    Events,
    GaussianCurve,
    GaussianDP,
    PrivacyProfile,
    PureDP,
    Statements,
    TradeOff,
    ZeroConcentratedDP,
)
from leakbound.report import attacker
from leakbound.report.attacker import SIDE, attack, curve_for, detections, figure

MANY = tuple((i / 100, 0.5 / (i + 1)) for i in range(attacker.MOST_LINES_DRAWN + 1))


def certified(claim):
    return issue.declare(GaussianDP(1.0)).with_(claim=claim)


@pytest.mark.parametrize(
    ("claim", "curve"),
    [
        (PureDP(1.0), DPCurve(1.0, 0.0)),
        (ApproxDP(1.0, 1e-5), DPCurve(1.0, 1e-5)),
        (GaussianDP(1.0), GaussianCurve(1.0)),
        (TradeOff(Statements(((1.0, 0.0),))), Statements(((1.0, 0.0),))),
        (PrivacyProfile(GaussianCurve(2.0)), GaussianCurve(2.0)),
        (ZeroConcentratedDP(1.0), None),
    ],
)
def test_the_curve_of_a_claim(claim, curve):
    assert curve_for(certified(claim)) == curve


def test_a_profile_of_events_is_read_as_statements():
    assert isinstance(curve_for(certified(PrivacyProfile(Events(((0.7, 0.2),))))), Statements)


def test_a_lower_bound_has_no_curve():
    lower = issue.declare(PureDP(1.0)).with_(direction="lower")
    assert curve_for(lower) is None
    assert list(attack(lower)) == []
    assert figure(lower) is None


def test_a_curve_of_many_lines_is_read_but_not_drawn():
    certificate = certified(TradeOff(Statements(MANY)))
    assert len(list(attack(certificate))) == 1
    assert figure(certificate) is None
    assert curve_for(certificate, len(MANY) - 1) is None


@pytest.mark.parametrize("level", ["0.01", "0.05", "0.5"])
def test_detections_are_rounded_up(level):
    curve = GaussianCurve(1.0)
    share = Decimal(detections(curve, level).removesuffix(" %")) / 100
    assert 0 <= share - (1 - Decimal(curve.trade_off(float(level)))) < Decimal("0.001")


@pytest.mark.parametrize(
    "claim",
    [
        PureDP(0.0),
        PureDP(1.0),
        PureDP(800.0),
        ApproxDP(1.0, 0.1),
        ApproxDP(0.0, 1.0),
        GaussianDP(10.0),
        PrivacyProfile(Events(((0.7, 0.2),))),
    ],
)
def test_the_drawn_curve_falls_within_the_square_from_corner_to_corner(claim):
    drawing = figure(certified(claim))
    points = [tuple(map(float, point.split(","))) for point in drawing.curve.split()]
    assert points[0] == (0.0, 0.0)
    assert points[-1] == (SIDE, SIDE)
    assert all(0 <= x <= SIDE and 0 <= y <= SIDE for x, y in points)
    assert all(x <= x2 and y <= y2 for (x, y), (x2, y2) in itertools.pairwise(points))
    assert all(y >= x - 0.01 for x, y in points), "a test that guesses blindly is always possible"
    assert drawing.reachable.startswith(drawing.curve)


def test_the_drawn_curve_is_the_claim_s():
    drawing = figure(certified(PureDP(1.0)))
    for point in drawing.curve.split():
        x, y = (float(part) / SIDE for part in point.split(","))
        assert 1 - y == pytest.approx(DPCurve(1.0, 0.0).trade_off(x), abs=2e-4)


def test_the_corner_of_a_pure_claim_is_drawn():
    corner = SIDE / (1 + 2.718281828459045)
    assert f"{corner:.2f},{SIDE - corner:.2f}" in figure(certified(PureDP(1.0))).curve.split()


def test_the_table_says_the_curve_in_numbers():
    rows = figure(certified(GaussianDP(1.0))).rows
    assert [row.false_alarms for row in rows] == ["1 %", "5 %", "10 %", "25 %", "50 %"]
    assert [row.detections for row in rows] == ["9.24 %", "26 %", "39 %", "62.8 %", "84.2 %"]
