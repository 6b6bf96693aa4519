import math

import pytest

from leakbound.errors import InvalidInput, Undecided
from leakbound.synthetic import account

ONE = {"features": 12, "outputs": 1, "rows": 1, "noise": 1.0, "sensitivity": 1.0}


def test_rigorous_public_and_fixed_seeds_are_what_they_are_anyway():
    for seeds in ("fixed", "public"):
        given = {**ONE, "seeds": seeds, "delta": 1e-5}
        assert account(**given, rigorous=True) == account(**given)


def test_what_cannot_be_proved_is_not_certified_as_such():
    with pytest.raises(Undecided, match="could not be enclosed closely enough to be proved"):
        account(**ONE, norm_bound=1.0, seeds="hidden", orders=70.0, rigorous=True)


@pytest.mark.parametrize("bad", [1, None, "yes", math.nan])
def test_rigorous_is_true_or_false(bad):
    with pytest.raises(InvalidInput, match=r"^rigorous must be True or False, but got rigorous=.+\.$"):
        account(**ONE, seeds="public", delta=1e-5, rigorous=bad)
