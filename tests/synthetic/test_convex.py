import math

import numpy as np
import pytest

from leakbound.numerics.ball import ball, precision
from leakbound.synthetic import convex

RATIOS = [s * 10.0**k for s in (-1, 1) for k in (-100, -20, -8, -3, -2, -1.4, -1.3, -1, 0, 0.5, 1, 2, 2.5, 2.9)]


def close(found, formula, x):
    with precision(2000):
        exact = float(formula(ball(x)).log())
    assert abs(found - exact) <= 2e-13 * max(1, abs(exact)), x


@pytest.mark.parametrize("exponent", [1 + 2**-40, 1.5, 2.0, 3.0, 8.0, 32.0, 1000.0, -1e-9, -0.5, -1.0, -7.0, -31.0])
def test_the_power_functions(exponent):
    places = [*RATIOS, *(s * 0.05 / abs(exponent) * (1 + d) for s in (-1, 1) for d in (-1e-9, 1e-9))]
    found = convex.power(exponent, np.array(places))
    for x, value in zip(places, found, strict=True):
        close(value, lambda x: (exponent * x).exp() - 1 - ball(exponent) * (x.exp() - 1), x)


def test_the_divergences_of_kullback_and_leibler():
    places = [*RATIOS, -0.05, 0.05, -601.0, 601.0]
    for x, forward, back in zip(
        places, convex.forward(np.array(places)), convex.backward(np.array(places)), strict=True
    ):
        close(back, lambda x: x.exp() - 1 - x, x)
        close(forward, lambda x: x.exp() * x - x.exp() + 1, x)


def test_ratio_one_is_no_divergence():
    for function in (lambda x: convex.power(2.0, x), convex.forward, convex.backward):
        assert math.exp(float(function(np.array([0.0]))[0])) < 1e-290
