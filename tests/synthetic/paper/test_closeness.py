"""Lemma 4.3, Theorems 4.5 and 4.7."""

import math

import numpy as np
import pytest

from leakbound.errors import InvalidInput
from leakbound.synthetic.paper import characteristic, product_distance, record_distance, small_features_warning


@pytest.mark.parametrize(("features", "noise", "norm"), [(1, 1.0, 2.0), (7, 0.4, 0.0), (50, 2.0, 30.0)])
def test_the_bracket_is_the_standardised_fourth_moment(features, noise, norm):
    """Theorem 4.2 has one more than it: the printed constant of Lemma 4.3 is that of Theorem 4.2 only up to 4/3."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    weights = weights / weights.sum()
    term = noise * nodes + norm / math.sqrt(features)
    moment = 3 * weights @ term**4 / (weights @ term**2) ** 2
    found = record_distance(features=features, noise=noise, norm=norm, constant=2.0)
    assert found == pytest.approx(2 * moment / features, rel=1e-12)
    assert moment + 1 <= moment * 4 / 3 * (1 + 1e-12)


def test_it_falls_with_the_norm_to_a_third():
    given = {"features": 10, "noise": 1.0, "constant": 1.0}
    values = [record_distance(norm=norm, **given) for norm in (0.0, 1.0, 3.0, 1e3, 1e9)]
    assert values == sorted(values, reverse=True)
    assert (values[0], values[-1]) == (0.9, pytest.approx(0.3))


def test_no_shift_is_not_normal_although_the_paper_says_so():
    """Counter-example to Theorem 4.5 at rank 0: its bound is 0, but a product of two unit normals is not normal."""
    printed = 1.0 * math.sqrt(1 * 1 * 0 / (2 - 0))
    assert printed == 0
    gap = characteristic([[1.0]], [[0.0, 0.0]], noise=1.0) - math.exp(-2 * 1.0**2 / 2)  # at most twice the distance
    assert gap / 2 > 0.06
    assert product_distance(features=2, outputs=1, rows=1, rank=0, constant=1.0) > gap / 2


def test_it_is_the_formula():
    found = product_distance(features=53, outputs=4, rows=6, rank=3, constant=0.5)
    assert found == pytest.approx(0.5 * math.sqrt(4 * 6 * 3 / 50), rel=1e-14)


@pytest.mark.parametrize(
    ("features", "outputs", "rows", "constant", "warned"),
    [
        (8, 1, 64, 1.0, True),  # sqrt(64) * 1
        (9, 1, 64, 1.0, False),
        (16, 4, 4, 1.0, True),  # 4^2
        (17, 4, 4, 1.0, False),
        (17, 4, 4, 2.0, True),
        (16, 4, 4, 0.9, False),
        (54, 9, 4, 0.5, False),  # sqrt(9) * 4^1.5 = 24
        (12, 9, 4, 0.5, True),
        (12, 4, 9, 0.5, True),
    ],
)
def test_the_warning_comes_exactly_where_the_theorem_speaks(features, outputs, rows, constant, warned):
    found = small_features_warning(features=features, outputs=outputs, rows=rows, constant=constant)
    assert (found is not None) == warned
    if found is not None:
        assert f"features={features} " in found
        assert "2/3" in found


@pytest.mark.parametrize(
    ("call", "changed", "message"),
    [
        (record_distance, {"features": 0}, "features must be"),
        (record_distance, {"noise": 0.0}, "noise must be"),
        (record_distance, {"norm": -1.0}, "norm must be"),
        (record_distance, {"constant": 0.0}, "constant must be"),
        (product_distance, {"features": 2}, "features must be at least 3, the larger of outputs and rows"),
        (product_distance, {"rank": 3}, "rank must be a whole number of at least 0 and at most 2"),
        (
            product_distance,
            {"outputs": 3, "features": 3, "rank": 3},
            "rank must be less than features=3, but got rank=3",
        ),
        (product_distance, {"constant": math.inf}, "constant must be"),
        (small_features_warning, {"rows": 0}, "rows must be"),
        (small_features_warning, {"constant": -1.0}, "constant must be"),
    ],
)
def test_bad_values_are_refused(call, changed, message):
    good = {
        record_distance: {"features": 10, "noise": 1.0, "norm": 1.0, "constant": 1.0},
        product_distance: {"features": 10, "outputs": 2, "rows": 3, "rank": 1, "constant": 1.0},
        small_features_warning: {"features": 10, "outputs": 2, "rows": 3, "constant": 1.0},
    }[call]
    call(**good)
    with pytest.raises(InvalidInput, match=f"^{message}"):
        call(**{**good, **changed})


@pytest.mark.parametrize("call", [record_distance, product_distance, small_features_warning])
def test_the_constant_has_no_default(call):
    with pytest.raises(TypeError, match="constant"):
        call(features=10, outputs=1, rows=1) if call is small_features_warning else call(features=10)
