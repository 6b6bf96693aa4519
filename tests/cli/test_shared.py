import pytest
from tests.cli.commands import write

from leakbound.certificate import issue
from leakbound.cli import shared
from leakbound.errors import InvalidCertificate, InvalidInput
from leakbound.guarantees import PureDP


@pytest.mark.parametrize(("text", "value"), [("1", 1.0), ("1e-5", 1e-5), ("inf", float("inf")), ("-2", -2.0)])
def test_a_number_is_read(text, value):
    assert shared.number("--delta", text) == value


@pytest.mark.parametrize("text", ["", "x", "1,5", "1e", "0x10"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(InvalidInput) as refusal:
        shared.number("--delta", text)
    assert str(refusal.value) == f"--delta must be a number, but got --delta={text!r}; give one."


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "x", "", "inf", "9" * 5000])
def test_what_is_no_count_is_refused(text):
    with pytest.raises(InvalidInput, match=r"^--times must be a whole number of at least 1, but got --times="):
        shared.count("--times", text)


def test_what_was_not_given_stays_so():
    assert shared.number("--delta", None) is None
    assert shared.count("--times", None) is None


def test_a_refused_file_is_named(tmp_path):
    path = tmp_path / "c.json"
    path.write_text("{")
    with pytest.raises(InvalidCertificate) as refusal:
        shared.read(str(path))
    assert str(refusal.value).startswith(f"{path}: This is not JSON")


def test_a_file_that_is_named_already_is_not_named_twice(monkeypatch):
    def refuse(path):
        raise InvalidCertificate(f"{path} is too long.")

    monkeypatch.setattr(shared, "load", refuse)
    with pytest.raises(InvalidCertificate, match=r"^c\.json is too long\.$"):
        shared.read("c.json")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be read: No such file or directory; check the path"):
        shared.read(str(tmp_path / "none.json"))


def test_a_file_may_hold_several_certificates(tmp_path):
    first, second = issue.declare(PureDP(1.0)), issue.declare(PureDP(2.0))
    assert shared.read(str(write(tmp_path / "c.json", first, second))) == (first, second)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Standing: proved. It holds.", "\x1b[1;32mproved\x1b[0m"),
        ("Standing: numerical. It holds.", "\x1b[1;33mnumerical\x1b[0m"),
        ("Standing: estimate. It is one.", "\x1b[1;31mestimate\x1b[0m"),
        ("c.json: confirmed: mu", "\x1b[1;32mconfirmed\x1b[0m"),
        ("c.json: refuted: mu", "\x1b[1;31mrefuted\x1b[0m"),
        ("c.json: cannot decide: mu", "\x1b[1;33mcannot decide\x1b[0m"),
    ],
)
def test_on_a_terminal_the_words_that_matter_have_a_colour(text, code, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert code in shared.coloured(text)


@pytest.mark.parametrize("text", ["it was proved", "x" * 500, "[bold]markup[/bold]", "a\n  b\n"])
def test_all_else_stays_as_it_is(text, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert shared.coloured(text) == text


def test_colours_are_for_terminals(capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shared.show("c.json: refuted: mu")
    assert capsys.readouterr().out == "c.json: refuted: mu\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    shared.show("c.json: refuted: mu")
    assert "\x1b[" in capsys.readouterr().out


def test_text_is_at_most_a_hundred_columns_wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert shared.width() == 100
    monkeypatch.setenv("COLUMNS", "60")
    assert shared.width() == 60
