"""The installed command, as a user runs it."""

import json
import os
import signal
import subprocess

import pytest
from tests.cli.commands import SCRIPT, as_user, example, tampered, write

from leakbound.certificate import dumps, issue
from leakbound.guarantees import GaussianDP


def test_convert_prints_one_certificate_and_nothing_else():
    done = as_user("convert", "--gdp", "1", "--to", "approx-dp", "--delta", "1e-5", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.certificates == (issue.convert(GaussianDP(1.0), "approx-dp", delta=1e-5),)


def test_verify_confirms_and_refutes(tmp_path):
    good, false = write(tmp_path / "good.json", example()), tampered(tmp_path / "false.json", example())
    done = as_user("verify", good, false)
    assert (done.code, done.err) == (1, "")
    confirmed, refuted, _ = done.out.splitlines()
    assert confirmed.startswith(f"{good}: confirmed: epsilon: claimed ")
    assert refuted.startswith(f"{false}: refuted: epsilon: claimed ")


def test_what_takes_too_long_is_not_decided(tmp_path):
    done = as_user("verify", write(tmp_path / "c.json", example()), "--time-limit", "0.001")
    assert (done.code, done.err) == (3, "")
    assert ": cannot decide within 0.001 s; give a longer --time-limit.\n" in done.out


def test_bad_input_is_one_sentence():
    assert as_user("convert", "--gdp", "nan", "--to", "zcdp").refuses() == (
        "mu must be a number of at least 0, but got mu=nan; give one."
    )


def test_a_reader_who_stops_reading_is_met_quietly():
    with subprocess.Popen([SCRIPT, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_a_full_disk_is_one_sentence():
    with open("/dev/full", "w") as full:
        done = subprocess.run([SCRIPT, "--version"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "leakbound: The system refused: No space left on device; check the disk and the output.\n",
    )


def test_an_interruption_keeps_what_is_printed(tmp_path):
    certificate = write(tmp_path / "c.json", example())
    command = [SCRIPT, "verify", *[certificate] * 5000]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}

    def heed() -> None:
        """Tests that were started in the background inherit that Ctrl-C is ignored."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with subprocess.Popen(command, preexec_fn=heed, **pipes) as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert ": confirmed: " in first
    assert f"{first}{out}".endswith("\n")
    assert err.splitlines()[-1].startswith("leakbound: Interrupted: ")


def test_any_terminal_can_show_the_answer(tmp_path):
    path = write(tmp_path / "é.json", example())
    done = as_user("report", path, "-o", tmp_path / "p.html", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("\\xe9.json: confirmed: ")


def unreadable(path, how):
    """Write a file that is no certificate, in one of the ways that files are none."""
    text = dumps(example())
    if how == "a gigabyte":
        with open(path, "wb") as file:
            file.truncate(2**30)
    elif how == "full of NaN":
        path.write_text(text.replace(str(example().claim.epsilon), "NaN"))
    else:
        document = json.loads(text)
        document |= {"of version 99": {"schema": 99}, "with an unknown field": {"extra": 1}}.get(how, {})
        whole = json.dumps(document)
        path.write_text(whole[: len(whole) // 2] if how == "cut in half" else whole)
    return path


@pytest.mark.parametrize("command", [("verify",), ("report", "-o", "page.html"), ("compose",)])
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("a gigabyte", "is longer than the 33554432 bytes a certificate may have"),
        ("full of NaN", "A certificate holds no NaN; infinity is written as the text inf"),
        ("cut in half", "This is not JSON: "),
        ("of version 99", "schema must be a version from 0 to 1, but is 99; a newer leakbound may read it"),
        ("with an unknown field", "A certificate has no field 'extra'; remove it"),
    ],
)
def test_a_file_that_is_no_certificate_is_refused_in_one_sentence(command, how, words, tmp_path):
    path = unreadable(tmp_path / "c.json", how)
    done = as_user(*command, path, cwd=tmp_path)
    assert words in done.refuses()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["c.json"]
