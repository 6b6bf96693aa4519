import json

import pytest

from leakbound.certificate import load
from leakbound.synthetic import account

GIVEN = ("--features", "12", "--outputs", "1", "--rows", "2", "--noise", "1", "--sensitivity", "1")
NUMBERS = {"features": 12, "outputs": 1, "rows": 2, "noise": 1.0, "sensitivity": 1.0}


@pytest.mark.parametrize("seeds", ["fixed", "public", "hidden"])
def test_json_is_the_certificate_of_the_library(seeds, run):
    done = run("account", *GIVEN, "--seeds", seeds, "--delta", "1e-6", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.certificates == (account(**NUMBERS, seeds=seeds, delta=1e-6),)
    assert isinstance(json.loads(done.out), dict)


def test_nothing_asked_is_epsilon_at_one_in_100_000_for_fixed_seeds(run):
    done = run("account", *GIVEN, "--json")
    assert done.certificates == (account(**NUMBERS, seeds="fixed", delta=1e-5),)


def test_orders_and_delta_and_epsilon_are_certificates_of_their_own(run):
    options = ("--order", "2", "--order", "4", "--delta", "1e-6", "--epsilon", "1", "--norm-bound", "3")
    done = run("account", *GIVEN, *options, "--seeds", "public", "--neighbouring", "add-or-remove-one", "--json")
    common = {**NUMBERS, "norm_bound": 3.0, "seeds": "public", "neighbouring": "add-or-remove-one"}
    expected = [account(**common, **asked) for asked in ({"orders": [2.0, 4.0]}, {"delta": 1e-6}, {"epsilon": 1.0})]
    assert list(done.certificates) == expected


def test_text_shows_every_seed_model_for_growing_rows_and_where_rows_stop_paying(run):
    done = run("account", *GIVEN[:5], "20", *GIVEN[6:], "--seeds", "public", "--order", "2")
    assert (done.code, done.err) == (0, "")
    table = done.out[done.out.index("Renyi divergence at order 2 for growing rows:") :].splitlines()
    assert table[1].split() == ["rows", "model", "public", "hidden"]
    assert [line.split()[0] for line in table[2:7]] == ["1", "2", "5", "10", "20"]
    assert [float(number) for number in table[2].split()[1:]] == pytest.approx([1.0, 0.0891927, 0.0452345], rel=1e-5)
    assert table[7:] == [
        "With public seeds, from 12 rows on less than 1 % is saved over publishing the model.",
        "With hidden seeds, 20 rows still leak less than the model.",
    ]


def test_a_file_has_the_table_as_curves_and_the_report_draws_them(tmp_path, run):
    done = run("account", *GIVEN, "--delta", "1e-5", "-o", tmp_path / "rows.json")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("rows.json; `leakbound report` draws it.\n")
    [certificate] = load(tmp_path / "rows.json")
    assert certificate.with_(series={}) == account(**NUMBERS, seeds="fixed", delta=1e-5)
    assert certificate.series["epsilon against rows: hidden"]["x"] == (1.0, 2.0)
    assert run("verify", tmp_path / "rows.json").code == 0
    assert run("report", tmp_path / "rows.json", "-o", tmp_path / "page.html").code == 0
    assert "Epsilon against rows" in (tmp_path / "page.html").read_text()


def test_json_and_a_file_print_the_table_on_standard_error(tmp_path, run):
    done = run("account", *GIVEN, "--order", "2", "--json", "-o", tmp_path / "rows.json")
    assert done.code == 0
    assert done.certificates == load(tmp_path / "rows.json")
    assert "Renyi divergence at order 2 for growing rows:" in done.err


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--rows", "0", "--rows must be a whole number of at least 1, but got --rows='0'; give one."),
        ("--features", "2.5", "--features must be a whole number of at least 1, but got --features='2.5'; give one."),
        ("--noise", "0", "noise must be a number greater than 0, but got noise=0.0; give one."),
        ("--noise", "nan", "noise must be a number greater than 0, but got noise=nan; give one."),
        ("--sensitivity", "-1", "sensitivity must be a number greater than 0, but got sensitivity=-1.0; give one."),
        ("--norm-bound", "-2", "norm_bound must be a number greater than 0, but got norm_bound=-2.0; give one."),
        ("--seeds", "secret", "seeds must be one of fixed, hidden, public, or a seed model, but got 'secret'."),
        ("--delta", "x", "--delta must be a number, but got --delta='x'; give one."),
        ("--delta", "2", "delta must be a number in [0, 1], but got delta=2.0; give one."),
    ],
)
def test_bad_input_is_one_sentence(option, value, sentence, run):
    given = [*GIVEN, "--seeds", "public"]
    if option in given:
        given[given.index(option) + 1] = value
    else:
        given += [option, value]
    assert run("account", *given, "--json").refuses() == sentence


@pytest.mark.parametrize("order", ["1e-3", "0.5", "nan", "-2"])
def test_an_order_below_one_is_refused(order, run):
    assert "order" in run("account", *GIVEN, "--seeds", "public", "--order", order, "--json").refuses()


def test_rigorous_is_a_proved_certificate(run):
    options = ("--seeds", "hidden", "--norm-bound", "1", "--order", "2", "--rigorous", "--json")
    [certificate] = run("account", *GIVEN, *options).certificates
    assert (certificate.standing.value, certificate.method) == ("proved", "account-hidden-rigorous")
