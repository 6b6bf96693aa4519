"""Do the confidence limits keep their promise? Each failure rate is measured over thousands of runs.

A test fails when the failures prove, at 99 %, a rate above the promised one.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest

from leakbound.numerics.binomial import clopper_pearson, clopper_pearson_lower, clopper_pearson_upper
from leakbound.numerics.means import (
    betting_interval,
    betting_lower,
    betting_upper,
    empirical_bernstein_lower,
    empirical_bernstein_upper,
    ville_threshold,
)

LEVEL = 0.1
RUNS = 2000

Law = Callable[[np.random.Generator, int], np.ndarray]


def coins(mean: float) -> Law:
    """One with probability `mean`, else zero."""
    return lambda rng, count: (rng.random(count) < mean).astype(float)


def jackpots(rng: np.random.Generator, count: int) -> np.ndarray:
    """Mean 0.1: zero or a uniform prize."""
    return (rng.random(count) < 0.2) * rng.random(count)


def spread_by_the_past(rng: np.random.Generator, count: int) -> np.ndarray:
    """Mean 0.5 given the past, but the spread is chosen by it: wide after gains, narrow after losses."""
    values = np.empty(count)
    for i in range(count):
        spread = 0.5 if i == 0 or values[:i].mean() > 0.5 else 0.05
        values[i] = 0.5 + spread * (1 - 2 * (rng.random() < 0.5))
    return values


def stopped_at_a_gain(rng: np.random.Generator, count: int) -> np.ndarray:
    """Mean 0.3 given the past: coins until their mean is two standard errors too high, then 0.3 for ever."""
    values = coins(0.3)(rng, count)
    means = np.cumsum(values) / np.arange(1, count + 1)
    high = means > 0.3 + 2 * np.sqrt(0.21 / np.arange(1, count + 1))
    stop = int(np.argmax(high)) + 1 if high[20:].any() else count
    values[stop:] = 0.3
    return values


LAWS = [
    (coins(0.5), 0.5),
    (coins(0.02), 0.02),
    (coins(0.98), 0.98),
    (lambda rng, count: rng.random(count), 0.5),
    (lambda rng, count: rng.beta(0.1, 0.4, count), 0.2),
    (jackpots, 0.1),
]
DEPENDENT = [(spread_by_the_past, 0.5), (stopped_at_a_gain, 0.3)]


def breaks_its_promise(failures: int, runs: int, level: float) -> bool:
    return clopper_pearson_lower(failures, runs, 0.01) >= level


@pytest.mark.parametrize("index", range(len(LAWS + DEPENDENT)))
def test_betting_limits_hold_after_every_observation(index):
    law, mean = (LAWS + DEPENDENT)[index]
    rng = np.random.default_rng(index)
    too_high = too_low = outside = 0
    for _ in range(RUNS):
        values = law(rng, 200)
        # the limits never widen: if one fails after some observation, it fails after the last
        too_high += betting_lower(values, 0, 1, LEVEL) > mean
        too_low += betting_upper(values, 0, 1, LEVEL) < mean
    for _ in range(RUNS // 4):
        lower, upper = betting_interval(law(rng, 200), 0, 1, LEVEL)
        outside += not lower <= mean <= upper
    assert not breaks_its_promise(too_high, RUNS, LEVEL)
    assert not breaks_its_promise(too_low, RUNS, LEVEL)
    assert not breaks_its_promise(outside, RUNS // 4, LEVEL)


def test_betting_limits_hold_when_one_stops_at_the_worst_moment():
    rng = np.random.default_rng(20)
    failures = 0
    for _ in range(200):
        values = coins(0.4)(rng, 60)
        every = [betting_lower(values[:n], 0, 1, LEVEL) for n in range(1, 61)]
        assert every == sorted(every)
        failures += max(every) > 0.4
    assert not breaks_its_promise(failures, 200, LEVEL)


def test_the_bets_are_not_vacuous():
    """On coins the failure rate is a good part of what is allowed, and the limits find the mean."""
    rng = np.random.default_rng(21)
    failures = sum(betting_lower(coins(0.5)(rng, 2000), 0, 1, LEVEL) > 0.5 for _ in range(1000))
    assert clopper_pearson_upper(failures, 1000, 0.01) > LEVEL / 2
    lower, upper = betting_interval(np.tile([0.25, 0.75], 500_000), 0, 1, 0.05)
    assert 0.498 < lower < 0.5 < upper < 0.502


def test_fair_bets_seldom_reach_the_threshold():
    rng = np.random.default_rng(22)
    log_wealth = np.cumsum(np.log1p(0.1 * (1 - 2.0 * (rng.random((5000, 1000)) < 0.5))), axis=1)
    reached = int((log_wealth.max(axis=1) >= ville_threshold(LEVEL)).sum())
    assert not breaks_its_promise(reached, 5000, LEVEL)


@pytest.mark.parametrize("count", [2, 5, 30, 300])
def test_empirical_bernstein_limits_hold(count):
    rng = np.random.default_rng(count)
    for law, mean in LAWS:
        for level in (0.1, 0.9):
            too_high = too_low = 0
            for _ in range(RUNS):
                values = law(rng, count)
                too_high += empirical_bernstein_lower(values, 0, 1, level) > mean
                too_low += empirical_bernstein_upper(values, 0, 1, level) < mean
            assert not breaks_its_promise(too_high, RUNS, level)
            assert not breaks_its_promise(too_low, RUNS, level)


@pytest.mark.parametrize("trials", [1, 5, 40])
@pytest.mark.parametrize("level", [1e-3, 0.1, 0.5, 0.99])
def test_clopper_pearson_limits_fail_with_at_most_their_probability(trials, level):
    counts = range(trials + 1)
    limits = [(clopper_pearson_lower(k, trials, level), clopper_pearson_upper(k, trials, level)) for k in counts]
    intervals = [clopper_pearson(k, trials, level) for k in counts]
    for p in [1e-3, 0.01, 0.1, 0.3, 0.5, 0.77, 0.95, 0.999]:
        law = [math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in counts]
        assert sum(w for w, (lower, _) in zip(law, limits, strict=True) if lower > p) <= level
        assert sum(w for w, (_, upper) in zip(law, limits, strict=True) if upper < p) <= level
        assert sum(w for w, (lower, upper) in zip(law, intervals, strict=True) if not lower <= p <= upper) <= level


@pytest.mark.parametrize("success", [1e-4, 0.03, 0.5, 0.97])
def test_clopper_pearson_limits_hold_in_simulation(success):
    rng = np.random.default_rng(23)
    drawn = rng.binomial(1000, success, 3000).tolist()
    intervals = {count: clopper_pearson(count, 1000, LEVEL) for count in set(drawn)}
    failures = sum(not intervals[count][0] <= success <= intervals[count][1] for count in drawn)
    assert not breaks_its_promise(failures, 3000, LEVEL)


def test_a_broken_promise_is_noticed():
    """Peeking at a fixed-size limit after every observation fails far too often, and these tests would say so."""
    rng = np.random.default_rng(24)
    values = coins(0.5)(rng, 1000 * 200).reshape(1000, 200)
    times = np.arange(1, 201)
    naive = np.cumsum(values, axis=1) / times - 1.2816 * 0.5 / np.sqrt(times)  # the normal quantile
    assert breaks_its_promise(int((naive[:, 9:].max(axis=1) > 0.5).sum()), 1000, LEVEL)
