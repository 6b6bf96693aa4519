"""What the ridge generator refuses: parameters, data, counts, and questions without an answer."""

import math

import numpy as np
import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import ApproxDP, PureDP
from leakbound.synthetic import RidgeGenerator

GOOD = {"noise": 0.05, "penalty": 0.01, "row_bound": 1.0, "label_bound": 1.0}


@pytest.fixture
def small():
    rng = np.random.default_rng(1)
    return rng.uniform(-0.5, 0.5, size=(20, 3)), rng.uniform(-0.5, 0.5, size=20)


def fitted(data):
    return RidgeGenerator(**GOOD).fit(*data)


@pytest.mark.parametrize("name", ["noise", "penalty", "row_bound", "label_bound", "grid"])
@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, True, "1", None, 1e-120, 1e120])
def test_parameters_that_are_no_positive_numbers_are_refused(name, bad):
    with pytest.raises(InvalidInput, match=rf"^{name} must .*, but got {name}=") as error:
        RidgeGenerator(**{**GOOD, name: bad})
    assert "\n" not in str(error.value)


def test_a_parameter_made_bad_by_hand_is_refused_at_the_fit(small):
    generator = RidgeGenerator(**GOOD)
    generator.noise = math.nan
    with pytest.raises(InvalidInput, match=r"^noise must"):
        generator.fit(*small)


@pytest.mark.parametrize("bad", [0.1, 3.0, 1e-6])
def test_a_grid_that_is_no_power_of_two_is_refused(bad):
    with pytest.raises(InvalidInput, match=r"^grid must be a power of two, but got grid="):
        RidgeGenerator(**GOOD, grid=bad)


@pytest.mark.parametrize("bad", [1.0, "1", PureDP(1.0), ApproxDP(1.0, 1e-5, neighbouring="add-or-remove-one")])
def test_a_budget_of_another_kind_or_relation_is_refused(bad):
    with pytest.raises(InvalidInput, match=r"^budget must .*, but got budget=.*; give ApproxDP"):
        RidgeGenerator(**GOOD, budget=bad)
    assert RidgeGenerator(**GOOD, budget=ApproxDP(1.0, 1e-5, neighbouring="replace-one")).budget


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        ([], [], "^X must"),
        (np.zeros((0, 3)), [], "^X must have at least 1"),
        (np.zeros((3, 0)), [1.0, 2.0, 3.0], "^X must have at least 1"),
        ([[1.0], [math.nan]], [1.0, 2.0], "^X must be finite"),
        ([[1.0], [2.0]], [1.0, math.inf], "^y must be finite"),
        ([["a"], ["b"]], [1.0, 2.0], "^X must be a table .* numbers"),
        ([[1.0], [2.0]], ["a", "b"], "^y must be a table .* numbers"),
        ([[1.0], [2.0, 3.0]], [1.0, 2.0], "^X must .* rows differ"),
        ([[1.0], [2.0]], [1.0], "^y must have one label per row of X, but got y of length 1 for X of length 2"),
        ([[1.0], [2.0]], [], "^y must"),
        ([[1.0], [2.0]], None, "^y must have one label per row of X, but got y=None"),
        (None, [1.0], "^X must"),
        (np.zeros((2, 2, 2)), [1.0, 2.0], "^X must be a table"),
    ],
)
def test_data_that_cannot_be_fitted_is_refused_in_one_sentence(rows, labels, message):
    generator = RidgeGenerator(**GOOD)
    with pytest.raises(InvalidInput, match=message) as error:
        generator.fit(rows, labels)
    assert "\n" not in str(error.value)
    with pytest.raises(InvalidInput, match="must be fitted"):
        generator.sample(1)


@pytest.mark.parametrize("bad", [0, -1, 1.5, math.nan, True, "3", None, 10**9 + 1])
def test_rows_that_are_no_count_are_refused_and_none_is_counted(small, bad):
    generator = fitted(small)
    with pytest.raises(InvalidInput, match=r"^rows must .*, but got rows="):
        generator.sample(bad)
    assert generator.rows_ == 0


def test_seeds_of_another_kind_are_refused_and_none_is_counted(small):
    generator = fitted(small)
    with pytest.raises(InvalidInput, match=r"^seeds must be one of public, hidden, but got seeds='fixed'"):
        generator.sample(1, seeds="fixed")
    with pytest.raises(InvalidInput, match=r"^seeds must be one of"):
        generator.remaining_rows("secret")
    with pytest.raises(InvalidInput, match=r"^seeds must be one of"):
        generator.certificate(1, seeds=0)
    assert generator.rows_ == 0


def test_an_unfitted_generator_answers_nothing():
    generator = RidgeGenerator(**GOOD)
    asked = (
        generator.guarantee,
        generator.certificate,
        generator.remaining_rows,
        lambda: generator.rows_,
        lambda: generator.sensitivity_,
        lambda: generator.sample(1),
    )
    for ask in asked:
        with pytest.raises(InvalidInput, match=r"^generator must be fitted, but got .*; call fit\(X, y\) first"):
            ask()


def test_fewer_rows_than_published_are_never_certified(small):
    generator = fitted(small)
    with pytest.raises(InvalidInput, match="but got rows=0 with 0 published"):
        generator.guarantee()
    generator.sample(5)
    with pytest.raises(InvalidInput, match="but got rows=4 with 5 published"):
        generator.guarantee(4)
    assert generator.certificate(5, orders=[2.0]) == generator.certificate(orders=[2.0])
    with pytest.raises(InvalidInput, match=r"^rows must"):
        generator.guarantee(0)


def test_two_questions_at_once_are_refused(small):
    with pytest.raises(InvalidInput, match="exactly one"):
        fitted(small).certificate(1, delta=1e-5, epsilon=1.0)


def test_more_rows_than_memory_holds_are_refused_and_not_counted():
    generator = RidgeGenerator(noise=1.0, penalty=1.0, row_bound=1.0, label_bound=1.0).fit(np.eye(3), np.ones(3))
    with pytest.raises(InvalidInput, match=r"^rows must be at most 25000000 a call, .* rows=1000000000; publish them"):
        generator.sample(10**9)
    assert generator.rows_ == 0


def test_masked_values_are_refused():
    generator = RidgeGenerator(noise=1.0, penalty=1.0, row_bound=1.0, label_bound=1.0)
    with pytest.raises(InvalidInput, match=r"y must be .* is a masked array; fill or remove what is masked"):
        generator.fit([[1.0]], np.ma.masked_array([0.5], mask=[True]))
