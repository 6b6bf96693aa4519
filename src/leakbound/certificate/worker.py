"""Verification under a time limit: a second process does the work and is ended when the time is up."""

from __future__ import annotations

import json
import queue
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

    def __enter__(self) -> Verifier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            try:
                self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                self._kill()
            self._process = None

    def verify(self, certificate: Certificate, *, outputs: str | Path | None = None) -> Verification:
        """Verify one certificate within the time limit."""
        if self._process is None:
            command = [sys.executable, "-c", f"from {__name__} import main; main()"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        request = {"certificate": to_document(certificate), "outputs": None if outputs is None else str(outputs)}
        answer = self._ask(json.dumps(request))
        if answer is None:
            self._kill()
            return Verification("undecided", f"cannot decide within {self.time_limit:g} s; give a longer --time-limit.")
        if "error" in answer:
            raise _ERRORS.get(answer["error"], Undecided)(*answer["arguments"])
        return Verification(answer["status"], answer["sentence"])

    def _ask(self, request: str) -> dict[str, Any] | None:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        answers: queue.Queue[str] = queue.Queue()
        stdout: IO[str] = process.stdout
        threading.Thread(target=lambda: answers.put(stdout.readline()), daemon=True).start()
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            line = answers.get(timeout=self.time_limit)
        except (queue.Empty, BrokenPipeError):
            return None
        if not line:
            raise Undecided("cannot decide: the recomputation's process ended, perhaps for want of memory.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


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
