import math
import random

import mpmath
import numpy as np
import pytest

from leakbound.numerics import bessel
from leakbound.numerics.ball import ball, flint, precision

RANDOM = random.Random(11)


def exact(formula) -> float:
    for bits in (128, 512, 2048, 8192):
        with precision(bits):
            value = formula()
            if value.rel_accuracy_bits() > 60 or (abs(value) < 1e-60 and value.rad() < 1e-60):
                return float(value)
    raise AssertionError("the formula is too wide to compare with")


def log_0f1(b, x):
    with mpmath.workdps(60):  # Arb loses its bits at large arguments
        value = mpmath.log(mpmath.hyp0f1(b, mpmath.mpf(x) ** 2 / 4, maxterms=10**6))
        return value if value else (mpmath.mpf(x) ** 2) / (4 * mpmath.mpf(b))


def log_1f1(a, b, x):
    return ball(x).hypgeom_1f1(ball(a), ball(b)).log()


def test_the_error_of_stirlings_formula():
    places = [10 ** RANDOM.uniform(-300, 15) for _ in range(100)] + [RANDOM.uniform(0.01, 40) for _ in range(200)]
    for x in [*places, 0.5, 1.0, 16.0, math.nextafter(16.0, 0)]:

        def formula(x=x):
            z = ball(x)
            half_log = (2 * flint().arb.pi()).log() / 2
            return z.lgamma() - ((z - ball(0.5)) * z.log() - z + half_log)

        assert bessel.stirling_error(x) == pytest.approx(exact(formula), rel=3e-16, abs=1e-13 if x < 1e-9 else 2e-14), x


@pytest.mark.parametrize("x", [16.0, 16.25, 17.0, 20.0, 40.0])
def test_from_sixteen_on_the_series_of_stirlings_error_is_good_to_the_last_digits(x):
    def formula():
        return ball(x).lgamma() - ((ball(x) - ball(0.5)) * ball(x).log() - ball(x) + (2 * flint().arb.pi()).log() / 2)

    with precision(300):
        assert abs(bessel.stirling_error(x) - float(formula())) <= 4e-18


def test_the_density_of_the_logarithm_of_a_chi_square():
    for freedom in [1, 2, 3, 31, 1000, 10**6, 10**9, *(int(10 ** RANDOM.uniform(0, 9)) for _ in range(100))]:
        for off in (-600.0, -3.0, RANDOM.gauss(0, 3) / math.sqrt(freedom), 0.0, 2.0):
            y = math.log(freedom) + off
            half = ball(float(freedom)) / 2
            value = exact(lambda y=y, h=half: h * ball(y) - ball(y).exp() / 2 - h * ball(2.0).log() - h.lgamma())
            found = float(bessel.log_chi_square(np.array(y), freedom))
            rounding = freedom / 2 * (abs(math.expm1(off)) + abs(off)) * math.log(freedom + 2) * 3e-16
            assert abs(found - value) <= 2e-14 + rounding + 1e-15 * abs(value), (freedom, off)


def test_the_density_of_a_chi_square_is_zero_far_out():
    assert bessel.log_chi_square(np.array([800.0]), 3)[0] == -math.inf


def test_0f1_over_orders_and_arguments():
    orders = [0.5, 1.0, 1.5, 30.5, 31.0, 31.5, 1000.0, 5e8, *(RANDOM.randint(1, 4000) / 2 for _ in range(8))]
    for b in orders:
        places = [0.0, 1e-300, 1e-8, math.sqrt(80 * b) * (1 - 1e-9), math.sqrt(80 * b) * (1 + 1e-9), min(b, 1e4), 1e5]
        places += [10 ** RANDOM.uniform(-6, 5) for _ in range(3)]
        found = bessel.log_0f1(b, np.array(places))
        for x, value in zip(places, found, strict=True):
            target = float(log_0f1(b, x))
            assert abs(value - target) <= 1e-14 + 1e-14 * abs(target), (b, x)


def test_0f1_keeps_its_relative_accuracy_at_small_arguments():
    assert float(bessel.log_0f1(2.0, np.array(1e-9))) == pytest.approx(1e-18 / 8, rel=1e-14)
    assert float(bessel.log_0f1(2.0, np.array(0.0))) == 0.0


def test_the_ratio_of_two_0f1():
    for b in [0.5, 1.0, 30.5, 31.0, 500.0, 1e6, *(RANDOM.randint(1, 400) / 2 for _ in range(8))]:
        for _ in range(4):
            radius, low = 10 ** RANDOM.uniform(-3, 3), RANDOM.choice([0.0, RANDOM.uniform(0, 50)])
            high = low + 10 ** RANDOM.uniform(-6, 0.5)
            found = float(bessel.log_0f1_ratio(b, np.array([radius]), low, high)[0])

            with mpmath.workdps(60):
                target = float(log_0f1(b, mpmath.mpf(high) * radius) - log_0f1(b, mpmath.mpf(low) * radius))
            scale = abs(target) if b >= 31 else high * radius + 1  # below, the two logarithms cancel
            assert abs(found - target) <= 5e-16 + 2e-14 * scale, (b, radius, low, high)


def test_1f1_over_its_parameters():
    found = [(1.5, 1.5, 3.0), (0.5, 6.0, 0.0)]
    assert [bessel.log_1f1(*case) for case in found] == [3.0, 0.0]
    for _ in range(150):
        b = RANDOM.randint(2, 4000) / 2
        a, x = max(0.5, RANDOM.randint(1, int(2 * b) - 1) / 2), 10 ** RANDOM.uniform(-12, 6.5)
        assert bessel.log_1f1(a, b, x) == pytest.approx(exact(lambda: log_1f1(a, b, x)), rel=1e-12), (a, b, x)  # noqa: B023


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [
        (0.5, 6.0, 1e-300),
        (5e5, 1e6, 2000.0),
        (0.5, 6.0, 999e6),
        (0.5, 6.0, 1001e6),
        (50.0, 60.5, 1e12),
        (0.5, 500.0, 1e17),
        (2.0, 3.0, 9e24),
    ],
)
def test_1f1_at_extreme_arguments(a, b, x):
    assert bessel.log_1f1(a, b, x) == pytest.approx(exact(lambda: log_1f1(a, b, x)), rel=1e-12)


def test_1f1_beyond_is_the_exponential():
    assert bessel.log_1f1(0.5, 5e8, 1.1e25) == 1.1e25
    assert bessel.log_1f1(0.5, 6.0, math.inf) == math.inf
