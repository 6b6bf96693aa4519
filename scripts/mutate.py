#!/usr/bin/env python
"""Mutation run: changes the code in many small ways, one at a time, and counts how many changes the unit tests notice.

    python scripts/mutate.py                                   # 500 mutants of numerics and convert.py
    python scripts/mutate.py FILE... --tests TEST... --count 50 --seed 1 --json survivors.json

Mutants are drawn with a fixed seed, so a run can be repeated. Each is tested in a forked child of a process that has
the slow libraries, but not leakbound, loaded: a mutant costs its tests and little more.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutants import ROOT, Finder, Mutant

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process with threads cannot be forked safely

WARM = ("numpy", "scipy.special", "scipy.optimize", "scipy.integrate", "scipy.stats", "mpmath", "flint", "hypothesis")
MEMORY = 8 * 2**30  # a mutant that allocates without end is stopped here, and counts as noticed
TESTS = ["tests/numerics", "tests/guarantees/test_convert.py", "tests/guarantees/test_convert_information.py"]
COPIED = ("src", "tests", "pyproject.toml")


@dataclass
class Slot:
    """One copy of the tree, in which one child at a time tests one mutant."""

    tree: Path
    mutant: Mutant | None = None
    original: bytes = b""
    child: int = 0
    began: float = 0.0

    def begin(self, stages: list[list[str]], mutant: Mutant | None = None) -> None:
        self.mutant, self.began = mutant, time.monotonic()
        if mutant:
            path = self.tree / mutant.file
            self.original = path.read_bytes()
            path.write_bytes(mutant.apply(self.original))
        self.child = os.fork()
        if self.child == 0:
            # Only the unchanged code may leave compiled files behind, which later children then share.
            sys.dont_write_bytecode = mutant is not None
            run_tests(self.tree, stages)

    def ended(self, limit: float) -> str | None:
        """Return the outcome (killed, survived, timed out) once there is one, and put the file back."""
        pid, status = os.waitpid(self.child, os.WNOHANG)
        if pid:
            outcome = "survived" if status == 0 else "killed"
        elif time.monotonic() - self.began > limit:
            self.stop()
            outcome = "timed out"
        else:
            return None
        self.child = 0
        if self.mutant:
            (self.tree / self.mutant.file).write_bytes(self.original)
        return outcome

    def stop(self) -> None:
        """End the child and what it started; its process group has its own number."""
        if self.child:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.child, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child, signal.SIGKILL)  # it may not have its own group yet
            os.waitpid(self.child, 0)
            self.child = 0


def run_tests(tree: Path, stages: list[list[str]]) -> None:
    """In the child: run pytest stage by stage until one fails, and end with its exit code."""
    code = 70
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        log = os.open(tree / "log", os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.chdir(tree)
        sys.path.insert(0, str(tree / "src"))
        import pytest

        for stage in stages:
            options = [
                "-x",
                "-q",
                "--no-header",
                "--tb=short",
                "--assert=plain",
                "-p",
                "no:xdist",
                "-p",
                "no:pytest_cov",
            ]
            code = int(pytest.main([*options, "--doctest-modules", *stage]))
            if code:
                break
        loaded = sys.modules.get("leakbound")
        if not code and loaded and not str(loaded.__file__).startswith(str(tree)):
            print(f"leakbound was loaded from {loaded.__file__}, not from the copy")
            code = 70
    except BaseException:
        traceback.print_exc()  # os._exit below would swallow it
    finally:
        sys.stdout.flush()
        os._exit(code)


def stages_for(file: str, tests: list[str], files: list[str]) -> list[list[str]]:
    """Return what to run for a mutant of `file`: its own doctests and mirrored tests first: they fail fastest."""
    path = Path(file)
    own = Path("tests", *path.parts[2:-1], f"test_{path.stem}.py")
    first = [file, *([own.as_posix()] if (ROOT / own).is_file() else [])]
    return [first, [*tests, *files]]


def copies(folder: Path, count: int) -> list[Slot]:
    """Make the trees the mutants are tested in."""
    slots = []
    for number in range(count):
        tree = folder / str(number)
        tree.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
            else:
                shutil.copy2(ROOT / name, tree / name)
        slots.append(Slot(tree))
    return slots


def warm_up() -> None:
    """Load the slow libraries once, before the first fork."""
    for name in WARM:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from _pytest.config import default_plugins

    for name in default_plugins:
        importlib.import_module(f"_pytest.{name}")
    from hypothesis import HealthCheck, settings

    # The same examples every time, and no complaint about a machine that is busy with two children.
    checks = list(HealthCheck)
    settings.register_profile("mutate", derandomize=True, database=None, deadline=None, suppress_health_check=checks)
    settings.load_profile("mutate")
    assert "leakbound" not in sys.modules


def baseline(slots: list[Slot], stages: list[list[str]], limit: float) -> float:
    """Run the unchanged code in every slot at once; return the seconds, or end with what failed."""
    began = time.monotonic()
    for slot in slots:
        slot.begin(stages)
    left = list(slots)
    while left:
        for slot in list(left):
            outcome = slot.ended(limit)
            if outcome:
                left.remove(slot)
                if outcome != "survived":
                    for other in slots:
                        other.stop()
                    log = (slot.tree / "log").read_text(errors="replace")[-3000:]
                    sys.exit(
                        f"{log}\nThe tests must pass on the unchanged code first, and within {limit:g} s: {outcome}."
                    )
        time.sleep(0.005)
    return time.monotonic() - began


def run(
    slots: list[Slot], mutants: list[Mutant], stages: dict[str, list[list[str]]], limit: float
) -> Iterator[tuple[Mutant, str]]:
    """Test every mutant and give each with its outcome."""
    waiting = list(reversed(mutants))
    while waiting or any(slot.child for slot in slots):
        for slot in slots:
            if slot.child:
                outcome = slot.ended(limit)
                if outcome and slot.mutant:
                    yield slot.mutant, outcome
            if not slot.child and waiting:
                mutant = waiting.pop()
                slot.begin(stages[mutant.file], mutant)
        time.sleep(0.005)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Counts how many small changes of the code its unit tests notice.")
    parser.add_argument("files", nargs="*", help="modules to change (default: numerics and guarantees/convert.py)")
    parser.add_argument("--tests", nargs="+", default=TESTS)
    parser.add_argument("--count", type=int, default=500, help="how many mutants to draw")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for one mutant; running longer is noticed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--at-least", type=float, default=90.0, help="percent that must be noticed")
    parser.add_argument("--json", type=Path, help="where to write the result")
    chosen = parser.parse_args()
    if not chosen.files:
        numerics = sorted((ROOT / "src/leakbound/numerics").glob("*.py"))
        chosen.files = [*(p for p in numerics if p.stem != "__init__"), ROOT / "src/leakbound/guarantees/convert.py"]
    chosen.files = [Path(f).resolve().relative_to(ROOT).as_posix() for f in chosen.files]
    missing = [name for name in [*chosen.files, *chosen.tests] if not (ROOT / name).exists()]
    if missing:
        parser.error(f"not found: {', '.join(missing)}")
    return chosen


def main() -> int:
    chosen = options()
    sources = {name: (ROOT / name).read_bytes() for name in chosen.files}
    population = [mutant for name, source in sources.items() for mutant in Finder(name, source).mutants()]
    drawn = random.Random(chosen.seed).sample(population, min(chosen.count, len(population)))
    stages = {name: stages_for(name, chosen.tests, chosen.files) for name in chosen.files}
    outcomes: dict[str, list[Mutant]] = {"killed": [], "survived": [], "timed out": []}
    warm_up()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        slots = copies(Path(folder), chosen.workers)
        for slot in slots:
            for name, source in sources.items():
                (slot.tree / name).write_bytes(source)
        try:
            seconds = baseline(slots, [[*chosen.tests, *chosen.files]], max(60.0, chosen.timeout))
            print(f"The unchanged code passes in {seconds:.1f} s ({chosen.workers} at once).")
            print(f"Drawn: {len(drawn)} of {len(population)} mutants, seed {chosen.seed}.", flush=True)
            for slot in slots:
                for name in chosen.files:
                    Path(importlib.util.cache_from_source(str(slot.tree / name))).unlink(missing_ok=True)
            for done, (mutant, outcome) in enumerate(run(slots, drawn, stages, chosen.timeout), 1):
                outcomes[outcome].append(mutant)
                if done % 50 == 0:
                    survived = len(outcomes["survived"])
                    print(f"{done} done, {survived} survived, {time.monotonic() - began:.0f} s", flush=True)
        finally:
            for slot in slots:
                slot.stop()
    return report(chosen, sources, outcomes, len(population), time.monotonic() - began)


def report(
    chosen: argparse.Namespace,
    sources: dict[str, bytes],
    outcomes: dict[str, list[Mutant]],
    population: int,
    seconds: float,
) -> int:
    """Print and save the outcome; return the exit code."""
    survivors = []
    for mutant in sorted(outcomes["survived"], key=lambda m: (m.file, m.line)):
        before, after = mutant.shown(sources[mutant.file])
        survivors.append({"where": f"{mutant.file}:{mutant.line}", "kind": mutant.kind, "from": before, "to": after})
        print(f"\n{mutant.file}:{mutant.line}  {mutant.kind}\n  - {before}\n  + {after}")
    counts = {outcome: len(mutants) for outcome, mutants in outcomes.items()}
    total = sum(counts.values())
    percent = 100 * (total - counts["survived"]) / total if total else 0.0
    print(
        f"\n{total} mutants in {seconds:.0f} s: {counts['killed']} killed, {counts['timed out']} timed out, "
        f"{counts['survived']} survived: {percent:.1f} % noticed."
    )
    if chosen.json:
        summary = {"seed": chosen.seed, "population": population, "seconds": round(seconds), "percent": percent}
        chosen.json.write_text(json.dumps({**summary, **counts, "survivors": survivors}, indent=2) + "\n")
    return 0 if percent >= chosen.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
