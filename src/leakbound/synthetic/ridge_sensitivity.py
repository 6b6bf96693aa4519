"""How far one record can move the weights of ridge regression: two proved bounds and the smaller of them.

The weights minimise (1/m) sum |w x_k - y_k|^2 + penalty |w|^2 over m records with |x_k| <= row_bound and
|y_k| <= label_bound; one record is replaced by another. All arithmetic is rational, and rounded up once at the end.
"""

from __future__ import annotations

from fractions import Fraction

from leakbound.numerics.rounding import ceiling, square_root_ceiling, up
from leakbound.numerics.search import largest_true
from leakbound.numerics.validate import real, whole
from leakbound.synthetic.publication import LARGEST


def ridge_sensitivity(*, records: int, penalty: float, row_bound: float, label_bound: float) -> float:
    """Return the most that replacing one record moves the weights, in Frobenius norm, rounded up.

    Formula: the smaller of `convexity_bound` and `leave_one_out_bound`. Reference: proofs/ridge-sensitivity.md.

    >>> ridge_sensitivity(records=4, penalty=1.0, row_bound=10.0, label_bound=1.0)
    1.0
    """
    convex = convexity_bound(records=records, penalty=penalty, row_bound=row_bound, label_bound=label_bound)
    left_out = leave_one_out_bound(records=records, penalty=penalty, row_bound=row_bound, label_bound=label_bound)
    return min(convex, left_out)


def norm_bound(*, penalty: float, row_bound: float, label_bound: float) -> float:
    """Return the largest Frobenius norm of the weights of any data set, rounded up.

    Formula: with M_x, M_y the bounds and lam the penalty, M_y / (2 sqrt(lam)) if M_x >= sqrt(lam), else
    M_x M_y / (M_x^2 + lam). Reference: proofs/ridge-sensitivity.md.

    >>> norm_bound(penalty=1.0, row_bound=10.0, label_bound=1.0)
    0.5
    """
    lam, wide, high = _bounds(penalty, row_bound, label_bound)
    if wide**2 >= lam:
        return square_root_ceiling(high**2 / (4 * lam))
    return ceiling(wide * high / (wide**2 + lam))


def convexity_bound(*, records: int, penalty: float, row_bound: float, label_bound: float) -> float:
    """Return the bound by strong convexity, rounded up.

    Formula: M_x (2 M_y + M_x M_theta) / (m lam), M_theta the norm of `norm_bound`.
    Reference: proofs/ridge-sensitivity.md; Chaudhuri, Monteleoni and Sarwate (2011) for the idea.

    >>> convexity_bound(records=4, penalty=1.0, row_bound=10.0, label_bound=1.0)
    17.5
    """
    count = _records(records)
    lam, wide, high = _bounds(penalty, row_bound, label_bound)
    if wide**2 >= lam:
        # The root is taken of M_x^4 M_y^2 / (4 m^2 lam^3): one rounding for M_x^2 M_theta / (m lam).
        root = square_root_ceiling(wide**4 * high**2 / (4 * count**2 * lam**3))
        return ceiling(2 * wide * high / (count * lam) + Fraction(root)) if root < float("inf") else root
    return ceiling(wide * (2 * high + wide**2 * high / (wide**2 + lam)) / (count * lam))


def leave_one_out_bound(*, records: int, penalty: float, row_bound: float, label_bound: float) -> float:
    """Return the bound by leaving the record out, rounded up.

    Formula: with k = M_x / sqrt(lam), M_y / sqrt(lam) if k >= 2 m - 1; else (2 M_x M_y / (m lam)) times the largest
    (1 - u) (1 + k sqrt((1 - 1/m) u (1 - u))) / (1 + (k^2 / m) (1 - u)) over 0 <= u <= 1/2.
    Reference: proofs/ridge-sensitivity.md.

    >>> leave_one_out_bound(records=4, penalty=1.0, row_bound=10.0, label_bound=1.0)
    1.0
    """
    count = _records(records)
    lam, wide, high = _bounds(penalty, row_bound, label_bound)
    if wide**2 >= (2 * count - 1) ** 2 * lam:
        return square_root_ceiling(high**2 / lam)
    ratio = wide**2 / (count * lam)
    stretch = (count - 1) * ratio  # (1 - 1/m) k^2

    def rising(place: float) -> bool:
        """Decide exactly whether the function, which is concave, still rises at a place."""
        u = Fraction(place)
        excess = (1 - 2 * u) * (1 + ratio * (1 - u)) - 2 * u
        return excess > 0 and stretch * (1 - u) * excess**2 > 4 * u

    # The peak is between two neighbouring doubles; one factor falls and the other grows from the first to the second.
    first = max(largest_true(rising, 0.0, 0.5), 0.0)
    rest, second = 1 - Fraction(first), Fraction(up(first) if count > 1 else 0.0)
    root = Fraction(square_root_ceiling(stretch * second * (1 - second)))
    return ceiling(2 * wide * high / (count * lam) * rest * (1 + root) / (1 + ratio * rest))


def _records(records: int) -> int:
    return whole("records", records, low=1, high=LARGEST)


def _bounds(penalty: float, row_bound: float, label_bound: float) -> tuple[Fraction, Fraction, Fraction]:
    return (
        Fraction(real("penalty", penalty, above=0)),
        Fraction(real("row_bound", row_bound, above=0)),
        Fraction(real("label_bound", label_bound, above=0)),
    )
