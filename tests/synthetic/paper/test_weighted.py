"""The law F of Lemma B.3, against closed forms, quadrature and simulation."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chi2

from leakbound.errors import InvalidInput
from leakbound.synthetic.paper import WeightedChiSquare

RESTS = (1 - 1e-9, 0.999, 0.7, 0.2, 1e-3, 1e-12, 1e-100)


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 200])
@pytest.mark.parametrize("rest", RESTS)
def test_equal_weights_are_one_chi_square(freedom, rest):
    x = chi2.isf(rest, freedom)
    for law in (WeightedChiSquare((0.5,) * freedom, 1), WeightedChiSquare((0.5,), freedom)):
        assert law.above(x / 2) == pytest.approx(chi2.sf(x, freedom), rel=1e-11)
        assert law.below(x / 2) == pytest.approx(chi2.cdf(x, freedom), rel=1e-11)
        mirrored = WeightedChiSquare(tuple(-w for w in law.weights), law.freedom)
        assert mirrored.below(-x / 2) == law.above(x / 2)


@pytest.mark.parametrize("x", [1e-6, 0.4, 5.0, 300.0])
def test_differences_of_exponentials(x):
    """2 E - 6 E' with unit exponentials has tails exp(-x/2) 2/8 and exp(-x/6) 6/8."""
    law = WeightedChiSquare((1.0, -3.0), 2)
    assert law.above(x) == pytest.approx(math.exp(-x / 2) / 4, rel=1e-12)
    assert law.below(-x) == pytest.approx(3 * math.exp(-x / 6) / 4, rel=1e-12)


@pytest.mark.parametrize("weights", [(1.0, 0.2), (1.0, -0.4), (-2.0, -0.1)])
@pytest.mark.parametrize("x", [-3.0, -0.1, 0.1, 0.9, 6.0])
def test_two_terms_of_one_degree_by_quadrature(weights, x):
    """P(a N^2 + b M^2 > x), integrated over N: the hardest case, because the transform falls slowest."""

    def tail(n):
        left = (x - weights[0] * n * n) / weights[1]
        return (chi2.sf(left, 1) if weights[1] > 0 else chi2.cdf(left, 1)) * math.exp(-n * n / 2)

    kink = math.sqrt(x / weights[0]) if x / weights[0] > 0 else 0.0
    parts = [quad(tail, *ends, limit=400, epsabs=1e-13)[0] for ends in ((0, kink), (kink, kink + 2), (kink + 2, 40))]
    exact = sum(parts) * math.sqrt(2 / math.pi)
    law = WeightedChiSquare(weights, 1)
    assert law.above(x) == pytest.approx(exact, abs=2e-7)
    assert law.above(x) + law.below(x) == pytest.approx(1, abs=1e-14)


def test_simulation_of_many_terms():
    weights = (2.0, 0.7, 0.1, -0.3, -1.1)
    draws = np.random.default_rng(3).chisquare(3, size=(400_000, 5)) @ np.array(weights)
    law = WeightedChiSquare(weights, 3)
    for x in (-8.0, 0.0, 3.0, 15.0):
        assert law.above(x) == pytest.approx(np.mean(draws > x), abs=5 * 0.5 / math.sqrt(len(draws)))


@pytest.mark.parametrize("weights", [(1.0,), (3.0, 0.01), (1.0, -1.0), (-1.0, -2.0), (1e-8, 2e-8), (1.0, 0.0)])
@pytest.mark.parametrize("rest", [1e-10, 0.05, 0.5, 0.9, 1 - 1e-7])
def test_quantiles_come_back(weights, rest):
    law = WeightedChiSquare(weights, 2)
    assert law.above(law.quantile(rest)) == pytest.approx(rest, rel=1e-9)


def test_beyond_the_support():
    up, down = WeightedChiSquare((1.0, 2.0), 1), WeightedChiSquare((-1.0, -2.0), 1)
    assert [up.above(x) for x in (-1.0, 0.0, 1e13)] == [1.0, 1.0, 0.0]
    assert [up.below(x) for x in (-1.0, 0.0, 1e13)] == [0.0, 0.0, 1.0]
    assert [down.above(x) for x in (0.0, 1.0)] == [0.0, 0.0]
    assert down.below(1.0) == 1.0
    assert WeightedChiSquare((1.0, -1.0), 1).above(0.0) == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: WeightedChiSquare((), 1), "weights must have at least 1"),
        (
            lambda: WeightedChiSquare((0.0, 0.0), 1),
            r"weights must hold one that is not 0, but got weights=\(0.0, 0.0\)",
        ),
        (lambda: WeightedChiSquare((math.nan,), 1), "weights must be finite"),
        (lambda: WeightedChiSquare((1.0,), 0), "freedom must be"),
        (lambda: WeightedChiSquare((1.0,), 1).above(math.nan), "x must be"),
        (lambda: WeightedChiSquare((1.0,), 1).below(math.inf), "x must be"),
        (lambda: WeightedChiSquare((1.0,), 1).quantile(0.0), "rest must be"),
        (lambda: WeightedChiSquare((1.0,), 1).quantile(1.0), "rest must be"),
    ],
)
def test_bad_values_are_refused(call, message):
    with pytest.raises(InvalidInput, match=f"^{message}"):
        call()
