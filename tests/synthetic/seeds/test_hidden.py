"""Hidden seeds against independent densities: scipy's noncentral chi-square, and quadrature."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from leakbound.synthetic import HiddenSeeds, Publication, PublicSeeds
from leakbound.synthetic.seeds import hidden
from leakbound.synthetic.seeds.base import Bound

SLACK = 2e-4


def published(features, rows, *, outputs=1, noise=1.0, norm_bound=None):
    return Publication(features, outputs, rows, noise, 1.0, norm_bound)


def densities(features, rows, low, high):
    """Return y = log u on a grid with both densities of log U: noncentral chi-square times chi-square."""
    t = np.linspace(-30, math.log(features + high**2) + 5, 1500)
    y = np.linspace(-30, 12, 1200)
    given = stats.chi2.pdf(np.exp(y[:, None] - t), rows) * np.exp(y[:, None] - t)
    found = []
    for norm in (low, high):
        law = stats.ncx2(features, norm**2) if norm else stats.chi2(features)
        found.append(integrate.trapezoid(given * (law.pdf(np.exp(t)) * np.exp(t)), t, axis=1))
    return y, *found


@pytest.mark.parametrize(("features", "rows", "norm_bound"), [(2, 1, None), (12, 3, 2.0)])
def test_no_pair_of_norms_leaks_more_and_one_leaks_as_much(features, rows, norm_bound):
    at = published(features, rows, norm_bound=norm_bound)
    model = HiddenSeeds()
    renyi, delta = model.renyi(at, 2.0), model.delta(at, 0.2)
    epsilon = model.epsilon(at, 0.01, within=10.0).value
    best = [0.0, 0.0, 0.0]
    last = math.inf if norm_bound is None else norm_bound - 1.0
    for low in {min(last, norm) for norm in (0.0, 0.4, 1.0, 2.0, 4.0, renyi.evidence["norm"], delta.evidence["norm"])}:
        y, p, q = densities(features, rows, low, low + 1.0)
        assert integrate.trapezoid(p, y) == pytest.approx(1, abs=1e-5)
        for one, other in ((p, q), (q, p)):
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                moment = np.where(one > 1e-100, other**2 / one, 0.0)
            best[0] = max(best[0], math.log(integrate.trapezoid(moment, y)))
            best[1] = max(best[1], integrate.trapezoid(np.maximum(other - math.exp(0.2) * one, 0), y))
            best[2] = max(best[2], integrate.trapezoid(np.maximum(other - math.exp(epsilon) * one, 0), y))
    assert best[0] * (1 - 1e-6) <= renyi.value <= best[0] * (1 + SLACK)
    assert best[1] * (1 - 1e-4) <= delta.value <= best[1] * (1 + 3e-4)
    assert best[2] <= 0.01 * (1 + 1e-4)


def test_several_outputs_are_public_seeds():
    at, model = published(5, 2, outputs=3), HiddenSeeds()
    assert model.renyi(at, 2.0) == PublicSeeds().renyi(at, 2.0)
    assert model.delta(at, 0.3) == PublicSeeds().delta(at, 0.3)
    assert model.epsilon(at, 0.01, within=4.0) == PublicSeeds().epsilon(at, 0.01, within=4.0)


def test_the_ends_need_no_search(monkeypatch):
    monkeypatch.setattr(hidden, "worst", None)
    at = published(5, 2)
    assert HiddenSeeds().renyi(at, math.inf) == PublicSeeds().renyi(at, math.inf)
    assert HiddenSeeds().delta(at, math.inf) == PublicSeeds().delta(at, math.inf)


@pytest.mark.parametrize(("found", "bound"), [(0.2, 0.2), (5.0, 1.0), (-0.1, 0.0)])
def test_what_the_search_finds_never_exceeds_public_seeds_nor_falls_below_zero(found, bound):
    assert hidden._least(Bound(1.0), hidden.Worst(found, 0.7, reverse=True)) == Bound(
        bound, hidden.FrozenMap({"norm": 0.7, "larger_first": False})
    )


@pytest.mark.parametrize("found", [0.2, 5.0])
def test_an_epsilon_beyond_public_seeds_is_cut_at_theirs(monkeypatch, found):
    monkeypatch.setattr(hidden, "worst", lambda *_: hidden.Worst(found, 0.7, reverse=False))
    at = published(5, 2)
    theirs = PublicSeeds().epsilon(at, 0.01, within=10.0).value
    assert 0.2 < theirs < 5.0
    assert HiddenSeeds().epsilon(at, 0.01, within=10.0).value == min(found, theirs)


def test_what_it_rests_on():
    assert "secret-seeds" in {a.id for a in HiddenSeeds().assumptions()}
