"""Products of chi-squares against mpmath and scipy."""

import itertools
import math

import mpmath
import pytest
from scipy import integrate, special, stats

from leakbound.numerics.ball import ball, ends, precision
from leakbound.synthetic.recompute.columns import column

CASES = [(1, 1), (2, 2), (1, 2), (2, 1), (3, 1), (5, 4), (4, 9), (12, 1), (7, 7)]


def density(m, rows, y):
    """Return the density of log U by the formula with mpmath's own Bessel function."""
    with mpmath.workdps(40):
        z, total = mpmath.exp(mpmath.mpf(y) / 2), mpmath.mpf(m + rows) / 2
        bessel = mpmath.besselk(mpmath.mpf(m - rows) / 2, z)
        return 2 * (z / 2) ** total * bessel / (mpmath.gamma(mpmath.mpf(m) / 2) * mpmath.gamma(mpmath.mpf(rows) / 2))


@pytest.mark.parametrize(("features", "rows"), CASES)
@pytest.mark.parametrize("y", [-20.0, -1.0, 2.0, 6.0, 9.0])
def test_densities_are_the_bessel_formula(features, rows, y):
    with precision(200):
        densities, _ = column(features, rows, y, 4)
        for j, found in enumerate(densities):
            low, high = ends(found)
            exact = density(features + 2 * j, rows, y)
            assert low * (1 - 1e-15) <= exact <= high * (1 + 1e-15)
            assert high - low <= 1e-14 * high


@pytest.mark.parametrize(("features", "rows"), CASES)
@pytest.mark.parametrize("y", [-8.0, 0.5, 4.0])
def test_survivals_are_the_integral_of_the_density(features, rows, y):
    def at(s, m):
        z, total = math.exp(s / 2), (m + rows) / 2
        return 2 * (z / 2) ** total * special.kv((m - rows) / 2, z) / (math.gamma(m / 2) * math.gamma(rows / 2))

    with precision(200):
        _, survivals = column(features, rows, y, 3)
    for j, found in enumerate(survivals):
        exact, _ = integrate.quad(at, y, 11, args=(features + 2 * j,), epsabs=0, epsrel=1e-11, limit=300)
        assert float(found) == pytest.approx(exact, rel=1e-9)


def test_survivals_are_those_of_a_chi_square_times_a_chi_square():
    with precision(128):
        _, survivals = column(3, 4, 1.5, 2)
    for j, found in enumerate(survivals):
        exact, _ = integrate.quad(
            lambda w, j=j: stats.chi2.pdf(w, 4) * stats.chi2.sf(math.exp(1.5) / w, 3 + 2 * j), 0, 90
        )
        assert float(found) == pytest.approx(exact, rel=1e-7)


@pytest.mark.parametrize("z", [0.01, 0.7, 3.0, 40.0, 400.0])
def test_closed_forms_of_few_degrees_of_freedom(z):
    y = 2 * math.log(z)
    with precision(256), mpmath.workdps(60):
        at = mpmath.exp(mpmath.mpf(y) / 2)
        for m, rows, exact in (
            (2, 2, at * mpmath.besselk(1, at)),
            (1, 2, mpmath.exp(-at)),
            (2, 1, mpmath.exp(-at)),
        ):
            low, high = ends(column(m, rows, y, 1)[1][0])
            assert low <= exact * (1 + 1e-15) <= high * (1 + 2e-15)
            assert high - low <= 1e-14 * high


@pytest.mark.parametrize("z", [0.01, 0.7, 3.0, 40.0, 150.0, 170.0, 600.0])
def test_one_degree_each_is_the_integral_of_k_zero(z):
    with precision(256), mpmath.workdps(40):
        (found,) = column(1, 1, 2 * math.log(z), 1)[1]
        at = mpmath.exp(mpmath.mpf(2 * math.log(z)) / 2)
        places = [0, 0.1, 0.3, 1, 2, 4, 6, 8, 10]  # the integral of K_0 from z on is that of e^(-z cosh t) / cosh t
        integral = mpmath.quad(lambda t: mpmath.exp(-2 * at * mpmath.sinh(t / 2) ** 2) / mpmath.cosh(t), places)
        exact = 2 / mpmath.pi * mpmath.exp(-at) * integral
    low, high = ends(found)
    assert low * (1 - 1e-14) <= exact <= high * (1 + 1e-14)
    if z < 160:
        assert high - low <= 1e-9 * high
    else:
        assert -1e-6 * high <= low <= 0
        assert high <= math.exp(-z) * (1 + 1e-8)


def test_the_integral_of_k_zero_keeps_its_accuracy_to_the_asymptotic_end():
    with precision(320):
        (found,) = column(1, 1, 2 * math.log(159.0), 1)[1]
        assert found.rel_accuracy_bits() > 40


def test_more_degrees_are_larger():
    with precision(128):
        _, survivals = column(2, 3, 1.0, 30)
        assert all(a < b for a, b in itertools.pairwise(survivals))
        assert survivals[-1] < ball(1.0)
