"""Conversions to mutual information, max-information and kernel divergences; the others stand in test_convert.py."""

import math
from fractions import Fraction

import pytest
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import (
    NEIGHBOURING,
    GaussianDP,
    KernelRenyiDP,
    MaxInformation,
    MutualInformation,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    restate,
)
from leakbound.numerics.ball import ball
from leakbound.numerics.rounding import ceiling

CLOSE = 4.5e-16
"""Two doubles: what rounding a many-digit number outwards costs."""


@pytest.mark.parametrize(("relation", "step"), [("replace-one", 1), ("label-only", 1), ("add-or-remove-one", 2)])
def test_pure_dp_to_mutual_information(relation, step):
    given = PureDP(0.75, neighbouring=relation)
    for records in (1, 2, 5):
        together = restate(given, "mutual-information", records=records).nats
        apart = restate(given, "mutual-information", records=records, independent=True).nats
        n = step * records
        assert 0 <= excess(together, lambda n=n: n * ball(0.75) * (n * ball(0.375)).tanh()) <= CLOSE
        assert 0 <= excess(apart, lambda r=records: r * step * ball(0.75) * (step * ball(0.375)).tanh()) <= 2 * CLOSE
    assert restate(given, "mutual-information") == restate(given, "mutual-information", records=1, independent=True)


def test_pure_dp_to_max_information():
    assert restate(PureDP(0.5), "max-information", records=100) == MaxInformation(50.0, 0.0)
    assert restate(PureDP(0.1), "max-information", records=3).nats == ceiling(3 * Fraction(0.1))
    assert restate(PureDP(math.inf), "max-information", records=1).nats == math.inf
    assert restate(PureDP(0.1), "max-information", records=10**400).nats == math.inf
    with pytest.raises(NoTheorem, match="replace-one neighbours"):
        restate(PureDP(0.5, neighbouring="add-or-remove-one"), "max-information", records=1)
    for bad in (0, -1, 1.5, True, math.nan, "3"):
        with pytest.raises(InvalidInput, match=r"^records must be a whole number of at least 1, but got records="):
            restate(PureDP(0.5), "max-information", records=bad)


def test_gdp_to_mutual_information():
    given = GaussianDP(0.1)
    rho = ceiling(Fraction(0.1) ** 2 / 2)
    assert restate(given, "mutual-information").nats == rho
    assert restate(given, "mutual-information", records=3).nats == ceiling(9 * Fraction(rho))
    assert restate(given, "mutual-information", records=3, independent=True).nats == ceiling(3 * Fraction(rho))


def test_renyi_to_mutual_information():
    given = RenyiDP((2.0, 4.0, 8.0), (0.75, 0.1, 0.8))
    assert restate(given, "mutual-information").nats == 0.1
    assert restate(given, "mutual-information", records=3, independent=True).nats == ceiling(3 * Fraction(0.1))
    with pytest.raises(NoTheorem, match="says nothing of two steps"):
        restate(given, "mutual-information", records=2)
    with pytest.raises(NoTheorem, match="says nothing of two steps"):
        restate(RenyiDP((2.0,), (0.5,), neighbouring="add-or-remove-one"), "mutual-information")
    for bad in (0, 1.5, True):
        with pytest.raises(InvalidInput, match=r"^records must be a whole number of at least 1, but got records="):
            restate(given, "mutual-information", records=bad)


def test_renyi_to_kernel_renyi():
    given = RenyiDP((2.0, 4.0, 8.0), (0.5, 0.3, 0.8))
    options = {"kernel": "rbf(bandwidth=1.0)", "regularization": 0.01}
    for order, epsilon in ((1.0, 0.3), (2.0, 0.3), (4.0, 0.3), (4.001, 0.8), (8.0, 0.8)):
        found = restate(given, "kernel-renyi", order=order, **options)
        assert found == KernelRenyiDP("rbf(bandwidth=1.0)", order, 0.01, epsilon)
    with pytest.raises(NoTheorem, match=r"^Nothing is known at order 8.001 or above; give"):
        restate(given, "kernel-renyi", order=8.001, **options)
    assert restate(RenyiDP((math.inf,), (0.5,)), "kernel-renyi", order=math.inf, **options).epsilon == 0.5
    for bad in (0.999, -1.0, math.nan, True, "2"):
        with pytest.raises(InvalidInput, match=r"^order must be a number of at least 1, but got order="):
            restate(given, "kernel-renyi", order=bad, **options)
    with pytest.raises(InvalidInput, match=r"^regularization must be"):
        restate(given, "kernel-renyi", order=2.0, kernel="rbf(bandwidth=1.0)", regularization=-1.0)


@pytest.mark.parametrize(("relation", "step"), [("replace-one", 1), ("declared-secret", 1), ("add-or-remove-one", 2)])
def test_zcdp_to_mutual_information(relation, step):
    given = ZeroConcentratedDP(0.1, neighbouring=relation)
    for n in (1, 2, 7):
        together = restate(given, "mutual-information", records=n)
        apart = restate(given, "mutual-information", records=n, independent=True)
        assert together.nats == ceiling((step * n) ** 2 * Fraction(0.1))
        assert apart.nats == ceiling(n * Fraction(ceiling(step**2 * Fraction(0.1))))
    assert restate(ZeroConcentratedDP(math.inf), "mutual-information", records=2).nats == math.inf
    assert restate(ZeroConcentratedDP(0.0), "mutual-information", records=2).nats == 0.0


@pytest.mark.parametrize("given", [PureDP(0.5), GaussianDP(0.5), ZeroConcentratedDP(0.5)])
def test_information_about_records(given):
    one = restate(given, "mutual-information", records=1)
    assert one == restate(given, "mutual-information")
    assert one.neighbouring == "as-stated"
    for relation in NEIGHBOURING:
        held = type(given).from_claim(given.claim(), relation)
        about = relation if relation in ("as-stated", "label-only") else "declared-secret"
        for independent in (False, True):
            both = restate(held, "mutual-information", records=2, independent=independent)
            assert both.neighbouring == about
    assert isinstance(one, MutualInformation)
    for bad in (0, -1, 1.5, True, math.nan, "3"):
        for independent in (False, True):
            with pytest.raises(InvalidInput, match=r"^records must be a whole number of at least 1, but got records="):
                restate(given, "mutual-information", records=bad, independent=independent)
    for bad in (1, 0, "yes", math.nan):
        with pytest.raises(InvalidInput, match=r"^independent must be True or False, but got independent="):
            restate(given, "mutual-information", independent=bad)


@pytest.mark.parametrize("records", [94_906_267, 2**53 + 1, 10**20 + 1])
def test_information_about_very_many_records_is_rounded_up(records):
    together = restate(ZeroConcentratedDP(1.0), "mutual-information", records=records).nats
    assert together == ceiling(Fraction(records) ** 2)
    apart = restate(ZeroConcentratedDP(1.0), "mutual-information", records=records, independent=True).nats
    assert apart == ceiling(Fraction(records))
    assert restate(PureDP(1.0), "mutual-information", records=records).nats >= records
    renyi = restate(RenyiDP((2.0,), (1.0,)), "mutual-information", records=records, independent=True)
    assert renyi.nats == ceiling(Fraction(records))


@pytest.mark.parametrize("given", [PureDP(1.0), GaussianDP(1.0), ZeroConcentratedDP(1.0), RenyiDP((2.0,), (1.0,))])
def test_information_about_more_records_than_a_double_holds_is_infinite(given):
    assert restate(given, "mutual-information", records=10**400, independent=True).nats == math.inf
