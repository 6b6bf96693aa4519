"""Lemmas B.5 and B.6, Propositions B.1 and B.2."""

import math

import numpy as np
import pytest

from leakbound.errors import InvalidInput
from leakbound.synthetic.paper import (
    matrix_renyi,
    record_rate,
    rows_rate,
    scale_renyi,
    variance_renyi,
    worst_norms,
    worst_ratio,
)

RNG = np.random.default_rng(56)


@pytest.mark.parametrize(("variance", "sensitivity"), [(2.0, 1.0), (12.0, 1.0), (1e6, 0.1), (0.3, 2.0), (1e-3, 5.0)])
def test_the_worst_norms_have_the_least_ratio(variance, sensitivity):
    low, high = worst_norms(variance, sensitivity)
    assert high - low == pytest.approx(sensitivity, rel=1e-9)
    ratio = worst_ratio(variance, sensitivity)
    assert ratio == pytest.approx((variance + low**2) / (variance + high**2), rel=1e-12)
    for norm in low * np.geomspace(1e-3, 1e3, 1001):
        assert (variance + norm**2) / (variance + (norm + sensitivity) ** 2) >= ratio * (1 - 1e-12)


def test_the_ratio_is_the_printed_formula():
    s, shift = 7.0, 1.3
    printed = (2 * s + shift**2 - shift * math.sqrt(shift**2 + 4 * s)) / (2 * s)
    assert worst_ratio(s, shift) == pytest.approx(printed, rel=1e-13)


@pytest.mark.parametrize("order", [1.1, 2.0, 3.0])
def test_the_supremum_is_attained_and_never_exceeded(order):
    s, shift = 9.0, 1.0
    bound = variance_renyi(order, variance=s, sensitivity=shift)
    scales = [(math.hypot(3.0, v), math.hypot(3.0, v + x)) for v in np.linspace(-4, 4, 401) for x in (-1.0, 0.5, 1.0)]
    found = [scale_renyi(order, *pair) for pair in scales]
    assert max(found) <= bound * (1 + 1e-12)
    assert max(found) == pytest.approx(bound, rel=1e-3)
    low, high = (math.hypot(3.0, norm) for norm in worst_norms(s, shift))
    assert scale_renyi(order, high, low) == pytest.approx(bound, rel=1e-12)
    assert scale_renyi(order, low, high) < bound * 0.95  # the direction that B.7 draws is the smaller one


def test_on_the_boundary_the_printed_formula_takes_the_logarithm_of_zero():
    """Counter-example: order 2, s = 2 = order (order - 1) D^2 has r = 1/2, so that order r + 1 - order = 0."""
    assert 2 * worst_ratio(2.0, 1.0) + 1 - 2 == 0.0
    assert variance_renyi(2.0, variance=2.0, sensitivity=1.0) == math.inf
    assert variance_renyi(2.0, variance=1.9, sensitivity=1.0) == math.inf
    near = [variance_renyi(2.0, variance=2 + gap, sensitivity=1.0) for gap in (1e-3, 1e-6, 1e-9)]
    assert near[0] + 3 < near[1] + 1.5 < near[2] < math.inf


def matrix_divergence(order, first, second, variance, rows):
    """Return Renyi's divergence of centred Gaussian matrices, from determinants of their covariances."""
    a, b = (variance * np.eye(len(m)) + m @ m.T for m in (first, second))
    mixed = np.linalg.eigvalsh(order * b + (1 - order) * a)
    if mixed.min() <= 0:
        return math.inf
    logs = (1 - order) * np.linalg.slogdet(a)[1] + order * np.linalg.slogdet(b)[1] - np.log(mixed).sum()
    return rows * logs / (2 * (order - 1))


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (3, 3), (4, 2)])
def test_matrices_never_exceed_their_bound(shape):
    worst = 0.0
    for _ in range(300):
        v, step = RNG.normal(size=shape) * RNG.choice([0.1, 1, 3]), RNG.normal(size=shape)
        w = v + step / np.linalg.norm(step)
        worst = max(worst, matrix_divergence(2.0, v, w, 6.0, 3), matrix_divergence(2.0, w, v, 6.0, 3))
    bound = matrix_renyi(2.0, variance=6.0, sensitivity=1.0, outputs=shape[0], rows=3)
    assert 0.2 * bound / shape[0] < worst <= bound
    low, high = worst_norms(6.0, 1.0)
    attained = matrix_divergence(2.0, np.array([[high]]), np.array([[low]]), 6.0, 3)
    assert attained * shape[0] == pytest.approx(bound, rel=1e-12)


@pytest.mark.parametrize("order", [1.5, 2.0, 10.0])
def test_the_rates_are_the_limits(order):
    given = {"noise": 0.5, "sensitivity": 2.0}
    ratios = []
    for features in (10**5, 10**7, 10**9):
        exact = variance_renyi(order, variance=features * 0.25, sensitivity=2.0)
        ratios.append(exact / record_rate(order, features=features, **given))
        left = matrix_renyi(order, variance=(features - 3) * 0.25, sensitivity=2.0, outputs=3, rows=2)
        assert left / rows_rate(order, features=features, outputs=3, rows=2, **given) == pytest.approx(1, abs=0.3)
    assert ratios[0] > ratios[1] > ratios[2] > 1  # leaving the remainder out is optimistic
    assert ratios[2] == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worst_norms(0.0, 1.0), "variance must be"),
        (lambda: worst_norms(1.0, -1.0), "sensitivity must be"),
        (lambda: variance_renyi(1.0, variance=1.0, sensitivity=1.0), "order must be"),
        (lambda: matrix_renyi(2.0, variance=9.0, sensitivity=1.0, outputs=0, rows=1), "outputs must be"),
        (lambda: matrix_renyi(2.0, variance=9.0, sensitivity=1.0, outputs=1, rows=1.5), "rows must be"),
        (lambda: record_rate(2.0, features=0, noise=1.0, sensitivity=1.0), "features must be"),
        (lambda: record_rate(2.0, features=1, noise=0.0, sensitivity=1.0), "noise must be"),
        (
            lambda: rows_rate(2.0, features=3, outputs=3, rows=1, noise=1.0, sensitivity=1.0),
            "features must be more than outputs=3, but got features=3",
        ),
    ],
)
def test_bad_values_are_refused(call, message):
    with pytest.raises(InvalidInput, match=f"^{message}"):
        call()
