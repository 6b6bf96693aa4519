import math

import mpmath
import pytest
from scipy import integrate, special, stats

from leakbound.synthetic import FixedSeeds, Publication, PublicSeeds


def published(features, rows, shift=1.0, outputs=1):
    return Publication(features, outputs, rows, 1.0, shift)


def gaussian(epsilon, mu):
    return special.ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * special.ndtr(-mu / 2 - epsilon / mu)


@pytest.mark.parametrize(("features", "rows"), [(2, 1), (12, 1), (1000, 1), (12, 5), (50, 10), (3, 9), (7, 7)])
@pytest.mark.parametrize("order", [1.0, 1.5, 2.0, 30.0])
def test_renyi_is_the_confluent_hypergeometric_function_rounded_up(features, rows, order):
    k = min(rows, features)
    for shift in (0.01, 1.0, 4.0):
        with mpmath.workdps(40):
            if order == 1:
                exact = mpmath.mpf(k) * shift**2 / (2 * features)
            else:
                exponent = mpmath.mpf(order) * (order - 1) * mpmath.mpf(shift) ** 2 / 2
                exact = mpmath.log(mpmath.hyp1f1(mpmath.mpf(k) / 2, mpmath.mpf(features) / 2, exponent)) / (order - 1)
            excess = PublicSeeds().renyi(published(features, rows, shift, outputs=3), order).value / exact - 1
        assert 0 <= excess < 1e-6


@pytest.mark.parametrize(("features", "rows"), [(2, 1), (12, 1), (12, 5), (50, 10)])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_delta_of_one_output_is_the_mean_gaussian_profile_rounded_up(features, rows, epsilon):
    law = stats.beta(rows / 2, (features - rows) / 2)
    # over the angle, where the density is bounded
    exact, error = integrate.quad(
        lambda t: law.pdf(math.sin(t) ** 2) * 2 * math.sin(t) * math.cos(t) * gaussian(epsilon, 1.5 * math.sin(t)),
        1e-9, math.pi / 2, epsabs=0, epsrel=1e-10, limit=500,
    )  # fmt: skip
    assert error < 1e-8 * exact
    bound = PublicSeeds().delta(published(features, rows, 1.5), epsilon)
    assert exact * (1 - 1e-8) <= bound.value <= exact * (1 + 1e-7)
    assert "tangent" not in bound.evidence


@pytest.mark.parametrize(("epsilon", "exact"), [(0.0, 0.2272), (0.5, 0.0786), (1.0, 0.02405), (2.0, 0.001504)])
def test_delta_of_several_outputs_has_the_values_of_the_reference(epsilon, exact):
    several = PublicSeeds().delta(published(6, 2, outputs=4), epsilon)
    assert several.value == pytest.approx(exact, rel=1e-3)
    assert several.value >= PublicSeeds().delta(published(6, 2), epsilon).value
    bend = 2 * (math.sqrt(1 + epsilon**2) - 1)
    assert ("tangent" in several.evidence) == (1.0 > bend)
    assert "tangent" not in several.evidence or bend <= several.evidence["tangent"] <= 1.0


def test_all_features_are_post_processing():
    at = published(3, 5, outputs=2)
    assert PublicSeeds().renyi(at, 2.0).value == pytest.approx(1.0, rel=1e-7)
    assert PublicSeeds().delta(at, 0.5).value == FixedSeeds().delta(at, 0.5).value


def test_what_it_rests_on():
    assert [a.id for a in PublicSeeds().assumptions()] == ["isotropic-seeds", "unselected-rows", "all-rows-counted"]
