"""Validators: each takes a name and a value, and returns the clean value or says name, value and fix.

Range checks are written `if not low <= x <= high`, the form that refuses NaN as well.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable

import numpy as np

from leakbound.errors import InvalidInput, shown

_INFINITY = math.inf


def real(
    name: str,
    value: object,
    *,
    low: float = -_INFINITY,
    high: float = _INFINITY,
    above: float | None = None,
    below: float | None = None,
    infinite: bool = False,
) -> float:
    """Return `value` as a float in [low, high] (open at `above` and `below` if given), or refuse it.

    >>> real("noise", 2, above=0)
    2.0
    >>> real("noise", float("nan"), above=0)
    Traceback (most recent call last):
    leakbound.errors.InvalidInput: noise must be a number greater than 0, but got noise=nan; give one.
    """
    wanted = _wanted(low, high, above, below)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise InvalidInput(f"{name} must be {wanted}, but got {name}={shown(value)} (type {type(value).__name__}).")
    try:
        number = float(value)
    except OverflowError:
        raise InvalidInput(f"{name} must be {wanted} that a double can hold, but got a larger one.") from None
    inside = low <= number <= high and (above is None or number > above) and (below is None or number < below)
    if not inside or (math.isinf(number) and not infinite):
        one = "a finite one" if math.isinf(number) and not infinite else "one"
        raise InvalidInput(f"{name} must be {wanted}, but got {name}={shown(number)}; give {one}.")
    if number != value:
        raise InvalidInput(f"{name} must be a double, but {shown(value)} is none; round it to the safe side yourself.")
    return number + 0.0  # turns -0.0 into 0.0


def whole(name: str, value: object, *, low: int = 0, high: int | None = None) -> int:
    """Return `value` as an int of at least `low` (at most `high`), or refuse it.

    >>> whole("rows", 3, low=1)
    3
    >>> whole("rows", 2.5, low=1)
    Traceback (most recent call last):
    leakbound.errors.InvalidInput: rows must be a whole number of at least 1, but got rows=2.5; give one.
    """
    wanted = f"a whole number of at least {low}" + ("" if high is None else f" and at most {high}")
    bad = isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral)
    if bad or not low <= int(value) or (high is not None and int(value) > high):  # type: ignore[call-overload]  # bad is tested first
        raise InvalidInput(f"{name} must be {wanted}, but got {name}={shown(value)}; give one.")
    return int(value)  # type: ignore[call-overload,no-any-return]  # an Integral by the test above


def probability(name: str, value: object, *, zero: bool = True, one: bool = True) -> float:
    """Return `value` as a probability in [0, 1], open at the ends that are switched off.

    >>> probability("delta", 1e-5)
    1e-05
    """
    return real(name, value, low=0.0, high=1.0, above=None if zero else 0.0, below=None if one else 1.0)


def choice(name: str, value: object, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of the allowed words, or refuse it and list them.

    >>> choice("direction", "upper", ("upper", "lower"))
    'upper'
    """
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        raise InvalidInput(f"{name} must be one of {', '.join(words)}, but got {name}={shown(value)}.")
    return value


def sample(name: str, value: object, *, columns: bool = False, smallest: int = 1) -> np.ndarray:
    """Return `value` as a finite float array: one-dimensional, or rows by columns, with enough entries.

    >>> sample("x", [1, 2.5])
    array([1. , 2.5])
    """
    shape = "a table of rows and columns" if columns else "a list of numbers"
    if isinstance(value, (list, tuple)) and any(_has_boolean(entry) for entry in value):
        raise InvalidInput(f"{name} must be {shape}, but holds bool; convert it first.")
    if isinstance(value, np.ma.MaskedArray):  # asarray would show what the mask hides
        raise InvalidInput(f"{name} must be {shape}, but is a masked array; fill or remove what is masked.")
    try:
        array = np.asarray(value)
    except ValueError:  # ragged nesting
        raise InvalidInput(f"{name} must be {shape} of finite numbers, but its rows differ in length.") from None
    if array.dtype.kind not in "iuf":
        raise InvalidInput(f"{name} must be {shape} of finite numbers, but holds {array.dtype}; convert it first.")
    array = array.astype(np.float64)
    if columns and array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != (2 if columns else 1):
        raise InvalidInput(f"{name} must be {shape}, but has shape {array.shape}; reshape it.")
    if len(array) < smallest or array.size == 0:
        raise InvalidInput(f"{name} must have at least {smallest} entries, but has shape {array.shape}; give more.")
    if not np.isfinite(array).all():
        raise InvalidInput(f"{name} must be finite, but holds NaN or infinity; remove or replace those entries.")
    return array


def _has_boolean(entry: object) -> bool:
    if isinstance(entry, (list, tuple)):
        return any(_has_boolean(inner) for inner in entry)
    return isinstance(entry, (bool, np.bool_))


def _wanted(low: float, high: float, above: float | None, below: float | None) -> str:
    start, end = (low if above is None else above), (high if below is None else below)
    if math.isinf(start) and math.isinf(end):
        return "a number"
    if math.isinf(end):
        return f"a number {'of at least' if above is None else 'greater than'} {start:g}"
    if math.isinf(start):
        return f"a number {'of at most' if below is None else 'less than'} {end:g}"
    return f"a number in {'[' if above is None else '('}{start:g}, {end:g}{']' if below is None else ')'}"
