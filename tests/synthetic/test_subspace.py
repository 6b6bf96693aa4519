import itertools
import math
import random

import mpmath
import numpy as np
import pytest
from tests.oracles import gaussian_oracle, subspace_oracle
from tests.oracles.sides import excess

from leakbound.numerics.ball import precision
from leakbound.numerics.normal import hockey_stick_upper
from leakbound.numerics.rounding import TINY
from leakbound.synthetic import subspace
from leakbound.synthetic.subspace import MARGIN, Subspace, log_profile

RANDOM = random.Random(3)


@pytest.mark.parametrize(
    ("rows", "features", "value"),  # the table of the specification, section B, column "public"
    [(1, 2, 0.5615497192), (1, 12, 0.0891926508), (1, 1000, 0.0010009983), (10, 2, 1.0), (10, 50, 0.2031228962)],
)
def test_the_specifications_renyi_divergences(rows, features, value):
    assert Subspace(min(rows, features), features, 1.0).renyi(2.0) / (1 + MARGIN) == pytest.approx(value, abs=6e-11)


def test_the_renyi_divergence_is_raised_by_its_margin():
    cases = [(1, 12, 1.0, 2.0), (1, 10**9, 1e-3, 1.5), (10**9 - 1, 10**9, 1.0, 3.0), (3, 7, 1e5, 5.0)]
    for _ in range(150):
        features = int(10 ** RANDOM.uniform(0, 3.3))
        order = RANDOM.choice([1.0, 1 + 10 ** RANDOM.uniform(-9, 2)])
        cases.append((RANDOM.randint(1, features), features, 10 ** RANDOM.uniform(-6, 2), order))
    for kept, features, shift, order in cases:
        beyond = excess(
            Subspace(kept, features, shift).renyi(order),
            lambda k=kept, d=features, s=shift, a=order: subspace_oracle.renyi(k, d, s, a),
        )
        assert 0.9 * MARGIN <= beyond <= 1.1 * MARGIN, (kept, features, shift, order)


def test_the_ends_of_the_renyi_divergence():
    assert Subspace(1, 3, 0.0).renyi(2.0) == 0.0
    assert Subspace(1, 3, 1e-10).renyi(math.inf) == math.inf
    for kept, features in ((1, 12), (6, 6), (10**9 - 1, 10**9)):
        for order in (1.0, 2.0, 1e10, 1e308):
            assert Subspace(kept, features, 1e200).renyi(order) == math.inf
            assert Subspace(kept, features, 1e-200).renyi(order) <= 2 * TINY or order == 1e308
        assert Subspace(kept, features, 1e8).renyi(1e10) == pytest.approx(5e25, rel=1e-8)


@pytest.mark.parametrize(
    ("kept", "features", "shift", "epsilon"),
    [
        (1, 2, 1.0, 0.0), (1, 12, 1.0, 0.5), (1, 12, 5.0, 3.0), (2, 6, 1.0, 1.0), (5, 7, 0.02, 0.1), (1, 100, 1.3, 1.0),
        (12, 100, 1.0, 1.0), (99, 100, 3.0, 5.0), (1, 1000, 20.0, 2.0), (40, 60, 9.0, 0.2), (2, 3, 0.5, 1.5),
    ],
)  # fmt: skip
def test_the_mean_profile_of_rank_one_is_raised_by_its_margin(kept, features, shift, epsilon):
    exact = subspace_oracle.rank_one(kept, features, shift, epsilon)
    found = Subspace(kept, features, shift).rank_one(epsilon)
    assert exact * (1 + 0.9 * MARGIN) <= found <= exact * (1 + 1.1 * MARGIN)


def test_the_mean_profile_at_its_ends():
    assert Subspace(3, 3, 1.0).rank_one(0.5) == hockey_stick_upper(1.0, 0.5)
    assert Subspace(1, 3, 0.0).rank_one(0.5) == Subspace(1, 3, 1.0).rank_one(math.inf) == 0.0
    for kept, features in ((1, 12), (3, 6), (1, 10**9)):
        for shift in (5e-324, 1e-200, 1e-10, 1e-3):
            assert 0 < Subspace(kept, features, shift).rank_one(1.5) <= 2 * TINY
            assert Subspace(kept, features, shift).any_rank(1.5) == (
                Subspace(kept, features, shift).rank_one(1.5),
                None,
            )
        for shift in (1e101, 1e200, math.inf):
            assert Subspace(kept, features, shift).rank_one(1.5) == 1.0
            assert Subspace(kept, features, shift).any_rank(1.5) == (1.0, None)


def test_the_specifications_bounds_for_several_outputs():
    space = Subspace(2, 6, 1.0)
    for epsilon, value, digits in ((0.0, 0.2272, 4), (0.5, 0.0786, 4), (1.0, 0.02405, 5), (2.0, 0.001504, 6)):
        assert round(space.any_rank(epsilon)[0], digits) == value
    assert round(space.rank_one(0.0), 4) == 0.2090


@pytest.mark.parametrize(
    ("kept", "features", "shift", "epsilon"),
    [(2, 6, 1.0, 0.0), (2, 6, 1.0, 0.5), (2, 6, 3.0, 1.0), (1, 12, 4.0, 0.7), (9, 10, 2.0, 0.2), (20, 50, 8.0, 5.0)],
)
def test_the_tangent_bound_is_raised_by_its_margin_at_every_point(kept, features, shift, epsilon):
    space = Subspace(kept, features, shift)
    bend = 2 * (math.sqrt(1 + epsilon**2) - 1)
    for share in (0.02, 0.4, 1.0):
        point = bend + share * (shift**2 - bend)
        exact = subspace_oracle.tangent(kept, features, shift, epsilon, point)
        found = space.tangent(epsilon, point)
        assert exact * (1 + 0.5 * MARGIN) <= found <= exact * (1 + 2 * MARGIN), point


def test_the_tangent_bound_is_the_least_over_a_fine_grid():
    for kept, features, shift, epsilon in ((2, 6, 1.0, 0.0), (2, 6, 3.0, 1.0), (1, 12, 4.0, 0.7), (20, 50, 8.0, 5.0)):
        space = Subspace(kept, features, shift)
        found, point = space.any_rank(epsilon)
        assert found == space.tangent(epsilon, point)
        bend = 2 * (math.sqrt(1 + epsilon**2) - 1)
        grid = [max(bend, 1e-5) + share * (shift**2 - bend) for share in np.linspace(0, 1, 60)]
        assert found <= min(space.tangent(epsilon, m) for m in grid) * (1 + 1e-3)


@pytest.mark.parametrize(("shift", "epsilon"), [(1.0, 0.0), (2.0, 0.5)])
def test_no_spectrum_of_rank_two_exceeds_the_tangent_bound(shift, epsilon):
    space, values = Subspace(3, 6, shift), []
    for share in (0.5, 1.0):
        first, second = share * shift**2, (1 - share) * shift**2
        values.append(float(subspace_oracle.rank_two(6, first, second, epsilon)))
    assert values[1] == pytest.approx(space.rank_one(epsilon), rel=1e-4)
    assert space.any_rank(epsilon)[0] >= max(values)
    assert values[0] > values[1] * 1.01  # rank one is not the worst


def test_no_spectrum_of_rank_three_exceeds_the_tangent_bound():
    random = np.random.default_rng(5)
    for kept, features in ((2, 6), (3, 9)):
        basis, _ = np.linalg.qr(random.standard_normal((40_000, features, kept)))
        shares = np.sum(basis[:, :3, :] ** 2, axis=2)
        for shift, epsilon in itertools.product((1.0, 2.0, 4.0), (0.0, 0.5, 1.0)):
            bound, _ = Subspace(kept, features, shift).any_rank(epsilon)
            for spectrum in ((1, 1, 1), (2, 1, 1), (4, 1, 0), (1, 0, 0)):
                squares = shift**2 * shares @ (np.array(spectrum) / sum(spectrum))
                values = np.exp(log_profile(epsilon, np.sqrt(squares)))
                assert values.mean() - 4 * values.std() / 200 <= bound


def test_where_the_profile_is_convex_rank_one_is_the_worst():
    space = Subspace(2, 6, 1.0)
    assert space.any_rank(2.0)[1] is None
    assert space.any_rank(2.0)[0] == space.rank_one(2.0)
    assert Subspace(3, 3, 5.0).any_rank(0.1) == (hockey_stick_upper(5.0, 0.1), None)
    # The bend at a tiny epsilon does not cancel to zero: it is epsilon^2.
    assert Subspace(2, 6, 1e-9).any_rank(1.01e-9)[1] is None
    found, point = Subspace(2, 6, 3e-8).any_rank(1e-8)
    assert point >= 1e-16
    assert found >= Subspace(2, 6, 3e-8).rank_one(1e-8)
    assert subspace._bend(1e200) == math.inf


def test_the_logarithm_of_the_profile():
    for epsilon in (0.0, 1e-6, 0.3, 2.0, 50.0, 700.0):
        for mu in (1e-8, 0.01, 0.9999, 1.0, 1.0001, 3.0, 38.0, 100.0):
            if epsilon / mu - mu / 2 > 30:
                continue
            with precision(2000):
                exact = gaussian_oracle.hockey_stick(mu, epsilon).log()
            assert float(log_profile(epsilon, np.array([mu]))[0]) == pytest.approx(float(exact), rel=1e-11, abs=1e-11)
    assert log_profile(1.0, np.array([0.0, 1e-9])).tolist() == [-math.inf, -math.inf]


def test_the_logarithm_of_the_beta_function():
    for a, b in ((0.5, 0.5), (0.5, 5e8), (5e8, 0.5), (3e5, 4e5)):
        with mpmath.workdps(40):
            exact = float(mpmath.log(mpmath.beta(a, b)))
        assert subspace._log_beta(a, b) == pytest.approx(exact, rel=1e-14, abs=1e-13)


def test_where_the_sum_loses_digits_post_processing_is_returned():
    assert Subspace(1, 10**9, 1e5).renyi(5.0) == pytest.approx(5.0 * 1e10 / 2, rel=2e-9)
    assert Subspace(1, 10**9, 1e5).renyi(5.0) >= 5.0 * 1e10 / 2
