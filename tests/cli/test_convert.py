import math

import pytest

from leakbound.certificate import issue
from leakbound.guarantees import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP


@pytest.mark.parametrize(
    ("arguments", "given", "target", "options"),
    [
        (("--gdp", "1", "--to", "zcdp"), GaussianDP(1.0), "zcdp", {}),
        (("--gdp", "1", "--to", "approx-dp", "--delta", "1e-5"), GaussianDP(1.0), "approx-dp", {"delta": 1e-5}),
        (("--gdp", "1", "--to", "approx-dp", "--epsilon", "2"), GaussianDP(1.0), "approx-dp", {"epsilon": 2.0}),
        (("--gdp", "inf", "--to", "zcdp"), GaussianDP(math.inf), "zcdp", {}),
        (("--gdp", "1", "--to", "renyi", "--order", "2"), GaussianDP(1.0), "renyi", {"orders": [2.0]}),
        (
            ("--gdp", "1", "--to", "renyi", "--order", "2", "--order", "4"),
            GaussianDP(1.0),
            "renyi",
            {"orders": [2.0, 4.0]},
        ),
        (("--zcdp", "0.5", "--to", "renyi", "--order", "2"), ZeroConcentratedDP(0.5), "renyi", {"orders": [2.0]}),
        (("--pure-dp", "1", "--to", "pure-dp"), PureDP(1.0), "pure-dp", {}),
        (
            ("--approx-dp", "1:1e-5", "--to", "approx-dp", "--delta", "1e-4"),
            ApproxDP(1, 1e-5),
            "approx-dp",
            {"delta": 1e-4},
        ),
        (("--approx-dp", "inf:1", "--to", "tradeoff"), ApproxDP(math.inf, 1), "tradeoff", {}),
        (
            ("--renyi", "8:2", "--renyi", "2:0.5", "--to", "tradeoff", "--epsilon", "1", "--epsilon", "2"),
            RenyiDP((2, 8), (0.5, 2)),
            "tradeoff",
            {"epsilons": [1.0, 2.0]},
        ),
        (
            ("--renyi", "2:.5", "--to", "kernel-renyi", "--order", "1.5", "--kernel", "rbf", "--regularization", "0.1"),
            RenyiDP((2,), (0.5,)),
            "kernel-renyi",
            {"order": 1.5, "kernel": "rbf", "regularization": 0.1},
        ),
        (
            ("--pure-dp", "1", "--to", "mutual-information", "--records", "9", "--independent"),
            PureDP(1.0),
            "mutual-information",
            {"records": 9, "independent": True},
        ),
        (
            ("--pure-dp", "1", "--to", "max-information", "--records", "9"),
            PureDP(1.0),
            "max-information",
            {"records": 9},
        ),
    ],
)
def test_the_command_does_what_the_call_does(arguments, given, target, options, run):
    done = run("convert", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.certificates == (issue.convert(given, target, **options),)


def test_the_relation_is_passed_on(run):
    done = run("convert", "--gdp", "1", "--to", "zcdp", "--neighbouring", "label-only", "--json")
    assert done.certificates[0].neighbouring == "label-only"


def test_text_has_the_standing_first(run):
    done = run("convert", "--gdp", "1", "--to", "approx-dp", "--delta", "1e-5")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Standing: proved. It holds")
    assert "\nClaim: The leakage is at most (4.37718, 1e-05)-DP.\n" in done.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--to", "zcdp"), "Give exactly one of --gdp, --renyi, --zcdp, --approx-dp, --pure-dp, but got none."),
        (
            ("--gdp", "1", "--zcdp", "1", "--to", "zcdp"),
            "Give exactly one of --gdp, --renyi, --zcdp, --approx-dp, --pure-dp, but got --gdp and --zcdp.",
        ),
        (("--gdp", "nan", "--to", "zcdp"), "mu must be a number of at least 0, but got mu=nan; give one."),
        (("--gdp", "-1", "--to", "zcdp"), "mu must be a number of at least 0, but got mu=-1.0; give one."),
        (("--gdp", "x", "--to", "zcdp"), "--gdp must be a number, but got --gdp='x'; give one."),
        (
            ("--approx-dp", "1", "--to", "tradeoff"),
            "--approx-dp must be EPS:DELTA, two numbers such as 2:0.5, but got --approx-dp='1'.",
        ),
        (
            ("--approx-dp", "1:2:3", "--to", "tradeoff"),
            "--approx-dp must be EPS:DELTA, two numbers such as 2:0.5, but got --approx-dp='1:2:3'.",
        ),
        (
            ("--renyi", "2:x", "--to", "approx-dp", "--delta", "0.1"),
            "--renyi must be ORDER:EPS, two numbers such as 2:0.5, but got --renyi='2:x'.",
        ),
        (
            ("--renyi", "2:nan", "--to", "approx-dp", "--delta", "0.1"),
            "epsilons must be a number of at least 0, but got epsilons=nan; give one.",
        ),
        (("--gdp", "1", "--to", "renyi"), "The conversion gdp-to-renyi needs --order; give it."),
        (("--renyi", "2:1", "--to", "tradeoff"), "The conversion renyi-to-tradeoff needs --epsilon; give it."),
        (
            ("--pure-dp", "1", "--to", "max-information"),
            "The conversion pure-dp-to-max-information needs --records; give it.",
        ),
        (
            ("--renyi", "2:1", "--to", "kernel-renyi", "--order", "2"),
            "The conversion renyi-to-kernel-renyi needs --kernel; give it.",
        ),
        (
            ("--gdp", "1", "--to", "approx-dp", "--epsilon", "1", "--epsilon", "2"),
            "The conversion gdp-to-approx-dp takes one --epsilon, but got 2; give one.",
        ),
        (
            ("--gdp", "1", "--to", "approx-dp"),
            "Give exactly one of epsilon and delta, but got epsilon=None and delta=None.",
        ),
        (
            ("--gdp", "1", "--to", "zcdp", "--delta", "0.1"),
            "The conversion gdp-to-zcdp takes no option, but got delta; leave it out.",
        ),
        (
            ("--zcdp", "1", "--to", "gdp"),
            "No conversion leads from zcdp to gdp; from zcdp one reaches approx-dp, renyi, mutual-information.",
        ),
        (
            ("--pure-dp", "1", "--to", "mutual-information", "--records", "0"),
            "--records must be a whole number of at least 1, but got --records='0'; give one.",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments, sentence, run):
    assert run("convert", *arguments).refuses() == sentence
    assert run("convert", *arguments, "--json").refuses() == sentence


def test_an_unknown_relation_is_refused(run):
    sentence = run("convert", "--gdp", "1", "--to", "zcdp", "--neighbouring", "x").refuses()
    assert sentence.endswith("but got neighbouring='x'.")
