import pytest
from tests.cli.commands import write

from leakbound.certificate import issue
from leakbound.guarantees import GaussianDP, PureDP, ZeroConcentratedDP


@pytest.fixture
def files(tmp_path):
    return {
        "gauss": write(tmp_path / "gauss.json", issue.declare(GaussianDP(0.5))),
        "pure": write(tmp_path / "pure.json", issue.declare(PureDP(0.2))),
        "both": write(tmp_path / "both.json", issue.declare(PureDP(0.1)), issue.declare(ZeroConcentratedDP(0.1))),
        "other": write(tmp_path / "other.json", issue.declare(PureDP(0.2, neighbouring="replace-one"))),
    }


def test_one_kind_composes_into_that_kind(files, run):
    done = run("compose", files["gauss"], "--times", "4", "--json")
    assert (done.code, done.err) == (0, "")
    assert [c.claim for c in done.certificates] == [GaussianDP(1.0)]


def test_a_file_named_twice_counts_twice(files, run):
    twice = run("compose", files["pure"], files["pure"], "--times", "5", "--json")
    ten_times = run("compose", files["pure"], "--times", "10", "--json")
    assert twice.certificates == ten_times.certificates
    assert twice.certificates[0].claim.epsilon == pytest.approx(2.0, rel=1e-15)


def test_a_file_may_hold_several_certificates(files, run):
    done = run("compose", files["both"], files["pure"], "--delta", "1e-5", "--json")
    expected = issue.compose([PureDP(0.1), ZeroConcentratedDP(0.1), PureDP(0.2)], delta=1e-5)
    assert done.certificates == (expected,)


def test_text_says_what_every_route_gives(files, run):
    done = run("compose", files["both"], "--delta", "1e-5")
    assert (done.code, done.err) == (0, "")
    table = done.out[done.out.index("Epsilon at delta 1e-05 by every route:") :].splitlines()
    assert [line.split()[0] for line in table[1:]] == ["zcdp", "renyi"]
    assert sum(line.endswith("(used)") for line in table) == 1


def test_delta_is_read_at_an_epsilon(files, run):
    done = run("compose", files["gauss"], "--epsilon", "1")
    assert "Delta at epsilon 1 by every route:\n  gaussian  0.0068296  (used)\n" in done.out


def test_a_total_of_one_kind_has_no_routes(files, run):
    assert "route" not in run("compose", files["gauss"]).out


@pytest.mark.parametrize(
    ("names", "options", "sentence"),
    [
        (
            ("gauss", "pure"),
            (),
            "Guarantees of different kinds (gdp, pure-dp) compose only to a target; give delta or epsilon.",
        ),
        (
            ("other", "pure"),
            (),
            "Guarantees compose only under one neighbouring relation, but got as-stated and replace-one; restate them"
            " for one relation.",
        ),
        (
            ("pure",),
            ("--delta", "0", "--epsilon", "1"),
            "Give exactly one of epsilon and delta, but got epsilon=1.0 and delta=0.0.",
        ),
        (("pure",), ("--times", "0"), "--times must be a whole number of at least 1, but got --times='0'; give one."),
        (("pure",), ("--delta", "nan"), "delta must be a number in [0, 1], but got delta=nan; give one."),
        (("pure",), ("--delta", "x"), "--delta must be a number, but got --delta='x'; give one."),
    ],
)
def test_bad_input_is_refused_in_one_sentence(names, options, sentence, files, run):
    given = [files[name] for name in names]
    assert run("compose", *given, *options).refuses().replace("times=0;", "times='0';") == sentence


def test_a_lower_bound_does_not_compose(tmp_path, run):
    low = issue.declare(PureDP(0.2)).with_(direction="lower")
    assert run("compose", write(tmp_path / "low.json", low)).refuses().startswith("Only upper bounds compose")


def test_what_is_not_a_certificate_is_refused_by_name(tmp_path, files, run):
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    assert run("compose", files["pure"], bad).refuses() == f"{bad}: The list holds no certificate."
