from dataclasses import dataclass

import pytest

from leakbound.certificate.frozen import FrozenMap
from leakbound.errors import InvalidInput
from leakbound.synthetic import FixedSeeds, HiddenSeeds, Publication, PublicSeeds, SeedModel
from leakbound.synthetic.seeds.base import Bound, seed_model, seed_models

PUBLISHED = Publication(12, 1, 1, 1.0, 1.0)


def test_a_model_is_found_by_name_class_or_itself():
    for name, kind in {"fixed": FixedSeeds, "public": PublicSeeds, "hidden": HiddenSeeds}.items():
        assert seed_models()[name] is kind
        assert seed_model(name) == seed_model(kind) == seed_model(kind()) == kind()


@pytest.mark.parametrize("bad", ["private", "", None, 3, int, SeedModel, [], object()])
def test_other_seeds_are_refused(bad):
    with pytest.raises(
        InvalidInput, match=r"^seeds must be one of fixed, hidden, public, or a seed model, but got .+\.$"
    ):
        seed_model(bad)


def test_all_assumptions_add_the_norm_bound_where_there_is_one():
    plain = [a.id for a in FixedSeeds().all_assumptions(PUBLISHED)]
    assert plain == ["sensitivity-bound", "noise-added-once", "real-arithmetic"]
    bounded = [a.id for a in FixedSeeds().all_assumptions(Publication(12, 1, 1, 1.0, 1.0, 5.0))]
    assert bounded == ["sensitivity-bound", "norm-bound", "noise-added-once", "real-arithmetic"]


@dataclass(frozen=True)
class Straight(SeedModel):
    """A model whose delta falls on a line from one half."""

    def renyi(self, publication, order):
        raise NotImplementedError

    def delta(self, publication, epsilon):  # noqa: ARG002 - the arguments of every model
        return Bound(max(0.0, 0.5 - epsilon / 4), FrozenMap({"at": epsilon}))

    def assumptions(self):
        return ()


def test_epsilon_is_the_root_of_delta_on_the_safe_side():
    for delta in (0.4, 0.3, 0.1, 1e-9):
        found = Straight().epsilon(PUBLISHED, delta, within=10.0)
        assert found.evidence["at"] == found.value
        assert Straight().delta(PUBLISHED, found.value).value <= delta
        assert found.value == pytest.approx(2 - 4 * delta, rel=1e-9)


@pytest.mark.parametrize("delta", [0.5, 0.7, 0.999])
def test_a_delta_that_is_kept_at_zero_needs_no_epsilon(delta):
    assert Straight().epsilon(PUBLISHED, delta, within=10.0) == Bound(0.0, FrozenMap({"at": 0.0}))


def test_a_bound_has_no_evidence_unless_given():
    assert Bound(1.0).evidence == FrozenMap()
