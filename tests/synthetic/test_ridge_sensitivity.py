"""The sensitivity of ridge regression: against the two-variable maximum, and against an attacker."""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.oracles.ridge_oracle import attack, distances, leave_one_out, weights

from leakbound.errors import InvalidInput
from leakbound.synthetic.ridge_sensitivity import (
    convexity_bound,
    leave_one_out_bound,
    norm_bound,
    ridge_sensitivity,
)

GOOD = {"records": 4, "penalty": 1.0, "row_bound": 10.0, "label_bound": 1.0}
CONFIGURATIONS, WIDE, EVALUATIONS = 50, 20, 20_000
ROUNDING = 1e-9  # of the attacker's arithmetic


def configuration(number, *, most_records, widest):
    rng = np.random.default_rng([20, number])
    penalty = math.exp(rng.uniform(-6, 4))
    return rng, {
        "records": round(math.exp(rng.uniform(0, math.log(most_records)))),
        "penalty": penalty,
        "row_bound": widest ** rng.uniform(-1, 1) * math.sqrt(penalty),
        "label_bound": math.exp(rng.uniform(-3, 3)),
    }


# The attacker


@pytest.mark.parametrize("number", range(CONFIGURATIONS))
def test_an_attacker_never_exceeds_the_bound_and_comes_within_a_factor_of_two(number):
    rng, given = configuration(number, most_records=30, widest=10)
    shape = [(2, 1), (3, 1), (2, 2)][number % 3]
    found, looked = attack(rng, **given, features=shape[0], outputs=shape[1], evaluations=EVALUATIONS)
    bound = ridge_sensitivity(**given)
    assert looked >= EVALUATIONS
    assert 0.5 * bound <= found <= bound * (1 + ROUNDING), (given, found, bound)
    assert found <= convexity_bound(**given) * (1 + ROUNDING)


@pytest.mark.parametrize("number", range(WIDE))
def test_an_attacker_never_exceeds_the_bound_of_many_or_of_wide_records(number):
    rng, given = configuration(1000 + number, most_records=10**5, widest=1000)
    found, _ = attack(rng, **given, features=1 + number % 3, evaluations=EVALUATIONS)
    assert 0 < found <= ridge_sensitivity(**given) * (1 + ROUNDING), given


def test_the_specifications_example_is_attacked_harder_and_bounded_lower():
    found, _ = attack(np.random.default_rng(0), **GOOD, evaluations=100_000)
    assert 0.95 < found <= ridge_sensitivity(**GOOD) == 1.0
    # The specification's bound leaves out that the other records are m - 1, and exceeds twice the largest norm.
    assert math.sqrt(1 + 1 / 4) == pytest.approx(1.118, abs=1e-3)


def test_the_attackers_weights_are_those_of_the_equation():
    rng = np.random.default_rng(3)
    others, labels = rng.normal(size=(1, 2)), rng.normal(size=(1, 1))
    pair = rng.normal(size=(2, 2)), rng.normal(size=(2, 1))
    full = [
        weights(np.vstack([np.repeat(others, 3, axis=0), x]), np.vstack([np.repeat(labels, 3, axis=0), y]), 0.7)
        for x, y in zip(*pair, strict=True)
    ]
    stacked = np.concatenate([others, others, pair[0]])[None], np.concatenate([labels, labels, pair[1]])[None]
    found = distances(*stacked, np.array([[1.0, 2.0]]), 4, 0.7)
    assert found[0] == pytest.approx(np.linalg.norm(full[0] - full[1]), rel=1e-12)


# The formulas


@pytest.mark.parametrize("records", [1, 2, 3, 7, 30, 1000, 10**6, 10**9])
@pytest.mark.parametrize("width", [1e-9, 1e-3, 0.3, 1.0, 2.9, 3.1, 12.0, 58.9, 59.1, 1e4, 1e9])
def test_the_leave_one_out_bound_is_the_two_variable_maximum_from_above(records, width):
    given = {"records": records, "penalty": 0.25, "row_bound": width * 0.5, "label_bound": 3.0}
    bound, found = leave_one_out_bound(**given), leave_one_out(**given)
    assert found <= bound * (1 + 1e-14)
    if width <= 1e4:  # beyond, the grid is too coarse around a narrow peak
        assert bound <= found * (1 + 1e-3)
    if 1e-3 <= width <= 12:
        assert bound <= found * (1 + 1e-6)


@pytest.mark.parametrize("records", [2, 5, 40, 10**9])
def test_the_two_pieces_meet(records):
    corner = 2 * records - 1.0
    inside, outside = (
        leave_one_out_bound(records=records, penalty=1.0, row_bound=width, label_bound=1.0)
        for width in (math.nextafter(corner, 0), corner)
    )
    assert outside == 1.0
    assert inside == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("width", [0.01, 0.5, 1.0, 3.0])
def test_one_record_moves_the_weights_to_their_opposite_and_no_farther(width):
    given = {"penalty": 1.0, "row_bound": width, "label_bound": 2.0}
    norm = norm_bound(**given)
    largest = max(np.linalg.norm(weights(np.array([[x]]), np.array([[2.0]]), 1.0)) for x in (width, min(width, 1.0)))
    assert norm == pytest.approx(largest, rel=1e-15)
    assert Fraction(norm) >= Fraction(2) * Fraction(width) / (Fraction(width) ** 2 + 1) or width > 1
    assert ridge_sensitivity(records=1, **given) == pytest.approx(2 * norm, rel=1e-15)


@pytest.mark.parametrize("number", range(30))
def test_twice_the_norm_is_never_beaten_by_leaving_one_out(number):
    _, given = configuration(number, most_records=1000, widest=100)
    bounds = {name: value for name, value in given.items() if name != "records"}
    assert leave_one_out_bound(**given) <= 2 * norm_bound(**bounds) * (1 + 1e-15)


def test_strong_convexity_wins_for_many_wide_records():
    given = {**GOOD, "records": 10**6}
    assert ridge_sensitivity(**given) == convexity_bound(**given) == pytest.approx(7e-5, rel=1e-15)
    assert Fraction(convexity_bound(**given)) >= Fraction(7, 10**5)
    assert leave_one_out_bound(**given) == pytest.approx(8.022e-5, rel=1e-3)


@pytest.mark.parametrize("width", [0.3, 1.0, 7.0])
def test_the_convexity_bound_is_its_formula_from_above(width):
    given = {"records": 30, "penalty": 0.7, "row_bound": width, "label_bound": 1.3}
    norm = 1.3 / (2 * math.sqrt(0.7)) if width >= math.sqrt(0.7) else width * 1.3 / (width**2 + 0.7)
    found = convexity_bound(**given)
    assert found == pytest.approx(width * (2.6 + width * norm) / (30 * 0.7), rel=1e-14)
    exact = Fraction(width) * 2 * Fraction(1.3) / (30 * Fraction(0.7))
    assert Fraction(found) > exact


def test_no_data_set_has_larger_weights():
    rng = np.random.default_rng(5)
    for _ in range(200):
        rows = rng.normal(size=(5, 2))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True) / rng.choice([0.5, 1.0, 3.0])
        labels = rng.choice([-1.0, 1.0], size=(5, 1))
        bound = norm_bound(penalty=1.0, row_bound=float(np.linalg.norm(rows, axis=1).max()), label_bound=1.0)
        assert np.linalg.norm(weights(rows, labels, 1.0)) <= bound * (1 + 1e-12)


def test_scales_cancel_and_ends_are_reached():
    assert ridge_sensitivity(records=4, penalty=2.0**-40, row_bound=10 * 2.0**-20, label_bound=3.0) == 3.0 * 2**20
    assert ridge_sensitivity(records=10**9, penalty=1.0, row_bound=1e-200, label_bound=1e-100) > 0
    assert ridge_sensitivity(records=4, penalty=1e-300, row_bound=1e300, label_bound=1e300) == math.inf
    assert convexity_bound(records=1, penalty=1e-300, row_bound=1e300, label_bound=1.0) == math.inf


@pytest.mark.parametrize("name", ["penalty", "row_bound", "label_bound"])
@pytest.mark.parametrize("bad", [0.0, -1, math.nan, math.inf, True, "1"])
@pytest.mark.parametrize("function", [ridge_sensitivity, norm_bound])
def test_bounds_that_are_no_positive_numbers_are_refused(name, bad, function):
    given = {**GOOD, name: bad}
    if function is norm_bound:
        del given["records"]
    with pytest.raises(InvalidInput, match=rf"^{name} must .*, but got {name}="):
        function(**given)


@pytest.mark.parametrize("bad", [0, -1, 2.5, math.nan, True, 10**9 + 1])
@pytest.mark.parametrize("function", [ridge_sensitivity, convexity_bound, leave_one_out_bound])
def test_records_that_are_no_count_are_refused(bad, function):
    with pytest.raises(InvalidInput, match=r"^records must .*, but got records="):
        function(**{**GOOD, "records": bad})
