import math

import pytest

from leakbound.synthetic import pair
from leakbound.synthetic.law import Laws
from leakbound.synthetic.supremum import SLACK, worst


def renyi(laws):
    return pair.renyi(laws, 2.0)


@pytest.mark.parametrize(
    ("rows", "features", "value", "at"),  # the table of the specification, section B, column "hidden, exact"
    [
        (1, 2, 0.2124008366, 1.183),
        (1, 12, 0.0452300839, 3.167),
        (1, 1000, 0.0005150620, 31.15),
        (10, 2, 0.6880462045, 2.238),
        (10, 50, 0.0939895563, 6.990),
    ],
)
def test_the_specifications_suprema(rows, features, value, at):
    found = worst(features, rows, 1.0, None, renyi)
    assert value * (1 + SLACK * 0.9) <= found.value <= value * (1 + SLACK * 1.01)
    assert found.at == pytest.approx(at, rel=0.02)


def test_the_search_misses_a_tenth_of_the_slack_at_most():
    values = (renyi, lambda laws: pair.hockey_stick(laws, 0.2), lambda laws: pair.least_epsilon(laws, 1e-3))
    for value in values:
        found = worst(3, 2, 1.5, None, value)
        top = max(max(value(Laws(3, 2, low, low + 1.5))) for low in [0.0, *(0.1 * 1.06**i for i in range(80))])
        assert top * (1 + 0.9 * SLACK) <= found.value <= top * (1 + 4 * SLACK)


def smooth(peak, *, reverse=False):
    """A divergence with one maximum of one at a norm."""

    def value(laws):
        here = 1 / (1 + ((laws.low - peak) / (1 + peak)) ** 2)
        return (here / 2, here) if reverse else (here, here / 2)

    return value


@pytest.mark.parametrize("peak", [0.05, 1.0, 7.0, 30.0, 200.0])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_maximum_is_found_in_either_order(peak, reverse):
    found = worst(2, 1, 1.0, None, smooth(peak, reverse=reverse))
    assert found.reverse == reverse
    assert found.at == pytest.approx(peak, rel=0.03, abs=0.02)
    assert 1 <= found.value <= 1 + SLACK * 1.01


def test_a_bound_on_the_norm_cuts_the_search():
    asked = []

    def value(laws):
        asked.append((laws.low, laws.high))
        return laws.low, 0.0

    found = worst(4, 1, 1.0, 3.0, value)
    assert found.at == pytest.approx(2.0, rel=1e-9)
    assert max(high for _, high in asked) <= 3.0
    for cap in (1.0, 0.5):
        asked.clear()
        worst(4, 1, 1.0, cap, value)
        assert asked == [(0.0, cap)]
    asked.clear()
    worst(4, 1, 1.0, 1.0 + 1e-9 / 2, value)
    assert asked[0] == (0.0, 1.0)
    assert len(asked) == 2


def test_nan_claims_nothing():
    found = worst(4, 1, 1.0, None, lambda laws: (math.nan, 0.0))
    assert found.value == math.inf


@pytest.mark.parametrize("shift", [0.0, 1e-200, 1e-9, 100.0, math.inf])
def test_shifts_out_of_range_claim_nothing(shift):
    found = worst(4, 1, shift, None, renyi)
    assert (found.value, found.at, found.reverse) == (math.inf, 0.0, False)
