import math

import pytest

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import MaxInformation


def test_nats_and_failure():
    assert MaxInformation(1, 0).claim() == {"nats": 1.0, "failure": 0.0}
    assert MaxInformation(math.inf, 1).claim() == {"nats": math.inf, "failure": 1.0}
    for bad in (-1e-9, math.nan, -math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^nats must be a number of at least 0, but got nats="):
            MaxInformation(bad, 0.1)
    for bad in (-1e-9, 1.001, math.nan, math.inf, True, "1", None):
        with pytest.raises(InvalidInput, match=r"^failure must be a number in \[0, 1\], but got failure="):
            MaxInformation(0.1, bad)


def test_text():
    assert str(MaxInformation(0.25, 0.05)) == "0.25 nats of max-information, failure 0.05"


def test_no_composition():
    with pytest.raises(NoTheorem, match=r"^max-information has no composition theorem"):
        MaxInformation(0.25, 0.05).compose(2)
