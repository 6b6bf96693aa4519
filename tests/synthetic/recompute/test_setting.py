from fractions import Fraction

import pytest

from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import precision
from leakbound.synthetic.recompute.setting import Setting

GOOD = {"features": 12, "outputs": 2, "rows": 5, "noise": 3.0, "sensitivity": 1.0}


def read(**changes):
    return Setting.read(Record("inputs", {**GOOD, **changes}))


def test_ratios_are_exact():
    assert read() == Setting(12, 2, 5, Fraction(1, 3), None)
    assert read(noise=0.1).exact_shift == 1 / Fraction(0.1)
    assert read(norm_bound=0.25) == Setting(12, 2, 5, Fraction(1, 6), Fraction(1, 12))
    assert read(norm_bound=50.0) == Setting(12, 2, 5, Fraction(1, 3), Fraction(50, 3))
    with precision(200):
        assert abs(read().shift() * 3 - 1) < 1e-50


@pytest.mark.parametrize(("rows", "kept"), [(5, 5), (12, 12), (13, 12)])
def test_seeds_span_no_more_than_all_features(rows, kept):
    assert read(rows=rows).kept == kept


@pytest.mark.parametrize("name", ["noise", "sensitivity", "norm_bound"])
@pytest.mark.parametrize("bad", [0.0, -1.0, float("inf"), True, "1", None])
def test_lengths_must_be_positive_and_finite(name, bad):
    with pytest.raises(InvalidCertificate, match=rf"inputs\.{name} must"):
        read(**{name: bad})


@pytest.mark.parametrize("name", ["features", "outputs", "rows"])
@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "1", None])
def test_counts_must_be_whole(name, bad):
    with pytest.raises(InvalidCertificate, match=rf"inputs\.{name} must"):
        read(**{name: bad})


@pytest.mark.parametrize("name", GOOD)
def test_nothing_may_be_missing(name):
    with pytest.raises(InvalidCertificate, match=f"must have '{name}'"):
        Setting.read(Record("inputs", {key: value for key, value in GOOD.items() if key != name}))
