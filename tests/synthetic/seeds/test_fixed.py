import math

import numpy as np
import pytest
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput
from leakbound.numerics.ball import ball, normal_tail
from leakbound.synthetic import FixedSeeds, Publication, worst_seed

SETTINGS = [(1.0, 1.0, None), (3.0, 0.7, None), (0.4, 2.0, 0.3), (1e5, 1.0, None), (0.05, 1.0, 4.0)]


def published(noise, sensitivity, norm_bound, rows=9):
    return Publication(4, 3, rows, noise, sensitivity, norm_bound)


def shift(noise, sensitivity, norm_bound):
    widest = sensitivity if norm_bound is None else min(sensitivity, 2 * norm_bound)
    return ball(widest) / ball(noise)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("order", [1.0, 1.5, 2.0, 64.0])
def test_renyi_is_that_of_two_normals_rounded_up(setting, order):
    bound = FixedSeeds().renyi(published(*setting), order)
    assert 0 <= excess(bound.value, lambda: ball(order) * shift(*setting) ** 2 / 2) < 1e-9


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0])
def test_delta_is_the_gaussian_profile_rounded_up(setting, epsilon):
    def exact():
        mu, e = shift(*setting), ball(epsilon)
        return normal_tail(e / mu - mu / 2) - e.exp() * normal_tail(e / mu + mu / 2)

    assert 0 <= excess(FixedSeeds().delta(published(*setting), epsilon).value, exact) < 1e-9


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.2])
def test_epsilon_keeps_delta_and_is_the_least(setting, delta):
    model, at = FixedSeeds(), published(*setting)
    epsilon = model.epsilon(at, delta).value
    assert model.delta(at, epsilon).value <= delta
    assert epsilon == 0 or model.delta(at, epsilon * (1 - 1e-6)).value > delta
    assert model.epsilon(at, delta, within=0.01).value == min(0.01, epsilon)


def test_rows_do_not_matter():
    for rows in (1, 10**9):
        assert FixedSeeds().renyi(published(1.0, 1.0, None, rows), 2.0).value == 1.0


def test_the_worst_seed_attains_the_largest_singular_value():
    rng = np.random.default_rng(7)
    for shape in ((1, 5), (3, 4), (6, 2)):
        weights = rng.normal(size=shape)
        seed, mu = worst_seed(weights, noise=0.3)
        assert math.hypot(*seed) == pytest.approx(1, abs=1e-12)
        attained = np.linalg.norm(weights @ np.array(seed)) / 0.3
        others = rng.normal(size=(200, shape[1]))
        others /= np.linalg.norm(others, axis=1, keepdims=True)
        assert np.linalg.norm(others @ weights.T, axis=1).max() / 0.3 <= attained * (1 + 1e-12)
        assert attained * (1 - 1e-12) <= mu <= attained * (1 + 1e-10)
        assert max(seed, key=abs) > 0


def test_the_worst_seed_of_a_known_shift():
    seed, mu = worst_seed([[0.0, -3.0], [0.0, 0.0]], noise=2.0)
    assert seed == (0.0, 1.0)
    assert 1.5 <= mu <= 1.5 * (1 + 1e-11)


@pytest.mark.parametrize("noise", [0, -1.0, math.nan, True, None])
def test_the_worst_seed_needs_noise(noise):
    with pytest.raises(InvalidInput, match=r"^noise must .*, but got noise="):
        worst_seed([[1.0, 2.0]], noise=noise)


@pytest.mark.parametrize("bad", [[[math.nan, 1.0]], "abc", [], [[1.0], [1.0, 2.0]], None])
def test_the_worst_seed_needs_a_matrix_of_numbers(bad):
    with pytest.raises(InvalidInput, match=r"^shift "):
        worst_seed(bad, noise=1.0)
