"""Reading a certificate's inputs and evidence: every entry is asked for by name and kind, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from leakbound.certificate.frozen import Value
from leakbound.errors import InvalidCertificate, InvalidInput, shown
from leakbound.numerics import validate


class Record:
    """A map of a certificate, with the name of its place for messages.

    >>> Record("inputs", {"mu": 1.0}).number("mu")
    1.0
    """

    def __init__(self, place: str, entries: Mapping[str, Value]) -> None:
        """Wrap a map."""
        self.place = place
        self.entries = entries

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def get(self, name: str) -> Value:
        """Return an entry that must be there."""
        if name not in self.entries:
            raise InvalidCertificate(f"The certificate's {self.place} must have {name!r}; it cannot be recomputed.")
        return self.entries[name]

    def number(self, name: str, *, low: float = 0.0, high: float = float("inf")) -> float:
        """Return a number in a range, infinity allowed where the range has it."""
        return _number(f"{self.place}.{name}", self.get(name), low, high)

    def whole(self, name: str, *, low: int = 0) -> int:
        """Return a whole number."""
        try:
            return validate.whole(f"{self.place}.{name}", self.get(name), low=low)
        except InvalidInput as error:
            raise InvalidCertificate(str(error)) from None

    def text(self, name: str) -> str:
        """Return a text."""
        value = self.get(name)
        if not isinstance(value, str):
            raise InvalidCertificate(f"The certificate's {self.place}.{name} must be a text, but is {shown(value)}.")
        return value

    def flag(self, name: str) -> bool:
        """Return true or false."""
        value = self.get(name)
        if not isinstance(value, bool):
            raise InvalidCertificate(f"The certificate's {self.place}.{name} must be a flag, but is {shown(value)}.")
        return value

    def numbers(self, name: str, *, low: float = 0.0, high: float = float("inf")) -> tuple[float, ...]:
        """Return a non-empty list of numbers."""
        return tuple(_number(f"{self.place}.{name}", value, low, high) for value in self._list(name))

    def pairs(self, name: str) -> tuple[tuple[float, float], ...]:
        """Return a non-empty list of pairs of non-negative numbers."""
        place, found = f"{self.place}.{name}", []
        for entry in self._list(name):
            if not isinstance(entry, tuple) or len(entry) != 2:
                raise InvalidCertificate(f"The certificate's {place} must hold pairs, but has {shown(entry)}.")
            found.append((_number(place, entry[0], 0.0, float("inf")), _number(place, entry[1], 0.0, float("inf"))))
        return tuple(found)

    def record(self, name: str) -> Record:
        """Return a map inside."""
        value = self.get(name)
        if not isinstance(value, Mapping):
            raise InvalidCertificate(f"The certificate's {self.place}.{name} must be a map, but is {shown(value)}.")
        return Record(f"{self.place}.{name}", value)

    def records(self, name: str) -> tuple[Record, ...]:
        """Return a non-empty list of maps inside."""
        found = []
        for index, value in enumerate(self._list(name)):
            if not isinstance(value, Mapping):
                raise InvalidCertificate(f"The certificate's {self.place}.{name} must hold maps, not {shown(value)}.")
            found.append(Record(f"{self.place}.{name}[{index}]", value))
        return tuple(found)

    def _list(self, name: str) -> tuple[Value, ...]:
        value = self.get(name)
        if not isinstance(value, tuple) or not value:
            raise InvalidCertificate(f"The certificate's {self.place}.{name} must be a list, but is {shown(value)}.")
        return value


def _number(place: str, value: Value, low: float, high: float) -> float:
    try:
        return validate.real(place, value, low=low, high=high, infinite=True)
    except InvalidInput as error:
        raise InvalidCertificate(str(error)) from None
