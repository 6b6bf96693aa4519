import math
from fractions import Fraction

import pytest

from leakbound.errors import InvalidInput
from leakbound.guarantees import RenyiDP
from leakbound.numerics.rounding import ceiling


def test_orders_and_epsilons_become_tuples():
    given = RenyiDP([1, 2, math.inf], [0, 0.5, math.inf])
    assert given.claim() == {"orders": (1.0, 2.0, math.inf), "epsilons": (0.0, 0.5, math.inf)}


@pytest.mark.parametrize(
    ("orders", "epsilons", "message"),
    [
        ((), (), r"^orders must be a non-empty list of numbers, but got orders=\(\)\.$"),
        (2.0, (0.5,), r"^orders must be a non-empty list of numbers, but got orders=2\.0\.$"),
        ("23", (0.5, 1.0), "^orders must be a non-empty list of numbers, but got orders='23'"),
        (b"23", (0.5, 1.0), "^orders must be a non-empty list of numbers"),
        ((2.0,), {0.5}, "^epsilons must be a non-empty list of numbers"),
        ((2.0, 3.0), (0.5,), r"^orders and epsilons must be equally long, but got 2 and 1; give one each\.$"),
        ((3.0, 2.0), (0.5, 1.0), r"^orders must increase, but got orders=\(3\.0, 2\.0\); sort them"),
        ((2.0, 2.0), (0.5, 1.0), "^orders must increase"),
        ((0.999,), (0.5,), "^orders must be a number of at least 1, but got orders=0.999"),
        ((math.nan,), (0.5,), "^orders must be a number of at least 1, but got orders=nan"),
        ((True,), (0.5,), "^orders must be a number of at least 1, but got orders=True"),
        ((2.0,), (-0.5,), "^epsilons must be a number of at least 0, but got epsilons=-0.5"),
        ((2.0,), (math.nan,), "^epsilons must be a number of at least 0, but got epsilons=nan"),
        ((2.0,), ("1",), "^epsilons must be a number of at least 0, but got epsilons='1'"),
    ],
)
def test_bad_tables_are_refused(orders, epsilons, message):
    with pytest.raises(InvalidInput, match=message):
        RenyiDP(orders, epsilons)


def test_text_shows_three_orders():
    assert str(RenyiDP((2,), (0.5,))) == "(2, 0.5)-Renyi DP"
    assert str(RenyiDP((2, 3, 4), (0.5, 1, 2))) == "(2, 0.5), (3, 1), (4, 2)-Renyi DP"
    assert str(RenyiDP((2, 3, 4, 5), (0.5, 1, 2, 3))) == "(2, 0.5), (3, 1), (4, 2), ...-Renyi DP"


def test_epsilons_add_up_order_by_order_and_are_rounded_up_once():
    one, two = RenyiDP((2, 3, 4), (0.1, 0.2, 0.3)), RenyiDP((1, 3, 4, 5), (9.0, 0.7, math.inf, 9.0))
    total = RenyiDP.total([(one, 3), (two, 2)])
    assert total.orders == (3.0, 4.0)
    assert total.epsilons == (ceiling(3 * Fraction(0.2) + 2 * Fraction(0.7)), math.inf)
    assert RenyiDP((2,), (0.1,)).compose(10).epsilons == (ceiling(10 * Fraction(0.1)),)


def test_without_a_common_order_nothing_composes():
    with pytest.raises(InvalidInput, match="share no order; give a common one"):
        RenyiDP.total([(RenyiDP((2,), (0.5,)), 1), (RenyiDP((3,), (0.5,)), 1)])
