"""How a command ends: the exit code, and at most one sentence on standard error."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Callable

from leakbound.errors import LeakboundError, shown

USAGE = 2
INTERNAL = 70
INTERRUPTED = 130
PIPE_CLOSED = 141
"""What a shell reports of a command ended by a closed pipe; nothing is claimed."""


def guarded(work: Callable[[], int]) -> int:
    """Run a command and return its exit code; whatever it raises becomes one sentence.

    >>> guarded(lambda: 3)
    3
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a letter gets it spelled out
            stream.reconfigure(errors="backslashreplace")
    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()
    except LeakboundError as error:
        return _ended(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _ended(
            "Interrupted: what is printed is complete and no file is half written; the same command starts again.",
            INTERRUPTED,
        )
    except (BrokenPipeError, SystemExit):  # rich, which prints the help pages, exits by itself when a pipe is closed
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        _drop_output()
        return _ended(f"The system refused: {error.strerror or error}; check the disk and the output.", USAGE)
    except Exception as error:
        return _ended(
            f"Internal error, please report it: {type(error).__name__}: {shown(str(error), 200)};"
            " LEAKBOUND_DEBUG=1 shows where.",
            INTERNAL,
        )
    return code


def complain(sentence: str) -> None:
    """Print one sentence on standard error."""
    line = " ".join(sentence.split())
    print(f"leakbound: {''.join(c if c.isprintable() else ascii(c)[1:-1] for c in line)}", file=sys.stderr)


def _ended(sentence: str, code: int) -> int:
    if os.environ.get("LEAKBOUND_DEBUG") == "1":
        traceback.print_exc()
    complain(sentence)
    return code


def _drop_output() -> None:
    """Send what is left of the output nowhere, or Python would complain about it once more at its exit."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):  # no output, or not a file of the system's
        return
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), number)
