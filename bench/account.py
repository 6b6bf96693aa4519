#!/usr/bin/env python
"""How fast `account` answers, how its time grows with the features, and quadrature beside the paper's Monte Carlo.

Ends with exit code 1 if one answer at 1,000 features and 100 rows takes more than a second, if time grows faster than
the square root of the features from 10 to 10^6, or if quadrature is less than 20 times as fast as 50 x 500,000 draws
at an error 1,000 times smaller.
"""

import math
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy import special

from leakbound.synthetic import account
from leakbound.synthetic.slopes import gaussian_slope, renyi_of_slope, scale_slope

FEATURES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
REPETITIONS, DRAWS = 50, 500_000


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """Return the least time of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def answer(features: int, rows: int, seeds: str) -> float:
    """Return the seconds of one (epsilon, delta) answer."""
    given = {"features": features, "outputs": 1, "rows": rows, "noise": 1.0, "sensitivity": 1.0}
    return seconds(lambda: account(**given, seeds=seeds, delta=1e-5))


def growth(seeds: str) -> bool:
    """Print the growth table of one seed model; at five rows no case is a closed form."""
    times = [answer(features, 5, seeds) for features in FEATURES]
    print(f"\n{seeds} seeds, 5 rows, epsilon at delta 1e-05:")
    for features, taken in zip(FEATURES, times, strict=True):
        ratio, root = taken / times[0], math.sqrt(features / FEATURES[0])
        print(f"{features:>10} features  {taken:6.3f} s  {ratio:7.2f} times ten features (square root: {root:7.2f})")
    one = answer(1_000, 100, seeds)
    good = one <= 1.0 and all(t / times[0] <= math.sqrt(f / FEATURES[0]) for t, f in zip(times, FEATURES, strict=True))
    print(f"one answer at 1,000 features and 100 rows: {one:.2f} s; {'within' if good else 'NOT within'} the promise")
    return good


def simulated(log_slope: Callable[..., np.ndarray], order: float, seed: int) -> float:
    """Return the paper's estimate: the mean over repetitions of log(mean of |f'|^(1 - order)) / (order - 1)."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(REPETITIONS):
        level = rng.random(DRAWS)
        found.append(math.log(np.mean(np.exp((1 - order) * log_slope(level, 1 - level)))) / (order - 1))
    return float(np.mean(found))


def quadrature() -> bool:
    """Print quadrature beside simulation for two curves with closed forms."""
    print(f"\nProposition 4.2, order 2: quadrature beside {REPETITIONS} x {DRAWS} draws:")
    good = True
    cases = (
        ("two normals 1 apart", gaussian_slope(1.0), 1.0),
        ("N(0, 1) against N(0, 4)", scale_slope(2.0), math.log(2) + 0.5 * math.log(4 / 7)),
    )
    for name, slope, truth in cases:
        fast, slow = seconds(lambda: renyi_of_slope(slope, 2.0)), seconds(lambda: simulated(slope, 2.0, 0), 1)  # noqa: B023 - called at once
        error, noisy = abs(renyi_of_slope(slope, 2.0) - truth), abs(simulated(slope, 2.0, 0) - truth)
        error = max(error, 1e-16)
        print(f"{name:24} {slow / fast:9.0f} times as fast, error {error:.1e} against {noisy:.1e}")
        good = good and slow / fast >= 20 and noisy / error >= 1000
    return good


def main() -> int:
    """Print everything; fail if a promise is not kept."""
    special.ndtri(0.5)
    results = [growth("public"), growth("hidden"), quadrature()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
