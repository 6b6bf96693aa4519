import dataclasses

import pytest

from leakbound.certificate import Standing, assumption
from leakbound.certificate.method import Method, Problem
from leakbound.certificate.record import Record
from leakbound.certificate.verify import methods
from leakbound.guarantees import ARROWS
from leakbound.guarantees.compose import ROUTES
from leakbound.synthetic import Publication
from leakbound.synthetic.seeds.base import seed_models
from leakbound.synthetic.seeds.enclosed import EnclosedHiddenSeeds

ACCOUNT = {EnclosedHiddenSeeds.method, *(kind.method for kind in seed_models().values())}
ROUNDED = {"compose-pld", "account-public", "account-hidden"}  # held to more than closed forms are
PUBLISHED = Publication(features=1, outputs=1, rows=1, noise=1.0, sensitivity=1.0, norm_bound=1.0)
KNOWN = {value.id for value in vars(assumption).values() if isinstance(value, assumption.Assumption)}
KNOWN |= {one.id for kind in seed_models().values() for one in kind().all_assumptions(PUBLISHED)}


def test_a_method_is_held_tightly_and_rests_on_what_was_stated_unless_it_says_otherwise():
    method = Method(lambda _: ())
    assert method.tolerance == 1e-9
    assert method.firmest is Standing.PROVED
    assert method.assumptions == ("stated-guarantee",)
    assert method.direction == "upper"
    with pytest.raises(dataclasses.FrozenInstanceError):
        method.tolerance = 1.0


def test_a_problem_holds_the_certificate_and_nothing_computed():
    record = Record("claim", {})
    problem = Problem(claim=record, inputs=record, evidence=record, confidence=0.5, tolerance=1e-9)
    assert problem.outputs is None
    assert [field.name for field in dataclasses.fields(problem)] == [
        "claim", "inputs", "evidence", "confidence", "tolerance", "outputs",
    ]  # fmt: skip


def test_every_conversion_and_every_route_has_a_recomputation():
    wanted = {"declared", "holdout-clopper-pearson", "compose-same-kind"}
    wanted |= {arrow.method for arrow in ARROWS.values()} | {f"compose-{route}" for route in ROUTES}
    assert wanted | ACCOUNT == set(methods())


@pytest.mark.parametrize("name", sorted(methods()))
def test_every_method_names_assumptions_that_exist(name):
    method = methods()[name]
    assert method.assumptions
    assert set(method.assumptions) <= KNOWN
    assert 0 < method.tolerance <= 1e-2
    assert (method.tolerance == 1e-9) == (name not in ROUNDED)
