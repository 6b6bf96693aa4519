import dataclasses
import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidInput
from leakbound.synthetic.publication import LARGEST, Publication

GOOD = {"features": 12, "outputs": 2, "rows": 5, "noise": 2.0, "sensitivity": 1.0}


def published(**changes):
    return Publication(**{**GOOD, **changes})


@pytest.mark.parametrize("name", ["features", "outputs", "rows"])
@pytest.mark.parametrize("bad", [0, -1, 2.5, math.nan, math.inf, True, "3", None, LARGEST + 1])
def test_counts_are_whole_numbers_of_at_least_one(name, bad):
    with pytest.raises(InvalidInput, match=rf"^{name} must .*, but got {name}=") as error:
        published(**{name: bad})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["noise", "sensitivity", "norm_bound"])
@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, True, "1", 1j])
def test_lengths_are_positive_and_finite(name, bad):
    with pytest.raises(InvalidInput, match=rf"^{name} must .*, but got {name}=") as error:
        published(**{name: bad})
    assert "\n" not in str(error.value)


def test_the_largest_counts_and_whole_floats_are_taken():
    assert published(rows=LARGEST).rows == LARGEST
    assert published(noise=3).noise == 3.0


@pytest.mark.parametrize(
    ("noise", "sensitivity", "norm_bound", "shift"),
    [(3.0, 1.0, None, Fraction(1, 3)), (7.0, 3.0, 50.0, Fraction(3, 7)), (3.0, 5.0, 1.0, Fraction(2, 3)),
     (0.1, 0.1, None, Fraction(1)), (3.0, 4.0, 2.0, Fraction(4, 3))],
)  # fmt: skip
def test_the_shift_is_rounded_up_and_at_most_twice_the_norm_bound(noise, sensitivity, norm_bound, shift):
    found = published(noise=noise, sensitivity=sensitivity, norm_bound=norm_bound).shift
    assert shift <= Fraction(found) <= shift * (1 + Fraction(1, 2**51))
    assert found == math.nextafter(float(shift), 0) or math.nextafter(found, 0) < shift


def test_a_shift_beyond_all_doubles_is_infinite():
    assert published(noise=1e-300, sensitivity=1e300).shift == math.inf


def test_the_norm_is_rounded_up():
    assert published().norm is None
    found = published(noise=3.0, norm_bound=1.0).norm
    assert Fraction(1, 3) <= Fraction(found) < Fraction(1, 3) + Fraction(1, 2**53)


@pytest.mark.parametrize(("rows", "kept"), [(1, 1), (11, 11), (12, 12), (13, 12)])
def test_seeds_span_no_more_than_all_features(rows, kept):
    assert published(rows=rows).kept == kept


def test_inputs_are_what_was_given_by_name():
    assert published().inputs() == GOOD
    assert published(norm_bound=4).inputs() == {**GOOD, "norm_bound": 4.0}


def test_it_is_frozen_and_hashes():
    with pytest.raises(dataclasses.FrozenInstanceError):
        published().rows = 3
    assert len({published(), published(), published(rows=6)}) == 2
