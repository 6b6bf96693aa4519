import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.certificate.made import made

from leakbound.certificate import Verifier, issue, verify, worker
from leakbound.certificate.document import to_document
from leakbound.errors import InvalidCertificate, InvalidInput, LeakboundError, MissingExtra, Undecided
from leakbound.guarantees import ApproxDP, GaussianDP, PureDP

GOOD = issue.convert(GaussianDP(1.0), "approx-dp", epsilon=1.0)
WRONG = GOOD.with_(claim=ApproxDP(1.0, GOOD.claim.delta / 2))
ENDLESS = made(
    "compose-optimal",
    ApproxDP(1.0, 0.5),
    {"parts": [{"claim": {"kind": "pure-dp", "epsilon": 1e-3}, "count": 10**8, "confidence": 1.0}], "epsilon": 1.0},
)


@pytest.fixture
def verifier():
    with Verifier(20.0) as made:
        yield made


def test_it_answers_as_verify_does_one_after_another_in_one_process(verifier):
    assert verifier._process is None
    first = verifier.verify(GOOD)
    process = verifier._process
    assert (first.status, first.sentence) == ("confirmed", verify(GOOD).sentence)
    assert verifier.verify(WRONG).status == "refuted"
    assert verifier.verify(GOOD.with_(method="magic")).status == "undecided"
    assert verifier._process is process


def test_errors_come_through_as_they_are(verifier):
    bad = GOOD.with_(assumptions=())
    with pytest.raises(InvalidCertificate) as here:
        verify(bad)
    with pytest.raises(InvalidCertificate) as there:
        verifier.verify(bad)
    assert type(there.value) is InvalidCertificate
    assert str(there.value) == str(here.value)
    assert verifier.verify(GOOD).status == "confirmed"


def test_what_takes_too_long_is_undecided_and_the_process_replaced():
    with Verifier(1.0) as verifier:
        began = time.perf_counter()
        verification = verifier.verify(ENDLESS)
        assert 0.9 < time.perf_counter() - began < 10
        assert verification.status == "undecided"
        assert verification.sentence == "cannot decide within 1 s; give a longer --time-limit."
        assert verifier._process is None
        verifier.time_limit = 30.0
        assert verifier.verify(GOOD).status == "confirmed"


def test_a_process_that_dies_at_work_is_said_so_and_replaced(verifier):
    verifier.verify(GOOD)
    first = verifier._process.pid
    os.kill(first, signal.SIGKILL)
    verifier._process.wait()
    try:
        verification = verifier.verify(GOOD)
    except Undecided as error:
        verification = error
    assert "died" in str(verification) or "ended" in str(verification)
    assert "within" not in str(verification)
    assert verifier.verify(GOOD).status == "confirmed"
    assert verifier._process.pid != first


def test_closing_ends_the_process_even_at_work():
    verifier = Verifier(20.0)
    verifier.close()
    verifier.verify(GOOD.with_(method="magic"))
    process = verifier._process
    verifier.close()
    assert process.returncode is not None
    verifier.verify(GOOD.with_(method="magic"))
    verifier.time_limit = 0.5
    verifier._ask(json.dumps({"certificate": to_document(ENDLESS), "outputs": None}))
    process = verifier._process
    began = time.perf_counter()
    verifier.close()
    assert process.returncode is not None
    assert time.perf_counter() - began < 10
    verifier.close()


def test_the_process_says_nothing_of_its_own(verifier, capfd):
    verifier.verify(GOOD)
    verifier.close()
    out, err = capfd.readouterr()
    assert out == ""
    assert err == ""


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), True, "30", None])
def test_a_time_limit_is_a_positive_number(limit):
    with pytest.raises(InvalidInput, match=r"^time_limit must be a number greater than 0, but got "):
        Verifier(limit)


def test_outputs_are_passed_on(verifier, tmp_path):
    assert verifier.verify(GOOD, outputs=tmp_path / "o.npy").status == "confirmed"


# The other side of the pipe, in this process.


def served(*certificates):
    lines = "".join(json.dumps({"certificate": to_document(c), "outputs": None}) + "\n" for c in certificates)
    answers = io.StringIO()
    worker.serve(io.StringIO(lines), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_serve_answers_each_line_with_a_line():
    one, two, three = served(GOOD, WRONG, GOOD.with_(assumptions=()))
    assert one == {"status": "confirmed", "sentence": verify(GOOD).sentence}
    assert two["status"] == "refuted"
    assert three["error"] == "InvalidCertificate"


def test_serve_passes_a_missing_package_on_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    (answer,) = served(GOOD)
    assert answer == {"error": "MissingExtra", "arguments": ["python-flint", "verify"]}
    monkeypatch.setattr(Verifier, "_ask", lambda *_: json.dumps(answer))
    with pytest.raises(MissingExtra, match=r"leakbound\[verify\]") as error:
        Verifier().verify(GOOD)
    assert (error.value.package, error.value.extra) == ("python-flint", "verify")


def test_every_error_that_can_come_through_keeps_its_class():
    def family(error):
        return {error.__name__: error} | {name: e for sub in error.__subclasses__() for name, e in family(sub).items()}

    ours = {name: e for name, e in family(LeakboundError).items() if e.__module__ == "leakbound.errors"}
    assert {**ours, **worker._ERRORS} == ours
    assert set(ours) - {"LeakboundError"} == set(worker._ERRORS) - {"LeakboundError"}


def test_memory_is_bounded_where_the_system_can(monkeypatch):
    import resource

    asked = []
    for hard in (resource.RLIM_INFINITY, 2**30):
        monkeypatch.setattr(resource, "getrlimit", lambda _, hard=hard: (hard, hard))
        monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
        worker._limit_memory()
    assert asked == [(8 * 1024**3, resource.RLIM_INFINITY), (2**30, 2**30)]
    monkeypatch.setitem(sys.modules, "resource", None)
    worker._limit_memory()
    assert len(asked) == 2


def test_a_process_of_its_own_serves_standard_input():
    request = json.dumps({"certificate": to_document(issue.declare(PureDP(1.0))), "outputs": None})
    done = subprocess.run(
        [sys.executable, "-c", "from leakbound.certificate.worker import main; main()"],
        input=request + "\n", capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert json.loads(done.stdout)["status"] == "confirmed"
    assert done.stderr == ""
