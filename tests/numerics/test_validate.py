import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from leakbound.errors import InvalidInput
from leakbound.numerics.validate import choice, probability, real, sample, whole

NOT_NUMBERS = [True, False, np.True_, "1", b"1", None, 1j, [1.0], Decimal(1), np.array([1.0])]


@pytest.mark.parametrize("value", [0, 1, -2.5, 1e308, -1e308, 5e-324, np.float32(0.5), np.int64(3), Fraction(1, 4)])
def test_real_takes_every_kind_of_real_number(value):
    clean = real("x", value)
    assert type(clean) is float
    assert clean == value


def test_real_turns_negative_zero_into_zero():
    assert math.copysign(1, real("x", -0.0)) == 1


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_real_refuses_what_is_not_a_number_and_names_its_type(value):
    with pytest.raises(InvalidInput) as error:
        real("x", value)
    assert str(error.value) == f"x must be a number, but got x={value!r} (type {type(value).__name__})."


def test_real_refuses_a_number_that_no_double_holds():
    with pytest.raises(InvalidInput, match=r"^x must be a number of at least 0 that a double can hold, but"):
        real("x", 10**400, low=0)


@pytest.mark.parametrize("value", [math.nan, np.nan, np.float32("nan")])
@pytest.mark.parametrize(
    "limits", [{}, {"infinite": True}, {"low": 0.0}, {"high": 0.0}, {"above": 0.0}, {"below": 0.0}]
)
def test_real_refuses_nan_under_every_limit(value, limits):
    with pytest.raises(InvalidInput, match="x=nan; give one"):
        real("x", value, **limits)


@pytest.mark.parametrize(
    ("limits", "inside", "outside", "wanted"),
    [
        ({"low": 1.0}, (1.0, 2.0), (0.999, -5.0), "a number of at least 1"),
        ({"high": 1.0}, (1.0, -2.0), (1.001,), "a number of at most 1"),
        ({"above": 1.0}, (1.001,), (1.0, 0.0), "a number greater than 1"),
        ({"below": 1.0}, (0.999,), (1.0, 2.0), "a number less than 1"),
        ({"low": 0.0, "high": 1.0}, (0.0, 0.5, 1.0), (-0.1, 1.1), "a number in [0, 1]"),
        ({"above": 0.0, "below": 1.0}, (5e-324, 0.5), (0.0, 1.0, -1.0, 2.0), "a number in (0, 1)"),
        ({"above": 0.0, "high": 1.0}, (5e-324, 1.0), (0.0, 1.5), "a number in (0, 1]"),
        ({"low": 0.0, "below": 1.0}, (0.0, 0.5), (-0.1, 1.0), "a number in [0, 1)"),
        ({"low": 0.0, "above": 0.0}, (5e-324,), (0.0,), "a number greater than 0"),
    ],
)
def test_real_keeps_its_limits_and_says_them(limits, inside, outside, wanted):
    for value in inside:
        assert real("x", value, **limits) == value
    for value in outside:
        with pytest.raises(InvalidInput) as error:
            real("x", value, **limits)
        assert str(error.value) == f"x must be {wanted}, but got x={value!r}; give one."


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_real_takes_infinity_only_where_it_may(value):
    assert real("x", value, infinite=True) == value
    with pytest.raises(InvalidInput) as error:
        real("x", value)
    assert str(error.value) == f"x must be a number, but got x={value}; give a finite one."


def test_infinity_outside_the_limits_is_refused_as_such():
    with pytest.raises(InvalidInput, match=r"in \[0, 1\], but got x=inf; give one\.$"):
        real("x", math.inf, low=0.0, high=1.0, infinite=True)


@pytest.mark.parametrize("value", [0, 7, np.int64(3), np.uint8(200), 10**30])
def test_whole_takes_every_kind_of_integer(value):
    clean = whole("n", value)
    assert type(clean) is int
    assert clean == value


@pytest.mark.parametrize("value", [*NOT_NUMBERS, 1.0, np.float64(2.0), Fraction(3), math.nan, math.inf])
def test_whole_refuses_what_is_not_an_integer(value):
    with pytest.raises(InvalidInput) as error:
        whole("n", value)
    assert str(error.value) == f"n must be a whole number of at least 0, but got n={value!r}; give one."


def test_whole_keeps_its_limits_and_says_them():
    assert whole("n", 0) == 0
    assert [whole("n", n, low=2, high=4) for n in (2, 3, 4)] == [2, 3, 4]
    assert whole("n", -3, low=-3) == -3
    for value in (1, 5, -1):
        with pytest.raises(InvalidInput) as error:
            whole("n", value, low=2, high=4)
        assert str(error.value) == f"n must be a whole number of at least 2 and at most 4, but got n={value}; give one."
    with pytest.raises(InvalidInput, match="at least 0, but got n=-1"):
        whole("n", -1)


def test_probability_keeps_its_ends():
    assert [probability("p", p) for p in (0, 0.25, 1)] == [0.0, 0.25, 1.0]
    assert probability("p", 1, zero=False) == 1.0
    assert probability("p", 0, one=False) == 0.0
    for value in (-1e-9, 1.000001, math.nan, math.inf, -math.inf):
        with pytest.raises(InvalidInput, match=r"p must be a number in \[0, 1\], but got p="):
            probability("p", value)
    with pytest.raises(InvalidInput, match=r"p must be a number in \(0, 1\], but got p=0.0; give one"):
        probability("p", 0, zero=False)
    with pytest.raises(InvalidInput, match=r"p must be a number in \[0, 1\), but got p=1.0; give one"):
        probability("p", 1, one=False)
    with pytest.raises(InvalidInput, match="type bool"):
        probability("p", True)


def test_choice_takes_one_of_its_words():
    assert choice("side", "left", ("left", "right")) == "left"
    for value in ("up", "", "lef", None, 1, ["left"], True):
        with pytest.raises(InvalidInput) as error:
            choice("side", value, (word for word in ("left", "right")))
        assert str(error.value) == f"side must be one of left, right, but got side={value!r}."


def test_sample_returns_doubles():
    for value in ([1, 2.5], (1, 2.5), np.array([1, 2.5], dtype=np.float32)):
        clean = sample("x", value)
        assert clean.dtype == np.float64
        assert clean.tolist() == [1.0, 2.5]
    assert sample("x", np.array([3], dtype=np.uint8)).tolist() == [3.0]


def test_sample_does_not_hand_back_the_callers_array():
    given = np.array([1.0, 2.0])
    sample("x", given)[0] = 5.0
    assert given[0] == 1.0


def test_sample_makes_columns():
    assert sample("x", [1, 2], columns=True).tolist() == [[1.0], [2.0]]
    assert sample("x", [[1, 2], [3, 4]], columns=True).tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("value", "columns", "message"),
    [
        ([[1.0], [1.0, 2.0]], True, "but its rows differ in length."),
        ([[1.0], [1.0, 2.0]], False, "but its rows differ in length."),
        ([True, False], False, "but holds bool; convert it first."),
        (["1"], False, "but holds <U1; convert it first."),
        ([None], True, "but holds object; convert it first."),
        ([1j], False, "but holds complex128; convert it first."),
        (5.0, False, "a list of numbers, but has shape (); reshape it."),
        (5.0, True, "a table of rows and columns, but has shape (); reshape it."),
        ([[1.0]], False, "a list of numbers, but has shape (1, 1); reshape it."),
        ([[[1.0]]], True, "a table of rows and columns, but has shape (1, 1, 1); reshape it."),
    ],
)
def test_sample_refuses_other_shapes_and_kinds(value, columns, message):
    with pytest.raises(InvalidInput) as error:
        sample("x", value, columns=columns)
    shape = "a table of rows and columns" if columns else "a list of numbers"
    assert str(error.value).startswith(f"x must be {shape}")
    assert str(error.value).endswith(message)


def test_sample_refuses_booleans_among_numbers():
    with pytest.raises(InvalidInput, match=r"^x must be a list of numbers"):
        sample("x", [True, 0.5])


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_sample_refuses_what_is_not_finite(bad):
    with pytest.raises(InvalidInput, match=r"^x must be finite, but holds NaN or infinity; remove or replace those"):
        sample("x", [1.0, bad])


def test_sample_wants_enough_entries():
    assert sample("x", [1.0]).shape == (1,)
    assert sample("x", [1.0, 2.0], smallest=2).shape == (2,)
    for value, columns, smallest in (
        ([], False, 1),
        ([1.0], False, 2),
        (np.zeros((3, 0)), True, 1),
        (np.zeros(0), False, 0),
    ):
        with pytest.raises(InvalidInput) as error:
            sample("x", value, columns=columns, smallest=smallest)
        shape = np.asarray(value).shape
        assert str(error.value) == f"x must have at least {smallest} entries, but has shape {shape}; give more."


@pytest.mark.parametrize("value", [Fraction(1, 3), 2**53 + 1, 10**20 + 1])
def test_a_number_that_no_double_is_is_refused(value):
    with pytest.raises(
        InvalidInput, match=r"^x must be a double, but .+ is none; round it to the safe side yourself\.$"
    ):
        real("x", value)
