import math

import pytest

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import RiskBound


def test_bound():
    assert [RiskBound(x).bound for x in (0, 0.5, 1)] == [0.0, 0.5, 1.0]
    for bad in (-1e-9, 1.001, math.nan, math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^bound must be a number in \[0, 1\], but got bound="):
            RiskBound(bad)


def test_text():
    assert str(RiskBound(0.25)) == "risk at most 0.25"


def test_no_composition():
    with pytest.raises(NoTheorem, match=r"^risk has no composition theorem"):
        RiskBound(0.25).compose(1)
