"""The app: the commands under their names, and usage errors as one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated

import typer

from leakbound.cli.account import account
from leakbound.cli.compose import compose
from leakbound.cli.convert import convert
from leakbound.cli.demo import demo
from leakbound.cli.once import OnceCommand
from leakbound.cli.report import report
from leakbound.cli.verify import verify
from leakbound.errors import InvalidInput

_EXIT_CODES = (
    "Exit codes: 0 fine, confirmed; 1 the answer is no, refuted; 2 bad input; 3 cannot decide; 70 internal error;"
    " 130 interrupted."
)


def _paragraphs(command: Callable[..., object]) -> str:
    """Return a docstring with one line per paragraph, because the help page keeps its line ends."""
    return "\n\n".join(" ".join(part.split()) for part in (command.__doc__ or "").split("\n\n"))


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=False)
for command in (account, convert, compose, verify, report, demo):
    app.command(command.__name__, cls=OnceCommand, help=_paragraphs(command))(command)


def _version(asked: bool) -> None:
    if asked:
        print(f"leakbound {version('leakbound')}")
        raise typer.Exit


_Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")]


@app.callback(epilog=_EXIT_CODES)
def leakbound(
    asked: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Say how much a data release leaks, with a certificate that anyone can recompute."""


def invoke(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name and return its exit code; usage errors are bad input.

    >>> invoke(["--version"])
    leakbound ...
    0
    """
    group = typer.main.get_command(app)
    try:
        with group.make_context("leakbound", list(arguments)) as context:
            code = group.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except Exception as error:
        if not hasattr(error, "format_message"):  # only errors of usage have it, in click and in typer's copy of it
            raise
        where = getattr(error, "ctx", None)
        path = "leakbound" if where is None else where.command_path
        sentence = " ".join(error.format_message().split()).rstrip(".")
        raise InvalidInput(f"{sentence}; see {path} --help.") from None
    return code or 0
