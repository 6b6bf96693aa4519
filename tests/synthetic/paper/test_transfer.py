"""Lemma 4.2, Theorems 4.3 and 4.6."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from leakbound.errors import InvalidInput
from leakbound.synthetic import pair
from leakbound.synthetic.law import Laws
from leakbound.synthetic.paper import (
    covariance_tradeoff,
    record_tradeoff,
    rows_tradeoff,
    scale_tradeoff,
    transferred,
)

RNG = np.random.default_rng(42)


def best_error(p, q, level):
    """Return the trade-off curve of two laws on finitely many points."""
    order = np.argsort(-q / p)
    spent = np.cumsum(p[order])
    full = spent <= level
    before = spent[full][-1] if full.any() else 0.0
    kept = q[order][full].sum()
    next_one = int(full.sum())
    if next_one < len(p):
        kept += (level - before) / p[order][next_one] * q[order][next_one]
    return 1 - kept


def test_the_lemma_holds_for_laws_on_finitely_many_points():
    tight = math.inf
    for _ in range(200):
        p, q = RNG.dirichlet(np.ones(6), size=2)
        near = [0.9 * law + 0.1 * RNG.dirichlet(np.ones(6)) for law in (p, q)]
        gap = max(np.abs(near[0] - p).sum(), np.abs(near[1] - q).sum()) / 2
        level = RNG.uniform(gap, 1 - gap)
        low, high = transferred(lambda at: best_error(*near, at), level, distance=gap)  # noqa: B023 - called at once
        true = best_error(p, q, level)
        assert low - 1e-12 <= true <= high + 1e-12
        tight = min(tight, true - low, high - true)
    assert tight < 0.02  # the bounds are met, or nearly


def test_levels_within_the_distance_are_refused():
    for level in (0.1, 0.9, 0.0, 1.0):
        with pytest.raises(InvalidInput, match=r"level must be a number in \(0.1, 0.9\)"):
            transferred(lambda at: 1 - at, level, distance=0.1)
    with pytest.raises(InvalidInput, match="distance must be"):
        transferred(lambda at: 1 - at, 0.5, distance=0.5)


@pytest.mark.parametrize("level", [0.1, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("norms", [(3.0, 4.0), (4.0, 3.0), (0.0, 1.0)])
def test_the_exact_curve_of_one_record_lies_between(level, norms):
    """With C = 1 at 12 features; that is no proof that C = 1 serves everywhere."""
    low, high = record_tradeoff(level, features=12, noise=1.0, norms=norms, constant=1.0)
    laws = Laws(12, 1, min(norms), max(norms))
    exact = pair.trade_off(laws, level, reverse=norms[0] > norms[1])
    assert low < exact < high
    assert (low + high) / 2 == pytest.approx(exact, abs=0.05)


def test_theorem_4_3_is_the_lemma_at_the_curve_of_proposition_4_1():
    low, high = record_tradeoff(0.4, features=20, noise=0.5, norms=(1.0, 2.0), constant=3.0)
    first, second = math.sqrt(6.0), 3.0
    assert low == pytest.approx(scale_tradeoff(0.55, first, second) - 0.15, rel=1e-12)
    assert high == pytest.approx(scale_tradeoff(0.25, first, second) + 0.15, rel=1e-12)


@pytest.mark.parametrize("level", [0.25, 0.5, 0.7])
def test_the_exact_curve_of_several_records_lies_between(level):
    v, w = np.zeros((1, 201)), np.full((1, 201), 3.0 / math.sqrt(201))
    low, high = rows_tradeoff(level, v, w, rows=8, noise=1.0, constant=1.0)
    exact = pair.trade_off(Laws(201, 8, 0.0, 3.0), level)
    assert low < exact < high
    assert (low + high) / 2 == pytest.approx(exact, abs=0.05)


def test_theorem_4_6_is_the_lemma_at_the_curve_of_lemma_b_3():
    v, w = RNG.normal(size=(2, 402)) / 5, RNG.normal(size=(2, 402)) / 5
    low, high = rows_tradeoff(0.5, v, w, rows=4, noise=2.0, constant=0.5)
    gap = 0.5 * 2 * math.sqrt(4 / 400)
    given = {"variance": 1600.0, "rows": 4}
    assert low == pytest.approx(covariance_tradeoff(0.5 + gap, v, w, **given) - gap, rel=1e-12)
    assert high == pytest.approx(covariance_tradeoff(0.5 - gap, v, w, **given) + gap, rel=1e-12)


def test_the_plus_of_printed_b_7_claims_more_than_the_truth():
    """Counter-example: at 12 features and level 1/2, + C/d gives a "lower bound" 0.449 on a curve that is 0.439."""
    gap, ratio = 1 / 12, 0.75
    moved = 2 * norm.cdf(math.sqrt(ratio) * norm.isf((0.5 + gap) / 2)) - 1
    exact = pair.trade_off(Laws(12, 1, 3.0, 4.0), 0.5)
    low, _ = record_tradeoff(0.5, features=12, noise=1.0, norms=(3.0, 4.0), constant=1.0)
    assert low == pytest.approx(moved - gap, rel=1e-12)
    assert low < exact < moved + gap
    assert moved + gap == pytest.approx(0.4486, abs=1e-4)
    assert exact == pytest.approx(0.4386, abs=1e-4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: record_tradeoff(0.5, features=2, noise=1.0, norms=(1.0, 2.0), constant=1.0),
            "features must bring the",
        ),
        (lambda: record_tradeoff(0.5, features=9, noise=0.0, norms=(1.0, 2.0), constant=1.0), "noise must be"),
        (lambda: record_tradeoff(0.5, features=9, noise=1.0, norms=(1.0,), constant=1.0), "norms must be two numbers"),
        (lambda: record_tradeoff(0.5, features=9, noise=1.0, norms=(-1.0, 2.0), constant=1.0), "norms must be"),
        (lambda: record_tradeoff(0.5, features=9, noise=1.0, norms=(1.0, 2.0), constant=0.0), "constant must be"),
        (lambda: rows_tradeoff(0.5, [[1.0]], [[1.0]], rows=1, noise=1.0, constant=1.0), "features must be more than"),
        (
            lambda: rows_tradeoff(0.5, [[1.0] * 4], [[1.0] * 4], rows=4, noise=1.0, constant=1.0),
            "features must bring the distance below 1/2, but got features=4",
        ),
        (lambda: rows_tradeoff(0.5, [[1.0] * 9], [[1.0] * 8], rows=1, noise=1.0, constant=1.0), "second must have"),
    ],
)
def test_bad_values_are_refused(call, message):
    with pytest.raises(InvalidInput, match=f"^{message}"):
        call()
