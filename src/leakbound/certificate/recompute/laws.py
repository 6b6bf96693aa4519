"""Curves and divergences in ball arithmetic, straight from their definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate, Undecided
from leakbound.numerics.ball import ball, enclose, ends, flint, is_positive, normal_tail, precision

Points = Sequence[tuple[float, float]]


def maximum(values: Sequence[Any]) -> Any:
    """Return a ball that holds the largest of some balls."""
    best = values[0]
    for value in values[1:]:
        best = best.max(value)
    return best


def minimum(values: Sequence[Any]) -> Any:
    """Return a ball that holds the least of some balls."""
    return -maximum([-value for value in values])


def gaussian_profile(mu: float, epsilon: float) -> Any:
    """P(N > eps/mu - mu/2) - e^eps P(N > eps/mu + mu/2)."""
    if mu == 0 or epsilon == math.inf:
        return ball(0.0)
    if mu == math.inf:
        return ball(1.0)
    m, e = ball(mu), ball(epsilon)
    return normal_tail(e / m - m / 2) - e.exp() * normal_tail(e / m + m / 2)


def laplace_profile(shift: float, epsilon: float) -> Any:
    """1 - e^((eps - shift)/2), at least zero."""
    if epsilon >= shift:
        return ball(0.0)
    return -((ball(epsilon) - ball(shift)) / 2).expm1()


def statements_profile(lines: Points, epsilon: float) -> Any:
    """The lower convex hull, at x = e^eps, of the statements' points and their mirror images: the least chord."""
    x = ball(epsilon).exp()
    e, points = ball(epsilon), [(None, ball(0.0), ball(1.0))]
    for log_slope, offset in lines:
        if log_slope <= 1e18:
            s, d = ball(log_slope), ball(offset)
            points += [(s, s.exp(), d), *([(-s, (-s).exp(), 1 - (-s).exp() * (1 - d))] if log_slope > 0 else [])]
    # On which side of x a point lies is read off exactly, from the doubles.
    left = [p for p in points if p[0] is None or p[0] <= e]
    right = [p for p in points if p[0] is not None and p[0] > e]
    flat = [y for _, _, y in left]
    before = [(x1, y1) for at, x1, y1 in left if at is None or at < e]
    chords = [(y1 * (x2 - x) + y2 * (x - x1)) / (x2 - x1) for x1, y1 in before for _, x2, y2 in right]
    return minimum(flat + chords)


def events_profile(lines: Points, epsilon: float) -> Any:
    """The largest of p - q e^eps and zero."""
    x = ball(epsilon).exp()
    return maximum([ball(0.0), *(ball(p) - ball(q) * x if q > 0 else ball(p) for p, q in lines)])


def profile(curve: Record) -> Callable[[float], Any]:
    """Return delta(epsilon) of a guarantee's claim as a function into balls."""
    kind = curve.text("kind")
    if kind == "pure-dp":
        return lambda e: statements_profile([(curve.number("epsilon"), 0.0)], e)
    if kind == "approx-dp":
        return lambda e: statements_profile([(curve.number("epsilon"), curve.number("delta"))], e)
    if kind == "gdp":
        return _gaussian(curve.number("mu"))
    if "lines" in curve:
        lines = curve.pairs("lines")
        return lambda e: (statements_profile if kind == "tradeoff" else events_profile)(lines, e)
    family, parameters = curve.text("family"), curve.record("parameters")
    if family == "gaussian":
        return _gaussian(parameters.number("mu"))
    if family == "laplace":
        return lambda e: laplace_profile(parameters.number("epsilon"), e)
    if family == "dp":
        return lambda e: statements_profile([(parameters.number("epsilon"), parameters.number("delta"))], e)
    raise InvalidCertificate(f"The recomputation does not know the family {family!r}; it cannot be checked.")


def _gaussian(mu: float) -> Callable[[float], Any]:
    return lambda e: gaussian_profile(mu, e)


def renyi(curve: Record) -> Callable[[float], Any]:
    """Return the Renyi divergence of an order, of a guarantee's claim, as a function into balls."""
    kind = curve.text("kind")
    if kind == "pure-dp":
        return lambda a: two_point_renyi(curve.number("epsilon"), a)
    if kind == "gdp":
        return lambda a: concentrated_renyi(ball(curve.number("mu")) ** 2 / 2, a)
    if kind == "zcdp":
        return lambda a: concentrated_renyi(ball(curve.number("rho")), a)
    if kind == "renyi":
        table = dict(zip(curve.numbers("orders"), curve.numbers("epsilons"), strict=False))
        return lambda a: ball(_at(table, a))
    if "lines" in curve:
        lines = curve.pairs("lines")
        return lambda a: polygon_renyi(lines if kind == "tradeoff" else corners_of_events(lines), a)
    family, parameters = curve.text("family"), curve.record("parameters")
    if family == "gaussian":
        return lambda a: concentrated_renyi(ball(parameters.number("mu")) ** 2 / 2, a)
    if family == "laplace":
        return lambda a: laplace_renyi(parameters.number("epsilon"), a)
    if family == "dp":
        if parameters.number("delta") > 0:
            return lambda _: ball(math.inf)
        return lambda a: two_point_renyi(parameters.number("epsilon"), a)
    raise InvalidCertificate(f"The recomputation does not know the family {family!r}; it cannot be checked.")


def _at(table: dict[float, float], order: float) -> float:
    if order not in table:
        raise InvalidCertificate(f"evidence.order is {order}, at which the inputs say nothing; it does not fit them.")
    return table[order]


def concentrated_renyi(rho: Any, order: float) -> Any:
    """Order times rho; what tells nothing apart has no divergence at any order, infinity included."""
    return ball(0.0) if rho == 0 else ball(order) * rho


def two_point_renyi(log_odds: float, order: float) -> Any:
    """Renyi divergence of a coin from its mirror image."""
    if math.inf in (log_odds, order) or log_odds == 0:
        return ball(log_odds)
    e, a = ball(log_odds), ball(order)
    if order == 1:
        return e * (e / 2).tanh()
    return e + ((1 + (-(2 * a - 1) * e).exp()) / (1 + (-e).exp())).log() / (a - 1)


def laplace_renyi(shift: float, order: float) -> Any:
    """Renyi divergence of two Laplace laws."""
    if math.inf in (shift, order) or shift == 0:
        return ball(shift)
    s, a = ball(shift), ball(order)
    if order == 1:
        return s + (-s).expm1()
    return s + ((a + (a - 1) * (-(2 * a - 1) * s).exp()) / (2 * a - 1)).log() / (a - 1)


def polygon_renyi(lines: Points, order: float) -> Any:
    """Renyi divergence of the extreme pair: the integral of |f'|^(1-a) over the edges of the trade-off polygon.

    Between the corners (x, 1 - z) and (x', 1 - z') of its hockey-stick curve the second law has mass
    (z' - z) / (x' - x) at ratios beyond x, so the drop of that slope at a corner is its mass at the ratio x. Where the
    curve ends above zero, that much of the first law has an infinite ratio.
    """
    with precision(_CORNER_BITS):
        corners = _corners(lines)
    if corners[-1][0] < 0 or corners[-1][1] > 0:
        return ball(math.inf)
    if order == math.inf:
        return ball(corners[-1][0])
    points = [_point(corner) for corner in corners]
    slopes = [(z2 - z1) / (x2 - x1) for (x1, z1), (x2, z2) in itertools.pairwise(points)]
    masses = [before - after for before, after in itertools.pairwise([*slopes, ball(0.0)])]
    ratios = [x for x, _ in points[1:]]
    if order == 1:
        return sum((q * x * x.log() for q, x in zip(masses, ratios, strict=True)), ball(0.0))
    a = ball(order)
    return sum((q * (x.log() * a).exp() for q, x in zip(masses, ratios, strict=True)), ball(0.0)).log() / (a - 1)


_CORNER_BITS = 4096
"""Corners are chosen with these; doubles that differ do so by more, and what differs by less counts as one line."""


def _corners(lines: Points) -> list[tuple[float, float]]:
    """The corners of the curve below statements and mirror images: (log x, offset), the mirrored with log x below 0."""
    least: dict[float, float] = {}
    for log_slope, offset in lines:
        if log_slope <= 1e18:
            least[log_slope] = min(offset, least.get(log_slope, 1.0))
    stated = sorted(least.items())
    hull: list[tuple[float, float]] = [(-math.inf, 0.0)]
    for corner in [*((-e, d) for e, d in reversed(stated) if e > 0), *stated]:
        while len(hull) > 1 and not _bends(hull[-2], hull[-1], corner):
            hull.pop()
        hull.append(corner)
    while len(hull) > 1 and not _point(hull[-1])[1] > _point(hull[-2])[1]:
        hull.pop()
    return hull


def _point(corner: tuple[float, float]) -> tuple[Any, Any]:
    """The corner (x, 1 - z) of a hockey-stick curve, in the precision at work."""
    log_slope, offset = corner
    x, kept = ball(log_slope).exp(), 1 - ball(offset)
    return x, kept if log_slope >= 0 else x * kept


def _bends(one: tuple[float, float], two: tuple[float, float], three: tuple[float, float]) -> bool:
    """Whether the slope of 1 - z is less steep after the second corner than before it."""
    (x1, z1), (x2, z2), (x3, z3) = _point(one), _point(two), _point(three)
    return bool((z2 - z1) * (x3 - x2) > (z3 - z2) * (x2 - x1))


def corners_of_events(lines: Points) -> Points:
    """Return statements at the doubles just above the corners of the events' profile, found by walking along it."""
    left = [(Fraction(p), Fraction(q)) for p, q in [*lines, (0.0, 0.0)]]
    p, q = max(left, key=lambda line: (line[0] - line[1], -line[1]))  # the highest at x = 1, the flattest of those
    corners = {0.0}
    while left := [line for line in left if line[1] < q]:
        x, _, (p, q) = min(((p - line[0]) / (q - line[1]), line[1], line) for line in left)
        corners.add(enclose(lambda: ball(x).log())[1])
    return [(e, enclose(lambda: events_profile(lines, e))[1]) for e in sorted(corners)]


def largest_log_ratio(bound: float, epsilon: float) -> tuple[float, float]:
    """Enclose the largest hockey-stick divergence of laws whose log-ratio is at most a bound: 1 - e^(eps - bound)."""
    if epsilon >= bound:
        return 0.0, 0.0
    low, high = enclose(lambda: -(ball(epsilon) - ball(bound)).expm1())
    return low, min(1.0, high)


def joint_range(order: float, divergence: float, epsilon: float) -> tuple[float, float]:
    """Enclose the largest hockey-stick divergence of two-point laws within a Renyi divergence.

    From below by a law that is shown to keep the divergence, from above by a tangent line of the constraint: both are
    found by following the constraint's tangents, and neither needs the search to be exact.
    """
    if divergence == 0 or epsilon == math.inf:
        return 0.0, 0.0
    if divergence == math.inf:
        return 1.0, 1.0
    if order == math.inf:
        return largest_log_ratio(divergence, epsilon)
    if order > 1 and not is_positive(
        lambda: ball(epsilon) + (ball(order) / (ball(order) - 1)).log() - ball(divergence)
    ):
        return largest_log_ratio(divergence, epsilon)
    for bits in (256, 1024, 4096):
        with precision(bits):
            found = _follow(order, divergence, epsilon, bits)
        if found is not None and found[1] - found[0] <= 1e-12 * found[1]:
            return found
        with precision(bits):
            loose = ends(((ball(order) - 1) * (ball(divergence) - ball(epsilon))).exp())[1]
        if loose < 1e-305:  # Markov's inequality for the likelihood ratio to the power order - 1
            return 0.0, loose
    raise Undecided("The joint range could not be enclosed; order, divergence and epsilon are too extreme.")


def _follow(order: float, divergence: float, epsilon: float, bits: int) -> tuple[float, float] | None:
    a, k, e = ball(order), ball(divergence), ball(epsilon)
    gamma, arb = e.exp(), flint().arb

    def ratios(t: Any) -> tuple[Any, Any]:
        slope = t if order == 1 else a / (a - 1) * ((a - 1) * t).expm1()
        s = gamma * slope / (t.expm1() if order == 1 else (a * t).expm1())
        return s * t.exp(), s

    def law(t: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """The two points' masses (p, q) and (1 - p, 1 - q), none of them by a difference of near numbers."""
        r, s = ratios(t)
        q, rest = (1 - s) / (r - s), (r - 1) / (r - s)
        return (r * q, q), (s * rest, rest)

    def spent(points: Any) -> Any:
        if order == 1:
            return sum((x * (x / y).log() for x, y in points), ball(0.0))
        return sum((x * ((a - 1) * (x / y).log()).exp() for x, y in points), ball(0.0)).log() / (a - 1)

    def kept(t: Any) -> bool | None:
        s = ratios(t)[1]
        if not s < 1:
            return True if s > 1 else None
        over = spent(law(t)) - k
        return True if over < 0 else (False if over > 0 else None)

    low, high = arb(2) ** -200, arb(2) ** 80
    for _ in range(bits + 100):
        middle = (low * high).sqrt().mid()
        answer = kept(middle)
        if answer is None:
            break
        low, high = (middle, high) if answer else (low, middle)
    if not ratios(low)[1] < 1 or kept(low) is not True:
        return None
    (p, q), _ = law(low)
    r, s = ratios(high)
    if order == 1:
        above = (k + s - 1 - s.log()) / (r.log() - s.log())
    else:
        power = ((a - 1) * k).exp()
        above = (power - a * s ** (a - 1) + (a - 1) * s**a) / (a * (r ** (a - 1) - s ** (a - 1)))
    below = p - gamma * q
    return max(0.0, ends(below)[0]), min(1.0, ends(above)[1])
