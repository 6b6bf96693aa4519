import math
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from leakbound.report.numbers import displayed, percent

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(value=FINITE, digits=st.integers(1, 15))
@example(value=5e-324, digits=1)
@example(value=1.7976931348623157e308, digits=3)
@example(value=-1.7976931348623157e308, digits=3)
@example(value=1e-310, digits=6)
@example(value=0.1 + 0.2, digits=6)
@example(value=-0.0, digits=6)
def test_a_bound_is_never_shown_better_than_it_is(value, digits):
    assert Decimal(float(displayed(value, up=True, digits=digits))) >= Decimal(value)
    assert Decimal(float(displayed(value, up=False, digits=digits))) <= Decimal(value)


@given(value=st.decimals(min_value="-1e30", max_value="1e30", allow_nan=False, places=20), digits=st.integers(1, 15))
def test_a_decimal_is_rounded_to_the_same_side(value, digits):
    assert Decimal(displayed(value, up=True, digits=digits)) >= value
    assert Decimal(displayed(value, up=False, digits=digits)) <= value


@given(value=st.floats(1e-300, 1e300), digits=st.integers(2, 15))
def test_what_is_shown_is_close_and_short(value, digits):
    for up in (True, False):
        text = displayed(value, up=up, digits=digits)
        assert abs(Decimal(text) - Decimal(value)) <= Decimal(value) * Decimal(10) ** (1 - digits)
        assert len(text.partition("e")[0].replace(".", "").strip("0")) <= digits


@given(value=FINITE)
def test_what_is_shown_is_shown_again_as_it_is(value):
    text = displayed(value, up=True)
    assert displayed(float(text), up=True) == text or math.isinf(float(text))


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [
        (1.0, "1", "1"),
        (1, "1", "1"),
        (0.1, "0.1", "0.1"),
        (1e-5, "1e-05", "1e-05"),
        (1 / 3, "0.333334", "0.333333"),
        (-1 / 3, "-0.333333", "-0.333334"),
        (4.377178095681164, "4.37718", "4.37717"),
        (0.9999999, "1", "0.999999"),
        (123456789.0, "1.23457e+08", "1.23456e+08"),
        (math.inf, "infinity", "infinity"),
        (-math.inf, "-infinity", "-infinity"),
        (1.7976931348623157e308, "infinity", "1.79769e+308"),
        (10**400, "infinity", "1.79769e+308"),
        (Decimal("0.3333333333"), "0.333334", "0.333333"),
    ],
)
def test_known_numbers(value, up, down):
    assert displayed(value, up=True) == up
    assert float(displayed(value, up=False)) == float(down) or value == 10**400


@pytest.mark.parametrize(("share", "text"), [("0", "0 %"), ("1", "100 %"), ("0.05", "5 %"), ("0.1234501", "12.4 %")])
def test_a_share_is_shown_in_percent(share, text):
    assert percent(Decimal(share), up=True) == text


def test_a_share_may_be_rounded_down():
    assert percent(Decimal("0.1239"), up=False) == "12.3 %"
