import math
import sys

import pytest
from tests.oracles import gaussian_oracle, polygon_oracle, renyi_oracle
from tests.oracles.composition_oracle import two_laplace
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput, MissingExtra, NoTheorem
from leakbound.guarantees import (
    ApproxDP,
    DPCurve,
    GaussianCurve,
    GaussianDP,
    LaplaceCurve,
    MaxInformation,
    MutualInformation,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    Statements,
    TradeOff,
    ZeroConcentratedDP,
)
from leakbound.guarantees.compose import (
    ORDERS,
    ROUTES,
    compose,
    concentrated_total,
    counted_parts,
    curve_of,
    renyi_total,
    total,
)
from leakbound.numerics.ball import ball

WITHOUT_PLD = tuple(name for name in ROUTES if name != "pld")


def routes(*parts, **asked):
    return dict(compose(parts, **asked).routes)


def test_equal_parts_are_counted_together():
    parts = [PureDP(1.0), (PureDP(0.5), 3), PureDP(1.0), (PureDP(1.0), 2)]
    assert counted_parts(iter(parts)) == ((PureDP(1.0), 4), (PureDP(0.5), 3))


@pytest.mark.parametrize("bad", [None, 1.0, "gdp", (1.0, 2), (PureDP(1.0), 2, 3), [PureDP(1.0), 2]])
def test_parts_are_guarantees_with_counts(bad):
    with pytest.raises(InvalidInput, match=r"^parts must hold guarantees or \(guarantee, count\) pairs, but got "):
        counted_parts([PureDP(1.0), bad])


def test_counts_are_checked_and_something_is_needed():
    for count in (0, -1, 1.5, True, math.nan):
        with pytest.raises(InvalidInput, match=r"^count must be a whole number of at least 1 and at most"):
            counted_parts([(PureDP(1.0), count)])
    with pytest.raises(InvalidInput, match=r"^parts must hold at least one guarantee, but is empty; give one"):
        compose([], delta=0.1)


def test_one_kind_composes_into_that_kind():
    assert total([PureDP(0.5), (PureDP(0.25), 4)]) == PureDP(1.5)
    assert total([MutualInformation(0.5), MutualInformation(0.5)]) == MutualInformation(1.0)
    with pytest.raises(InvalidInput, match=r"of different kinds \(gdp, pure-dp\) compose only to a target"):
        total([PureDP(1.0), GaussianDP(1.0)])
    with pytest.raises(InvalidInput, match="only under one neighbouring relation"):
        total([PureDP(1.0), PureDP(1.0, neighbouring="replace-one")])


def test_relations_never_mix_and_are_kept():
    with pytest.raises(InvalidInput, match="only under one neighbouring relation"):
        compose([PureDP(1.0), GaussianDP(1.0, neighbouring="replace-one")], delta=0.1)
    for given in (PureDP(0.5), GaussianDP(0.5), ZeroConcentratedDP(0.5), RenyiDP((2,), (0.5,)), ApproxDP(0.5, 0.01)):
        held = type(given).from_claim(given.claim(), "label-only")
        assert compose([held], delta=0.1).guarantee.neighbouring == "label-only"


def test_the_curve_a_guarantee_is_equal_to():
    assert curve_of(PureDP(1.0)) == DPCurve(1.0, 0.0)
    assert curve_of(ApproxDP(1.0, 0.5)) == DPCurve(1.0, 0.5)
    assert curve_of(GaussianDP(1.0)) == GaussianCurve(1.0)
    assert curve_of(PrivacyProfile(LaplaceCurve(1.0))) == curve_of(TradeOff(LaplaceCurve(1.0))) == LaplaceCurve(1.0)
    assert curve_of(ZeroConcentratedDP(1.0)) is None


def test_ten_uses_of_randomised_response():
    found = compose([(PureDP(math.log(3)), 10)], delta=0.0)
    assert found.route == "optimal"
    assert found.guarantee.epsilon == PureDP(math.log(3)).compose(10).epsilon
    assert found.guarantee.epsilon == pytest.approx(10 * math.log(3), rel=1e-15)


def test_randomised_response_is_never_below_the_exact_value():
    for uses in (1, 2, 5):
        for epsilon in (0.0, 0.75, 1.5):
            asked = dict(routes((PureDP(0.5), uses), epsilon=epsilon, routes=WITHOUT_PLD))
            asked |= routes((PureDP(0.5), uses), epsilon=epsilon, routes=("basic", "zcdp", "renyi", "pld"))
            for name, delta in asked.items():
                beyond = excess(delta, lambda t=epsilon, n=uses: renyi_oracle.two_point_hockey_stick(0.5, t, n))
                assert beyond >= 0, (name, uses, epsilon)
                assert name != "optimal" or beyond <= 1e-15, (uses, epsilon)
                assert name != "pld" or delta == pytest.approx(asked["optimal"], rel=1e-3, abs=1e-12)


def test_approximate_guarantees_compose_optimally():
    epsilon, delta, uses = 0.5, 0.01, 3
    for threshold in (0.0, 0.25, 1.0):
        found = compose([(ApproxDP(epsilon, delta), uses)], epsilon=threshold)

        def exact(t=threshold):
            pure = renyi_oracle.two_point_hockey_stick(epsilon, t, uses)
            return 1 - (1 - ball(delta)) ** uses * (1 - pure)

        assert found.route == "optimal"
        assert 0 <= excess(found.guarantee.delta, exact) <= 1e-15
    single = compose([ApproxDP(epsilon, delta)], epsilon=0.25).guarantee.delta
    assert 0 <= excess(single, lambda: polygon_oracle.hockey_stick(((epsilon, delta),), 0.25)) <= 1e-15


@pytest.mark.parametrize("delta", [0.25, 1e-5, 1e-18])
def test_one_approximate_guarantee_gives_itself_back(delta):
    found = compose([ApproxDP(1.0, delta)], delta=delta, routes=WITHOUT_PLD)
    assert found.guarantee.epsilon == pytest.approx(1.0, rel=1e-9)


def test_a_thousand_gaussians_of_noise_fifty():
    found = compose([(GaussianDP(1 / 50), 1000)], delta=1e-5)
    assert found.route == "gaussian"
    mu = math.sqrt(1000) / 50
    assert excess(1e-5, lambda: gaussian_oracle.hockey_stick(mu, found.guarantee.epsilon * (1 + 1e-10))) > 0
    assert excess(1e-5, lambda: gaussian_oracle.hockey_stick(mu, found.guarantee.epsilon * (1 - 1e-10))) < 0
    small = compose([(GaussianDP(1 / 50), 1000)], delta=1e-18)
    assert excess(1e-18, lambda: gaussian_oracle.hockey_stick(mu, small.guarantee.epsilon * (1 + 1e-10))) > 0


def test_no_route_is_below_the_exact_gaussian():
    asked = routes((GaussianDP(0.5), 4), epsilon=1.5, routes=("zcdp", "renyi", "pld"))
    assert set(asked) == {"zcdp", "renyi", "pld"}
    exact = compose([GaussianDP(1.0)], epsilon=1.5).guarantee.delta
    assert all(delta >= exact for delta in asked.values())
    assert asked["pld"] == pytest.approx(exact, rel=1e-4)


def test_two_laplace_mechanisms_are_never_below_the_exact_value():
    part = PrivacyProfile(LaplaceCurve(0.5))
    for epsilon in (0.0, 0.3, 0.8):
        found = compose([(part, 2)], epsilon=epsilon)
        exact = float(two_laplace(0.5, epsilon))
        assert set(dict(found.routes)) == {"renyi", "pld"}
        assert found.route == "pld"
        assert all(delta >= exact for _, delta in found.routes)
        assert found.guarantee.delta == pytest.approx(exact, rel=1e-3)


def test_a_delta_below_what_transforms_resolve_is_left_to_other_routes():
    found = compose([(PrivacyProfile(LaplaceCurve(0.1)), 10)], delta=1e-18)
    assert dict(found.routes)["pld"] == math.inf
    assert found.route == "renyi"
    assert found.guarantee.epsilon < 1.1


def test_the_smallest_route_is_taken_and_all_are_told():
    found = compose([PureDP(0.1), ApproxDP(0.2, 1e-6)], epsilon=0.25, routes=WITHOUT_PLD)
    assert found.route == "basic"
    assert dict(found.routes) == {"basic": found.guarantee.delta}
    several = compose([(PureDP(0.1), 50), GaussianDP(0.1)], delta=1e-6, routes=WITHOUT_PLD)
    assert set(dict(several.routes)) == {"zcdp", "renyi"}
    assert several.guarantee.epsilon == min(value for _, value in several.routes)
    assert dict(several.routes)[several.route] == several.guarantee.epsilon


def test_totals_by_zcdp():
    parts = counted_parts(
        [(GaussianDP(1.0), 4), ZeroConcentratedDP(0.5), PureDP(1.0), PrivacyProfile(GaussianCurve(2))]
    )
    assert concentrated_total(parts, "as-stated").rho == pytest.approx(2 + 0.5 + math.tanh(0.5) + 2, rel=1e-15)
    for other in (ApproxDP(1.0, 0.1), RenyiDP((2,), (0.5,)), PrivacyProfile(LaplaceCurve(1.0))):
        assert concentrated_total([(other, 1)], "as-stated") is None


def test_totals_by_renyi():
    parts = counted_parts([(GaussianDP(1.0), 4), ZeroConcentratedDP(0.5), PrivacyProfile(LaplaceCurve(1.0))])
    found = renyi_total(parts, "as-stated")
    assert found.orders == tuple(map(float, ORDERS))
    assert found.epsilons[3] == pytest.approx(4.0 + 1.0 + LaplaceCurve(1.0).renyi(2.0), rel=1e-15)
    fixed = counted_parts([RenyiDP((2, 3, 9), (0.1, 0.2, 0.3)), RenyiDP((3, 4, 9), (0.1, 0.2, 0.3)), GaussianDP(1.0)])
    assert renyi_total(fixed, "as-stated").orders == (3.0, 9.0)
    none_shared = counted_parts([RenyiDP((2,), (0.1,)), RenyiDP((3,), (0.1,)), ZeroConcentratedDP(0.5)])
    assert renyi_total(none_shared, "as-stated") is None
    assert renyi_total([(ApproxDP(1.0, 0.1), 1)], "as-stated") is None
    assert renyi_total([(MaxInformation(1.0, 0.1), 1)], "as-stated") is None


def test_optimal_composition_ends_at_two_thousand_uses_of_one_part():
    assert ROUTES["optimal"]([(PureDP(0.1), 2001)], 5.0, None, "as-stated") is None
    assert ROUTES["optimal"]([(PureDP(0.1), 2000)], 250.0, None, "as-stated").delta == 0.0
    assert ROUTES["optimal"]([(PureDP(0.1), 1), (PureDP(0.2), 1)], 5.0, None, "as-stated") is None
    assert ROUTES["optimal"]([(GaussianDP(0.1), 1)], 5.0, None, "as-stated") is None


def test_where_no_route_applies():
    with pytest.raises(NoTheorem, match=r"^No route composes max-information to \(epsilon, delta\) by gaussian, opt"):
        compose([MaxInformation(1.0, 0.1)], delta=0.1)
    with pytest.raises(NoTheorem, match=r"by gaussian; convert the parts first\.$"):
        compose([PureDP(1.0)], delta=0.1, routes=("gaussian",))
    with pytest.raises(
        InvalidInput, match=r"^routes must be one of gaussian, optimal, basic, zcdp, renyi, pld, but got"
    ):
        compose([PureDP(1.0)], delta=0.1, routes=("fast",))


def test_exactly_one_of_epsilon_and_delta_is_asked():
    for given in (PureDP(1.0), GaussianDP(1.0), ZeroConcentratedDP(1.0)):
        for asked in ({}, {"epsilon": 0.5, "delta": 0.1}):
            with pytest.raises(InvalidInput, match=r"^Give exactly one of epsilon and delta"):
                compose([given], **asked)


def test_without_the_library_its_route_is_left_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", None)
    part = TradeOff(Statements(((1.0, 0.1), (2.0, 0.0))))
    assert set(routes((part, 2), epsilon=0.5)) == {"renyi"}
    with pytest.raises(MissingExtra, match=r"^dp-accounting is needed here"):
        compose([(part, 2)], epsilon=0.5, routes=("pld",))


@pytest.mark.parametrize("parts", [1, None, PureDP(1.0)])
def test_parts_are_a_list(parts):
    with pytest.raises(InvalidInput, match=r"^parts must be a list of guarantees, but got .+; give a list\.$"):
        counted_parts(parts)
