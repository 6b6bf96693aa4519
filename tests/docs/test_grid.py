"""The README's grid of conversions is the one in the code."""

from pathlib import Path

from leakbound.guarantees import ARROWS
from leakbound.guarantees.arrows import grid
from leakbound.guarantees.registry import kinds

ROOT = Path(__file__).parents[2]


def test_readme_shows_the_grid_of_the_code():
    assert grid() in (ROOT / "README.md").read_text(encoding="utf-8"), "run python scripts/grid.py"


def test_grid_has_every_kind_and_every_arrow():
    table = grid().splitlines()
    assert len(table) == len(kinds()) + 2
    assert sum(row.count("[yes]") for row in table) == len(ARROWS)
