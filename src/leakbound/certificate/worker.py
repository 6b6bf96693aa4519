"""Verification under a time limit: a second process does the work and is ended when the time is up."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from leakbound.certificate.certificate import Certificate
from leakbound.certificate.document import from_document, to_document
from leakbound.certificate.verify import Verification, verify
from leakbound.errors import InvalidCertificate, InvalidInput, LeakboundError, MissingExtra, NoTheorem, Undecided
from leakbound.numerics.validate import real

_MEMORY = 8 * 1024**3


class Verifier:
    """Verifies certificates one after another in a process of its own, each within a time limit in seconds.

    A verification that takes longer is undecided, and the process is replaced.
    """

    def __init__(self, time_limit: float = 30.0) -> None:
        """Remember the limit; the process starts with the first certificate."""
        self.time_limit = real("time_limit", time_limit, above=0)
        self._process: subprocess.Popen[str] | None = None
        self._reader = threading.Thread()

    def __enter__(self) -> Verifier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._end(grace=2.0)

    def verify(self, certificate: Certificate, *, outputs: str | Path | None = None) -> Verification:
        """Verify one certificate within the time limit."""
        request = {"certificate": to_document(certificate), "outputs": None if outputs is None else str(outputs)}
        line = self._ask(json.dumps(request))
        if line is None:
            self._end(grace=0.0)
            return Verification("undecided", f"cannot decide within {self.time_limit:g} s; give a longer --time-limit.")
        if not line:
            self._end(grace=0.0)
            return Verification(
                "undecided", "cannot decide: the recomputation's process died, maybe for want of memory."
            )
        answer = json.loads(line)
        if "error" in answer:
            raise _ERRORS[answer["error"]](*answer["arguments"])
        return Verification(answer["status"], answer["sentence"])

    def _ask(self, request: str) -> str | None:
        """Return the answering line, an empty one if the process died, None if the time is up."""
        if self._process is None:
            command = [sys.executable, "-c", f"from {__name__} import main; main()"]
            # A session of its own: Ctrl-C in a terminal reaches this process only, which then ends the other.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
            )
        process, answers = self._process, list[str]()
        assert process.stdin is not None
        assert process.stdout is not None
        stdout = process.stdout
        self._reader = threading.Thread(target=lambda: answers.append(stdout.readline()), daemon=True)
        self._reader.start()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(request + "\n")
            process.stdin.flush()
        self._reader.join(self.time_limit)
        return None if self._reader.is_alive() else answers[0]

    def _end(self, grace: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(timeout=grace)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join()
        process.stdout.close()


_ERRORS: dict[str, type[LeakboundError]] = {
    kind.__name__: kind for kind in (InvalidCertificate, InvalidInput, MissingExtra, NoTheorem, Undecided)
}


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Answer verification requests, one JSON line each, until the input ends."""
    for line in requests:
        request = json.loads(line)
        try:
            result = verify(from_document(request["certificate"]), outputs=request["outputs"])
            answer: dict[str, Any] = {"status": result.status, "sentence": result.sentence}
        except LeakboundError as error:
            arguments = [error.package, error.extra] if isinstance(error, MissingExtra) else [str(error)]
            answer = {"error": type(error).__name__, "arguments": arguments}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = _MEMORY if hard == resource.RLIM_INFINITY else min(hard, _MEMORY)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    """Serve standard input, with bounded memory: what the verifying process runs."""
    _limit_memory()
    serve(sys.stdin, sys.stdout)
