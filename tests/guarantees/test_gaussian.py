import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import GaussianDP
from leakbound.numerics.rounding import down


def test_mu():
    assert GaussianDP(1).claim() == {"mu": 1.0}
    for bad in (-1e-9, math.nan, -math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^mu must be a number of at least 0, but got mu="):
            GaussianDP(bad)


def test_text():
    assert str(GaussianDP(0.25)) == "0.25-GDP"


def test_squares_add_up_and_the_root_is_rounded_up():
    assert GaussianDP(3.0).compose(4).mu == 6.0
    assert GaussianDP.total([(GaussianDP(3.0), 1), (GaussianDP(4.0), 1)]).mu == 5.0
    total = GaussianDP(0.1).compose(7).mu
    assert Fraction(down(total)) ** 2 < 7 * Fraction(0.1) ** 2 <= Fraction(total) ** 2
    assert GaussianDP.total([(GaussianDP(3.0), 1), (GaussianDP(math.inf), 2)]).mu == math.inf
    assert GaussianDP(0.0).compose(5).mu == 0.0


def test_a_thousand_uses_of_noise_fifty():
    assert GaussianDP(1 / 50).compose(1000).mu == pytest.approx(math.sqrt(1000) / 50, rel=1e-15)
