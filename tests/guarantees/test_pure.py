import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import PureDP
from leakbound.numerics.rounding import ceiling


def test_epsilon():
    assert PureDP(1) == PureDP(1.0)
    assert PureDP(math.inf).claim() == {"epsilon": math.inf}
    for bad in (-1e-9, math.nan, -math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^epsilon must be a number of at least 0, but got epsilon="):
            PureDP(bad)


def test_text():
    assert str(PureDP(0.25)) == "0.25-DP"
    assert str(PureDP(math.inf)) == "inf-DP"


def test_epsilons_add_up_and_are_rounded_up_once():
    assert PureDP(0.1).compose(10).epsilon == ceiling(10 * Fraction(0.1)) > 1.0
    assert PureDP.total([(PureDP(0.1), 3), (PureDP(0.2), 7)]).epsilon == ceiling(3 * Fraction(0.1) + 7 * Fraction(0.2))
    assert PureDP.total([(PureDP(0.1), 3), (PureDP(math.inf), 1)]).epsilon == math.inf
    assert PureDP(math.log(3)).compose(10).epsilon == pytest.approx(10 * math.log(3), rel=1e-15)
    assert PureDP(0.0).compose(10**6).epsilon == 0.0
