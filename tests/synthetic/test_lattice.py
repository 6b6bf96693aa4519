import math

import numpy as np
import pytest

from leakbound.synthetic import lattice

SHAPES = [(1.0, 1.0), (1.0, 2500.5), (0.25, 0.5), (0.25, 1250.0), (2.0, 0.5)]
PLACES = np.array([-600.0, -40.0, -3.0, 0.0, 0.5, 4.0, 15.0])


@pytest.mark.parametrize(("curvature", "offset"), SHAPES)
def test_the_stretched_axis_is_the_integral_of_its_slope(curvature, offset):
    for left, right in ((-3.0, 0.5), (-40.0, -38.0), (4.0, 6.0), (12.0, 13.0)):
        nodes, weights = np.polynomial.legendre.leggauss(40)
        t = left + (right - left) * (nodes + 1) / 2
        length = float(np.sum(weights * np.sqrt(curvature * np.exp(t) + offset)) * (right - left) / 2)
        ends = [float(lattice.stretched(end, curvature, offset)) for end in (left, right)]
        assert ends[1] - ends[0] == pytest.approx(length, rel=1e-11)
    found = lattice.slope(PLACES, curvature, offset)
    assert found.tolist() == pytest.approx(np.sqrt(curvature * np.exp(PLACES) + offset).tolist(), rel=1e-15)


@pytest.mark.parametrize(("curvature", "offset"), SHAPES)
def test_unstretching_is_the_inverse(curvature, offset):
    back = lattice.unstretched(lattice.stretched(PLACES, curvature, offset), curvature, offset)
    assert np.max(np.abs(back - PLACES) / (1 + np.abs(PLACES))) < 1e-12
    dense = np.linspace(-60, 12, 500)
    back = lattice.unstretched(lattice.stretched(dense, curvature, offset), curvature, offset)
    assert np.max(np.abs(back - dense)) < 1e-10


def test_lattice_points_integrate_analytic_functions():
    for curvature, offset in SHAPES[:3]:
        t, weight = lattice.points(-60.0, 5.0, 0.2 * math.sqrt(offset), curvature, offset)
        assert (t[0], t[-1]) == pytest.approx((-60.0, 5.0), abs=1e-9)
        for power in (1, 2, 5):  # the integral of e^(power t - e^t) is Gamma(power)
            total = float(np.sum(weight * np.exp(power * t - np.exp(t))))
            assert total == pytest.approx(math.gamma(power), rel=1e-10)
    assert len(lattice.points(0.0, 1e-9, 0.5, 1.0, 1.0)[0]) == 3


def test_an_extent_reaches_where_the_function_is_deep():
    for centre, width in ((0.0, 1.0), (3.0, 0.1), (-50.0, 20.0)):
        left, right = lattice.extent(lambda x, c=centre, w=width: -(((x - c) / w) ** 2) / 2, centre - 1, centre + 1)
        reach = width * math.sqrt(2 * lattice.DEEP)
        assert centre - 1.25 * reach - 2 <= left <= centre - reach
        assert centre + reach <= right <= centre + 1.25 * reach + 2
    assert lattice.extent(lambda x: -np.maximum(x, 0) * 100, 0.0, 1.0)[0] < -1e4  # it never falls on the left
