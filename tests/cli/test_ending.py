import io
import os

import pytest

from leakbound.cli import ending
from leakbound.cli.ending import complain, guarded
from leakbound.errors import InvalidCertificate, InvalidInput, LeakboundError, MissingExtra, NoTheorem, Undecided


def raising(error):
    def work():
        print("before")
        raise error

    return work


@pytest.mark.parametrize("code", [0, 1, 2, 3])
def test_a_command_ends_with_its_code(code, capsys):
    assert guarded(lambda: code) == code
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (InvalidInput("mu must be a number."), 2, "mu must be a number."),
        (InvalidCertificate("This is not JSON."), 2, "This is not JSON."),
        (NoTheorem("Nothing leads there."), 2, "Nothing leads there."),
        (
            MissingExtra("x", "y"),
            2,
            "x is needed here and is not installed; install it with pip install 'leakbound[y]'.",
        ),
        (Undecided("cannot decide."), 3, "cannot decide."),
        (LeakboundError("broken."), 70, "broken."),
        (
            OSError(28, "No space left on device"),
            2,
            "The system refused: No space left on device; check the disk and the output.",
        ),
        (OSError("odd"), 2, "The system refused: odd; check the disk and the output."),
        (
            ZeroDivisionError("division\nby zero"),
            70,
            "Internal error, please report it: ZeroDivisionError: 'division\\nby zero'; LEAKBOUND_DEBUG=1 shows where.",
        ),
        (
            KeyboardInterrupt(),
            130,
            "Interrupted: what is printed is complete and no file is half written; the same command starts again.",
        ),
    ],
)
def test_every_error_is_one_sentence_and_a_code(error, code, sentence, capsys, monkeypatch):
    monkeypatch.delenv("LEAKBOUND_DEBUG", raising=False)
    assert guarded(raising(error)) == code
    assert capsys.readouterr() == ("before\n", f"leakbound: {sentence}\n")


def test_a_long_message_is_cut(capsys):
    assert guarded(raising(RuntimeError("x" * 10_000))) == 70
    assert len(capsys.readouterr().err) < 400


@pytest.mark.parametrize(("asked", "traced"), [("1", True), ("0", False), ("", False)])
def test_the_traceback_is_shown_when_asked_for(asked, traced, capsys, monkeypatch):
    monkeypatch.setenv("LEAKBOUND_DEBUG", asked)
    assert guarded(raising(RuntimeError("odd"))) == 70
    assert ("Traceback" in capsys.readouterr().err) is traced


@pytest.mark.parametrize("error", [BrokenPipeError(), SystemExit(1)])
def test_a_closed_pipe_is_quiet(error, capsys):
    assert guarded(raising(error)) == 141
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("error", [BrokenPipeError(), OSError(28, "No space left on device")])
def test_what_could_not_be_written_is_not_tried_again(error, tmp_path, monkeypatch):
    path = tmp_path / "out"
    with path.open("w") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        assert guarded(raising(error)) in (ending.PIPE_CLOSED, ending.USAGE)
        stream.flush()
    assert path.read_text() == ""


def test_output_that_is_no_file_is_left_alone(monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert guarded(raising(BrokenPipeError())) == 141


def test_without_an_output_a_command_still_ends(monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    assert guarded(lambda: 3) == 3
    assert guarded(raising(BrokenPipeError())) == 141


def test_letters_that_the_output_cannot_show_are_spelled_out(tmp_path, monkeypatch):
    path = tmp_path / "out"
    with path.open("w", encoding="ascii") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        assert guarded(lambda: print("é", end="") or 0) == 0
    assert path.read_bytes() == b"\\xe9"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\n  lines", "two lines"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("bidi\u202e", "bidi\\u202e"),
        (os.fsdecode(b"\xff"), "\\udcff"),
        ("é", "é"),
    ],
)
def test_a_complaint_is_one_line_that_steers_no_terminal(text, shown, capsys):
    complain(text)
    assert capsys.readouterr() == ("", f"leakbound: {shown}\n")
