"""The command line: one thin file per command; every ending has its exit code and at most one sentence."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from leakbound.cli.ending import guarded
from leakbound.errors import MissingExtra


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; without arguments, those of the process are taken.

    >>> main(["--version"])
    leakbound ...
    0
    """

    def work() -> int:
        for package in ("typer", "rich"):
            if find_spec(package) is None:
                raise MissingExtra(package, "cli")
        from leakbound.cli.app import invoke

        return invoke(sys.argv[1:] if arguments is None else arguments)

    return guarded(work)
