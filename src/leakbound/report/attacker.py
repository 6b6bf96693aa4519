"""What an attacker can reach where a claim fixes a trade-off curve: sentences, a table and a drawing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from leakbound.certificate import Certificate
from leakbound.guarantees import Curve, PrivacyProfile, convert
from leakbound.guarantees.compose import curve_of
from leakbound.guarantees.curves import Lines
from leakbound.report.numbers import percent

MOST_LINES_READ = 1000
MOST_LINES_DRAWN = 100
"""Curves of more lines are not read, not drawn: a report should not take minutes."""

SIDE = 300
"""Of the square that is drawn."""

_LEVELS = ("0.01", "0.05", "0.1", "0.25", "0.5")
_DRAWN = tuple(10 ** (-k / 4) for k in range(28, 3, -1)) + tuple(k / 40 for k in range(5, 41))


class Row(NamedTuple):
    """At most this share of false alarms allows at most this share of detections."""

    false_alarms: str
    detections: str


@dataclass(frozen=True)
class Figure:
    """The drawing's outlines in the units of a square of side `SIDE`, and the same in numbers."""

    curve: str
    reachable: str
    rows: tuple[Row, ...]


def curve_for(certificate: Certificate, most_lines: int = MOST_LINES_READ) -> Curve | None:
    """Return the trade-off curve that an upper bound fixes, or None where there is none or it has too many lines.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import GaussianDP
    >>> curve_for(issue.declare(GaussianDP(1.0)))
    GaussianCurve(mu=1.0)
    """
    claim = certificate.claim
    curve = curve_of(claim)
    if certificate.direction != "upper" or (isinstance(curve, Lines) and len(curve.lines) > most_lines):
        return None
    return convert.profile_to_tradeoff(claim).curve if isinstance(claim, PrivacyProfile) else curve


def detections(curve: Curve, level: str) -> str:
    """Return the largest share of cases in which an attacker with this share of false alarms detects a difference.

    >>> from leakbound.guarantees import GaussianCurve
    >>> detections(GaussianCurve(1.0), "0.05")
    '26 %'
    """
    return percent(1 - Decimal(curve.trade_off(float(level))), up=True)


def attack(certificate: Certificate) -> Iterable[str]:
    """Yield a sentence about an attacker who allows five false alarms in a hundred.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import PureDP
    >>> list(attack(issue.declare(PureDP(1.0))))
    ['An attacker with at most 5 % false alarms detects the difference in at most 13.6 % of cases.']
    """
    curve = curve_for(certificate)
    if curve is not None:
        share = detections(curve, "0.05")
        yield f"An attacker with at most 5 % false alarms detects the difference in at most {share} of cases."


def figure(certificate: Certificate) -> Figure | None:
    """Return the drawing of the region of tests that a claim leaves to an attacker, or None where it fixes none.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import GaussianDP
    >>> figure(issue.declare(GaussianDP(1.0))).rows[1]
    Row(false_alarms='5 %', detections='26 %')
    """
    curve = curve_for(certificate, MOST_LINES_DRAWN)
    if curve is None:
        return None
    half = [(level, curve.trade_off(level)) for level in (0.0, *_DRAWN, _corner(curve))]
    # The curve is its own mirror image, so that its steep part is drawn from the flat one.
    points = sorted({*half, *((y, x) for x, y in half)}, key=lambda point: (point[0], -point[1]))
    rows = tuple(Row(percent(Decimal(level), up=False), detections(curve, level)) for level in _LEVELS)
    return Figure(_path(points), _path([*points, (1.0, 0.0), (0.0, 1.0)]), rows)


def _corner(curve: Curve) -> float:
    """Return where false alarms and misses are equal: the corner of the plainest curves."""
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if curve.trade_off(middle) > middle else (low, middle)
    return high


def _path(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x * SIDE:.2f},{(1 - y) * SIDE:.2f}" for x, y in points)
