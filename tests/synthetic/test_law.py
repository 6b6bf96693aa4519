import math
from functools import cache

import numpy as np
import pytest
from tests.oracles import hidden_oracle

from leakbound.numerics.search import root
from leakbound.synthetic import law
from leakbound.synthetic.law import Laws

CASES = [
    (1, 1, 0.0, 1.0),
    (2, 1, 1.2, 2.2),
    (3, 5, 0.0, 0.01),
    (12, 4, 3.0, 8.0),
    (4, 7, 9.0, 9.5),
    (60, 31, 2.0, 2.001),
]

oracle = cache(hidden_oracle.Pair)


@pytest.mark.parametrize("case", CASES)
def test_densities_and_ratios(case):
    y = np.linspace(-25.0, 14.0, 27)
    density, ratio = Laws(*case).densities(y)
    for at, log_low, log_ratio in zip(y, density, ratio, strict=True):
        low, _ = oracle(*case).densities(float(at))
        assert log_low == pytest.approx(float(low.log()), rel=1e-9, abs=1e-8)
        assert log_ratio == pytest.approx(float(oracle(*case).log_ratio(float(at))), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("case", CASES[:5])
def test_masses_are_summed_directly(case):
    for y in (-6.0, 1.0, 7.0):
        for of_high, norm in enumerate(case[2:]):
            for below in (True, False):
                exact = float(oracle(*case).mass(y, of_high=bool(of_high), below=below))
                found = Laws(*case).mass(norm, y, below=below)
                assert found == pytest.approx(exact, rel=1e-9, abs=1e-300), (y, norm, below)


@pytest.mark.parametrize(
    ("case", "far", "close"), [(CASES[3], -60.0, 1e-8), (CASES[4], -90.0, 1e-8), (CASES[5], -60, 1e-8)]
)
def test_the_least_ratio_is_that_of_the_smallest_records(case, far, close):
    least = Laws(*case).least_ratio()
    limit = float(oracle(*case).log_ratio(float(far)))
    assert limit * (1 + close) <= least <= limit
    assert Laws(*case).densities(np.array([far, far + 1.0]))[1][0] >= least


def test_the_central_range_holds_both_laws():
    for case in CASES:
        low, high = Laws(*case).central()
        for of_high, norm in enumerate(case[2:]):
            assert Laws(*case).mass(norm, low, below=True) < 1e-5, of_high
            assert Laws(*case).mass(norm, high, below=False) < 1e-15, of_high


def test_the_axis_and_its_lattice():
    laws = Laws(12, 4, 3.0, 8.0)
    y, weight = laws.lattice(-30.0, 12.0, 0.25)
    density, ratio = laws.densities(y)
    assert np.sum(weight * np.exp(density)) == pytest.approx(1, rel=1e-11)
    assert np.sum(weight * np.exp(density + ratio)) == pytest.approx(1, rel=1e-11)
    x = np.array([laws.to_x(at) for at in y])
    back, slope = laws.from_x(x)
    assert back.tolist() == pytest.approx(y.tolist(), abs=1e-9)
    middle = (laws.from_x(x + 1e-5)[0] - laws.from_x(x - 1e-5)[0]) / 2e-5
    assert slope.tolist() == pytest.approx(middle.tolist(), rel=1e-6)
    assert np.diff(x).max() == pytest.approx(np.diff(x).min(), rel=1e-7)


def test_the_range_of_a_chi_square():
    for freedom in (1, 2, 50, 5000):
        low, high = law._chi_square_range(freedom)

        def depth(y, freedom=freedom):
            z = y - math.log(freedom)
            return freedom / 2 * (math.expm1(z) - z) - law.DEEP

        for outside, inside in ((low - 50, math.log(freedom)), (high + 50, math.log(freedom))):
            assert depth(root(lambda y: -depth(y) if math.isfinite(depth(y)) else -1.0, inside, outside)) >= 0
        assert depth(low) == pytest.approx(0, abs=1e-5)
        assert depth(high) == pytest.approx(0, abs=1e-5)
