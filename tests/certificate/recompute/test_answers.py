import math

import pytest

from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.method import Problem
from leakbound.certificate.recompute import answers
from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import ball


def problem(claim, inputs=None, tolerance=1e-9):
    return Problem(
        claim=Record("claim", FrozenMap(claim)),
        inputs=Record("inputs", FrozenMap(inputs or {})),
        evidence=Record("evidence", FrozenMap()),
        confidence=1.0,
        tolerance=tolerance,
    )


APPROX = {"kind": "approx-dp", "epsilon": 2.0, "delta": math.exp(-2.0) * (1 + 1e-15)}


def decay(epsilon):
    """A profile for tests: e^-epsilon."""
    return (-ball(epsilon)).exp()


def statuses(checks):
    return [check.status for check in checks]


def test_a_claim_of_another_kind_is_refused():
    answers.expect_kind(problem({"kind": "gdp"}), "gdp")
    with pytest.raises(InvalidCertificate) as error:
        answers.expect_kind(problem({"kind": "gdp"}), "zcdp")
    assert str(error.value) == "This method gives zcdp claims, but the claim is of kind gdp; it does not fit."


@pytest.mark.parametrize(
    ("claimed", "larger_is_weaker", "status"),
    [(2.0, True, "confirmed"), (2.1, True, "confirmed"), (1.9, True, "refuted"), (1.9, False, "confirmed"),
     (2.1, False, "refuted")],
)  # fmt: skip
def test_a_number_is_judged_by_its_direction(claimed, larger_is_weaker, status):
    given = problem({"mu": claimed})
    assert answers.exactly(given, "mu", 2.0, larger_is_weaker=larger_is_weaker).status == status
    assert answers.number(given, "mu", (2.0, 2.0), larger_is_weaker=larger_is_weaker).status == status
    if larger_is_weaker:
        assert answers.formula(given, "mu", lambda: ball(4.0).sqrt()).status == status


def test_a_list_is_judged_entry_by_entry():
    claim = {"orders": [1.0, 2.0], "epsilons": [1.0, 2.0]}
    checks = list(answers.listed(problem(claim), "epsilons", "orders", (1.0, 2.0), ball))
    assert [check.name for check in checks] == ["orders entry", "epsilons at 1", "orders entry", "epsilons at 2"]
    assert statuses(checks) == ["confirmed"] * 4
    lower = list(answers.listed(problem({**claim, "epsilons": [1.0, 1.9]}), "epsilons", "orders", (1.0, 2.0), ball))
    assert statuses(lower) == ["confirmed"] * 3 + ["refuted"]
    higher = list(answers.listed(problem({**claim, "orders": [1.0, 2.1]}), "epsilons", "orders", (1.0, 2.0), ball))
    assert statuses(higher) == ["confirmed", "confirmed", "refuted", "confirmed"]


@pytest.mark.parametrize(
    "claim", [{"orders": [1.0], "epsilons": [1.0, 2.0]}, {"orders": [1.0, 2.0], "epsilons": [1.0]}]
)
def test_lists_of_other_lengths_are_refused(claim):
    with pytest.raises(InvalidCertificate, match=r"^The claim has \d orders, but 2 were given; it does not fit\.$"):
        list(answers.listed(problem(claim), "epsilons", "orders", (1.0, 2.0), ball))


def test_a_delta_asked_at_an_epsilon():
    assert statuses(answers.approximate(problem(APPROX, {"epsilon": 2.0}), decay)) == ["confirmed", "confirmed"]
    assert statuses(answers.approximate(problem(APPROX, {"epsilon": 2.1}), decay)) == ["refuted", "confirmed"]
    assert statuses(answers.approximate(problem(APPROX, {"epsilon": 1.9}), decay)) == ["confirmed", "refuted"]


def test_an_epsilon_asked_at_a_delta():
    for delta, wanted in (
        (APPROX["delta"], ["confirmed", "confirmed"]),
        (APPROX["delta"] * 1.01, ["refuted", "confirmed"]),
        (APPROX["delta"] * 0.99, ["confirmed", "refuted"]),
    ):
        assert statuses(answers.approximate(problem(APPROX, {"delta": delta}), decay)) == wanted


def test_a_probability_is_at_most_one():
    claim = {**APPROX, "epsilon": 0.0, "delta": 1.0}
    _, delta = answers.approximate(problem(claim, {"epsilon": 0.0}), lambda _: ball(1.0).exp())
    assert delta.status == "confirmed"
    assert delta.safe
    assert delta.high <= 1.0
    _, near = answers.approximate(problem(claim, {"epsilon": 0.0}), lambda _: 1 - ball(-100.0).exp())
    assert near.safe


@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 1.0, 5.0, 600.0])
@pytest.mark.parametrize(
    ("factor", "status"), [(1.0, "confirmed"), (1 - 2e-9, "refuted"), (0.5, "refuted"), (2.0, "confirmed")]
)
def test_the_least_epsilon_is_enclosed_near_the_claim(epsilon, factor, status):
    target = math.exp(-epsilon)
    claim = {**APPROX, "epsilon": epsilon * factor, "delta": target}

    def delta(e):
        """A profile that meets the target, which is a double, a little below epsilon."""
        return ball(target) * (ball(epsilon) * (1 - ball(1e-12)) - ball(e)).exp()

    _, found = answers.approximate(problem(claim, {"delta": target}), delta)
    assert found.status == status


@pytest.mark.parametrize(("claimed", "status"), [(2.0, "confirmed"), (1.0, "undecided"), (0.5, "undecided")])
def test_a_delta_that_cannot_be_told_from_the_target_is_neither_above_nor_below_it(claimed, status):
    def delta(epsilon):
        """One half in disguise below two, and less from there."""
        return ball(0.5).sqrt() ** 2 if epsilon < 2 else ball(0.25)

    claim = {**APPROX, "epsilon": claimed, "delta": 0.5}
    _, found = answers.approximate(problem(claim, {"delta": 0.5}), delta)
    assert found.status == status
    assert found.low == 0.0
    assert 2.0 <= found.high < 2.2


@pytest.mark.parametrize("wrong", [0.0, 1e-30, 1e-6, 0.5, 1.9999, 1e-300])
def test_a_claim_far_too_small_is_refuted_and_its_true_place_shown(wrong):
    claim = {**APPROX, "epsilon": wrong}
    _, found = answers.approximate(problem(claim, {"delta": APPROX["delta"]}), decay)
    assert found.status == "refuted"
    assert found.low == pytest.approx(2.0, rel=1e-5)
    assert found.high == pytest.approx(2.0, rel=1e-5)


def test_an_epsilon_of_zero_is_confirmed_where_it_holds():
    claim = {**APPROX, "epsilon": 0.0, "delta": 1.0}
    _, found = answers.approximate(problem(claim, {"delta": 1.0}), decay)
    assert found.status == "confirmed"


def test_an_infinite_epsilon_is_always_true_and_a_finite_one_refuted_where_none_is_enough():
    flat = {**APPROX, "epsilon": math.inf, "delta": 0.1}
    _, found = answers.approximate(problem(flat, {"delta": 0.1}), lambda _: ball(0.5))
    assert found.status == "confirmed"
    _, found = answers.approximate(problem({**flat, "epsilon": 3.0}, {"delta": 0.1}), lambda _: ball(0.5))
    assert found.status == "refuted"


def test_copied_numbers_keep_their_direction():
    given = Record("inputs.given", FrozenMap({"order": 2.0, "epsilon": 1.0}))
    weaker = {"order": False, "epsilon": True}
    for claim, wanted in (
        ({"order": 2.0, "epsilon": 1.0}, ["confirmed", "confirmed"]),
        ({"order": 3.0, "epsilon": 1.0}, ["refuted", "confirmed"]),
        ({"order": 1.0, "epsilon": 0.9}, ["confirmed", "refuted"]),
    ):
        checks = answers.copied(problem({"kind": "kernel-renyi", **claim}), "kernel-renyi", given, weaker=weaker)
        assert statuses(checks) == wanted


def test_a_family_has_its_name_and_parameters():
    claim = {"kind": "profile", "family": "gaussian", "parameters": {"mu": 1.0}}
    assert statuses(answers.family(problem(claim), "profile", "gaussian", {"mu": 1.0})) == ["confirmed"]
    assert statuses(answers.family(problem(claim), "profile", "gaussian", {"mu": 1.1})) == ["refuted"]
    for wrong, found in ((claim, "gaussian"), ({"kind": "profile", "lines": [[1.0, 0.0]]}, "lines")):
        with pytest.raises(InvalidCertificate) as error:
            list(answers.family(problem(wrong), "profile", "laplace", {"epsilon": 1.0}))
        assert str(error.value) == f"This method gives the family laplace, but the claim has {found}; it does not fit."
