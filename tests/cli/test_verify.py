import json

import pytest
from tests.cli.commands import example, tampered, write

from leakbound.certificate import Verification, Verifier, issue
from leakbound.certificate.verify import INPUTS_ARE_TAKEN
from leakbound.cli.verify import worst
from leakbound.errors import InvalidCertificate, MissingExtra, Undecided
from leakbound.guarantees import PureDP

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def files(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"schema": 1')
    unknown = example().with_(method="of-another-package")
    return {
        "good": write(tmp_path / "good.json", example()),
        "false": tampered(tmp_path / "false.json", example()),
        "bad": bad,
        "unknown": write(tmp_path / "unknown.json", unknown),
        "mislabelled": write(tmp_path / "mislabelled.json", example().with_(direction="lower")),
        "two": write(tmp_path / "two.json", example(), issue.declare(PureDP(1.0))),
    }


def test_a_good_certificate_is_confirmed(files, run):
    done = run("verify", files["good"])
    assert (done.code, done.err) == (0, "")
    line, taken = done.out.splitlines()
    assert line.startswith(f"{files['good']}: confirmed: epsilon: claimed ")
    assert taken == INPUTS_ARE_TAKEN


def test_a_tampered_one_is_refuted(files, run):
    done = run("verify", files["false"])
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith(f"{files['false']}: refuted: epsilon: claimed ")


def test_of_several_all_are_verified_and_the_sentence_about_inputs_stands_once(files, run):
    done = run("verify", files["bad"], files["two"], files["unknown"], files["false"])
    assert done.code == 1
    lines = done.out.splitlines()
    assert [line.partition(": ")[0] for line in lines[:-1]] == [
        f"{files['two']} (1 of 2)",
        f"{files['two']} (2 of 2)",
        str(files["unknown"]),
        str(files["false"]),
    ]
    assert "cannot decide: No installed verifier knows the method 'of-another-package'" in done.out
    assert done.out.count(INPUTS_ARE_TAKEN) == 1
    assert done.sentence.startswith(f"{files['bad']}: This is not JSON")


@pytest.mark.parametrize(
    ("names", "code"),
    [(("good", "unknown"), 3), (("unknown", "bad"), 2), (("good", "mislabelled"), 2), (("bad",), 2)],
)
def test_the_exit_code_is_that_of_the_worst(names, code, files, run):
    assert run("verify", *(files[name] for name in names)).code == code


def test_results_as_json_are_all_there_is_on_standard_output(files, run):
    done = run("verify", files["good"], "--json")
    assert (done.code, done.err) == (0, "")
    one = json.loads(done.out)
    assert (one["file"], one["status"]) == (str(files["good"]), "confirmed")
    assert one["sentence"].startswith("confirmed: epsilon")
    done = run("verify", files["mislabelled"], files["false"], files["bad"], "--json")
    assert done.code == 1
    assert [result["status"] for result in json.loads(done.out)] == ["invalid", "refuted", "invalid"]
    assert len(done.err.splitlines()) == 2


def test_what_does_not_fit_its_method_is_refused_by_name(files, run):
    sentence = run("verify", files["mislabelled"]).refuses()
    assert sentence.startswith(f"{files['mislabelled']}: The method gdp-to-approx-dp gives upper bounds")


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_is_a_positive_number(limit, files, run):
    assert "--time-limit must be a number" in run("verify", files["good"], "--time-limit", limit).refuses()


def test_without_ball_arithmetic_there_is_no_verification(files, run, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "flint", None)
    assert run("verify", files["good"], files["false"]).refuses() == (
        "python-flint is needed here and is not installed; install it with pip install 'leakbound[verify]'."
    )


def answering(monkeypatch, answer):
    def verify(_, certificate, *, outputs):
        if isinstance(answer, Exception):
            raise answer
        return Verification("confirmed", f"confirmed: {certificate.method} with {outputs}.")

    monkeypatch.setattr(Verifier, "verify", verify)


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (Undecided("cannot decide: no memory."), 3, ": cannot decide: no memory.\n"),
        (Undecided("The series diverges."), 3, ": cannot decide: The series diverges.\n"),
        (MissingExtra("torch", "torch"), 3, ": cannot decide: torch is needed here"),
    ],
)
def test_what_a_verifier_cannot_decide(error, code, words, files, run, monkeypatch):
    answering(monkeypatch, error)
    done = run("verify", files["good"])
    assert (done.code, done.err) == (code, "")
    assert words in done.out


def test_a_verifier_may_refuse(files, run, monkeypatch):
    answering(monkeypatch, InvalidCertificate("It lacks mu."))
    assert run("verify", files["good"]).refuses() == f"{files['good']}: It lacks mu."


def test_the_outputs_reach_the_verifier(files, run, monkeypatch):
    answering(monkeypatch, None)
    assert "with o.npy." in run("verify", files["good"], "--outputs", "o.npy").out


def test_a_file_name_steers_no_terminal(tmp_path, run, monkeypatch):
    answering(monkeypatch, None)
    path = write(tmp_path / "a\x1b[2Jb.json", example())
    assert "\x1b" not in run("verify", path).out


@pytest.mark.parametrize(
    ("statuses", "code"),
    [
        (["confirmed"], 0),
        (["confirmed", "undecided"], 3),
        (["undecided", "invalid", "confirmed"], 2),
        (["refuted", "invalid", "undecided"], 1),
    ],
)
def test_one_refuted_certificate_decides(statuses, code):
    assert worst(iter(statuses)) == code
