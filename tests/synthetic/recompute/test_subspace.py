import math
from fractions import Fraction

import mpmath
import pytest
from scipy import integrate, special, stats

from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate, Undecided
from leakbound.numerics.ball import ball
from leakbound.synthetic.recompute import subspace
from leakbound.synthetic.recompute.setting import Setting
from leakbound.synthetic.recompute.subspace import Subspace, complex_profile, real_profile

NOTHING = Record("evidence", {})


def made(features, rows, shift=Fraction(3, 2), outputs=1):
    return Subspace(Setting(features, outputs, rows, shift, None))


def gaussian(epsilon, mu):
    return special.ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * special.ndtr(-mu / 2 - epsilon / mu)


def mean(features, rows, value):
    """Return the mean of a function of the share, by quadrature over the angle."""
    law = stats.beta(rows / 2, (features - rows) / 2)
    return integrate.quad(
        lambda t: law.pdf(math.sin(t) ** 2) * math.sin(2 * t) * value(math.sin(t) ** 2),
        1e-9, math.pi / 2, epsabs=0, epsrel=1e-11, limit=900,
    )[0]  # fmt: skip


def inside(exact, interval, close=1e-7):
    low, high = interval
    return low * (1 - close) <= exact <= high * (1 + close) and high - low <= 1e-9 * high


@pytest.mark.parametrize(("features", "rows"), [(2, 1), (12, 5), (7, 7), (3, 10)])
@pytest.mark.parametrize("order", [1.0, 1.5, 20.0])
def test_renyi_is_the_confluent_hypergeometric_function(features, rows, order):
    k = min(rows, features)
    with mpmath.workdps(40):
        exponent = mpmath.mpf(order) * (order - 1) * mpmath.mpf(1.5) ** 2 / 2
        exact = (
            mpmath.mpf(k) * mpmath.mpf(1.5) ** 2 / (2 * features)
            if order == 1
            else mpmath.log(mpmath.hyp1f1(mpmath.mpf(k) / 2, mpmath.mpf(features) / 2, exponent)) / (order - 1)
        )
    assert inside(exact, made(features, rows).renyi(order), 1e-14)


def test_the_ends_are_known():
    assert made(3, 2).renyi(math.inf) == (math.inf, math.inf)
    assert made(3, 2).delta(math.inf, NOTHING) == (0.0, 0.0)


@pytest.mark.parametrize(("features", "rows"), [(2, 1), (12, 5), (40, 39), (300, 4)])
@pytest.mark.parametrize("epsilon", [0.0, 0.01, 1.0, 3.0])
def test_delta_of_one_output_is_the_mean_profile(features, rows, epsilon):
    exact = mean(features, rows, lambda b: gaussian(epsilon, 1.5 * math.sqrt(b)))
    assert inside(exact, made(features, rows).delta(epsilon, NOTHING))


def test_all_features_give_the_whole_profile():
    for outputs in (1, 3):
        assert inside(gaussian(0.7, 1.5), made(3, 5, outputs=outputs).delta(0.7, NOTHING), 1e-13)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("point", [1.0, 1.7, 2.25])
@pytest.mark.parametrize(("features", "rows"), [(6, 2), (30, 25)])
def test_a_tangent_gives_the_mean_of_the_larger_of_line_and_profile(features, rows, epsilon, point):
    step = 1e-5
    height = gaussian(epsilon, math.sqrt(point))
    slope = (gaussian(epsilon, math.sqrt(point + step)) - gaussian(epsilon, math.sqrt(point - step))) / (2 * step)
    exact = mean(
        features, rows,
        lambda b: max(gaussian(epsilon, 1.5 * math.sqrt(b)), height + slope * (2.25 * b - point)),
    )  # fmt: skip
    found = made(features, rows, outputs=4).delta(epsilon, Record("evidence", {"tangent": point}))
    assert inside(exact, found, 1e-6)
    assert found[1] >= made(features, rows).delta(epsilon, NOTHING)[0]


@pytest.mark.parametrize("bad", [0.0, 2.2501, 1e300, math.inf])
def test_a_tangent_beyond_the_shift_is_refused(bad):
    with pytest.raises(InvalidCertificate, match=r"^The tangent point .+ is not within the squared shift"):
        made(6, 2, outputs=3).delta(0.3, Record("evidence", {"tangent": bad}))


def test_a_tangent_where_the_profile_is_convex_says_nothing():
    assert made(6, 2, outputs=3).delta(1.0, Record("evidence", {"tangent": 0.8})) == (0.0, 1.0)


def test_several_outputs_need_a_tangent_unless_the_profile_is_convex():
    with pytest.raises(InvalidCertificate, match="need a tangent"):
        made(6, 2, outputs=3).delta(1.0, NOTHING)
    assert made(6, 2, outputs=3).delta(2.0, NOTHING) == made(6, 2).delta(2.0, NOTHING)


def test_what_cannot_be_enclosed_closely_is_undecided(monkeypatch):
    monkeypatch.setattr(subspace, "_EFFORT", {**subspace._EFFORT, "eval_limit": 3})
    with pytest.raises(Undecided, match="closely enough"):
        made(12, 5).delta(1.0, NOTHING)


@pytest.mark.parametrize("epsilon", [1e-30, 1e-12])
def test_a_tiny_epsilon_is_enclosed_where_the_profile_is_steep(epsilon):
    low, high = made(12, 5).delta(epsilon, NOTHING)
    at_zero = made(12, 5).delta(0.0, NOTHING)
    assert low <= at_zero[1]
    assert high >= at_zero[0] * (1 - 1e-10)
    assert high - low < 1e-9


@pytest.mark.parametrize("epsilon", [0.0, 0.4, 2.0])
@pytest.mark.parametrize("mu", [0.3, 1.0, 4.0])
def test_both_profiles_agree_with_scipy(epsilon, mu):
    exact = gaussian(epsilon, mu)
    assert float(real_profile(ball(mu) ** 2, epsilon)) == pytest.approx(exact, rel=1e-9)
    assert float(complex_profile(ball(mu), epsilon)) == pytest.approx(exact, rel=1e-9)
