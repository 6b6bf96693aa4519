from pathlib import Path

import pytest

from leakbound.certificate.references import REFERENCES
from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import ARROWS, GaussianDP, PureDP, RenyiDP, RiskBound, ZeroConcentratedDP, restate
from leakbound.guarantees.arrows import arrow, find, grid
from leakbound.guarantees.registry import kinds

ROOT = Path(__file__).resolve().parents[2]
GRID = {
    "pure-dp": {"approx-dp", "profile", "tradeoff", "gdp", "renyi", "zcdp", "mutual-information", "max-information"},
    "approx-dp": {"approx-dp", "profile", "tradeoff"},
    "profile": {"approx-dp", "tradeoff", "renyi"},
    "tradeoff": {"approx-dp", "profile", "renyi"},
    "gdp": {"approx-dp", "profile", "tradeoff", "renyi", "zcdp", "mutual-information"},
    "renyi": {"approx-dp", "tradeoff", "mutual-information", "kernel-renyi"},
    "zcdp": {"approx-dp", "renyi", "mutual-information"},
}


def test_the_grid_of_conversions():
    assert set(ARROWS) == {(source, target) for source, targets in GRID.items() for target in targets}


def test_every_arrow_leads_between_registered_kinds():
    for (source, target), found in ARROWS.items():
        assert {source, target} <= set(kinds())
        assert (found.source, found.target) == (source, target)
        assert found.method == f"{source}-to-{target}"
        assert found.theorem.strip()
        assert found.references


@pytest.mark.parametrize("page", sorted({found.page for found in ARROWS.values()}))
def test_every_page_of_an_arrow_exists(page):
    assert (ROOT / "proofs" / page).is_file()


@pytest.mark.parametrize("key", sorted({key for found in ARROWS.values() for key in found.references}))
def test_every_reference_of_an_arrow_exists(key):
    assert REFERENCES[key]


def test_options_are_the_keywords_of_the_function():
    assert find("gdp", "zcdp").options == ()
    assert find("gdp", "approx-dp").options == ("epsilon", "delta")
    assert find("renyi", "kernel-renyi").options == ("kernel", "order", "regularization")
    assert find("gdp", "approx-dp").required == ()
    assert find("pure-dp", "mutual-information").required == ()
    assert find("renyi", "kernel-renyi").required == ("kernel", "order", "regularization")


def test_required_options_are_named():
    with pytest.raises(InvalidInput, match=r"^The conversion gdp-to-renyi needs orders, but it was not given; give it"):
        restate(GaussianDP(1.0), "renyi", orders=None)


def test_a_missing_arrow_names_what_can_be_reached():
    with pytest.raises(NoTheorem) as error:
        find("zcdp", "gdp")
    assert str(error.value) == (
        "No conversion leads from zcdp to gdp; from zcdp one reaches approx-dp, renyi, mutual-information."
    )
    with pytest.raises(NoTheorem, match=r"from risk to gdp; from risk one reaches nothing\.$"):
        restate(RiskBound(0.1), "gdp")
    with pytest.raises(NoTheorem, match=r"^No conversion leads from gdp to nonsense; "):
        restate(GaussianDP(1.0), "nonsense")


def test_restate_calls_the_arrow_with_the_options_that_are_given():
    assert restate(GaussianDP(2.0), "zcdp") == ZeroConcentratedDP(2.0)
    assert restate(GaussianDP(1.0), "renyi", orders=(2,)) == RenyiDP((2,), (1.0,))
    both = restate(PureDP(1.0), "approx-dp", epsilon=1.0, delta=None)
    assert both == restate(PureDP(1.0), "approx-dp", epsilon=1.0)
    assert restate(GaussianDP(2.0), "zcdp", orders=None) == ZeroConcentratedDP(2.0)


def test_unknown_options_are_refused():
    with pytest.raises(InvalidInput, match=r"^The conversion gdp-to-zcdp takes no option, but got delta; leave it out"):
        restate(GaussianDP(1.0), "zcdp", delta=0.1, records=2)
    with pytest.raises(InvalidInput, match=r"^The conversion gdp-to-approx-dp takes epsilon, delta, but got orders; "):
        restate(GaussianDP(1.0), "approx-dp", delta=0.1, orders=(2,))


def test_the_grid_as_a_table():
    head, rule, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in grid().splitlines()]
    assert head[0] == "from, to"
    assert head[1:8] == ["pure-dp", "approx-dp", "profile", "tradeoff", "gdp", "renyi", "zcdp"]
    assert sorted(head[1:]) == sorted(kinds())
    assert rule == ["---"] * len(head)
    assert [row[0] for row in rows] == [f"**{kind}**" for kind in head[1:]]
    for source, (_, *cells) in zip(head[1:], rows, strict=True):
        for target, cell in zip(head[1:], cells, strict=True):
            found = ARROWS.get((source, target))
            assert cell == (f"[yes](proofs/{found.page})" if found else ""), (source, target)


def test_a_new_arrow_enters_the_grid(monkeypatch):
    monkeypatch.setattr("leakbound.guarantees.arrows.ARROWS", grid := {})

    @arrow("gdp", "risk", "A theorem", "one", "two", page="page.md")
    def gdp_to_risk(given, *, extra=None):
        return RiskBound(given.mu) if extra is None else RiskBound(extra)

    found = grid["gdp", "risk"]
    assert found.function is gdp_to_risk
    assert (found.theorem, found.references, found.page) == ("A theorem", ("one", "two"), "page.md")
    assert restate(GaussianDP(0.5), "risk") == RiskBound(0.5)
    assert restate(GaussianDP(0.5), "risk", extra=0.25) == RiskBound(0.25)


@pytest.mark.parametrize("given", [1.0, "gdp", None, PureDP])
def test_only_a_guarantee_is_converted(given):
    with pytest.raises(InvalidInput, match=r"^A guarantee is needed to convert from, but got .+\.$"):
        restate(given, "approx-dp", epsilon=1.0)
