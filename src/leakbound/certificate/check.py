"""What a recomputation says about one number of a claim."""

from __future__ import annotations

import math
from dataclasses import dataclass

_ABSOLUTE = 1e-300


@dataclass(frozen=True)
class Check:
    """One claimed number beside the enclosure of the number that the method gives.

    The claim is safe when it is on the pessimistic side of the whole enclosure, confirmed when it is beyond none of it
    by more than the tolerance, refuted when it is beyond all of it by more than the tolerance.

    >>> Check("delta", 0.1, 0.0999, 0.1001, 0.01, larger_is_weaker=True).status
    'confirmed'
    """

    name: str
    claimed: float
    low: float
    high: float
    tolerance: float
    larger_is_weaker: bool

    @property
    def status(self) -> str:
        """`confirmed`, `refuted` or `undecided`."""
        sign = 1 if self.larger_is_weaker else -1
        claimed = sign * self.claimed
        near, far = (self.low, self.high) if sign == 1 else (-self.high, -self.low)
        slack = abs(claimed) * self.tolerance + _ABSOLUTE if math.isfinite(claimed) else 0.0
        allowed = claimed + slack
        if near > allowed:
            return "refuted"
        return "confirmed" if far <= allowed else "undecided"

    @property
    def safe(self) -> bool:
        """Whether the claim is on the pessimistic side of the enclosure, with no tolerance at all."""
        return self.claimed >= self.high if self.larger_is_weaker else self.claimed <= self.low

    def __str__(self) -> str:
        return f"{self.name}: claimed {self.claimed!r}, enclosure [{self.low!r}, {self.high!r}]"
