"""Laws of all values, guarantees and curves alike: they do not change, hash, pickle, print and refuse bad numbers."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from collections.abc import Callable, Sequence
from typing import Any

from leakbound.checks.law import expect
from leakbound.errors import InvalidInput, shown

NOT_NUMBERS: tuple[object, ...] = (math.nan, -math.inf, -1.0, -5e-324, True, False, "1", b"1", None, 1j)
"""What no numeric field takes; NaN first, because a range check easily lets it in."""


def do_not_change(values: Sequence[Any]) -> None:
    """Fail unless every field of every value refuses to be set and to be deleted."""
    for value in values:
        expect(dataclasses.is_dataclass(value), f"{shown(value)} is not a dataclass")
        for field in dataclasses.fields(value):
            before = getattr(value, field.name)
            for change, arguments in ((setattr, (value, field.name, before)), (delattr, (value, field.name))):
                try:
                    change(*arguments)
                except (AttributeError, TypeError):
                    continue
                raise AssertionError(f"{field.name} of {shown(value)} can be changed; make the dataclass frozen")


def hash_alike(values: Sequence[Any]) -> None:
    """Fail unless every value hashes, equals its copies and no other value."""
    for value in values:
        for other in (copy.copy(value), copy.deepcopy(value), dataclasses.replace(value)):
            expect(other == value, f"a copy of {shown(value)} is not equal to it")
            expect(hash(other) == hash(value), f"a copy of {shown(value)} has another hash")
    expect(len(set(values)) == len(values), "two of its examples are equal; give different ones")


def pickle_alike(values: Sequence[Any]) -> None:
    """Fail unless every value comes back from every pickle protocol."""
    for value in values:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(value, protocol))
            expect(type(back) is type(value) and back == value, f"{shown(value)} comes back as {shown(back)}")


def print_one_line(values: Sequence[Any]) -> None:
    """Fail unless every value prints as one line that says something."""
    for value in values:
        text = str(value)
        expect(bool(text.strip()), f"{shown(value)} prints as nothing")
        expect(text.isprintable(), f"{shown(value)} prints as {text!r}, not as one line")
        expect(" object at 0x" not in text, f"{shown(value)} prints its address; write a __str__")


def refuses(make: Callable[[object], object], name: str, bad: object) -> None:
    """Fail unless making a value with a bad entry is refused in one sentence that has its name and value."""
    try:
        made = make(bad)
    except InvalidInput as error:
        text = str(error)
        expect("\n" not in text, f"{name}={shown(bad)} is refused in more than one line: {text!r}")
        singular = name.removesuffix("s")
        expect(singular in text, f"{name}={shown(bad)} is refused, but the message does not name {name}: {text!r}")
        expect(shown(bad) in text, f"{name}={shown(bad)} is refused, but the message does not show it: {text!r}")
        return
    except Exception as error:
        raise AssertionError(f"{name}={shown(bad)} ends in {type(error).__name__}, not in InvalidInput") from error
    raise AssertionError(f"{name}={shown(bad)} is accepted and gives {shown(made)}")


def takes_or_refuses(make: Callable[[object], object], name: str, value: object) -> None:
    """Fail unless making a value with an entry works and prints, or is refused in a sentence."""
    try:
        text = str(make(value))
    except InvalidInput as error:
        expect(name.removesuffix("s") in str(error), f"{name}={shown(value)} is refused without its name: {error}")
        return
    except Exception as error:
        raise AssertionError(f"{name}={shown(value)} ends in {type(error).__name__}, not in InvalidInput") from error
    expect("nan" not in text, f"{name}={shown(value)} prints as {text!r}")
