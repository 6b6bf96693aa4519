"""The share B of a shift in a random subspace, B ~ Beta(kept/2, (features - kept)/2): means by mpmath's quadrature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

from leakbound.numerics.ball import ball

DIGITS = 25


def renyi(kept: int, features: int, shift: float, order: float) -> Any:
    """log 1F1(kept/2; features/2; order (order - 1) shift^2 / 2) / (order - 1); kept shift^2 / (2 features) at one."""
    if order == 1:
        return kept * ball(shift) ** 2 / (2 * features)
    exponent = ball(order) * (ball(order) - 1) * ball(shift) ** 2 / 2
    return exponent.hypgeom_1f1(ball(float(kept)) / 2, ball(float(features)) / 2).log() / (ball(order) - 1)


def profile(epsilon: float, square: Any) -> Any:
    """Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), at the square of mu."""
    if square == 0:
        return mpmath.mpf(0)
    mu, e = mpmath.sqrt(square), mpmath.mpf(epsilon)
    return mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)


def mean(kept: int, features: int, value: Callable[[Any], Any], kinks: tuple[Any, ...] = ()) -> Any:
    """E value(B), by the odds t = log(B / (1 - B)), piece by piece of length one between the kinks."""
    with mpmath.workdps(DIGITS):
        a, b = mpmath.mpf(kept) / 2, mpmath.mpf(features - kept) / 2
        scale = mpmath.beta(a, b)

        def integrand(t: Any) -> Any:
            share, rest = 1 / (1 + mpmath.exp(-t)), 1 / (1 + mpmath.exp(t))
            return share**a * rest**b / scale * value(share)

        middle = int(mpmath.log(a / b))
        reach = range(middle - int(80 / min(a, 1)) - 1, middle + int(60 / min(b, 1)) + 2, 4)
        ends = sorted({*map(mpmath.mpf, reach), *(mpmath.log(k / (1 - k)) for k in kinks if 0 < k < 1)})
        return mpmath.quad(integrand, ends, maxdegree=5)


def rank_one(kept: int, features: int, shift: float, epsilon: float) -> Any:
    """E delta_G(epsilon; shift sqrt B)."""
    return mean(kept, features, lambda share: profile(epsilon, mpmath.mpf(shift) ** 2 * share))


def tangent(kept: int, features: int, shift: float, epsilon: float, point: float) -> Any:
    """E max(h(x), h(m) + h'(m) (x - m)) at x = shift^2 B, h(x) = delta_G(epsilon; sqrt x)."""
    with mpmath.workdps(DIGITS):
        m, square = mpmath.mpf(point), mpmath.mpf(shift) ** 2
        mu = mpmath.sqrt(m)
        slope = mpmath.npdf(mu / 2 - epsilon / mu) / (2 * mu)
        height = profile(epsilon, m)

        def line(x: Any) -> Any:
            return height + slope * (x - m)

        low, high = mpmath.mpf(0), m * mpmath.mpf("0.999999")
        if line(low) < 0:
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (middle, high) if line(middle) < profile(epsilon, middle) else (low, middle)
        return mean(kept, features, lambda b: max(line(square * b), profile(epsilon, square * b)), (low / square,))


def rank_two(features: int, first: float, second: float, epsilon: float) -> Any:
    """E h(s1 p + s2 q), s the squares of a spectrum, in a subspace of 3 of `features` = 6 dimensions.

    The projection onto the plane of both directions is a matrix beta variable of density det(P)^0 det(1 - P)^0, that is
    uniform over 0 <= P <= 1, so its diagonal has the density 2 min(sqrt(p q), sqrt((1-p)(1-q))) up to a constant.
    """
    assert features == 6
    with mpmath.workdps(15):

        def weight(p: Any, q: Any) -> Any:
            return mpmath.sqrt(min(p * q, (1 - p) * (1 - q)))

        def integral(value: Callable[[Any, Any], Any]) -> Any:
            def inner(p: Any) -> Any:
                return mpmath.quad(lambda q: value(p, q) * weight(p, q), [0, 1 - p, 1], maxdegree=3)

            return mpmath.quad(inner, [0, 0.5, 1], maxdegree=3)

        return integral(lambda p, q: profile(epsilon, first * p + second * q)) / integral(lambda p, q: mpmath.mpf(1))
