"""One family of exceptions: every message names the thing, shows its value and says the fix."""

from __future__ import annotations


class LeakboundError(Exception):
    """Base of everything leakbound raises on purpose; `exit_code` is what the command line returns."""

    exit_code = 70


class InvalidInput(LeakboundError, ValueError):
    """A value was refused at the door: the message names it, shows it and says what to do."""

    exit_code = 2


class InvalidCertificate(InvalidInput):
    """A certificate file cannot be read as one: wrong syntax, field, version or size."""


class NoTheorem(InvalidInput):
    """No theorem leads from what is known to what is asked, or its conditions do not hold."""


class MissingExtra(LeakboundError, ImportError):
    """An optional package is not installed; the message names the extra that brings it."""

    exit_code = 2

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is needed here and is not installed; install it with pip install 'leakbound[{extra}]'."
        )
        self.package = package
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return type(self), (self.package, self.extra)


class Undecided(LeakboundError):
    """A question could not be answered within its limits; nothing is claimed."""

    exit_code = 3


def shown(value: object, limit: int = 60) -> str:
    """Return a value's repr on one line, shortened so that an error stays one sentence.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # integers of thousands of digits; cyclic or very deep containers
        text = f"<{type(value).__name__}>"
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."
