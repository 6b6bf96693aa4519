#!/usr/bin/env python
"""Figures 1, 2 and 3 of Pierquin et al. (2025), each with the exact curve for hidden seeds on top of the paper's bound.

The paper's bounds are estimates: their constants are not known and set to one, as in the paper. It does not say which
order it draws; here it is two. Its simulation is replaced by quadrature. Exact curves are those of `account`, over all
pairs of norms.

Prints tables and writes .cache/experiments/synthetic_figures.html. Takes a minute or two.
"""

import math
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from leakbound.numerics.normal import trade_off_lower
from leakbound.synthetic import account, pair
from leakbound.synthetic.law import Laws
from leakbound.synthetic.paper import (
    PaperBound,
    record_bound,
    record_rate,
    rows_bound,
    rows_rate,
    worst_norms,
    worst_ratio,
)

ORDER, CONSTANT = 2.0, 1.0
FEATURES, SHIFT = 12, 1.0  # of Figure 1
LEVELS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
EPSILONS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
SHIFTS = (0.1, 0.5, 1.0, 2.0)
COUNTS = (1, 2, 5, 11, 30, 100, 300, 1_000, 3_000, 10_000, 100_000, 1_000_000)
ROWS = 10  # of Figure 3


def figure_1():
    """Print the trade-off curves of one record and return them: name -> levels, values."""
    bound = PaperBound(SHIFT, worst_ratio(FEATURES, SHIFT), 1, CONSTANT / FEATURES)
    norms = worst_norms(FEATURES, SHIFT)
    laws = Laws(FEATURES, 1, *norms)
    setting = {"features": FEATURES, "outputs": 1, "rows": 1, "noise": 1.0, "sensitivity": SHIFT}
    curve = account(**setting, seeds="hidden", epsilons=EPSILONS).claim
    print(f"Figure 1: type two error of the best test, {FEATURES} features, 1 row, shift {SHIFT:g};", end=" ")
    print(f"the paper's pair of norms: {norms[0]:.4f}, {norms[1]:.4f}")
    ends = ", ".join(f"{end:.4f}" for end in bound.crossings)
    print(f"the paper's limit, moved by {bound.distance:.4f}, is above post-processing between {ends}")
    print(f"{'level':>6} {'post-processing':>16} {'h (paper)':>10} {'every pair (ours)':>18} {'that pair (exact)':>18}")
    lines = {"post-processing": [], "h (paper)": [], "every pair (ours)": [], "that pair (exact)": []}
    for level in LEVELS:
        exact = min(pair.trade_off(laws, level, reverse=reverse) for reverse in (False, True))
        values = (trade_off_lower(SHIFT, level), bound.value(level), curve.beta(level), exact)
        for line, value in zip(lines.values(), values, strict=True):
            line.append(value)
        print(f"{level:6g} {values[0]:16.4f} {values[1]:10.4f} {values[2]:18.4f} {values[3]:18.4f}")
    worst = min(ours - paper for ours, paper in zip(lines["every pair (ours)"], lines["h (paper)"], strict=True))
    print(f"ours lies above h at every level shown, by at least {worst:.4f}" if worst > 0 else "OURS IS BELOW h")
    return {name: (LEVELS, values) for name, values in lines.items()}


def exact(features, rows, shift):
    """Return the exact Renyi divergence for hidden seeds, the larger direction of the worst pair of norms."""
    setting = {"features": features, "outputs": 1, "rows": rows, "noise": 1.0, "sensitivity": shift}
    return account(**setting, seeds="hidden", orders=[ORDER]).claim.epsilons[0]


def divergences(title, rows, bound, rate, first):
    """Print one figure of Renyi divergences and return its curves: name -> features, values."""
    curves = {}
    for shift in SHIFTS:
        plain = ORDER * shift**2 / 2
        print(f"\n{title}, shift {shift:g}: Renyi divergence of order {ORDER:g}; post-processing {plain:g}")
        print(
            f"{'features':>9} {'paper, as drawn':>16} {'paper, larger':>14} {'its rate':>10} {'ours':>11} {'factor':>9}"
        )
        drawn, ours, plateau = [], [], None
        for features in COUNTS:
            value = exact(features, rows, shift)
            ours.append(value)
            if features < first:
                drawn.append(math.nan)
                print(f"{features:9d} {'nothing':>16} {'nothing':>14} {'':>10} {value:11.4g} {plain / value:9.4g}")
                continue
            h = bound(features, shift)
            forward, larger = h.renyi(ORDER), h.renyi(ORDER, reverse=True)
            drawn.append(forward)
            plateau = features if not h.crossings else plateau
            print(f"{features:9d} {forward:16.4g} {larger:14.4g} {rate(features, shift):10.4g}", end=" ")
            print(f"{value:11.4g} {larger / value:9.4g}")
        decade = math.log(COUNTS[-1] / COUNTS[-2])
        slopes = [math.log(line[-1] / line[-2]) / decade for line in (drawn, ours)]
        print(f"slope of log divergence against log features at the end: paper {slopes[0]:.2f}, ours {slopes[1]:.2f}")
        if plateau is None:
            raise SystemExit("The paper's bound has no plateau: something is wrong.")
        there = ours[COUNTS.index(plateau)]
        print(f"plateau: the paper's bound is post-processing up to {plateau} features; ours is", end=" ")
        print(f"{plain / ours[0]:.3g} times below it at {COUNTS[0]} and {plain / there:.3g} times at {plateau}")
        if not all(after < before for before, after in pairwise(ours)):
            raise SystemExit("Ours does not fall with every step: something is wrong.")
        curves |= {f"paper, shift {shift:g}": (COUNTS, drawn), f"ours, shift {shift:g}": (COUNTS, ours)}
    return curves


def page(figures, target):
    """Write the figures as one page."""
    from plotly.subplots import make_subplots

    made = make_subplots(rows=len(figures), cols=1, subplot_titles=list(figures))
    for row, curves in enumerate(figures.values(), 1):
        for name, (x, y) in curves.items():
            dash = "dash" if "paper" in name else "solid"
            made.add_scatter(x=x, y=np.array(y), name=f"{row}: {name}", row=row, col=1, line={"dash": dash})
        if row > 1:
            made.update_xaxes(type="log", title_text="features", row=row, col=1)
            made.update_yaxes(type="log", row=row, col=1)
    made.update_layout(height=500 * len(figures))
    target.parent.mkdir(parents=True, exist_ok=True)
    made.write_html(target)
    print(f"\nThe figures are in {target}.")


def main():
    """Draw the three figures."""
    start = time.perf_counter()
    figures = {"Figure 1: type two error against level": figure_1()}

    def one(features, shift):
        return record_bound(features=features, noise=1.0, sensitivity=shift, constant=CONSTANT)

    def ten(features, shift):
        given = {"features": features, "outputs": 1, "rows": ROWS, "noise": 1.0}
        return rows_bound(**given, sensitivity=shift, constant=CONSTANT)

    def one_rate(features, shift):
        return record_rate(ORDER, features=features, noise=1.0, sensitivity=shift)

    def ten_rate(features, shift):
        return rows_rate(ORDER, features=features, outputs=1, rows=ROWS, noise=1.0, sensitivity=shift)

    figures["Figure 2: one record"] = divergences("Figure 2, 1 row", 1, one, one_rate, 1)
    figures[f"Figure 3: {ROWS} records"] = divergences(f"Figure 3, {ROWS} rows", ROWS, ten, ten_rate, ROWS)
    page(figures, Path(__file__).resolve().parents[1] / ".cache" / "experiments" / "synthetic_figures.html")
    print(f"{time.perf_counter() - start:.0f} seconds")


if __name__ == "__main__":
    main()
