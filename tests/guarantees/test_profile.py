import math

import pytest
from tests.oracles import gaussian_oracle
from tests.oracles.sides import excess

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import DPCurve, Events, GaussianCurve, LaplaceCurve, PrivacyProfile, Statements

LINES = ((0.7, 0.2), (0.1, 0.01))


@pytest.mark.parametrize("curve", [None, 1.0, "gaussian", GaussianCurve, {"mu": 1.0}, LINES])
def test_a_curve_is_needed(curve):
    with pytest.raises(InvalidInput, match=r"^curve must be a .* such as GaussianCurve.*, but got "):
        PrivacyProfile(curve)


def test_statements_are_no_profile():
    # their lines would be read as events when the claim is read again
    with pytest.raises(InvalidInput, match=r"^curve must be "):
        PrivacyProfile(Statements(((1.0, 0.1),)))


def test_delta_is_that_of_the_curve():
    profile = PrivacyProfile(GaussianCurve(0.75))
    assert 0 <= excess(profile.delta(0.5), lambda: gaussian_oracle.hockey_stick(0.75, 0.5)) <= 2e-11
    assert profile.delta(math.inf) == 0.0
    for bad in (-1e-9, math.nan, True, "1"):
        with pytest.raises(InvalidInput, match=r"^epsilon must be a number of at least 0, but got epsilon="):
            profile.delta(bad)


def test_claims():
    assert PrivacyProfile(Events(LINES)).claim() == {"lines": LINES}
    assert PrivacyProfile(DPCurve(1.0, 0.5)).claim() == {"family": "dp", "parameters": {"epsilon": 1.0, "delta": 0.5}}
    assert PrivacyProfile.from_claim({"lines": LINES}, "as-stated") == PrivacyProfile(Events(LINES))
    with pytest.raises(InvalidInput, match=r"^A profile claim has either lines, or family and parameters; got mu"):
        PrivacyProfile.from_claim({"mu": 1.0}, "as-stated")


def test_text():
    assert str(PrivacyProfile(GaussianCurve(1.0))) == "privacy profile gaussian(mu=1)"
    assert str(PrivacyProfile(Events(LINES))) == "privacy profile 2 events"


def test_gaussian_profiles_compose_and_others_do_not():
    assert PrivacyProfile(GaussianCurve(3.0)).compose(4) == PrivacyProfile(GaussianCurve(6.0))
    with pytest.raises(NoTheorem, match=r"^A privacy profile composes in closed form when it is Gaussian, but got lap"):
        PrivacyProfile(LaplaceCurve(1.0)).compose(2)
