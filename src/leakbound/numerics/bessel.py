"""The hypergeometric functions 0F1 and 1F1 on the positive half-line, in logarithms, to nearly full accuracy.

Everything here is a sum of positive terms: the noncentral chi-square density is the central one times 0F1, and the
moment generating function of a beta law is 1F1.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
from scipy import special

_DEBYE_FROM = 30.0
"""From this order on the Debye expansion is used; its first omitted term is below 1e-13 there."""
_DEBYE_TERMS = 13
_MANY, _LARGEST = 1e9, 1e25
"""Beyond these arguments 1F1 has too many terms to visit all of them, and is e^x to full accuracy of its logarithm."""


def stirling_error(x: float) -> float:
    """Return log Gamma(x) - [(x - 1/2) log x - x + log(2 pi)/2], x > 0.

    Reference: Loader (2000).

    >>> round(stirling_error(1.0), 12)
    0.081061466795
    """
    if x < 16:
        return math.lgamma(x) - ((x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi))
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * 691 / 360360))))) / x


def log_chi_square(log_x: np.ndarray, freedom: int) -> np.ndarray:
    """Return the log-density of log X at log x, where X is chi-square.

    Formula: (k/2)(z - e^z + 1) + log(k / (4 pi)) / 2 - stirling_error(k/2), z = log(x/k).

    >>> bool(abs(log_chi_square(np.array(0.0), 2) - math.log(math.exp(-0.5) / 2)) < 1e-15)
    True
    """
    z = log_x - math.log(freedom)
    half = freedom / 2
    with np.errstate(over="ignore"):  # far out the density is zero
        falls = half * (z - np.expm1(z))
    return falls + 0.5 * math.log(half / (2 * math.pi)) - stirling_error(half)


def log_0f1(b: float, x: np.ndarray) -> np.ndarray:
    """Return log 0F1(; b; x^2/4) = log[Gamma(b) (x/2)^(1-b) I_{b-1}(x)] for b > 0, x >= 0.

    Reference: DLMF 10.25.2, 10.39.9, 10.41.3.

    >>> bool(abs(log_0f1(0.5, np.array(2.0)) - math.log(math.cosh(2.0))) < 1e-15)
    True
    """
    x = np.asarray(x, dtype=np.float64)
    if b - 1 >= _DEBYE_FROM:
        return _debye(b - 1, x)
    out = np.empty_like(x)
    small = x * x <= 80 * b
    out[small] = _series(b, x[small])
    far = x[~small]
    out[~small] = np.log(special.ive(b - 1, far)) + far + math.lgamma(b) - (b - 1) * np.log(far / 2)
    return out


def log_0f1_ratio(b: float, radius: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return log 0F1(; b; (high r)^2/4) - log 0F1(; b; (low r)^2/4), high >= low, without cancellation for large b.

    >>> float(log_0f1_ratio(0.5, np.array([0.0]), 1.0, 2.0)[0])
    0.0
    """
    radius = np.asarray(radius, dtype=np.float64)
    order = b - 1
    if order < _DEBYE_FROM:
        return np.asarray(log_0f1(b, high * radius) - log_0f1(b, low * radius))
    z_low, z_high = low * radius / order, high * radius / order
    root_low, root_high = np.sqrt(1 + z_low**2), np.sqrt(1 + z_high**2)
    step = (high - low) * (high + low) * (radius / order) ** 2 / (root_low + root_high)
    shape = np.log(_debye_sum(order, root_high) / _debye_sum(order, root_low))
    return np.asarray(order * (step - np.log1p(step / (1 + root_low))) - 0.5 * np.log1p(step / root_low) + shape)


def log_1f1(a: float, b: float, x: float) -> float:
    """Return log 1F1(a; b; x) for 0 < a <= b and x >= 0, relative error below 1e-12.

    Formula: the sum of (a)_n / (b)_n x^n / n!, all terms positive, around its largest. Reference: DLMF 13.2.2.

    >>> log_1f1(1.5, 1.5, 2.0)
    2.0
    """
    if a == b or x == 0 or x > _LARGEST:  # so far out it is x to full accuracy
        return x
    if x > _MANY:
        return _log_1f1_far(a, b, x)
    half = 12 * math.sqrt(x + b) + 60
    peak = _largest_term(a, b, x)
    if peak - half <= 1:
        n = np.arange(0, math.ceil(peak + half + 100), dtype=np.float64)
        logs = np.cumsum(np.log((a + n) * x / ((b + n) * (n + 1))))
        top = max(0.0, float(logs.max()))
        if top < 600:
            return math.log1p(math.fsum(np.exp(logs)))
        return top + math.log(math.fsum(np.exp(logs - top)) + math.exp(-top))
    first = math.floor(peak - half)
    n = np.arange(first, math.ceil(peak + half), dtype=np.float64)
    logs = np.concatenate([[0.0], np.cumsum(np.log((a + n) * x / ((b + n) * (n + 1))))])
    top = float(logs.max())
    start = (
        math.lgamma(a + first) - math.lgamma(a) - math.lgamma(b + first) + math.lgamma(b)
        + first * math.log(x) - math.lgamma(first + 1)
    )  # fmt: skip
    return start + top + math.log(math.fsum(np.exp(logs - top)))


def _log_1f1_far(a: float, b: float, x: float) -> float:
    """Return log 1F1 from every `step`-th term; terms this wide follow a bell, whose sum is that times the step."""
    step = max(1, math.floor(math.sqrt(x) / 32))
    peak, reach = _largest_term(a, b, x), 12 * math.sqrt(x + b)
    n = np.arange(max(0.0, peak - reach), peak + reach, step)
    logs = special.gammaln(a + n) - special.gammaln(b + n) - special.gammaln(n + 1) + n * math.log(x)
    top = float(logs.max())
    total = top + math.log(step * math.fsum(np.exp(logs - top)))
    return min(x, total + math.lgamma(b) - math.lgamma(a))


def _largest_term(a: float, b: float, x: float) -> float:
    """Return the place where the ratio of neighbouring terms (a + n) x / ((b + n)(n + 1)) is one, at least zero."""
    half, product = (b + 1 - x) / 2, b - a * x
    discriminant = max(half * half - product, 0.0)
    return max(0.0, -half + math.sqrt(discriminant))


def _series(b: float, x: np.ndarray) -> np.ndarray:
    quarter = x * x / 4
    term, total = np.ones_like(quarter), np.zeros_like(quarter)
    for n in range(1, 200):
        term = term * quarter / (n * (b + n - 1))
        total = total + term
        if not np.any(term > 1e-18 * total):
            break
    return np.asarray(np.log1p(total))


def _debye(order: float, x: np.ndarray) -> np.ndarray:
    root = np.sqrt(1 + (x / order) ** 2)
    q = (x / order) ** 2 / (1 + root)
    falls = order * (q - np.log1p(q / 2)) - 0.5 * np.log(root)
    return np.asarray(falls + stirling_error(order) + np.log(_debye_sum(order, root)))


def _debye_sum(order: float, root: np.ndarray) -> np.ndarray:
    """Return the sum of u_k(1/root) / order^k (DLMF 10.41.3), u_k by Horner's rule."""
    p = 1 / root
    total = np.zeros_like(p)
    for k in range(_DEBYE_TERMS - 1, -1, -1):
        square = p * p
        value = np.zeros_like(p)
        for coefficient in _debye_polynomial(k):
            value = value * square + coefficient
        total = total / order + value * p**k
    return total


@cache
def _debye_polynomial(k: int) -> tuple[float, ...]:
    """Return the coefficients of u_k(p) / p^k in p^2, highest first."""
    return tuple(float(c) for c in reversed(_debye_exact(k)))


@cache
def _debye_exact(k: int) -> tuple[Fraction, ...]:
    """Return u_k(p) / p^k in p^2, lowest first: u_{k+1} = p^2 (1 - p^2) u_k' / 2 + (1/8) int_0^p (1 - 5 t^2) u_k dt."""
    if k == 0:
        return (Fraction(1),)
    before = _debye_exact(k - 1)
    out = [Fraction(0)] * (k + 1)
    for i, c in enumerate(before):
        power = k - 1 + 2 * i
        out[i] += c * (Fraction(power, 2) + Fraction(1, 8 * (power + 1)))
        out[i + 1] -= c * (Fraction(power, 2) + Fraction(5, 8 * (power + 3)))
    return tuple(out)
