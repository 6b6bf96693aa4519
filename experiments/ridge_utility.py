#!/usr/bin/env python
"""What synthetic rows of a ridge generator are worth, against epsilon, on diabetes and Adult.

Public seeds: R^2, on held-out records, of a least-squares model trained on the published (seed, output) pairs.
Hidden seeds: Wasserstein distance between the law of the outputs and that of the true labels, in standard deviations
of these; outputs are rescaled by the public constant row_bound / sqrt(features), because seeds are not shaped as rows.
Each stands beside the other way to the same guarantee: outputs of the bare weights, every one with noise of its own.
Given the seeds, that is a Gaussian mechanism of sensitivity times their largest singular value.

Prints a table and writes .cache/experiments/ridge_utility.html. A folder as argument holds the downloads.
"""

import argparse
import hashlib
import math
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
from scipy.stats import wasserstein_distance
from sklearn.datasets import load_diabetes

from leakbound.guarantees import ApproxDP
from leakbound.guarantees.inverse import gaussian_noise
from leakbound.synthetic import RidgeGenerator, smallest_noise
from leakbound.synthetic.ridge_sensitivity import norm_bound, ridge_sensitivity

EPSILONS, DELTA = (0.5, 1.0, 2.0, 4.0, 8.0), 1e-5
HIDDEN_EPSILONS = (1.0, 4.0)  # the least noise for hidden seeds takes a minute for each
REPEATS, HIDDEN_ROWS = 20, 200
WHEEL = "fairness-0.1.8-py3-none-any.whl"
SHA256 = "7f21cf0943f2a6fef7f7597eb99461bd4b2f7a26fe9810964675496cde6992e1"
COUNTS = {"<=50K": 24_720, ">50K": 7_841}
NUMBERS = {"age": 90, "education-num": 16, "capital-gain": 1e5, "capital-loss": 5e3, "hours-per-week": 100}
CATEGORIES = ("workclass", "marital-status", "occupation", "relationship", "race", "sex")


def diabetes():
    """Return rows and labels scaled by public constants; scikit-learn's copy has columns of unit norm."""
    rows, labels = load_diabetes(return_X_y=True)
    return rows * 6, (labels - 150) / 200


def adult(folder):
    """Return rows of norm at most one and labels -1 or 1; the categories are those of the public code book."""
    wheel = folder / WHEEL
    if not wheel.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), "fairness==0.1.8"],
            check=True,
        )
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{wheel} is not the file it should be; remove it and run again.")
    with zipfile.ZipFile(wheel) as archive:
        lines = archive.read("fairness/data/raw/adult.csv").decode().splitlines()
    names = lines[0].split(",")
    columns = dict(zip(names, zip(*(line.split(",") for line in lines[1:]), strict=True), strict=True))
    income = np.array(columns["income-per-year"])
    found = {name: int((income == name).sum()) for name in COUNTS}
    if found != COUNTS:
        raise SystemExit(f"Adult must have {COUNTS} records, but has {found}.")
    parts = [np.ones(len(income))]
    parts += [np.minimum(np.array(columns[name], dtype=float) / top, 1.0) for name, top in NUMBERS.items()]
    for name in CATEGORIES:
        values = np.array(columns[name])
        parts += [(values == value).astype(float) for value in sorted(set(values))]
    longest = math.sqrt(1 + len(NUMBERS) + len(CATEGORIES))
    return np.column_stack(parts) / longest, np.where(income == ">50K", 1.0, -1.0)


def explained(weights, rows, labels):
    """Return R^2."""
    return 1 - float(np.sum((labels - rows @ weights) ** 2) / np.sum((labels - labels.mean()) ** 2))


def trained(seeds, outputs):
    """Return the least-squares model of published pairs, of least norm if there are few."""
    return np.linalg.lstsq(seeds, outputs, rcond=None)[0]


def study(name, rows, labels, penalty, counts, rng):
    """Print the table of one data set and return its curves: title -> epsilons, ours, noise per row, none."""
    order = rng.permutation(len(rows))
    held, train = order[: len(rows) // 4], order[len(rows) // 4 :]
    bounds = {"penalty": penalty, "row_bound": 1.0, "label_bound": 1.0}
    setting = {"features": rows.shape[1], "outputs": 1, "norm_bound": norm_bound(**bounds)}
    setting["sensitivity"] = ridge_sensitivity(records=len(train), **bounds)
    clipped = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)
    matrix = clipped[train].T @ clipped[train] / len(train) + penalty * np.eye(rows.shape[1])
    bare = np.linalg.solve(matrix, clipped[train].T @ np.clip(labels[train], -1, 1) / len(train))
    print(f"\n{name}: {len(train)} training records, {rows.shape[1]} features, penalty {penalty:g},", end=" ")
    print(f"sensitivity {setting['sensitivity']:.3g}, norm of the bare weights {np.linalg.norm(bare):.3g}")
    scale = 1 / math.sqrt(rows.shape[1])

    def public(seeds, outputs):
        return explained(trained(seeds, outputs), clipped[held], labels[held])

    def hidden(_, outputs):
        return wasserstein_distance(scale * outputs, labels[train]) / labels[train].std()

    questions = [("public", count, public, "R^2") for count in counts]
    questions.append(("hidden", HIDDEN_ROWS, hidden, "distance of the label law"))
    curves = {}
    for seeds, count, score, what in questions:
        title = f"{name}: {what}, {count} rows, {seeds} seeds"
        draws = [rng.normal(size=(count, rows.shape[1])) for _ in range(REPEATS)]
        floor = float(np.median([score(z, z @ bare) for z in draws]))
        print(f"\n{title}; without noise {floor:.3f}; medians of {REPEATS} releases")
        print(f"{'epsilon':>8} {'noise':>9} {'of the model':>12} {'generator':>10} {'noise on every row':>19}")
        found, epsilons = [], EPSILONS if seeds == "public" else HIDDEN_EPSILONS
        for epsilon in epsilons:
            target = ApproxDP(epsilon, DELTA)
            noise = smallest_noise(target, rows=count, seeds=seeds, **setting)
            plain = gaussian_noise(setting["sensitivity"], target)
            generator, ours, theirs = RidgeGenerator(noise=noise, budget=target, **bounds), [], []
            for z in draws:
                published = generator.fit(rows[train], labels[train]).sample(count, seeds=seeds)
                ours.append(score(*(published if seeds == "public" else (None, published))))
                each = plain * float(np.linalg.norm(z, 2))  # the largest singular value of the seeds
                theirs.append(score(z, z @ bare + each * rng.normal(size=count)))
            found.append((float(np.median(ours)), float(np.median(theirs))))
            print(f"{epsilon:8g} {noise:9.4g} {plain:12.4g} {found[-1][0]:10.3f} {found[-1][1]:19.3f}", flush=True)
        curves[title] = (epsilons, [a for a, _ in found], [b for _, b in found], [floor] * len(found))
    return curves


def figure(curves, target):
    """Write the curves as one page."""
    from plotly.subplots import make_subplots

    page = make_subplots(rows=len(curves), cols=1, subplot_titles=list(curves))
    for row, (epsilons, *lines) in enumerate(curves.values(), 1):
        for label, values in zip(("generator", "noise on every row", "without noise"), lines, strict=True):
            page.add_scatter(x=epsilons, y=values, name=label, row=row, col=1, showlegend=row == 1)
        page.update_xaxes(type="log", title_text="epsilon", row=row, col=1)
    page.update_layout(height=350 * len(curves))
    target.parent.mkdir(parents=True, exist_ok=True)
    page.write_html(target)
    print(f"\nThe figure is in {target}.")


def main():
    """Run both data sets."""
    cache = Path(__file__).resolve().parents[1] / ".cache"
    parser = argparse.ArgumentParser(description="Utility of synthetic rows against epsilon.")
    parser.add_argument("folder", nargs="?", type=Path, default=cache / "adult", help="where Adult is kept")
    rng = np.random.default_rng(2025)
    folder = parser.parse_args().folder
    logging_off()
    curves = study("diabetes", *diabetes(), 0.1, (5, 100), rng)
    curves |= study("Adult", *adult(folder), 0.01, (10, 500), rng)
    figure(curves, cache / "experiments" / "ridge_utility.html")


def logging_off():
    """Keep the owner's counts of clipped records out of the table."""
    import logging

    logging.getLogger("leakbound.synthetic.ridge").setLevel(logging.ERROR)


if __name__ == "__main__":
    main()
