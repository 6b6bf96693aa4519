"""`leakbound demo`: what leakbound does, in a minute and on its own commands."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from leakbound.certificate import load
from leakbound.certificate.document import write_text
from leakbound.cli.shared import Json, answer, show, width
from leakbound.errors import InvalidInput, LeakboundError, shown


@dataclass(frozen=True)
class Step:
    """What happens, the command that does it, its exit code, the file for its output, and whether it tampers first."""

    words: str
    command: str
    code: int = 0
    into: str | None = None
    tampers: bool = False


_RELATION = "--neighbouring add-or-remove-one"
_GENERATOR = "--features 12 --outputs 1 --rows 10 --noise 1 --sensitivity 1"
STEPS = (
    Step(
        "Convert. A table of counts is published with Gaussian noise of ten times its sensitivity: 0.1-GDP."
        " What is that as (epsilon, delta)?",
        f"convert --gdp 0.1 --to approx-dp --delta 1e-6 {_RELATION}",
    ),
    Step(
        "Certify. The promise of one month's table, as a certificate in a file.",
        f"convert --gdp 0.1 --to gdp {_RELATION} --json",
        into="month.json",
    ),
    Step("Compose. Twelve such tables a year leak together:", "compose month.json --times 12 --delta 1e-6"),
    Step(
        "Certify the year as well.",
        "compose month.json --times 12 --delta 1e-6 --json",
        into="year.json",
    ),
    Step(
        "Account. Ten synthetic rows of a linear generator are published, from random seeds that stay secret. What do"
        " they leak, and from how many rows on as much as the generator itself?",
        f"account {_GENERATOR} --seeds hidden --delta 1e-6 -o rows.json",
    ),
    Step(
        "Verify. Anyone recomputes all three certificates by another route, in ball arithmetic.",
        "verify month.json year.json rows.json",
    ),
    Step(
        "Be refuted. Somebody writes an epsilon into tampered.json that is a tenth smaller than the year's.",
        "verify tampered.json",
        code=1,
        tampers=True,
    ),
    Step("Report. All certificates on one page for people.", "report month.json year.json rows.json -o report.html"),
)


def demo(
    folder: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where to write; by default a new temporary folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Convert, compose, account, certify, verify, tamper, be refuted, report: in a minute."""
    place = _folder(folder)
    quiet = contextlib.redirect_stdout(io.StringIO()) if as_json else contextlib.nullcontext()
    with quiet, contextlib.chdir(place):
        for number, step in enumerate(STEPS, start=1):
            _run(number, step)
        show(f"The certificates and report.html are in {folder or place}.")
    if as_json:
        answer([*load(place / "month.json"), *load(place / "year.json"), *load(place / "rows.json")], as_json=True)


def _run(number: int, step: Step) -> None:
    from leakbound.cli.app import invoke

    if step.tampers:
        _tamper("year.json", "tampered.json")
    show("\n".join(textwrap.wrap(f"{number}. {step.words}", width())))
    show(f"\n$ leakbound {step.command}{f' > {step.into}' if step.into else ''}")
    arguments = shlex.split(step.command)
    if step.into is None:
        code = invoke(arguments)
    else:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = invoke(arguments)
        write_text(step.into, printed.getvalue())
    if code != step.code:
        raise LeakboundError(f"The demo's command {step.command!r} ended with {code}, not {step.code}; report it.")
    show(f"(exit {code})\n" if code else "")


def _tamper(source: str, target: str) -> None:
    document = json.loads(Path(source).read_text(encoding="utf-8"))
    document["claim"]["epsilon"] *= 0.9
    write_text(target, json.dumps(document, indent=2) + "\n")


def _folder(folder: str | None) -> Path:
    try:
        if folder is None:
            return Path(tempfile.mkdtemp(prefix="leakbound-demo-"))
        Path(folder).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput(f"The folder {shown(folder)} cannot be made: {reason}; choose another.") from None
    return Path(folder).resolve()
