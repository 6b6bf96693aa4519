"""What commands share: options, reading certificates, and the two ways to show an answer."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Sequence
from typing import Annotated, overload

import typer

from leakbound.certificate import Certificate, dumps, load
from leakbound.errors import InvalidCertificate, InvalidInput, shown
from leakbound.numerics.validate import whole
from leakbound.report import certificate_text
from leakbound.report.words import printable

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output and nothing else.")]
Files = Annotated[list[str], typer.Argument(metavar="CERT...", help="Files with a certificate or a list of them.")]
Delta = Annotated[str | None, typer.Option(metavar="D", help="The delta to answer epsilon for.")]

_WIDEST = 100
_COLOURS = {
    r"(?m)(?<=^Standing: )proved|(?<=: )confirmed(?=: )": "bold green",
    r"(?m)(?<=^Standing: )(numerical|conditional)|(?<=: )cannot decide(?=: )": "bold yellow",
    r"(?m)(?<=^Standing: )estimate|(?<=: )refuted(?=: )": "bold red",
}


@overload
def number(flag: str, text: str) -> float: ...
@overload
def number(flag: str, text: None) -> None: ...
def number(flag: str, text: str | None) -> float | None:
    """Return the number that an option was given, None where it was not; texts are refused with the option's name.

    >>> number("--delta", "1e-5"), number("--epsilon", "inf"), number("--epsilon", None)
    (1e-05, inf, None)
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        raise InvalidInput(f"{flag} must be a number, but got {flag}={shown(text)}; give one.") from None


@overload
def count(flag: str, text: str) -> int: ...
@overload
def count(flag: str, text: None) -> None: ...
def count(flag: str, text: str | None) -> int | None:
    """Return the whole number of at least one that an option was given, None where it was not.

    >>> count("--times", "12"), count("--records", None)
    (12, None)
    """
    try:
        return None if text is None else whole(flag, int(text), low=1)
    except ValueError:
        raise InvalidInput(
            f"{flag} must be a whole number of at least 1, but got {flag}={shown(text)}; give one."
        ) from None


def read(path: str) -> tuple[Certificate, ...]:
    """Return the certificates of a file; a refusal names the file."""
    try:
        return load(path)
    except InvalidCertificate as error:
        named = str(error).startswith(path)
        raise InvalidCertificate(str(error) if named else f"{printable(path)}: {error}") from None


def show(text: str) -> None:
    """Print text for people; on a terminal the words that matter have a colour."""
    print(coloured(text) if sys.stdout is not None and sys.stdout.isatty() else text, flush=True)


def coloured(text: str) -> str:
    """Return text with colours for a terminal, unless NO_COLOR or TERM ask for none.

    >>> "refuted" in coloured("c.json: refuted: epsilon")
    True
    """
    from rich.console import Console
    from rich.text import Text

    marked = Text(text)
    for pattern, style in _COLOURS.items():
        marked.highlight_regex(pattern, style)
    buffer = io.StringIO()
    Console(file=buffer, force_terminal=True, highlight=False, legacy_windows=False).print(
        marked, soft_wrap=True, end=""
    )
    return buffer.getvalue()


def answer(certificates: Sequence[Certificate], *, as_json: bool, more: str = "") -> None:
    """Print certificates: as JSON and nothing else, or as text with something to add."""
    if as_json:
        print(dumps(*certificates))
        return
    texts = [certificate_text(certificate, width=width()) for certificate in certificates]
    show("\n\n".join([*texts, *([more] if more else [])]))


def width() -> int:
    """Return how many columns text may take."""
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns)
