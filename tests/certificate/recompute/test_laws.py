import itertools
import math

import pytest
from tests.oracles import gaussian_oracle, joint_range_oracle, polygon_oracle, renyi_oracle

from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.recompute import laws
from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate, Undecided
from leakbound.numerics.ball import ball, enclose

EPSILONS = (0.0, 1e-6, 0.3, 1.0, 2.5, 30.0)
ORDERS = (1.0, 1.0001, 1.5, 2.0, 17.0, 1000.0)
STATEMENTS = [
    ((1.0, 0.0),),
    ((0.0, 0.3), (1.0, 0.01)),
    ((0.5, 0.1), (0.5, 0.2), (2.0, 0.0)),
    ((0.0, 0.0),),
    ((1e-3, 0.4), (3.0, 1e-9), (math.inf, 0.0)),
    ((2.0, 0.5), (1.0, 0.01)),
]
EVENTS = [((0.7, 0.2),), ((0.7, 0.2), (0.1, 0.01)), ((1.0, 1.0),), ((0.3, 0.0), (0.5, 0.4)), ((0.1, 0.5),)]


def record(**entries):
    return Record("inputs.given", FrozenMap(entries))


def agree(one, other):
    low, high = enclose(one)
    other_low, other_high = enclose(other)
    return low <= other_high and other_low <= high


def test_extremes_of_balls():
    balls = [ball(2.0), ball(1.0), ball(3.0)]
    assert laws.maximum(balls) == 3
    assert laws.minimum(balls) == 1


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("mu", [1e-6, 0.5, 3.0, 40.0])
def test_the_gaussian_profile_agrees_with_the_oracle(mu, epsilon):
    for curve in (record(kind="gdp", mu=mu), record(kind="profile", family="gaussian", parameters={"mu": mu})):
        assert agree(lambda c=curve: laws.profile(c)(epsilon), lambda: gaussian_oracle.hockey_stick(mu, epsilon))


def test_a_gaussian_without_a_shift_says_nothing_of_the_data():
    assert laws.profile(record(kind="gdp", mu=0.0))(0.5) == 0


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_laplace_profile_agrees_with_the_oracle(epsilon):
    curve = record(kind="tradeoff", family="laplace", parameters={"epsilon": 1.5})
    assert agree(lambda: laws.profile(curve)(epsilon), lambda: renyi_oracle.laplace_hockey_stick(1.5, epsilon))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("lines", STATEMENTS)
def test_the_profile_of_statements_agrees_with_the_oracle(lines, epsilon):
    finite = tuple(line for line in lines if line[0] < 1e18)
    curve = record(kind="tradeoff", lines=lines)
    assert agree(lambda: laws.profile(curve)(epsilon), lambda: polygon_oracle.hockey_stick(finite, epsilon))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_pure_approximate_and_named_pairs_are_statements(epsilon):
    for curve, lines in (
        (record(kind="pure-dp", epsilon=1.0), ((1.0, 0.0),)),
        (record(kind="approx-dp", epsilon=1.0, delta=0.1), ((1.0, 0.1),)),
        (record(kind="profile", family="dp", parameters={"epsilon": 1.0, "delta": 0.1}), ((1.0, 0.1),)),
    ):
        formula = laws.profile(curve)
        assert agree(lambda f=formula: f(epsilon), lambda p=lines: polygon_oracle.hockey_stick(p, epsilon))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("lines", EVENTS)
def test_the_profile_of_events_agrees_with_the_oracle(lines, epsilon):
    curve = record(kind="profile", lines=lines)
    assert agree(lambda: laws.profile(curve)(epsilon), lambda: polygon_oracle.hockey_stick_of_events(lines, epsilon))


@pytest.mark.parametrize("epsilon", [math.inf, 800.0])
@pytest.mark.parametrize(
    "curve",
    [
        record(kind="gdp", mu=1.0),
        record(kind="gdp", mu=0.0),
        record(kind="pure-dp", epsilon=1.0),
        record(kind="approx-dp", epsilon=1.0, delta=0.1),
        record(kind="profile", family="laplace", parameters={"epsilon": 1.5}),
        record(kind="profile", lines=EVENTS[0]),
        record(kind="tradeoff", lines=STATEMENTS[1]),
    ],
)
def test_at_enormous_thresholds_a_profile_is_its_last_delta(curve, epsilon):
    low, high = enclose(lambda: laws.profile(curve)(epsilon))
    last = curve.number("delta") if "delta" in curve else 0.01 if curve.text("kind") == "tradeoff" else 0.0
    assert low <= last * (1 + 1e-15)
    assert high == pytest.approx(last, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("order", ORDERS)
def test_divergences_agree_with_the_oracle(order):
    cases = [
        (record(kind="pure-dp", epsilon=1.0), lambda: renyi_oracle.two_point(order, 1.0)),
        (record(kind="profile", family="dp", parameters={"epsilon": 1.0, "delta": 0.0}),
         lambda: renyi_oracle.two_point(order, 1.0)),
        (record(kind="gdp", mu=0.5), lambda: renyi_oracle.gaussian(order, 0.5)),
        (record(kind="tradeoff", family="gaussian", parameters={"mu": 0.5}), lambda: renyi_oracle.gaussian(order, 0.5)),
        (record(kind="profile", family="laplace", parameters={"epsilon": 1.5}),
         lambda: renyi_oracle.laplace(order, 1.5)),
        (record(kind="zcdp", rho=0.3), lambda: ball(order) * ball(0.3)),
    ]  # fmt: skip
    for curve, exact in cases:
        assert agree(lambda c=curve: laws.renyi(c)(order), exact)


@pytest.mark.parametrize("order", [*ORDERS, math.inf])
@pytest.mark.parametrize("lines", STATEMENTS)
def test_the_divergence_of_statements_agrees_with_the_oracle(lines, order):
    curve = record(kind="tradeoff", lines=lines)
    finite = tuple(line for line in lines if line[0] < 1e18)
    assert agree(lambda: laws.renyi(curve)(order), lambda: polygon_oracle.renyi(finite, order))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("lines", EVENTS)
def test_the_divergence_of_events_is_that_of_their_corners(lines, order):
    curve = record(kind="profile", lines=lines)
    corners = tuple(laws.corners_of_events(lines))
    assert agree(lambda: laws.renyi(curve)(order), lambda: polygon_oracle.renyi(corners, order))


@pytest.mark.parametrize("log_slope", [1e-300, 1e-9, 700.0, 1e5, 1e17])
@pytest.mark.parametrize("order", [1.0, 1.5, 64.0, math.inf])
def test_a_statement_without_delta_has_the_divergence_of_a_coin(log_slope, order):
    """Also where the mirrored corner is closer to the end than any number of digits tells."""
    curve = record(kind="tradeoff", lines=((log_slope, 0.0),))
    assert agree(lambda: laws.renyi(curve)(order), lambda: renyi_oracle.two_point(order, log_slope))


def test_many_events_have_their_corners_found_soon():
    from statistics import NormalDist

    tail = NormalDist().cdf
    events = tuple((tail(0.5 - i / 60), tail(-0.5 - i / 60)) for i in range(300))
    corners = laws.corners_of_events(events)
    assert 290 < len(corners) <= 301
    for e, d in corners:
        assert d == pytest.approx(max(0.0, *(p - q * math.exp(e) for p, q in events)), rel=1e-9, abs=1e-15)


def test_corners_lie_just_beyond_the_crossings():
    corners = dict(laws.corners_of_events(((0.7, 0.2), (0.1, 0.01))))
    assert sorted(corners) == pytest.approx([0.0, math.log(0.6 / 0.19), math.log(10.0)], abs=1e-12)
    assert corners[0.0] == pytest.approx(0.5, rel=1e-15)
    assert 0 <= corners[max(corners)] < 1e-300
    for lines in (
        ((0.7, 0.2), (0.6, 0.2)),
        ((0.6, 0.2), (0.7, 0.2)),
        ((0.7, 0.2), (0.7, 0.2)),
        ((0.7, 0.2), (0.2, 0.9)),
    ):
        assert sorted(dict(laws.corners_of_events(lines))) == pytest.approx([0.0, math.log(3.5)], abs=1e-12)
    assert laws.corners_of_events(((0.5, 0.0), (0.4, 0.3))) == [(0.0, 0.5)]
    assert laws.corners_of_events(((0.3, 0.2), (0.2, 0.1))) == laws.corners_of_events(((0.2, 0.1),))


@pytest.mark.parametrize("order", [1.0, 2.0, math.inf])
@pytest.mark.parametrize("divergence", [laws.two_point_renyi, laws.laplace_renyi])
def test_divergences_at_the_ends(divergence, order):
    assert divergence(0.0, order) == 0
    assert divergence(math.inf, order) == ball(math.inf)
    assert divergence(2.0, math.inf) == 2


@pytest.mark.parametrize("mu", [0.0, 1.0, math.inf])
@pytest.mark.parametrize("order", [1.0, 3.0, math.inf])
def test_gaussian_and_concentrated_divergences_at_the_ends(mu, order):
    wanted = 0.0 if mu == 0 else math.inf if math.inf in (mu, order) else order * mu**2 / 2
    for curve in (record(kind="gdp", mu=mu), record(kind="profile", family="gaussian", parameters={"mu": mu})):
        assert enclose(lambda c=curve: laws.renyi(c)(order)) == (wanted, wanted)
    assert enclose(lambda: laws.renyi(record(kind="zcdp", rho=mu))(order))[0] == (order * mu if mu else 0.0)


def test_a_pair_with_some_delta_has_no_finite_divergence():
    assert laws.renyi(record(kind="profile", family="dp", parameters={"epsilon": 1.0, "delta": 0.1}))(2.0) == ball(
        math.inf
    )
    assert laws.renyi(record(kind="tradeoff", lines=((1.0, 0.1),)))(2.0) == ball(math.inf)


def test_a_table_of_divergences_is_read_at_its_orders():
    curve = record(kind="renyi", orders=(2.0, 4.0), epsilons=(0.5, 0.75))
    assert laws.renyi(curve)(4.0) == 0.75
    with pytest.raises(InvalidCertificate) as error:
        laws.renyi(curve)(3.0)
    assert str(error.value) == "evidence.order is 3.0, at which the inputs say nothing; it does not fit them."


@pytest.mark.parametrize("read", [laws.profile, laws.renyi])
def test_an_unknown_family_cannot_be_checked(read):
    with pytest.raises(InvalidCertificate) as error:
        read(record(kind="profile", family="cauchy", parameters={}))
    assert str(error.value) == "The recomputation does not know the family 'cauchy'; it cannot be checked."


def test_a_kind_without_a_curve_is_refused():
    with pytest.raises(InvalidCertificate, match=r"^The certificate's inputs\.given must have 'family'"):
        laws.profile(record(kind="renyi", orders=(2.0,), epsilons=(1.0,)))


CASES = list(
    itertools.product((1.0, 1.0001, 1.5, 2.0, 8.0, 200.0, 1e5), (1e-9, 1e-3, 0.5, 5.0), (0.0, 1e-4, 0.1, 1.0, 4.0))
)


@pytest.mark.parametrize(("order", "divergence", "epsilon"), CASES)
def test_the_joint_range_agrees_with_the_oracle(order, divergence, epsilon):
    low, high = laws.joint_range(order, divergence, epsilon)
    from leakbound.numerics.ball import precision

    with precision(256):
        exact = joint_range_oracle.optimum(order, divergence, epsilon)
        assert ball(low) <= exact.upper()
        assert ball(high) >= exact.lower()
    assert high - low <= 1e-11 * high or high < 1e-305


@pytest.mark.parametrize("order", [1.0, 2.0, math.inf])
def test_the_joint_range_at_its_ends(order):
    assert laws.joint_range(order, 0.0, 1.0) == (0.0, 0.0)
    assert laws.joint_range(order, 1.0, math.inf) == (0.0, 0.0)
    assert laws.joint_range(order, math.inf, 1.0) == (1.0, 1.0)


def test_the_largest_log_ratio_bounds_the_profile_in_closed_form():
    low, high = laws.joint_range(math.inf, 1.0, 0.25)
    assert low <= -math.expm1(-0.75) <= high
    assert laws.joint_range(math.inf, 1.0, 1.0) == (0.0, 0.0)
    assert laws.joint_range(math.inf, 1.0, 2.0) == (0.0, 0.0)


def test_a_large_divergence_is_read_in_closed_form():
    low, high = laws.joint_range(2.0, 3.0, 0.5)
    assert low <= -math.expm1(-2.5) <= high


@pytest.mark.parametrize("point", [(1e9, 1e-12, 80.0), (2.5e11, 0.25, 0.5), (1e18, 1e-300, 1e-15)])
def test_what_is_as_good_as_zero_is_bounded_by_a_moment(point):
    low, high = laws.joint_range(*point)
    assert low == 0.0
    assert 0 < high < 1e-305


def test_a_divergence_near_its_largest_gives_no_more_than_one():
    assert laws.joint_range(2.0, 300.0, 0.0) == (1 - 2**-53, 1.0)
    assert laws.joint_range(math.inf, 300.0, 0.0) == (1 - 2**-53, 1.0)


def test_what_cannot_be_followed_is_undecided(monkeypatch):
    monkeypatch.setattr(laws, "_follow", lambda *_: None)
    with pytest.raises(Undecided) as error:
        laws.joint_range(2.0, 0.5, 1.0)
    assert str(error.value) == "The joint range could not be enclosed; order, divergence and epsilon are too extreme."
