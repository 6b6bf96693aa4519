"""The largest hockey-stick divergence that a Renyi divergence allows, by the joint range of two-point laws.

By data processing under the test {p/q > e^threshold}, sup E_gamma(P|Q) over all pairs with D_order(P|Q) <= divergence
is the maximum of p - gamma q over two-point laws with p^a q^(1-a) + (1-p)^a (1-q)^(1-a) <= e^((a-1) divergence),
gamma = e^threshold. The left side is convex; its tangents at likelihood ratios r > 1 > s give, for every t = log(r/s),

    p - gamma q <= [c - a s^b + b s^a] / (a (r^b - s^b)),   b = a - 1,  c = e^(b divergence),
    s = gamma (a/b) (e^(bt) - 1) / (e^(at) - 1),  r = s e^t,

an upper bound at any t, attained where the tangent point lies on the constraint. The page proofs/renyi-to-approx-dp.md
has the derivation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from leakbound.numerics.decimals import digits_for, double_above, exp_less_one
from leakbound.numerics.rounding import TINY, ceiling
from leakbound.numerics.search import minimise, smallest_true

_STEPS = 400
_NEAREST, _FARTHEST, _LARGEST_ORDER = 1e-40, 1e18, 1e16
_SECANT_STEPS = 10
_ONE, _NUDGE, _CLOSE = Decimal(1), Decimal("1.000001"), Decimal("1e-25")


def largest_hockey_stick(order: float, divergence: float, threshold: float) -> float:
    """Return the maximum of E_gamma(P|Q), gamma = e^threshold, over pairs with Renyi divergence at most `divergence`.

    Rounded up. Order one is the Kullback-Leibler divergence, order infinity the largest log-ratio.
    Reference: Asoodeh, Liao, Calmon, Kosut and Sankar (2020).

    >>> round(largest_hockey_stick(2.0, 0.5, 1.0), 4)
    0.0897
    """
    if divergence == 0 or threshold == math.inf:
        return 0.0
    if divergence > _FARTHEST:
        return 1.0
    # Far ends are moved to where the digits below suffice, each to the side on which the maximum is larger.
    threshold = 0.0 if threshold < _NEAREST else min(threshold, _FARTHEST)
    divergence = max(divergence, _NEAREST)
    order = order if order == math.inf else min(order, _LARGEST_ORDER)
    if order == math.inf:
        with digits_for(divergence, threshold):
            gap = Decimal(threshold) - Decimal(divergence)
            return 0.0 if gap >= 0 else min(1.0, double_above(-exp_less_one(gap)))
    with digits_for(order - 1, divergence, threshold):
        a, eps, kappa = Decimal(order), Decimal(threshold), Decimal(divergence)
        if a > 1 and kappa >= eps + (a / (a - 1)).ln():
            return min(1.0, max(TINY, double_above(1 - (eps - kappa).exp())))
        if a > 1 and _familiar_log_bound(order, divergence, threshold) < -720:
            return TINY  # the familiar bound is below e^-720 already
        tilt = _tangent(a, eps, kappa)
        return min(1.0, max(TINY, double_above(_bound(a, eps, kappa, tilt))))


def least_threshold(order: float, divergence: float, target: float, *, below: float = math.inf) -> float:
    """Return the least threshold below `below` at which `largest_hockey_stick` is at most a target, else infinity.

    >>> round(least_threshold(2.0, 0.5, 0.0897023), 5)
    1.0
    """
    high = min(_FARTHEST, math.nextafter(below, 0.0))
    return smallest_true(lambda t: largest_hockey_stick(order, divergence, t) <= target, 0.0, high)


def familiar_threshold(order: float, divergence: float, target: float) -> float:
    """Return the threshold of the familiar conversion, a little larger than the least: only a guess of what is best.

    Formula: divergence + log(1 - 1/a) - (log(target) + log(a)) / (a - 1).
    Reference: Canonne, Kamath and Steinke (2020).

    >>> round(familiar_threshold(2.0, 0.5, 0.1516), 3)
    1.0
    """
    if order == math.inf:
        return divergence
    return math.inf if order == 1 or target == 0 else divergence + _familiar_offset(order - 1, target)


def best_order(pairs: Sequence[tuple[float, float]], threshold: float) -> float:
    """Return the order, of (order, divergence) pairs, whose `largest_hockey_stick` at a threshold is least.

    >>> best_order([(2.0, 0.5), (8.0, 0.6)], 2.0)
    8.0
    """
    return min(pairs, key=lambda pair: largest_hockey_stick(pair[0], pair[1], threshold))[0]


def over_orders(slope: float, threshold: float) -> tuple[float, float]:
    """Return (value, order), the least `largest_hockey_stick` found where the divergence of order a is slope times a.

    >>> value, order = over_orders(0.5, 3.0)
    >>> round(value, 5)
    0.00512
    """
    if slope in (0, math.inf):
        return largest_hockey_stick(2.0, slope, threshold), 2.0
    guess, _ = minimise(lambda b: _familiar_log_bound(1 + b, slope * (1 + b), threshold), 1e-12, 1e12)

    def at(b: float) -> float:
        return largest_hockey_stick(1 + b, _times(slope, 1 + b), threshold)

    low, high = guess / 4, guess * 4
    excess, value = minimise(at, low, high, points=9, tolerance=1e-4)
    while excess < 1.01 * low:  # the guess is poor where the threshold is small: look nearer to order one
        low, high = low / 256, low
        nearer, less = minimise(at, low, high, points=5, tolerance=1e-4)
        if not less < value * (1 - 1e-9):
            break
        excess, value = nearer, less
    return value, 1 + excess


def threshold_over_orders(slope: float, target: float) -> tuple[float, float]:
    """Return (threshold, order), the least `least_threshold` found where the divergence of order a is slope times a.

    >>> threshold, order = threshold_over_orders(0.5, 1e-5)
    >>> round(threshold, 3)
    4.728
    """
    if target == 0 or slope in (0, math.inf):
        return least_threshold(2.0, slope, target), 2.0
    guess, start = minimise(lambda b: slope * (1 + b) + _familiar_offset(b, target), 1e-12, 1e12)
    best, order = math.inf, 1 + guess
    for _ in range(3):
        found = least_threshold(order, _times(slope, order), target, below=min(best, 2 * max(start, 1e-300)))
        if found == math.inf:
            break
        best, (_, order), attained = found, over_orders(slope, found), order
    return (best, attained) if best < math.inf else (math.inf, order)


def _familiar_log_bound(a: float, divergence: float, threshold: float) -> float:
    """The logarithm of the familiar e^((a-1)(divergence - threshold)) (1 - 1/a)^(a-1) / a, to guess an order."""
    return (a - 1) * (divergence - threshold + math.log1p(-1 / a)) - math.log(a)


def _familiar_offset(b: float, target: float) -> float:
    return math.log(b / (1 + b)) - (math.log(target) + math.log1p(b)) / b


def _times(slope: float, order: float) -> float:
    return ceiling(Fraction(slope) * Fraction(order))


def _log_s(a: Decimal, eps: Decimal, t: Decimal) -> Decimal:
    b = a - 1
    if b == 0:
        return eps - t + (t / (1 - (-t).exp())).ln()
    return eps - t + (a / b * exp_less_one(-b * t) / exp_less_one(-a * t)).ln()


def _excess(a: Decimal, eps: Decimal, kappa: Decimal, t: Decimal) -> Decimal:
    """Renyi divergence of the two-point pair with ratios r and s, less kappa; -kappa where s is at least one."""
    log_s, b, back = _log_s(a, eps, t), a - 1, (-t).exp()
    if log_s >= 0:
        return -kappa
    s = log_s.exp()
    if b == 0:
        return (1 - s) / (1 - back) * t + log_s - kappa
    inside = ((1 - s) + (s - back) * (-b * t).exp()) / (1 - back)
    return log_s + t + inside.ln() / b - kappa


def _bound(a: Decimal, eps: Decimal, kappa: Decimal, t: Decimal) -> Decimal:
    log_s, b = _log_s(a, eps, t), a - 1
    s = log_s.exp()
    if b == 0:
        return (kappa + s - 1 - log_s) / t
    shrink = (-b * t).exp()
    return ((b * (kappa - log_s - t)).exp() - shrink * (a - b * s)) / (a * (1 - shrink))


def _tangent(a: Decimal, eps: Decimal, kappa: Decimal) -> Decimal:
    """Return a t near the root of `_excess`; any t gives a valid bound, and its error enters squared."""
    start = _rough_tangent(float(a), float(eps), float(kappa))
    if start is not None:
        t = Decimal(start)
        before, at_before = t * _NUDGE, _excess(a, eps, kappa, t * _NUDGE)
        for _ in range(_SECANT_STEPS):
            at = _excess(a, eps, kappa, t)
            if abs(at) < kappa * _CLOSE:
                return t
            if at == at_before:
                break
            before, at_before, t = t, at, t - at * (t - before) / (at - at_before)
            if not t > 0:
                break
    return _searched_tangent(a, eps, kappa)


def _rough_tangent(a: float, eps: float, kappa: float) -> float | None:
    """Solve `_excess` = 0 in doubles by bisection in log t; None where doubles do not carry it."""
    b = a - 1

    def excess(t: float) -> float:
        if b == 0:
            log_s = eps - t + math.log(t / -math.expm1(-t))
            return -math.expm1(log_s) / -math.expm1(-t) * t + log_s - kappa if log_s < 0 else -kappa
        log_s = eps - t + math.log(a / b * math.expm1(-b * t) / math.expm1(-a * t))
        if log_s >= 0:
            return -kappa
        back = math.exp(-t)
        inside = (-math.expm1(log_s) + (math.exp(log_s) - back) * math.exp(-b * t)) / (1 - back)
        return log_s + t + math.log(inside) / b - kappa

    low, high = -30.0, 30.0
    try:
        for _ in range(60):
            middle = (low + high) / 2
            if excess(math.exp(middle)) >= 0:
                high = middle
            else:
                low = middle
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return math.exp(high)


def _searched_tangent(a: Decimal, eps: Decimal, kappa: Decimal) -> Decimal:
    """Solve `_excess` = 0 in many digits by regula falsi (Illinois) in log t, every fourth step a bisection."""

    def excess(u: Decimal) -> Decimal:
        return _excess(a, eps, kappa, u.exp())

    low = high = Decimal(0)
    jump = _ONE
    while excess(low) >= 0:
        high, low, jump = low, low - jump, 2 * jump
    jump = _ONE
    while high <= low or excess(high) < 0:
        low, high, jump = max(low, high), high + jump, 2 * jump
    at_low, at_high = excess(low), excess(high)
    found, kept = at_high, 0  # an end that stays for a second step has its value halved
    for step in range(_STEPS):
        if found < kappa * _CLOSE:
            break
        u = (low * at_high - high * at_low) / (at_high - at_low)
        if step % 4 == 3 or not low < u < high:
            u = (low + high) / 2
        value = excess(u)
        if value >= 0:
            high, at_high, at_low, found = u, value, at_low / (2 if kept < 0 else 1), value
            kept = -1
        else:
            low, at_low, at_high = u, value, at_high / (2 if kept > 0 else 1)
            kept = 1
    return high.exp()
