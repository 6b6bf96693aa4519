import math
import random
from fractions import Fraction

import pytest
from tests.oracles import binomial_oracle
from tests.oracles.binomial_oracle import exact, lower_tail, upper_tail

from leakbound.errors import InvalidInput
from leakbound.numerics import binomial
from leakbound.numerics.binomial import MARGIN, clopper_pearson, clopper_pearson_lower, clopper_pearson_upper

FAILURES = [1e-300, 1e-20, 0.05, math.nextafter(0.5, 0), 0.5, math.nextafter(0.5, 1), 0.975, 1 - 1e-10]
SMALL = [(count, trials) for trials in (1, 2, 3, 16, 17) for count in {0, 1, trials // 2, trials - 1, trials}]
LARGE = [(0, 10**12), (1, 10**12), (10**12 - 1, 10**12), (10**12, 10**12), (15, 66), (64, 300), (65, 300), (66, 300)]


def drawn(amount: int) -> list[tuple[int, int, float]]:
    rng = random.Random(7)
    cases = []
    for _ in range(amount):
        trials = int(10 ** rng.uniform(0, 12))
        digits, failure = rng.choice(
            [(2.5, 10 ** rng.uniform(-300, -9)), (7, 10 ** rng.uniform(-9, 0)), (7, 1 - 10 ** rng.uniform(-10, -1))]
        )
        few = min(int(10 ** rng.uniform(0, digits)), trials)  # many successes and tiny failures take Arb seconds
        cases.append((rng.choice([few, trials - few]), trials, failure))
    return cases


CASES = [(count, trials, failure) for count, trials in SMALL + LARGE for failure in FAILURES] + drawn(40)
CASES += [(5 * 10**8, 10**9, 0.3), (3 * 10**6, 10**7, 0.999)]


def check_upper(count: int, trials: int, failure: float, limit: float) -> None:
    """The exact limit lies between limit / (1 + 1.01 MARGIN) and limit / (1 + 0.99 MARGIN)."""
    near, far = (Fraction(limit) / (1 + Fraction(share * MARGIN)) for share in (0.99, 1.01))
    if limit < 1:
        assert lower_tail(count, trials, near) <= exact(failure) <= lower_tail(count, trials, far)
    else:
        assert lower_tail(count, trials, far) >= exact(failure)


def check_lower(count: int, trials: int, failure: float, limit: float) -> None:
    near, far = (Fraction(limit) / (1 - Fraction(share * MARGIN)) for share in (0.99, 1.01))
    assert upper_tail(count, trials, near) <= exact(failure)
    if far < 1:
        assert upper_tail(count, trials, far) >= exact(failure)


def test_the_margin():
    assert MARGIN == 1e-10


@pytest.mark.parametrize(("count", "trials"), SMALL + LARGE)
def test_the_ends_are_exact(count, trials):
    for failure in FAILURES:
        lower, upper = clopper_pearson_lower(count, trials, failure), clopper_pearson_upper(count, trials, failure)
        assert 0 <= lower < 1
        assert 0 < upper <= 1
        assert (lower == 0) == (count == 0)
        assert upper == 1 or count < trials


def test_the_upper_limit_lies_above_the_exact_one_by_the_margin():
    for count, trials, failure in CASES:
        if count < trials:
            check_upper(count, trials, failure, clopper_pearson_upper(count, trials, failure))


def test_the_lower_limit_lies_below_the_exact_one_by_the_margin():
    for count, trials, failure in CASES:
        if count > 0:
            limit = clopper_pearson_lower(count, trials, failure)
            if limit > 1e-300:
                check_lower(count, trials, failure, limit)
            else:  # subnormal: within 1e-9
                assert upper_tail(count, trials, limit) <= exact(failure)
                assert upper_tail(count, trials, Fraction(limit) * (1 + Fraction(1e-9))) >= exact(failure)


def test_the_interval_spends_half_of_the_failure_on_each_end():
    for count, trials, failure in [(0, 10, 0.1), (3, 10, 0.1), (10, 10, 0.1), (4, 10, 1e-300)]:
        low, high = clopper_pearson(count, trials, failure)
        assert low == clopper_pearson_lower(count, trials, failure / 2)
        assert high == clopper_pearson_upper(count, trials, failure / 2)
    assert clopper_pearson(4, 10, 1e-300) != (0, 1)


def test_failures_below_the_supported_ones_give_the_trivial_limits():
    for failure in (5e-324, 1e-310, math.nextafter(5e-301, 0)):
        assert clopper_pearson_upper(1, 10**6, failure) == 1
        assert clopper_pearson_lower(10**6 - 1, 10**6, failure) == 0
    assert clopper_pearson_upper(1, 10**6, 5e-301) < 0.01
    assert clopper_pearson_lower(10**6 - 1, 10**6, 5e-301) > 0.99
    assert clopper_pearson(5, 10, 1e-310) == (0, 1)


def test_numbers_of_published_tables():
    # 0 and 10 of 10 in closed form; 1 of 10 is (0.0025, 0.4450) in the usual tables of 95 % limits
    assert clopper_pearson(0, 10, 0.05) == pytest.approx((0, 1 - 0.025**0.1), rel=2e-10)
    assert clopper_pearson(10, 10, 0.05) == pytest.approx((0.025**0.1, 1), rel=2e-10)
    assert clopper_pearson(1, 10, 0.05) == pytest.approx((0.0025, 0.4450), abs=5e-5)


def test_one_trial_has_closed_forms():
    for failure in FAILURES[1:]:
        assert clopper_pearson_upper(0, 1, failure) == pytest.approx(1 - failure, rel=2e-10)
        assert clopper_pearson_lower(1, 1, failure) == pytest.approx(failure, rel=2e-10)


@pytest.mark.parametrize("function", [clopper_pearson_upper, clopper_pearson_lower, clopper_pearson])
@pytest.mark.parametrize("failure", [0, 0.0, 1, -0.1, 1.5, math.nan, math.inf, True, "0.1", None])
def test_bad_failures_are_refused(function, failure):
    with pytest.raises(InvalidInput, match=r"failure must be a number in \(0, 1\), but got failure="):
        function(1, 2, failure)


@pytest.mark.parametrize("function", [clopper_pearson_upper, clopper_pearson_lower, clopper_pearson])
def test_bad_counts_are_refused(function):
    for successes in (-1, 1.0, math.nan, True):
        with pytest.raises(InvalidInput, match=f"successes must be a whole number of at least 0, .*={successes}"):
            function(successes, 2, 0.1)
    for trials in (0, 10**12 + 1, math.nan, True):
        with pytest.raises(
            InvalidInput, match=rf"trials must be .* at least 1 and at most 10{{12}}, .*trials={trials}"
        ):
            function(0, trials, 0.1)
    with pytest.raises(InvalidInput, match=r"successes must be at most trials=2, but got successes=3; count each"):
        function(3, 2, 0.1)


@pytest.mark.parametrize(
    ("count", "trials", "success"),
    [
        *[(0, 3, 0.3), (2, 3, 0.9), (15, 31, 0.5), (16, 31, 0.6), (63, 127, 0.51), (64, 128, 0.7), (63, 66, 0.95)],
        *[(0, 10**6, 1e-6), (100, 10**6, 1e-4), (100, 10**6, 2e-4), (900, 1000, 0.9), (900, 1000, 0.97)],
    ],
)
def test_the_pieces_agree_with_ball_arithmetic(count, trials, success):
    log_odds = math.log(success / (1 - success))
    exact_point = binomial_oracle.point(count, trials, success)
    exact_ratio = lower_tail(count, trials, success) / exact_point
    assert binomial._tail_over_point(count, trials, log_odds) == pytest.approx(float(exact_ratio), rel=1e-13)
    assert binomial._log_point(count, trials, log_odds) == pytest.approx(float(exact_point.log()), rel=0, abs=3e-13)
