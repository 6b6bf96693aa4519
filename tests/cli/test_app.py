import sys
from importlib.metadata import version

import pytest

from leakbound.cli import main


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_a_missing_package_is_named_with_its_extra(package, run, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    assert run("convert", "--gdp", "1", "--to", "zcdp").refuses() == (
        f"{package} is needed here and is not installed; install it with pip install 'leakbound[cli]'."
    )


def test_without_arguments_the_process_s_own_are_taken(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["leakbound", "--version"])
    assert main() == 0
    assert capsys.readouterr().out == f"leakbound {version('leakbound')}\n"


def test_the_version_is_all_that_is_printed(run):
    done = run("--version")
    assert (done.code, done.out, done.err) == (0, f"leakbound {version('leakbound')}\n", "")


@pytest.mark.parametrize("command", ["convert", "compose", "verify", "report", "demo"])
def test_every_command_has_a_help_page(command, run):
    done = run(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"leakbound {command}" in done.out
    assert command in run("--help").out


def test_the_help_page_says_the_exit_codes_and_offers_no_shell_completion(run):
    page = run("--help").out
    assert "Exit codes: 0 fine, confirmed; 1 the answer is no, refuted; 2 bad input; 3 cannot decide; 70" in page
    assert "completion" not in page


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Missing command; see leakbound --help."),
        (("foo",), "No such command 'foo'; see leakbound --help."),
        (("--foo",), "No such option: --foo; see leakbound --help."),
        (("verify",), "Missing argument 'CERT...'; see leakbound verify --help."),
        (("report", "c.json"), "Missing option '-o' / '--output'; see leakbound report --help."),
        (("convert", "--gdp", "1"), "Missing option '--to'; see leakbound convert --help."),
        (("convert", "--gdp"), "Option '--gdp' requires an argument; see leakbound --help."),
        (("convert", "--json", "--gdp", "1"), "Missing option '--to'; see leakbound convert --help."),
        (("convert", "--to", "zcdp", "--bogus"), "No such option: --bogus; see leakbound convert --help."),
        (("demo", "extra"), "Got unexpected extra argument(s) (extra); see leakbound demo --help."),
    ],
)
def test_a_usage_error_is_one_sentence(arguments, sentence, run):
    assert run(*arguments).refuses() == sentence


def test_an_option_given_twice_is_refused(run):
    sentence = run("convert", "--gdp", "1", "--to", "zcdp", "--gdp", "2").refuses()
    assert sentence == "--gdp was given 2 times; give it once."


def test_a_flag_may_be_repeated_and_options_of_several_values_too(run):
    done = run("convert", "--gdp", "1", "--to", "renyi", "--order", "2", "--order", "4", "--json", "--json")
    assert done.certificates[0].claim.epsilons == (1.0, 2.0)


def test_what_no_one_expected_is_an_internal_error(run, monkeypatch):
    monkeypatch.setattr("leakbound.certificate.issue.convert", lambda *_, **__: 1 / 0)
    sentence = run("convert", "--gdp", "1", "--to", "zcdp").refuses(70)
    assert sentence == (
        "Internal error, please report it: ZeroDivisionError: 'division by zero'; LEAKBOUND_DEBUG=1 shows where."
    )


def test_an_interruption_has_its_code(run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("leakbound.certificate.issue.convert", interrupted)
    assert run("convert", "--gdp", "1", "--to", "zcdp").refuses(130).startswith("Interrupted: ")
