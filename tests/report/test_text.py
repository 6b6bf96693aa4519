import pytest

from leakbound.certificate import Assumption, issue
from leakbound.guarantees import GaussianDP, PureDP, ZeroConcentratedDP
from leakbound.guarantees.registry import kinds
from leakbound.report.text import NARROWEST, certificate_text, routes_text

EXPECTED = """\
Standing: proved. It holds with the stated confidence under the listed assumptions, rounding
  included.
Claim: The leakage is at most (4.37718, 1e-05)-DP.
  When the data change to neighbouring data, no event becomes more than 79.6131 times as likely, up
  to an added probability of 1e-05.
  An attacker with at most 5 % false alarms detects the difference in at most 98.9 % of cases.
Confidence: 1 (no chance is involved in computing the claim).
Relation: replace-one (neighbouring data sets differ in one replaced record).
Assumptions:
  - Records are records. [checked by nobody; if it fails, the claim is void]
Method: gdp-to-approx-dp (The Gaussian profile)
References:
  - Balle and Wang (2018). Improving the Gaussian mechanism for differential privacy. ICML 2018.
  - Dong, Roth and Su (2022). Gaussian differential privacy. J. R. Statist. Soc. B 84."""


def test_the_standing_is_first_and_nothing_is_missing():
    certificate = issue.convert(GaussianDP(1.0, neighbouring="replace-one"), "approx-dp", delta=1e-5)
    certificate = certificate.with_(assumptions=(Assumption("a", "Records are records.", "nobody", "void"),))
    assert certificate_text(certificate) == EXPECTED


@pytest.mark.parametrize("width", [1, NARROWEST, 72, 100])
@pytest.mark.parametrize("kind", sorted(kinds()))
def test_lines_fit_the_width(width, kind):
    for claim in kinds()[kind].examples():
        lines = certificate_text(issue.declare(claim), width=width).splitlines()
        assert max(map(len, lines)) <= max(width, NARROWEST)


def test_what_a_certificate_lacks_is_said_or_left_out():
    text = certificate_text(issue.declare(PureDP(1.0)).with_(assumptions=()))
    assert "\nAssumptions: none.\n" in text
    assert "References" not in text


def test_hostile_text_steers_no_terminal():
    hostile = "\x1b[2J\nStanding: proved"
    certificate = issue.declare(PureDP(1.0)).with_(
        assumptions=(Assumption("a", hostile, "caller", "void"),), method=hostile, references=(hostile,)
    )
    text = certificate_text(certificate)
    assert "\x1b" not in text
    assert sum(line.startswith("Standing") for line in text.splitlines()) == 1


def test_the_routes_of_a_composition():
    total = issue.compose([(ZeroConcentratedDP(0.1), 3), (PureDP(0.2), 2)], delta=1e-5)
    assert routes_text(total) == ("Epsilon at delta 1e-05 by every route:\n  zcdp   3.79323\n  renyi  3.76469  (used)")


def test_delta_at_an_epsilon_is_rounded_up():
    total = issue.compose([(PureDP(0.1), 3)], epsilon=0.2)
    assert routes_text(total).startswith("Delta at epsilon 0.2 by every route:\n  optimal  0.0")


def test_no_routes_no_table():
    assert routes_text(issue.declare(PureDP(1.0))) == ""
    assert routes_text(issue.declare(PureDP(1.0)).with_(evidence={"routes": {}})) == ""


def test_strange_routes_are_shown_as_they_are():
    strange = issue.declare(PureDP(1.0)).with_(evidence={"routes": {"a\x1b": "b\x1b", "c": 10**400}})
    assert routes_text(strange) == "Epsilon at delta None by every route:\n  a\\x1b  b\\x1b\n  c      infinity"
