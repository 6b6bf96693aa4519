import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import ZeroConcentratedDP
from leakbound.numerics.rounding import ceiling


def test_rho():
    assert ZeroConcentratedDP(1).claim() == {"rho": 1.0}
    for bad in (-1e-9, math.nan, -math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^rho must be a number of at least 0, but got rho="):
            ZeroConcentratedDP(bad)


def test_text():
    assert str(ZeroConcentratedDP(0.25)) == "0.25-zCDP"


def test_rhos_add_up_and_are_rounded_up_once():
    assert ZeroConcentratedDP(0.1).compose(10).rho == ceiling(10 * Fraction(0.1))
    parts = [(ZeroConcentratedDP(0.1), 3), (ZeroConcentratedDP(0.2), 7)]
    assert ZeroConcentratedDP.total(parts).rho == ceiling(3 * Fraction(0.1) + 7 * Fraction(0.2))
    assert ZeroConcentratedDP.total([(ZeroConcentratedDP(math.inf), 1)]).rho == math.inf
