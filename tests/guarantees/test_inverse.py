import math

import pytest
from tests.oracles import gaussian_oracle, renyi_oracle
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import ApproxDP, GaussianDP, MutualInformation, PureDP, RenyiDP, ZeroConcentratedDP
from leakbound.guarantees.compose import compose
from leakbound.guarantees.inverse import gaussian_noise, laplace_noise, most_uses
from leakbound.numerics.rounding import down


def test_gaussian_noise_for_epsilon_and_delta():
    for sensitivity, epsilon, delta in ((1.0, 1.0, 1e-5), (3.0, 0.1, 1e-12), (1e-6, 4.0, 0.1), (1.0, 0.0, 0.01)):
        noise = gaussian_noise(sensitivity, ApproxDP(epsilon, delta))
        # safe at the noise, and a little less noise would not do
        assert excess(delta, lambda s=sensitivity, n=noise, e=epsilon: gaussian_oracle.hockey_stick(s / n, e)) >= 0
        less = noise * (1 - 1e-9)
        assert excess(delta, lambda s=sensitivity, n=less, e=epsilon: gaussian_oracle.hockey_stick(s / n, e)) < 0


@pytest.mark.parametrize(
    ("target", "noise"),
    [
        (GaussianDP(0.25), 4.0),
        (ZeroConcentratedDP(0.125), 2.0),
        (RenyiDP((2.0, 8.0), (0.25, 4.0)), 2.0),
        (RenyiDP((2.0, 8.0), (0.25, 0.25)), 4.0),
    ],
)
def test_gaussian_noise_in_closed_form(target, noise):
    for sensitivity in (1.0, 3.0):
        found = gaussian_noise(sensitivity, target)
        assert noise * sensitivity <= found <= noise * sensitivity * (1 + 1e-15)


def test_laplace_noise_in_closed_form():
    for sensitivity in (1.0, 0.3):
        found = laplace_noise(sensitivity, PureDP(0.5))
        assert 2 * sensitivity <= found <= 2 * sensitivity * (1 + 1e-15)
        found = laplace_noise(sensitivity, ApproxDP(0.5, 0.0))
        assert 2 * sensitivity <= found <= 2 * sensitivity * (1 + 1e-15)


def test_laplace_noise_for_other_targets():
    noise = laplace_noise(1.0, ApproxDP(0.5, 0.01))
    assert excess(0.01, lambda: renyi_oracle.laplace_hockey_stick(1 / noise, 0.5)) >= 0
    assert excess(0.01, lambda: renyi_oracle.laplace_hockey_stick(1 / noise * (1 + 1e-9), 0.5)) < 0
    noise = laplace_noise(1.0, RenyiDP((2.0,), (0.5,)))
    assert excess(0.5, lambda: renyi_oracle.laplace(2.0, 1 / noise)) >= 0
    assert excess(0.5, lambda: renyi_oracle.laplace(2.0, 1 / noise * (1 + 1e-9))) < 0


def test_targets_out_of_reach_need_infinite_noise():
    for target in (ApproxDP(1.0, 0.0), GaussianDP(0.0), ZeroConcentratedDP(0.0)):
        assert gaussian_noise(1.0, target) == math.inf
    assert laplace_noise(1.0, PureDP(0.0)) == math.inf


def test_targets_that_ask_nothing_need_almost_no_noise():
    assert gaussian_noise(1.0, ApproxDP(0.0, 1.0)) == 1e-150
    assert laplace_noise(1.0, PureDP(math.inf)) == 1e-150


@pytest.mark.parametrize("function", [gaussian_noise, laplace_noise])
def test_sensitivity_is_a_positive_number(function):
    for bad in (0.0, -1.0, math.nan, math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^sensitivity must be a number greater than 0, but got sensitivity="):
            function(bad, ApproxDP(1.0, 0.1))


def test_targets_of_other_kinds_are_refused():
    with pytest.raises(
        NoTheorem, match=r"^Noise with a gaussian curve cannot be set for a pure-dp target; ask for another"
    ):
        gaussian_noise(1.0, PureDP(1.0))
    with pytest.raises(NoTheorem, match=r"^Noise with a laplace curve cannot be set for a gdp target"):
        laplace_noise(1.0, GaussianDP(1.0))
    with pytest.raises(NoTheorem, match="cannot be set for a mutual-information target"):
        laplace_noise(1.0, MutualInformation(1.0))


@pytest.mark.parametrize("bad", [None, 1.0, "gdp"])
def test_a_target_is_a_guarantee(bad):
    for function in (gaussian_noise, laplace_noise):
        with pytest.raises(InvalidInput):
            function(1.0, bad)


def test_the_most_uses_keep_the_target_and_one_more_does_not():
    target = ApproxDP(1.0, 1e-5)
    for part in (GaussianDP(0.07), PureDP(0.1), ZeroConcentratedDP(0.005)):
        uses = most_uses(part, target, limit=50)
        assert 1 < uses < 50
        assert compose([(part, uses)], epsilon=1.0).guarantee.delta <= 1e-5
        assert compose([(part, uses + 1)], epsilon=1.0).guarantee.delta > 1e-5


def test_the_ends_of_most_uses():
    assert most_uses(GaussianDP(5.0), ApproxDP(0.1, 1e-5)) == 0
    assert most_uses(GaussianDP(0.0), ApproxDP(0.1, 1e-5), limit=30) == 30
    with pytest.raises(NoTheorem, match=r"^The target must be an \(epsilon, delta\) guarantee, but got 1-DP; give an"):
        most_uses(PureDP(0.1), PureDP(1.0))
    for bad in (0, -1, 1.5, True):
        with pytest.raises(InvalidInput, match=r"^limit must be a whole number of at least 1, but got limit="):
            most_uses(PureDP(0.1), ApproxDP(1.0, 0.1), limit=bad)


def test_less_noise_by_one_double_does_not_keep_the_target():
    noise = gaussian_noise(1.0, GaussianDP(0.3))
    assert 1 / noise <= 0.3
    assert gaussian_noise(1.0, GaussianDP(0.3)) >= 1 / 0.3
    assert down(noise) < 1 / 0.3 * (1 + 1e-15)
