import math

import pytest

from leakbound.certificate.check import Check


@pytest.mark.parametrize(
    ("claimed", "low", "high", "larger_is_weaker", "status", "safe"),
    [
        (0.1, 0.0999, 0.1, True, "confirmed", True),
        (0.1, 0.1, 0.1, True, "confirmed", True),
        (0.1, 0.1, 0.1 * (1 + 0.9e-6), True, "confirmed", False),
        (0.1, 0.1, 0.1 * (1 + 1.1e-6), True, "undecided", False),
        (0.1, 0.1 * (1 + 1.1e-6), 0.2, True, "refuted", False),
        (0.1, 0.1, 0.2, False, "confirmed", True),
        (0.1, 0.1 * (1 - 0.9e-6), 0.1, False, "confirmed", False),
        (0.1, 0.1 * (1 - 1.1e-6), 0.1, False, "undecided", False),
        (0.1, 0.05, 0.1 * (1 - 1.1e-6), False, "refuted", False),
        (0.0, 0.0, 0.0, True, "confirmed", True),
        (0.0, 1e-301, 1e-301, True, "confirmed", False),
        (0.0, 1e-299, 1e-299, True, "refuted", False),
        (0.0, 5e-324, math.inf, True, "undecided", False),
        (math.inf, 3.0, 3.0, True, "confirmed", True),
        (math.inf, math.inf, math.inf, True, "confirmed", True),
        (3.0, math.inf, math.inf, True, "refuted", False),
        (1e308, math.inf, math.inf, True, "refuted", False),
        (math.inf, math.inf, math.inf, False, "confirmed", True),
        (3.0, math.inf, math.inf, False, "confirmed", True),
        (math.inf, 3.0, 3.0, False, "refuted", False),
        (math.inf, 3.0, math.inf, False, "undecided", False),
    ],
)
def test_a_claim_is_judged_by_its_side_of_the_enclosure(claimed, low, high, larger_is_weaker, status, safe):
    check = Check("epsilon", claimed, low, high, 1e-6, larger_is_weaker)
    assert check.status == status
    assert check.safe is safe


@pytest.mark.parametrize("larger_is_weaker", [True, False])
@pytest.mark.parametrize("exact", [1e-280, 1e-10, 1.0, 1e300])
def test_the_tolerance_is_relative_to_the_claim(exact, larger_is_weaker):
    away = 1 if larger_is_weaker else -1
    for share, status in ((0.9, "confirmed"), (2.0, "refuted")):
        claimed = exact * (1 - away * share * 1e-9)
        assert Check("mu", claimed, exact, exact, 1e-9, larger_is_weaker).status == status


def test_it_says_name_claim_and_enclosure_in_full():
    text = str(Check("mu", 0.1, 0.09999999999999999, 0.1, 1e-9, larger_is_weaker=True))
    assert text == "mu: claimed 0.1, enclosure [0.09999999999999999, 0.1]"
