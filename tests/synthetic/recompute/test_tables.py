import math
from fractions import Fraction

import pytest
from scipy import integrate, stats

from leakbound.errors import Undecided
from leakbound.numerics.ball import ball, ends, precision
from leakbound.synthetic.recompute import tables
from leakbound.synthetic.recompute.setting import Setting
from leakbound.synthetic.recompute.tables import Tables


def setting(features=3, rows=2, shift=Fraction(1), norm=None):
    return Setting(features, 1, rows, shift, norm)


def law(features, norm):
    return stats.ncx2(features, norm**2) if norm else stats.chi2(features)


@pytest.mark.parametrize(("features", "rows"), [(3, 2), (1, 5), (8, 1)])
@pytest.mark.parametrize("low", [0.0, 1.3])
def test_survivals_and_ratios_are_those_of_noncentral_chi_squares(features, rows, low):
    with precision(200):
        made = Tables(setting(features, rows))
        (pair,) = made.pairs([low], 5.0)
        for y in (-2.0, 1.0, 3.5):
            seen, u = pair.at(made.node(y)), math.exp(y)
            densities = []
            for norm, found in ((low, seen.low), (low + 1, seen.high)):
                other = law(features, norm)
                exact, _ = integrate.quad(
                    lambda w, u=u, other=other: stats.chi2.pdf(w, rows) * other.sf(u / w), 0, 80, limit=300
                )
                assert float(found) == pytest.approx(exact, rel=1e-5)
                densities.append(
                    integrate.quad(
                        lambda s, u=u, other=other: stats.chi2.pdf(u * math.exp(-s), rows) * other.pdf(math.exp(s)),
                        -30,
                        6,
                        limit=400,
                    )[0]
                )
            assert float(seen.ratio) == pytest.approx(densities[1] / densities[0], rel=1e-5)
            assert seen.ratio > pair.least_ratio()
            assert pair.at(made.node(y)) is seen


def test_the_moment_beyond_a_point_is_bounded():
    with precision(200):
        made = Tables(setting(4, 1))
        (pair,) = made.pairs([0.8], 8.0)
        ys = [-3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
        for y in ys[:4]:
            sure = 0.0  # a lower bound of the moment: masses of cells times the ratio at their left ends
            for left, right in zip(ys[ys.index(y) :], ys[ys.index(y) + 1 :], strict=False):
                a, b = pair.at(made.node(left)), pair.at(made.node(right))
                sure += float((a.low - b.low) * a.ratio**2)
            assert sure <= float(pair.moment_beyond(ball(2.0), made.node(y)))


def test_a_norm_bound_cuts_the_larger_norm():
    with precision(128):
        bounded, free = Tables(setting(norm=Fraction(3, 2))), Tables(setting(norm=Fraction(50)))
        assert ends(bounded.pairs([1.0], 5.0)[0].high) == (1.5, 1.5)
        assert ends(free.pairs([1.0], 5.0)[0].high) == (2.0, 2.0)


def test_what_the_weights_leave_out_is_kept():
    with precision(200):
        made = Tables(setting())
        for pair in made.pairs([0.0, 3.0], 5.0):
            assert all(rest >= 0 and rest < 1e-50 for rest in pair.rest)


def test_larger_norms_start_the_table_again_and_smaller_ones_do_not():
    with precision(128):
        made = Tables(setting())
        made.pairs([1.0], 5.0)
        node = made.node(0.0)
        made.pairs([0.5], 5.0)
        assert made.node(0.0) is node
        made.pairs([20.0], 5.0)
        assert len(made.node(0.0).densities.entries()) > len(node.densities.entries())


@pytest.mark.parametrize(
    ("features", "rows", "low"), [(3, 2, 1e4), (10**9, 1, 0.0), (1, 10**9, 0.0), (3, 2, 1e200)]
)  # fmt: skip
def test_what_would_take_forever_is_undecided(features, rows, low):
    with pytest.raises((Undecided, OverflowError)):
        Tables(setting(features, rows)).pairs([low], 5.0)


def test_no_more_than_so_many_points(monkeypatch):
    monkeypatch.setattr(tables, "_MOST_NODES", 2)
    made = Tables(setting())
    made.pairs([0.0], 1.0)
    made.node(0.0), made.node(1.0), made.node(1.0)
    with pytest.raises(Undecided, match="so many points"):
        made.node(2.0)


def test_the_middle_is_the_logarithm_of_the_mean():
    assert Tables(setting(3, 2)).middle() == pytest.approx(math.log(6))
