import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import ApproxDP
from leakbound.numerics.rounding import ceiling


def test_epsilon_and_delta():
    assert ApproxDP(1, 0).claim() == {"epsilon": 1.0, "delta": 0.0}
    assert ApproxDP(math.inf, 1).claim() == {"epsilon": math.inf, "delta": 1.0}
    for bad in (-1e-9, math.nan, -math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^epsilon must be a number of at least 0, but got epsilon="):
            ApproxDP(bad, 0.1)
    for bad in (-1e-9, 1.001, math.nan, math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^delta must be a number in \[0, 1\], but got delta="):
            ApproxDP(0.1, bad)


def test_text():
    assert str(ApproxDP(0.5, 1e-5)) == "(0.5, 1e-05)-DP"


def test_epsilons_and_deltas_add_up_and_delta_ends_at_one():
    total = ApproxDP.total([(ApproxDP(0.1, 1e-5), 3), (ApproxDP(0.2, 0.0), 7)])
    assert total.epsilon == ceiling(3 * Fraction(0.1) + 7 * Fraction(0.2))
    assert total.delta == ceiling(3 * Fraction(1e-5))
    assert ApproxDP(0.5, 0.3).compose(4) == ApproxDP(2.0, 1.0)
