"""The bound h of the figures and its Renyi divergence, beside the paper's simulation, with the slips of B.7."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chi2, norm

from leakbound.certificate.standing import Standing
from leakbound.errors import InvalidInput
from leakbound.synthetic import account, paper
from leakbound.synthetic.paper import PaperBound, record_bound, record_distance, rows_bound, worst_norms

FIGURE_1 = PaperBound(shift=1.0, ratio=0.75, freedom=1, distance=1 / 12)
THOUSAND = record_bound(features=1000, noise=1.0, sensitivity=1.0, constant=1.0)
TEN_ROWS = rows_bound(features=4000, outputs=1, rows=10, noise=1.0, sensitivity=1.0, constant=1.0)
MATRICES = rows_bound(features=2000, outputs=2, rows=3, noise=0.5, sensitivity=0.25, constant=1.0)
BOUNDS = [FIGURE_1, THOUSAND, TEN_ROWS, MATRICES]


def normal_limit(bound, level):
    """Return the moved limit as B.7 has it: Phi with standard deviations for one record, chi-square for several."""
    moved = np.minimum(level + bound.distance, 1.0)
    if bound.freedom == 1:
        return 2 * norm.cdf(math.sqrt(bound.ratio) * norm.isf(moved / 2)) - 1 - bound.distance
    return chi2.cdf(bound.ratio * chi2.isf(moved, bound.freedom), bound.freedom) - bound.distance


def slope(bound, level):
    """Return |h'| as B.7 has it, for arrays of levels."""
    plain = norm.pdf(norm.isf(level) - bound.shift) / norm.pdf(norm.isf(level))
    moved = np.minimum(level + bound.distance, 1 - 1e-12)
    if bound.freedom == 1:
        q, root = norm.isf(moved / 2), math.sqrt(bound.ratio)
        limit = root * norm.pdf(root * q) / norm.pdf(q)
    else:
        q = chi2.isf(moved, bound.freedom)
        limit = bound.ratio * chi2.pdf(bound.ratio * q, bound.freedom) / chi2.pdf(q, bound.freedom)
    start, end = bound.crossings
    return np.where((level > start) & (level < end), limit, plain)


@pytest.mark.parametrize("bound", BOUNDS)
def test_it_is_the_larger_of_both_curves(bound):
    for level in (0.0, 1e-6, 0.03, 0.3, 0.6, 0.95, 1.0):
        plain = norm.cdf(norm.isf(level) - bound.shift)
        assert bound.value(level) == pytest.approx(max(plain, normal_limit(bound, level)), rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_curves_cross_at_the_crossings(bound):
    assert len(bound.crossings) == 2
    for level in bound.crossings:
        assert normal_limit(bound, level) == pytest.approx(norm.cdf(norm.isf(level) - bound.shift), rel=1e-9)
    start, end = bound.crossings
    for level in np.linspace(0.001, 0.999, 500):
        plain = norm.cdf(norm.isf(level) - bound.shift)
        assert (normal_limit(bound, level) > plain) == (start < level < end)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("level", [0.004, 0.2, 0.5, 0.99])
def test_the_slope_is_the_derivative(bound, level):
    step = 1e-6
    found = (bound.value(level - step) - bound.value(level + step)) / (2 * step)
    assert math.exp(bound.log_slope(level)) == pytest.approx(found, rel=1e-5)
    assert math.exp(bound.log_slope(level)) == pytest.approx(float(slope(bound, np.array(level))), rel=1e-9)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("order", [1.2, 2.0, 3.0])
@pytest.mark.parametrize("reverse", [False, True])
def test_the_divergence_by_another_quadrature(bound, order, reverse):
    """Over the normal quantile, from the slope, with the crossings as break points."""
    power = order if reverse else 1 - order

    def term(q):
        return math.exp(power * bound.log_slope(float(norm.sf(q))) - q * q / 2) / math.sqrt(2 * math.pi)

    least = -6.0  # before it, levels are too near to one for doubles
    edges = (least, *sorted(float(norm.isf(level)) for level in bound.crossings), 12 + 5 * bound.shift)
    total = sum(quad(term, low, high, limit=300)[0] for low, high in pairwise(edges))
    tail = norm.cdf(least - power * bound.shift) * math.exp(power * (power - 1) * bound.shift**2 / 2)
    found = bound.renyi(order, reverse=reverse)
    assert found == pytest.approx(math.log(total + tail) / (order - 1), rel=1e-6)


@pytest.mark.parametrize("bound", [FIGURE_1, THOUSAND, TEN_ROWS])
def test_the_papers_simulation_agrees(bound):
    """Proposition 4.2 as the paper computes it: the logarithm of the mean of |h'|^(1 - order) over levels."""
    level = np.random.default_rng(2025).random(400_000)
    for power, reverse in ((-1.0, False), (2.0, True)):
        terms = slope(bound, level) ** power
        error = terms.std() / math.sqrt(len(terms)) / terms.mean()
        assert bound.renyi(2.0, reverse=reverse) == pytest.approx(math.log(terms.mean()), abs=5 * error)
        assert error < 0.02


def test_the_simulation_of_section_4_2_forgets_to_divide_inside_the_logarithm():
    """Counter-example: two normals 1 apart have 1 at order 2; the log of a sum, divided by L outside, has nearly 0."""
    terms = np.exp(-norm.isf(np.random.default_rng(1).random(100_000)) + 0.5)
    printed = math.log(terms.sum()) / len(terms)
    assert math.log(terms.mean()) == pytest.approx(1.0, abs=0.05)
    assert printed < 2e-4


def test_the_printed_slope_lacks_the_inner_half_and_the_outer_two_which_cancel():
    """As printed, h' is the slope of 2 Phi(r q) - 1, once r is a ratio of standard deviations: no factor is missing."""
    root, gap, level, step = math.sqrt(0.75), 1 / 12, 0.4, 1e-6

    def curve(at):
        return 2 * norm.cdf(root * norm.isf((at + gap) / 2)) - 1

    truth = (curve(level - step) - curve(level + step)) / (2 * step)
    q = norm.isf((level + gap) / 2)
    printed = root * norm.pdf(root * q) / norm.pdf(q)
    assert printed == pytest.approx(truth, rel=1e-7)
    assert math.exp(FIGURE_1.log_slope(level)) == pytest.approx(printed, rel=1e-10)
    assert 2 * printed > 1.9 * truth  # the chain rule without the inner half
    variances = 0.75 * norm.pdf(0.75 * q) / norm.pdf(q)  # printed r
    assert abs(variances / truth - 1) > 0.05


def test_the_figures_are_of_the_smaller_direction():
    """The arguments of D_a swapped hide that T(VZ, WZ) with |v| < |w| has the smaller divergence."""
    for bound in BOUNDS:
        for order in (1.5, 2.0, 4.0):
            assert bound.renyi(order) < bound.renyi(order, reverse=True)


def test_the_pair_of_norms_in_b_7_is_not_the_worst_for_h():
    """Counter-example: at 1,000 features, norms 0.3 times as large give more, because their distance is larger."""
    low, _ = worst_norms(1000, 1.0)
    near = 0.3 * low
    ratio = (1000 + near**2) / (1000 + (near + 1) ** 2)
    other = PaperBound(1.0, ratio, 1, record_distance(features=1000, noise=1.0, norm=near, constant=1.0))
    for reverse in (False, True):
        assert other.renyi(2.0, reverse=reverse) > 1.07 * THOUSAND.renyi(2.0, reverse=reverse)


@pytest.mark.parametrize("rows", [1, 10])
def test_the_plateau_is_post_processing_and_gone_in_ours(rows):
    given = {"features": 30, "outputs": 1, "rows": rows, "noise": 1.0, "sensitivity": 1.0}
    one = {name: given[name] for name in ("features", "noise", "sensitivity")}
    bound = record_bound(**one, constant=1.0) if rows == 1 else rows_bound(**given, constant=1.0)
    assert bound.crossings == ()
    assert bound.renyi(2.0) == pytest.approx(1.0, rel=1e-12)
    assert bound.renyi(3.0, reverse=True) == pytest.approx(1.5, rel=1e-12)
    assert bound.value(0.3) == pytest.approx(norm.cdf(norm.isf(0.3) - 1), rel=1e-12)
    ours = account(**given, seeds="hidden", orders=[2.0]).claim.epsilons[0]
    assert ours < (0.02 if rows == 1 else 0.15)


def test_only_the_ratio_of_noise_and_sensitivity_counts():
    one = record_bound(features=500, noise=2.0, sensitivity=1.0, constant=1.0)
    two = record_bound(features=500, noise=4.0, sensitivity=2.0, constant=1.0)
    assert (one.shift, one.ratio, one.distance) == (two.shift, two.ratio, two.distance)
    low, high = worst_norms(500, 0.5)
    assert one.ratio == pytest.approx((500 + low**2) / (500 + high**2), rel=1e-12)
    assert one.distance == record_distance(features=500, noise=2.0, norm=2 * low, constant=1.0)
    assert (MATRICES.freedom, MATRICES.shift) == (6, 0.5)
    assert MATRICES.distance == pytest.approx(2 * math.sqrt(3 / 1998), rel=1e-12)


def test_the_largest_shifts_and_orders_stay_numbers():
    wide = PaperBound(1e6, 0.5, 1, 0.01)
    assert len(wide.crossings) == 2
    assert wide.value(0.5) == pytest.approx(normal_limit(wide, 0.5), rel=1e-12)
    assert wide.renyi(1e6) == pytest.approx(1e18 / 2, rel=1e-3)
    assert FIGURE_1.renyi(1e6, reverse=True) == pytest.approx(1e6 / 2, rel=1e-3)


def test_it_is_called_an_estimate_everywhere():
    assert paper.STANDING is Standing.ESTIMATE
    for name in paper.__all__:
        if name != "STANDING":
            assert "estimate" in (getattr(paper, name).__doc__ or ""), name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PaperBound(0.0, 0.5, 1, 0.1), "shift must be"),
        (lambda: PaperBound(1e7, 0.5, 1, 0.1), "shift must be"),
        (lambda: PaperBound(1.0, 1.0, 1, 0.1), "ratio must be"),
        (lambda: PaperBound(1.0, 0.5, 0, 0.1), "freedom must be"),
        (lambda: PaperBound(1.0, 0.5, 1, 0.0), "distance must be"),
        (lambda: FIGURE_1.value(1.5), "level must be"),
        (lambda: FIGURE_1.log_slope(0.0), "level must be"),
        (lambda: FIGURE_1.renyi(1.0), "order must be"),
        (lambda: FIGURE_1.renyi(1e7), "order must be"),
        (lambda: record_bound(features=0, noise=1.0, sensitivity=1.0, constant=1.0), "features must be"),
        (lambda: record_bound(features=5, noise=1.0, sensitivity=1.0, constant=0.0), "constant must be"),
        (
            lambda: rows_bound(features=5, outputs=1, rows=6, noise=1.0, sensitivity=1.0, constant=1.0),
            "features must be at least 6",
        ),
        (
            lambda: rows_bound(features=5, outputs=5, rows=1, noise=1.0, sensitivity=1.0, constant=1.0),
            "features must be more than outputs=5",
        ),
    ],
)
def test_bad_values_are_refused(call, message):
    with pytest.raises(InvalidInput, match=f"^{message}"):
        call()
