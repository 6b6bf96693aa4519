"""Running the command line inside the test's own process, or as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from leakbound.certificate import Certificate, dumps, issue, loads
from leakbound.cli import main
from leakbound.guarantees import GaussianDP

SCRIPT = Path(sys.executable).with_name("leakbound")
NOISY = GaussianDP(0.5, neighbouring="replace-one")


@dataclass(frozen=True)
class Done:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        """The certificates on standard output, which must hold nothing else."""
        return loads(self.out)

    def refuses(self, code: int = 2) -> str:
        """Return the one sentence on standard error of a command that printed nothing else and ended with a code."""
        assert (self.code, self.out) == (code, "")
        return self.sentence

    @property
    def sentence(self) -> str:
        """The one sentence on standard error."""
        start, *more = self.err.splitlines()
        assert not more
        assert start.startswith("leakbound: ")
        return start.removeprefix("leakbound: ")


class Run:
    """Runs the command line in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, *arguments: str | Path) -> Done:
        self.capture.readouterr()
        code = main([str(argument) for argument in arguments])
        return Done(code, *self.capture.readouterr())


def as_user(*arguments: str | Path, **options: Any) -> Done:
    """Run the console script in a process of its own."""
    done = subprocess.run(
        [SCRIPT, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
        **options,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def write(path: Path, *certificates: Certificate) -> Path:
    """Write certificates to a file."""
    path.write_text(dumps(*certificates))
    return path


def tampered(path: Path, certificate: Certificate, factor: float = 0.9) -> Path:
    """Write a certificate whose epsilon is smaller than it should be."""
    document = json.loads(dumps(certificate))
    document["claim"]["epsilon"] *= factor
    path.write_text(json.dumps(document))
    return path


def example(delta: float = 1e-5) -> Certificate:
    """Return a certificate of a conversion."""
    return issue.convert(NOISY, "approx-dp", delta=delta)
