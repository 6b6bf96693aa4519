import math

import pytest

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import ApproxDP, GaussianDP
from leakbound.synthetic import FixedSeeds, Publication, account, largest_rows, smallest_noise
from leakbound.synthetic.account import bounded_delta
from leakbound.synthetic.seeds.base import seed_model

SETTING = {"features": 100, "outputs": 1, "sensitivity": 1.0}


def delta(seeds, epsilon, **changes):
    published = Publication(**{**SETTING, "noise": 1.0, "rows": 1, **changes})
    return bounded_delta(published, seed_model(seeds), epsilon).value


@pytest.mark.parametrize(("epsilon", "allowed"), [(1.0, 1e-3), (0.5, 0.05), (0.1, 0.1)])
@pytest.mark.parametrize("outputs", [1, 4])
def test_the_largest_rows_keep_the_target_and_one_more_does_not(epsilon, allowed, outputs):
    rows = largest_rows(ApproxDP(epsilon, allowed), **{**SETTING, "outputs": outputs}, noise=1.0, seeds="public")
    assert 1 <= rows < 100
    assert delta("public", epsilon, rows=rows, outputs=outputs) <= allowed
    assert delta("public", epsilon, rows=rows + 1, outputs=outputs) > allowed


def test_no_row_keeps_a_strict_target_and_all_rows_an_easy_one():
    assert largest_rows(ApproxDP(0.1, 1e-9), **SETTING, noise=1.0, seeds="public") == 0
    assert largest_rows(ApproxDP(5.0, 1e-3), **SETTING, noise=1.0, seeds="public", limit=123) == 123
    assert largest_rows(ApproxDP(1.0, 0.1), **SETTING, noise=1.0, norm_bound=0.1, seeds="fixed", limit=5) == 5


def test_hidden_seeds_keep_more_rows():
    target, setting = ApproxDP(0.5, 0.06), {**SETTING, "features": 5}
    rows = {s: largest_rows(target, **setting, noise=1.0, seeds=s, limit=3) for s in ("fixed", "public", "hidden")}
    assert rows["fixed"] == 0 <= rows["public"] < rows["hidden"]


@pytest.mark.parametrize("seeds", ["fixed", "public"])
@pytest.mark.parametrize(("epsilon", "allowed"), [(1.0, 1e-5), (0.2, 0.01), (8.0, 1e-9)])
def test_the_smallest_noise_keeps_the_target_and_a_little_less_does_not(seeds, epsilon, allowed):
    noise = smallest_noise(ApproxDP(epsilon, allowed), **SETTING, rows=3, seeds=seeds)
    assert delta(seeds, epsilon, noise=noise, rows=3) <= allowed
    assert delta(seeds, epsilon, noise=noise * (1 - 3e-4), rows=3) > allowed


def test_certificates_at_the_answers_keep_the_target():
    noise = smallest_noise(ApproxDP(1.0, 1e-4), **SETTING, rows=3, seeds="public")
    assert account(**SETTING, rows=3, noise=noise, seeds="public", epsilon=1.0).claim.delta <= 1e-4


def test_random_seeds_need_less_noise_than_fixed_ones():
    target = ApproxDP(1.0, 1e-5)
    fixed = smallest_noise(target, **SETTING, rows=1, seeds=FixedSeeds)
    assert smallest_noise(target, **SETTING, rows=1, seeds="public") < 0.5 * fixed
    assert fixed == pytest.approx(3.7306, rel=2e-4)


def test_a_target_that_no_noise_keeps_needs_infinitely_much():
    assert smallest_noise(ApproxDP(1.0, 0.0), **SETTING, rows=1, seeds="public") == math.inf


def test_a_target_that_everything_keeps_needs_next_to_no_noise():
    noise = smallest_noise(ApproxDP(1.0, 1.0), **SETTING, rows=1, seeds="public")
    assert 0 < noise <= 1e-140


@pytest.mark.parametrize("target", [GaussianDP(1.0), (1.0, 1e-5), None])
def test_other_targets_are_refused(target):
    with pytest.raises(
        NoTheorem, match=r"^The target must be an \(epsilon, delta\) guarantee, but got .+ an ApproxDP\.$"
    ):
        largest_rows(target, **SETTING, noise=1.0, seeds="public")
    with pytest.raises(NoTheorem, match="give an ApproxDP"):
        smallest_noise(target, **SETTING, rows=1, seeds="public")


@pytest.mark.parametrize("bad", [0, 2.5, math.nan, True, -1])
def test_counts_are_whole(bad):
    with pytest.raises(InvalidInput, match=r"^limit must .*, but got limit="):
        largest_rows(ApproxDP(1.0, 0.1), **SETTING, noise=1.0, seeds="public", limit=bad)
    with pytest.raises(InvalidInput, match=r"^rows must .*, but got rows="):
        smallest_noise(ApproxDP(1.0, 0.1), **SETTING, rows=bad, seeds="public")


@pytest.mark.parametrize("bad", [0, -1.0, math.nan, True, math.inf])
def test_lengths_are_positive(bad):
    with pytest.raises(InvalidInput, match=r"^noise must .*, but got noise="):
        largest_rows(ApproxDP(1.0, 0.1), **SETTING, noise=bad, seeds="public")
    with pytest.raises(InvalidInput, match=r"^sensitivity must .*, but got sensitivity="):
        smallest_noise(ApproxDP(1.0, 0.1), **{**SETTING, "sensitivity": bad}, rows=1, seeds="public")
    with pytest.raises(InvalidInput, match=r"^seeds must be one of"):
        smallest_noise(ApproxDP(1.0, 0.1), **SETTING, rows=1, seeds=bad)
