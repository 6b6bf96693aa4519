"""Does `account` keep its promise for hidden seeds? The supremum against another search, the laws against draws."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from tests.oracles import product_oracle

from leakbound.synthetic import HiddenSeeds, Publication, pair
from leakbound.synthetic.law import Laws

CONFIGURATIONS, SIMULATED, DRAWS = 100, 30, 1_000_000
PRODUCTS = ((2, 1, 0.7), (3, 2, 1.0), (5, 4, 2.0))
QUANTILES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99, 0.999)
LOOKS = 2 * 2 * len(QUANTILES) * (SIMULATED + len(PRODUCTS))  # two limits of two rates at every threshold
FAILURE = 0.001 / LOOKS


def configuration(number):
    """Return features, rows and the shift of one random configuration."""
    rng = np.random.default_rng([2025, number])
    features = round(math.exp(rng.uniform(0, math.log(2000))))
    rows = round(math.exp(rng.uniform(0, math.log(5000))))
    return features, rows, math.exp(rng.uniform(math.log(1 / 50), math.log(1 / 0.2)))


def worst(features, rows, shift):
    """Return the order-two bound and the pair of norms that attains it."""
    published = Publication(features=features, outputs=1, rows=rows, noise=1.0, sensitivity=shift)
    bound = HiddenSeeds().renyi(published, 2.0)
    return bound.value, Laws(features, rows, bound.evidence["norm"], bound.evidence["norm"] + published.shift)


@pytest.mark.parametrize("number", range(CONFIGURATIONS))
def test_the_supremum_is_not_below_another_search_and_close_to_it(number):
    features, rows, shift = configuration(number)
    bound, _ = worst(features, rows, shift)
    found, _ = product_oracle.largest(features, rows, shift)
    assert found <= bound <= found * (1 + 1e-3)


@pytest.mark.parametrize("number", range(SIMULATED))
def test_the_curve_of_the_worst_pair_contains_that_of_a_million_draws(number):
    features, rows, shift = configuration(number)
    _, laws = worst(features, rows, shift)
    rng = np.random.default_rng([7, number])

    def draw(norm, count):
        return rng.noncentral_chisquare(features, norm**2, count) * rng.chisquare(rows, count)

    assert_contains(laws, draw)


@pytest.mark.parametrize(("features", "rows", "shift"), PRODUCTS)
def test_the_curve_contains_that_of_products_of_weights_and_seeds(features, rows, shift):
    _, laws = worst(features, rows, shift)
    rng = np.random.default_rng([8, features])

    def draw(norm, count):
        parts = []
        for part in itertools.repeat(100_000, max(1, count // 100_000)):
            weights = rng.standard_normal((part, features))
            weights[:, 0] += norm
            records = np.einsum("nd,ndl->nl", weights, rng.standard_normal((part, features, rows)))
            parts.append(np.sum(records**2, axis=1))
        return np.concatenate(parts)

    assert_contains(laws, draw)


def assert_contains(laws, draw):
    """Check both curves of a pair at thresholds chosen from other draws: no box around the true point lies off it."""
    for null, other, reverse in ((laws.low, laws.high, False), (laws.high, laws.low, True)):
        thresholds = np.quantile(draw(null, 100_000), QUANTILES)
        rejected, missed = draw(null, DRAWS), draw(other, DRAWS)
        for threshold in thresholds:
            if reverse:
                alarms, misses = np.sum(rejected < threshold), np.sum(missed >= threshold)
            else:
                alarms, misses = np.sum(rejected > threshold), np.sum(missed <= threshold)
            (level_low, level_high), (error_low, error_high) = limits(alarms), limits(misses)
            assert pair.trade_off(laws, level_high, reverse=reverse) <= error_high
            assert pair.trade_off(laws, level_low, reverse=reverse) >= error_low


def limits(count):
    """Return Clopper-Pearson limits, each wrong with probability FAILURE."""
    low = stats.beta.ppf(FAILURE, count, DRAWS - count + 1) if count > 0 else 0.0
    high = stats.beta.ppf(1 - FAILURE, count + 1, DRAWS - count) if count < DRAWS else 1.0
    return float(low), float(high)
