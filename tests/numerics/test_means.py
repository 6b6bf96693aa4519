import math
from itertools import pairwise

import numpy as np
import pytest
from mpmath import mp, mpf, workdps
from tests.oracles import means_oracle

from leakbound.errors import InvalidInput
from leakbound.numerics import means
from leakbound.numerics.means import (
    MARGIN,
    betting_interval,
    betting_lower,
    betting_upper,
    empirical_bernstein_lower,
    empirical_bernstein_upper,
    ville_threshold,
)

RNG = np.random.default_rng(3)
SAMPLES = {
    "uniform": RNG.random(40),
    "few ones": (RNG.random(60) < 0.1).astype(float),
    "two": np.array([0.0, 1.0]),
    "equal": np.full(30, 0.3),
    "tight": 0.7 + 1e-3 * RNG.random(50),
    "near zero": 1e-6 * RNG.random(40),
    "ends": np.array([1.0] * 20 + [0.0] * 20),
}
INTERVALS = [(0.0, 1.0), (-3.0, 5.0), (1e6, 1e6 + 1), (0.0, 1e-310), (-8e307, 8e307)]
LIMITS = [betting_lower, betting_upper, betting_interval, empirical_bernstein_lower, empirical_bernstein_upper]


@pytest.mark.parametrize("failure", [5e-324, 1e-300, 1e-9, 0.05, 0.5, 1 - 1e-9, 1 - 2**-53])
def test_the_threshold_is_rounded_up(failure):
    with workdps(40):
        whole, half = mp.log(1 / mpf(failure)), mp.log(2 / mpf(failure))
        assert whole <= ville_threshold(failure) <= whole * (1 + mpf(2e-15))
        assert half <= means._threshold(failure, parts=2) <= half * (1 + mpf(2e-15))


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("failure", [1e-300, 1e-6, 0.05, 0.999])
def test_empirical_bernstein_limits_lie_beyond_the_exact_ones_by_the_margin(interval, failure):
    low, high = interval
    for shares in [*SAMPLES.values(), np.tile(SAMPLES["tight"], 10), np.tile(SAMPLES["few ones"], 10)]:
        values = np.clip(low + (high - low) * shares, low, high)
        with workdps(50):
            mean, width = means_oracle.empirical_bernstein_width(values.tolist(), low, high, failure)
            unit = (mpf(high) - mpf(low)) * MARGIN + width * MARGIN
            rounding = 3e-16 * max(abs(low), abs(high), high - low) + 5e-324
            lower = empirical_bernstein_lower(values, low, high, failure)
            upper = empirical_bernstein_upper(values, low, high, failure)
            assert max(low, mean - width - 1.2 * unit - rounding) <= lower <= max(low, mean - width - 0.8 * unit)
            assert min(high, mean + width + 0.8 * unit) <= upper <= min(high, mean + width + 1.2 * unit + rounding)


def test_the_margin():
    assert MARGIN == 1e-13


def test_empirical_bernstein_needs_two_observations():
    for limit in (empirical_bernstein_lower, empirical_bernstein_upper):
        with pytest.raises(InvalidInput, match=r"values must have at least 2 entries, but has shape \(1,\)"):
            limit([0.5], 0, 1, 0.05)
    assert empirical_bernstein_lower([0.5, 0.5], 0, 1, 0.99) == 0
    assert empirical_bernstein_upper([0.5, 0.5], 0, 1, 0.99) == 1


def test_stakes_are_the_formula_and_depend_on_the_past_alone():
    for shares in SAMPLES.values():
        stakes = means._stakes(shares, 3.0)
        assert stakes == pytest.approx([float(s) for s in means_oracle.stakes(shares, 3.0)], rel=1e-13)
        for time in range(len(shares)):
            other = np.concatenate([shares[:time], 1 - shares[time:]])
            assert means._stakes(other, 3.0)[time] == stakes[time]
    assert means._stakes(np.array([0.9]), 3.0)[0] == 2.0  # sqrt(2 * 3 / (6 / 4 * 1))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("failure", [1e-300, 1e-3, 0.3, 1 - 1e-6])
def test_a_betting_limit_is_refuted_and_what_lies_a_little_inside_is_not(name, failure):
    shares = SAMPLES[name]
    threshold = ville_threshold(failure)
    lower, upper = betting_lower(shares, 0, 1, failure), betting_upper(shares, 0, 1, failure)
    for mirrored, limit in [(shares, lower), (1 - shares, 1 - upper)]:
        if limit:
            assert max(means_oracle.log_wealths(mirrored, threshold, limit)) >= threshold
        inside = max(limit, means._RESOLUTION) * (1 + 2.0**-29)
        assert max(means_oracle.log_wealths(mirrored, threshold, inside)) < threshold


def test_the_slack_covers_32_roundings_per_observation():
    shares = SAMPLES["uniform"]
    failure = 1 - 2.0**-53  # so small a threshold makes the slack visible
    threshold = ville_threshold(failure)
    limit = betting_lower(shares, 0, 1, failure)
    slack = [2.0**-48 * (i + 1) for i in range(len(shares))]
    at, above = (means_oracle.log_wealths(shares, threshold, m) for m in (limit, limit * (1 + 2.0**-29)))
    assert max(w - 0.95 * s for w, s in zip(at, slack, strict=True)) >= threshold
    assert max(w - 1.05 * s for w, s in zip(above, slack, strict=True)) < threshold


def test_the_slack_grows_with_the_log_wealth():
    shares = np.concatenate([np.zeros(3), np.ones(40)])
    for mean in (1e-10, 0.3):
        wealth = [float(w) for w in means_oracle.log_wealths(shares, 5.0, mean)]
        assert means._guaranteed(shares, means._stakes(shares, 5.0), mean) == pytest.approx(
            max(w - s for w, s in zip(wealth, 2.0**-48 * np.cumsum(1 + np.abs(wealth)), strict=True)), rel=1e-14
        )


def test_betting_limits_never_widen_with_observations():
    for shares in SAMPLES.values():
        ends = [(betting_lower(shares[:n], 0, 1, 0.1), betting_upper(shares[:n], 0, 1, 0.1)) for n in range(1, 30, 2)]
        for (lower, upper), (next_lower, next_upper) in pairwise(ends):
            assert lower <= next_lower
            assert next_upper <= upper


def test_wealth_does_not_increase_with_the_mean():
    for shares in SAMPLES.values():
        grid = [0.001, 0.1, 0.3, 0.5, 0.7, 0.75, 0.9]
        wealths = [means_oracle.log_wealths(shares, 3.0, mean) for mean in grid]
        for above, below in pairwise(wealths):
            assert all(a >= b for a, b in zip(above, below, strict=True))


@pytest.mark.parametrize("interval", INTERVALS)
def test_betting_limits_scale_with_the_interval(interval):
    low, high = interval
    for shares in ([0.5] * 40, [0.0] * 40, [1.0] * 40, [0.25, 0.5] * 30):
        values = [low + (high - low) * share for share in shares]
        lower, upper = betting_lower(values, low, high, 0.05), betting_upper(values, low, high, 0.05)
        assert low <= lower <= upper <= high
        assert (lower - low) / (high - low) == pytest.approx(betting_lower(shares, 0, 1, 0.05), rel=2.0**-29, abs=1e-9)
        assert (high - upper) / (high - low) == pytest.approx(
            1 - betting_upper(shares, 0, 1, 0.05), rel=2.0**-29, abs=1e-9
        )


def test_ends_and_single_observations():
    assert betting_lower([0.0] * 50, 0, 1, 0.05) == 0
    assert math.copysign(1, betting_lower([0.0] * 50, 0, 1, 0.05)) == 1
    assert betting_upper([1.0] * 50, 0, 1, 0.05) == 1
    # one observation of one, with the stake sqrt(4 threshold / 3): refuted are the m with 1 + stake (1 - m) >= 1 / 0.9
    threshold = ville_threshold(0.9)
    limit = 1 - (1 / 0.9 - 1) / math.sqrt(4 * threshold / 3)
    assert betting_lower([1.0], 0, 1, 0.9) == pytest.approx(limit, rel=2e-9)
    assert betting_upper([0.0], 0, 1, 0.9) == pytest.approx(1 - limit, rel=5e-9)
    assert betting_upper([1.0], 0, 1, 0.9) == 1
    assert betting_lower([1.0], 0, 1, 0.05) == 0


def test_the_interval_spends_half_of_the_failure_on_each_end():
    for name in ("uniform", "tight"):
        lower, upper = betting_interval(SAMPLES[name], -1, 2, 0.1)
        assert lower == pytest.approx(betting_lower(SAMPLES[name], -1, 2, 0.05), rel=1e-7)
        assert upper == pytest.approx(betting_upper(SAMPLES[name], -1, 2, 0.05), rel=1e-7)
        assert lower > -1
        assert upper < 2
    assert betting_interval([0.5], 0, 1, 5e-324) == (0, 1)


def test_crossing_limits_give_the_whole_interval():
    values = [0.0] * 200 + [1.0] * 200
    assert betting_lower(values, -1, 1, 0.05) > betting_upper(values, -1, 1, 0.05)
    assert betting_interval(values, -1, 1, 0.1) == (-1, 1)


@pytest.mark.parametrize("limit", LIMITS)
def test_bad_input_is_refused(limit):
    for failure in (0, 1, -0.1, 1.5, math.nan, True, "0.1"):
        with pytest.raises(InvalidInput, match=r"failure must be a number in \(0, 1\), but got failure="):
            limit([0.5, 0.5], 0, 1, failure)
    for values, problem in [
        ([0.1, math.nan], "NaN or infinity"),
        ([0.1, math.inf], "NaN or infinity"),
        ([], "at least"),
        ([[0.1, 0.2]], "list of numbers"),
        ([True, False], "bool"),
    ]:
        with pytest.raises(InvalidInput, match=f"values must .*{problem}"):
            limit(values, 0, 1, 0.1)
    for bad, first in [(-5e-324, 1), (1 + 2**-52, 1), (7, 1)]:
        with pytest.raises(
            InvalidInput, match=rf"values must lie in \[low, high\] = \[0.0, 1.0\], .*values\[{first}\]="
        ):
            limit([0.5, bad, 9.0], 0, 1, 0.1)
    with pytest.raises(InvalidInput, match=r"high must be a number greater than 1, but got high=1.0; give one"):
        limit([1.0, 1.0], 1, 1, 0.1)
    for low in (math.nan, -math.inf, True):
        with pytest.raises(InvalidInput, match=f"low must be a number, but got low={low}"):
            limit([0.5, 0.5], low, 1, 0.1)
    for high in (math.nan, math.inf, True):
        with pytest.raises(InvalidInput, match=f"high must be a number greater than 0, but got high={high}"):
            limit([0.5, 0.5], 0, high, 0.1)
    with pytest.raises(
        InvalidInput, match=r"high - low must be a finite double, but got low=-1e\+308 and high=1e\+308"
    ):
        limit([0.5, 0.5], -1e308, 1e308, 0.1)
