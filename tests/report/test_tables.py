import math

import pytest

from leakbound.certificate import FrozenMap
from leakbound.report.tables import MOST_ROWS, exact, rows


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.30000000000000004"),
        (1.0, "1.0"),
        (12, "12"),
        (math.inf, "infinity"),
        (-math.inf, "-infinity"),
        (True, "yes"),
        (False, "no"),
        (None, "none"),
        ("a\nb", "a\\nb"),
    ],
)
def test_single_values(value, text):
    assert exact(value) == text


def test_maps_and_lists_are_flattened_with_their_places():
    values = FrozenMap({"a": {"b": {"c": 1}}, "lines": [[0.1, 0.2], [0.3, 0.4]], "mixed": [1, {"d": 2}], "empty": []})
    assert rows(values) == (
        ("a, b, c", "1"),
        ("lines 1", "0.1, 0.2"),
        ("lines 2", "0.3, 0.4"),
        ("mixed 1", "1"),
        ("mixed 2, d", "2"),
        ("empty", ""),
    )


def test_long_lists_are_cut_and_counted():
    [(place, text)] = rows({"orders": list(range(13))})
    assert (place, text) == ("orders", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... (13 in all)")
    assert rows({"orders": list(range(12))})[0][1].endswith(", 11")


def test_long_tables_are_cut_and_say_so():
    assert len(rows({"lines": [[1, 2]] * MOST_ROWS})) == MOST_ROWS
    found = rows({"lines": [[1, 2]] * (MOST_ROWS + 1)})
    assert len(found) == MOST_ROWS + 1
    assert found[-1] == ("more", "in the certificate itself")


def test_names_are_spelled_out_too():
    assert rows({"a\x1b": {"b\u202e": 1}}) == (("a\\x1b, b\\u202e", "1"),)
