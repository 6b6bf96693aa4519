"""The values of a certificate as rows of two columns: where a value stands, and the value itself, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice

from leakbound.report.words import printable

MOST_ROWS = 200
MOST_IN_A_LIST = 12


def rows(values: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return the values of a map and of all maps and lists in it, with their places; long tables are cut and say so.

    >>> rows({"parts": [{"epsilon": 0.5}, {"epsilon": 1.0}], "delta": 1e-5})
    (('parts 1, epsilon', '0.5'), ('parts 2, epsilon', '1.0'), ('delta', '1e-05'))
    """
    found = tuple(islice(_rows("", values), MOST_ROWS + 1))
    return found if len(found) <= MOST_ROWS else (*found[:MOST_ROWS], ("more", "in the certificate itself"))


def exact(value: object) -> str:
    """Return a single value as the certificate has it.

    >>> exact(0.1), exact(float("inf")), exact(True), exact("dp")
    ('0.1', 'infinity', 'yes', 'dp')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "infinity" if value > 0 else "-infinity"
    return "none" if value is None else printable(str(value))


def _rows(place: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, entry in value.items():
            yield from _rows(f"{place}, {printable(name)}" if place else printable(name), entry)
    elif isinstance(value, (tuple, list)) and any(isinstance(entry, (Mapping, tuple, list)) for entry in value):
        for number, entry in enumerate(value, start=1):
            yield from _rows(f"{place} {number}", entry)
    elif isinstance(value, (tuple, list)):
        more = f", ... ({len(value)} in all)" if len(value) > MOST_IN_A_LIST else ""
        yield place, ", ".join(map(exact, value[:MOST_IN_A_LIST])) + more
    else:
        yield place, exact(value)
