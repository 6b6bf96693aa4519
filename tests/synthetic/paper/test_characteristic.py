"""Lemma 4.1, and two slips beside it: the density for v = 0, and the scale of Lemma 4.3."""

import math

import numpy as np
import pytest
from scipy import special
from scipy.integrate import quad

from leakbound.errors import InvalidInput
from leakbound.synthetic.paper import characteristic

RNG = np.random.default_rng(41)


@pytest.mark.parametrize(("outputs", "features", "rows"), [(1, 1, 1), (2, 3, 1), (1, 4, 3), (3, 2, 2)])
def test_it_is_the_mean_over_the_seeds(outputs, features, rows):
    """Given Z, tr(t'(noise N + v) Z) is normal with mean tr(t'v Z) and variance noise^2 |Z t'|^2."""
    t, v = RNG.normal(size=(outputs, rows)) / 2, RNG.normal(size=(outputs, features))
    noise, scale = 0.7, 1.3
    z = scale * RNG.normal(size=(200_000, features, rows))
    mean = np.einsum("nl,nd,kdl->k", t, v, z)
    spread = noise**2 * np.square(np.einsum("kdl,nl->kdn", z, t)).sum(axis=(1, 2))
    values = np.cos(mean) * np.exp(-spread / 2)
    exact = characteristic(t, v, noise=noise, seed_scale=scale)
    assert exact == pytest.approx(values.mean(), abs=5 * values.std() / math.sqrt(len(values)))


def test_one_feature_by_quadrature():
    density = math.sqrt(2 * math.pi)
    exact = quad(lambda z: math.cos(0.8 * 1.5 * z) * math.exp(-((0.8 * 0.6 * z) ** 2) / 2 - z * z / 2), -12, 12)[0]
    assert characteristic([[0.8]], [[1.5]], noise=0.6) == pytest.approx(exact / density, rel=1e-10)


@pytest.mark.parametrize("features", [1, 2, 3, 6])
def test_the_printed_density_lacks_a_power_of_the_record(features):
    """With |s|^((d - 1)/2) the density of a record at v = 0 has the right transform; without, it is none for d = 3."""
    order = (features - 1) / 2
    constant = 1 / (math.sqrt(math.pi) * 2**order * special.gamma(features / 2))

    def density(s, power=order):
        return constant * s**power * special.kv(order, s)

    transform = 2 * quad(lambda s: density(s) * math.cos(0.9 * s), 0, 60, limit=200)[0]
    assert characteristic([[0.9]], [[0.0] * features], noise=1.0) == pytest.approx(transform, rel=1e-8)
    if features >= 3:  # the printed one rises like s^-order at zero, so that it holds infinite mass
        near = [quad(lambda s: density(s, 0.0), low, 10 * low)[0] for low in (1e-8, 1e-6, 1e-4)]
        assert min(near) >= near[-1] * 0.99 > 0.1


def test_a_record_has_variance_d_noise_squared_plus_norm_squared_without_another_root_of_d():
    weights, step = [[1.0, 2.0, 2.0]], 1e-4
    variance = (2 - 2 * characteristic([[step]], weights, noise=0.5)) / step**2
    assert variance == pytest.approx(3 * 0.5**2 + 9.0, rel=1e-6)  # printed Lemma 4.3 has d times that on its left


def test_shapes_and_scales_are_checked():
    with pytest.raises(InvalidInput, match="at must have as many rows as weights, but got 2 and 1"):
        characteristic([[1.0], [1.0]], [[1.0]], noise=1.0)
    with pytest.raises(InvalidInput, match="noise must be a number greater than 0"):
        characteristic([[1.0]], [[1.0]], noise=0.0)
    with pytest.raises(InvalidInput, match="seed_scale must be"):
        characteristic([[1.0]], [[1.0]], noise=1.0, seed_scale=math.nan)
    with pytest.raises(InvalidInput, match="weights must be finite"):
        characteristic([[1.0]], [[math.inf]], noise=1.0)
