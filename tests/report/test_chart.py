import math
import xml.etree.ElementTree as ET

import pytest

from leakbound.certificate import issue
from leakbound.guarantees import PureDP
from leakbound.report import Entry, page
from leakbound.report.chart import HEIGHT, WIDTH, charts


def curves(*named):
    return issue.declare(PureDP(1.0)).with_(series={name: {"x": list(x), "y": list(y)} for name, x, y in named})


def test_curves_of_the_same_quantities_share_a_chart():
    found = charts(
        curves(
            ("epsilon against rows: model", [1.0, 100.0], [2.0, 2.0]),
            ("epsilon against rows: public", [1.0, 10.0, 100.0], [0.0, 0.5, 1.0]),
            ("wealth", [0.0, 1.0], [1.0, 3.0]),
        )
    )
    assert [(c.title, c.across, c.upward, [line.name for line in c.lines]) for c in found] == [
        ("epsilon against rows", "rows", "epsilon", ["model", "public"]),
        ("wealth", "x", "wealth", ["wealth"]),
    ]
    assert found[0].rows == (("1", "2", "0"), ("10", "", "0.5"), ("100", "2", "1"))


def test_wide_positive_axes_are_logarithmic():
    [chart] = charts(curves(("y against x: a", [1.0, 10.0, 100.0], [0.0, 1.0, 2.0])))
    assert chart.lines[0].outline == f"0.0,{HEIGHT:.1f} {WIDTH / 2:.1f},{HEIGHT / 2:.1f} {WIDTH:.1f},0.0"
    assert chart.ticks_across == (("0.0", "1"), (f"{WIDTH / 2:.1f}", "10"), (f"{WIDTH:.1f}", "100"))


@pytest.mark.parametrize(
    ("top", "labels"),
    [
        (1.0, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (2.0, ["0", "1", "2"]),
        (7.0, ["0", "2", "4", "6"]),
    ],
)
def test_ticks_are_round_numbers(top, labels):
    [chart] = charts(curves(("y against x: a", [0.0, 1.0], [0.0, top])))
    assert [label for _, label in chart.ticks_upward] == labels


def test_equal_curves_are_one_with_both_names():
    [chart] = charts(curves(("y against x: a", [0.0, 1.0], [0.0, 1.0]), ("y against x: b", [0.0, 1.0], [0.0, 1.0])))
    assert [line.name for line in chart.lines] == ["a, b"]


def test_a_single_point_is_drawn_in_the_middle():
    [chart] = charts(curves(("y against x: a", [5.0], [0.0])))
    assert chart.lines[0].outline == f"{WIDTH / 2:.1f},{HEIGHT / 2:.1f}"
    assert chart.ticks_across == ((f"{WIDTH / 2:.1f}", "5"),)


@pytest.mark.parametrize("value", [math.inf, -math.inf, 1e200, 1e-200])
def test_curves_out_of_all_proportion_are_not_drawn(value):
    assert charts(curves(("y against x: a", [0.0, 1.0], [0.0, value]))) == ()


def test_numbers_too_close_to_tell_apart_are_flat():
    [chart] = charts(curves(("y against x: a", [1.0, math.nextafter(1.0, 2.0)], [1.0, 2.0])))
    assert len(chart.ticks_across) == 1


def test_the_page_has_the_drawing_its_numbers_and_no_markup_of_names():
    certificate = curves(("y against <b>x</b>: <i>a</i>", [1.0, 2.0], [0.5, 1.0]))
    text = page([Entry(certificate, "c.json", "confirmed", "confirmed: epsilon")])
    assert "<b>" not in text
    assert "<i>" not in text
    drawings = [part.split("</svg>")[0] for part in text.split("<svg")[1:]]
    chart = next(part for part in drawings if 'polyline class="line' in part)
    root = ET.fromstring(f"<svg{chart}</svg>")
    assert len(root.findall("circle")) == 2
    assert "verification does not recompute" in text
