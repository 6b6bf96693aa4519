"""Two unit normals a shift apart, straight from the formulas, in ball arithmetic."""

from __future__ import annotations

from typing import Any

from leakbound.numerics.ball import ball, flint


def tail(x: Any) -> Any:
    """P(N > x); far out by Tricomi's function, because Arb's erfc loses its relative accuracy there."""
    if not x > 8:
        return (x / ball(2.0).sqrt()).erfc() / 2
    half = ball(0.5)
    return (-x * x / 2).exp() * (x * x / 2).hypgeom_u(half, half) / (4 * flint().arb.pi()).sqrt()


def hockey_stick(shift: float, threshold: float) -> Any:
    """Phi(shift/2 - threshold/shift) - e^threshold Phi(-shift/2 - threshold/shift)."""
    middle = ball(threshold) / ball(shift)
    half = ball(shift) / 2
    return tail(middle - half) - ball(threshold).exp() * tail(middle + half)


def trade_off(shift: float, level: float) -> Any:
    """Phi(Phi^-1(1 - level) - shift)."""
    quantile = ball(2.0).sqrt() * (2 * ball(level)).erfcinv()
    return tail(ball(shift) - quantile)


def mirror_shift(log_odds: float) -> Any:
    """2 Phi^-1(e^log_odds / (1 + e^log_odds))."""
    return 2 * ball(2.0).sqrt() * (2 / (1 + ball(log_odds).exp())).erfcinv()
