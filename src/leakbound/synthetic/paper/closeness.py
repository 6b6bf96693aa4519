"""How far the records are from normal, up to constants that nobody knows, and where they are not normal at all."""

from __future__ import annotations

import math

from leakbound.errors import InvalidInput
from leakbound.numerics.validate import real, whole


def record_distance(*, features: int, noise: float, norm: float, constant: float) -> float:
    """Return the paper's bound on the total variation of one record from N(0, d noise^2 + norm^2): an estimate.

    Formula: constant (9 - 6 / (1 + d noise^2 / norm^2)^2) / d; the bracket is the standardised fourth moment of one
    term. The constant is not known, the paper sets it to one: no guarantee.
    Reference: Pierquin et al. (2025), Lemma 4.3.

    >>> record_distance(features=12, noise=1.0, norm=0.0, constant=1.0)
    0.75
    """
    d, noise, norm = whole("features", features, low=1), real("noise", noise, above=0), real("norm", norm, low=0)
    share = norm / math.hypot(norm, math.sqrt(d) * noise)
    return real("constant", constant, above=0) * (9 - 6 * share**4) / d


def product_distance(*, features: int, outputs: int, rows: int, rank: int, constant: float) -> float:
    """Return the paper's bound on the total variation of (noise N + v) Z from noise sqrt(d - s) G + v Z': an estimate.

    Formula: constant sqrt(n l max(s, 1) / (d - s)), s the rank of v, n outputs, l rows, d features at least max(n, l).
    The paper has s for max(s, 1), which claims equality at v = 0. The constant is not known, the paper sets it to one:
    no guarantee. Reference: Pierquin et al. (2025), Theorem 4.5.

    >>> product_distance(features=1000, outputs=1, rows=10, rank=0, constant=1.0)
    0.1
    """
    d, n, rows = whole("features", features, low=1), whole("outputs", outputs, low=1), whole("rows", rows, low=1)
    if not d >= max(n, rows):
        raise InvalidInput(
            f"features must be at least {max(n, rows)}, the larger of outputs and rows, but got features={d};"
            " the paper has no bound there."
        )
    s = whole("rank", rank, high=min(n, d))
    if not s < d:
        raise InvalidInput(f"rank must be less than features={d}, but got rank={s}; the paper has no bound there.")
    return real("constant", constant, above=0) * math.sqrt(n * rows * max(s, 1) / (d - s))


def small_features_warning(*, features: int, outputs: int, rows: int, constant: float) -> str | None:
    """Return a warning where records are known to be far from normal, None elsewhere: an estimate, no guarantee.

    Formula: total variation at least 2/3 if d <= constant max(n, l)^(1/2) min(n, l)^(3/2). The constant is not known,
    so None does not say that they are near. Reference: Pierquin et al. (2025), Theorem 4.7; Li and Woodruff (2021).

    >>> small_features_warning(features=100, outputs=10, rows=10, constant=1.0)
    'features=100 is at most 100: records of 10 outputs and 10 rows are no nearer to normal than 2/3.'
    >>> small_features_warning(features=101, outputs=10, rows=10, constant=1.0)
    """
    d, n, rows = whole("features", features, low=1), whole("outputs", outputs, low=1), whole("rows", rows, low=1)
    least = real("constant", constant, above=0) * math.sqrt(max(n, rows) * min(n, rows) ** 3)
    if d > least:
        return None
    return (
        f"features={d} is at most {least:g}: records of {n} outputs and {rows} rows are no nearer to normal than 2/3."
    )
