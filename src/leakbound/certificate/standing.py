"""How firmly a claim stands."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Standing(Enum):
    """The four standings, from firm to none; a combination stands as its weakest part.

    >>> Standing.weakest([Standing.PROVED, Standing.NUMERICAL])
    <Standing.NUMERICAL: 'numerical'>
    """

    PROVED = "proved"
    NUMERICAL = "numerical"
    CONDITIONAL = "conditional"
    ESTIMATE = "estimate"

    @property
    def meaning(self) -> str:
        """One sentence for the reader."""
        return _MEANINGS[self]

    @classmethod
    def weakest(cls, standings: Iterable[Standing]) -> Standing:
        """Return the weakest of several standings."""
        order = list(cls)
        return max(standings, key=order.index)


_MEANINGS = {
    Standing.PROVED: "It holds with the stated confidence under the listed assumptions, rounding included.",
    Standing.NUMERICAL: "The formula is proved; floating-point error is estimated with a margin, not enclosed.",
    Standing.CONDITIONAL: "It needs a named step that nobody has proved.",
    Standing.ESTIMATE: "It is an estimate and guarantees nothing.",
}
