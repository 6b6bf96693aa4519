import math
import random

import pytest
from tests.oracles import kl_oracle
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput
from leakbound.numerics.ball import ball, coin_divergence
from leakbound.numerics.kl import MARGIN, kl, kl_inverse_lower, kl_inverse_upper

RANDOM = random.Random(4)


def bias() -> float:
    return 1 - 10 ** RANDOM.uniform(-15, 0) if RANDOM.random() < 0.3 else 10 ** RANDOM.uniform(-20, 0)


PAIRS = [(bias(), bias()) for _ in range(100)]
PAIRS += [(q, min(q * (1 + 10 ** RANDOM.uniform(-15, 0)), 0.999)) for q, _ in PAIRS[:50] if q < 0.9]
PAIRS += [(0.7, 5e-324), (5e-324, 0.7), (0.5, 1e-301), (1e-301, 0.5)]
PAIRS += [(0.0, 0.25), (1.0, 0.25), (0.3, 0.42), (0.3, 0.18), (0.3, 0.5), (0.3, 0.1)]
QUESTIONS = [(bias(), 10 ** RANDOM.uniform(-20, 2.5)) for _ in range(100)]


def test_kl_is_exact_to_a_tenth_of_its_margin():
    for q, p in PAIRS:
        error = excess(kl(q, p), lambda q=q, p=p: coin_divergence(ball(q), ball(p)))
        assert abs(error) <= MARGIN / 10, (q, p)


def test_kl_at_the_ends():
    assert kl(0.0, 0.0) == kl(1.0, 1.0) == kl(0.3, 0.3) == 0.0
    assert kl(0.3, 0.0) == kl(0.3, 1.0) == kl(0.0, 1.0) == kl(1.0, 0.0) == math.inf
    assert kl(0.0, 1e-20) == 1e-20  # -log(1 - p)
    assert kl(1.0, 0.25) == pytest.approx(math.log(4), rel=1e-15)
    assert kl(0.0, 0.75) == pytest.approx(math.log(4), rel=1e-15)


def test_the_upper_inverse_lies_above_the_exact_one_and_close():
    for q, c in QUESTIONS:
        low, high = kl_oracle.upper(q, c)
        assert high <= kl_inverse_upper(q, c) <= low * (1 + 1.2 * MARGIN), (q, c)


def test_the_lower_inverse_lies_below_the_exact_one_and_close():
    for q, c in QUESTIONS:
        low, high = kl_oracle.lower(q, c)
        # d log p = d log c * c / (p kl'), where c / (p kl') is at most about 1 + c / q
        assert high * (1 - 1.2 * MARGIN * (1 + c / q)) - 1e-300 <= kl_inverse_lower(q, c) <= low, (q, c)


def test_the_inverses_apply_the_margin():
    c = 2.0**-100  # the exact inverse is 1 - e^-c = c to all digits
    assert MARGIN == 1e-13
    assert 0.9 * MARGIN <= kl_inverse_upper(0.0, c) / c - 1 <= 1.1 * MARGIN
    assert 2.9 * MARGIN <= 1 - kl_inverse_lower(1.0, 3.0) / math.exp(-3.0) <= 3.1 * MARGIN


def test_where_the_divergence_less_its_margin_equals_the_bound_the_next_double_is_taken():
    p = 2.0**-100
    assert kl_inverse_upper(0.0, kl(0.0, p) * (1 - MARGIN)) == math.nextafter(p, 1.0)
    assert kl_inverse_lower(1.0, kl(1.0, 0.25) * (1 - MARGIN)) < 0.25


@pytest.mark.parametrize("q", [0.0, 1e-20, 0.3, 1.0])
def test_the_ends_of_the_inverses(q):
    assert kl_inverse_upper(q, 0.0) == kl_inverse_lower(q, 0.0) == q
    assert kl_inverse_upper(q, math.inf) == 1.0
    assert kl_inverse_lower(q, math.inf) == 0.0
    assert kl_inverse_upper(1.0, 0.5) == 1.0
    assert kl_inverse_lower(0.0, 0.5) == 0.0
    assert kl_inverse_upper(q, 800.0) == 1.0
    assert math.copysign(1, kl_inverse_lower(q, 1e308)) == 1


@pytest.mark.parametrize("function", [kl_inverse_upper, kl_inverse_lower])
def test_the_inverses_refuse_bad_input(function):
    for bad in (-0.1, 1.1, math.nan, math.inf, True, "0.5", None):
        with pytest.raises(InvalidInput, match=r"^q must be "):
            function(bad, 0.5)
    for bad in (-1e-9, math.nan, -math.inf, False, "0.5", None):
        with pytest.raises(InvalidInput, match=r"^c must be "):
            function(0.5, bad)


def test_kl_refuses_bad_input():
    for bad in (-0.1, 1.1, math.nan, True, "0.5"):
        with pytest.raises(InvalidInput, match=r"^q must be a number in"):
            kl(bad, 0.5)
        with pytest.raises(InvalidInput, match=r"^p must be a number in"):
            kl(0.5, bad)


def test_the_smallest_divergences_are_not_trusted():
    assert kl_inverse_upper(0.0, 1e-306) > 1e-306
    assert kl_inverse_lower(1e-290, 1e-306) < 1e-290
