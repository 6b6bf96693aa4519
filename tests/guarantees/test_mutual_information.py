import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import MutualInformation
from leakbound.numerics.rounding import ceiling


def test_nats():
    assert MutualInformation(1).claim() == {"nats": 1.0}
    for bad in (-1e-9, math.nan, -math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^nats must be a number of at least 0, but got nats="):
            MutualInformation(bad)


def test_text():
    assert str(MutualInformation(0.25)) == "0.25 nats of mutual information"


def test_nats_add_up_and_are_rounded_up_once():
    parts = [(MutualInformation(0.1), 3), (MutualInformation(0.2), 7)]
    assert MutualInformation.total(parts).nats == ceiling(3 * Fraction(0.1) + 7 * Fraction(0.2))
    assert MutualInformation(math.inf).compose(2).nats == math.inf
