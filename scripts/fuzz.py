#!/usr/bin/env python
"""Coverage-guided fuzzing of what takes outside input: certificate files and the guarantees' constructors.

    pip install -c constraints.txt -e '.[dev]' atheris     # atheris is needed here only
    python scripts/fuzz.py                                 # ten minutes, both targets in turns
    python scripts/fuzz.py --seconds 60 --target constructors
    python scripts/fuzz.py --target certificates --input .cache/fuzz/crash-...     # one input again

What must hold: nothing but LeakboundError is raised; no input takes longer than five seconds; no guarantee comes to be
from NaN, a boolean where a number belongs, or a negative epsilon or delta.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import math
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "fuzz"
TARGETS = ("certificates", "constructors")
HANG = 5  # seconds
TURN = 60  # seconds one target runs before the other has its turn

# Valid documents to start from: one command each, as a user would make them.
DOCUMENTS = (
    "convert --gdp 1 --to approx-dp --delta 1e-5",
    "convert --gdp 0.5 --to renyi --order 4",
    "convert --gdp 1 --to profile",
    "convert --gdp 1 --to tradeoff",
    "convert --gdp 2 --to zcdp",
    "convert --zcdp 0.1 --to approx-dp --delta 1e-6",
    "convert --zcdp 0.1 --to mutual-information",
    "convert --renyi 8:0.3 --to approx-dp --delta 1e-6",
    "convert --approx-dp 1:1e-6 --to tradeoff",
    "convert --pure-dp 0.5 --to mutual-information",
    "convert --pure-dp 0.5 --to max-information --records 100",
)
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-5, 1e-18, 5e-324, -5e-324, 1e308, -1e308, math.inf, -math.inf, math.nan]
INTEGERS = [0, 1, -1, 2, 10, 2**53 + 1, -(2**63), 10**400]
UNPRINTABLE = -(10**5000)  # Python refuses to print it, so JSON cannot hold it
WORDS = ["", "0", "1", "inf", "nan", "NaN", "-1", "True", "null", "upper", "lower", "epsilon", "\x00", "é", "a" * 5000]
RELATIONS = ["as-stated", "replace-one", "add-or-remove-one", "label-only", "declared-secret"]  # right, to get further


# The worker: one target in one process, which libFuzzer ends by itself.


def work(target: str, arguments: list[str]) -> NoReturn:
    """Fuzz one target until libFuzzer's own limits end the process."""
    import atheris

    with atheris.instrument_imports(include=["leakbound"]):
        import leakbound.guarantees.registry as registry
        from leakbound.errors import LeakboundError

        if target == "certificates":
            import leakbound.certificate

    documents = [path.read_text() for path in sorted((CACHE / "documents").glob("*.json"))]
    kinds = sorted(registry.kinds().items())
    curves = sorted(registry.curve_families().items())

    def certificates(give: Any) -> None:
        text = document(give, documents) if documents and give.ConsumeIntInRange(0, 3) else rest(give)
        leakbound.certificate.loads(text)

    def constructors(give: Any) -> None:
        kind, cls = give.PickValueInList(kinds + curves)
        if hasattr(cls, "from_claim") and give.ConsumeBool():
            chosen = {"": give.PickValueInList(list(cls.examples())).claim()}
            change(give, *give.PickValueInList(list(places(chosen))[1:]))
            made = cls.from_claim(chosen[""], give.PickValueInList(RELATIONS))
        else:
            chosen = {each.name: argument(give, each.name, curves) for each in dataclasses.fields(cls) if each.init}
            made = cls(**chosen)
        wrong = flaw(made)
        if wrong:
            raise AssertionError(f"{kind} accepted {chosen!r}: {wrong}")
        assert str(made)
        assert hash(made) == hash(made)
        if hasattr(cls, "from_claim"):
            again = cls.from_claim(made.claim(), made.neighbouring)
            assert again == made, f"{made!r} came back from its own claim as {again!r}"

    chosen_target = {"certificates": certificates, "constructors": constructors}[target]

    def one(data: bytes) -> None:
        with contextlib.suppress(LeakboundError):
            chosen_target(atheris.FuzzedDataProvider(data))

    atheris.Setup([sys.argv[0], *arguments], one)
    atheris.Fuzz()
    raise SystemExit(0)


def rest(give: Any) -> bytes | str:
    """Return what is left of the input, as bytes or as text."""
    if give.ConsumeBool():
        return give.ConsumeUnicode(4096)
    return give.ConsumeBytes(4096)


def document(give: Any, documents: list[str]) -> bytes | str:
    """Return a valid certificate with a few places changed, and sometimes with its text damaged as well."""
    holder = {"": json.loads(give.PickValueInList(documents))}
    for _ in range(give.ConsumeIntInRange(1, 4)):
        parent, key = give.PickValueInList(list(places(holder)))
        change(give, parent, key)
    text = json.dumps(holder.get(""))
    damage = give.ConsumeIntInRange(0, 9)
    if damage == 0:
        text = text[: give.ConsumeIntInRange(0, len(text))]
    elif damage == 1:
        at = give.ConsumeIntInRange(0, len(text))
        text = text[:at] + give.ConsumeUnicode(8) + text[at:]
    return text.encode("utf-8", "surrogatepass") if give.ConsumeBool() else text


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Return every place in a document as (container, key)."""
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield node, key
        yield from places(node[key])


def change(give: Any, parent: Any, key: Any) -> None:
    """Replace, delete, rename or add at one place."""
    how = give.ConsumeIntInRange(0, 4)
    if key == "" or how <= 1:
        parent[key] = value(give, 3)
    elif how == 2:
        del parent[key]
    elif isinstance(parent, dict):
        kept = parent[key] if how == 3 else parent.pop(key)
        parent[give.ConsumeUnicodeNoSurrogates(6)] = kept
    else:
        parent.append(parent[key])


def argument(give: Any, name: str, curves: list[tuple[str, Any]]) -> Any:
    """Return an argument for a constructor: often of the right kind, so that others are reached too."""
    if name == "curve" and give.ConsumeIntInRange(0, 7):
        cls = give.PickValueInList(curves)[1]
        return cls(**{each.name: argument(give, each.name, curves) for each in dataclasses.fields(cls) if each.init})
    if name == "neighbouring" and give.ConsumeIntInRange(0, 3):
        return give.PickValueInList(RELATIONS)
    how = give.ConsumeIntInRange(0, 6)
    if how <= 1:
        return abs(give.ConsumeRegularFloat())
    if how == 6:
        return tuple(
            (give.ConsumeProbability(), give.ConsumeProbability()) for _ in range(give.ConsumeIntInRange(1, 3))
        )
    if how == 2:
        return tuple(sorted(1 + abs(give.ConsumeRegularFloat()) for _ in range(give.ConsumeIntInRange(0, 4))))
    if how == 4 and not give.ConsumeIntInRange(0, 9):
        return UNPRINTABLE
    if how == 3:
        return tuple(value(give, 0) for _ in range(give.ConsumeIntInRange(0, 4)))
    return value(give, 3)


def value(give: Any, depth: int) -> Any:
    """Return any value that JSON, or a careless caller, could bring."""
    how = give.ConsumeIntInRange(0, 11 if depth else 8)
    if how == 0:
        return give.ConsumeBool()
    if how == 1:
        return None
    if how == 2:
        return give.PickValueInList(INTEGERS)
    if how == 3:
        return give.ConsumeInt(9)
    if how in (4, 5):
        return give.PickValueInList(NUMBERS)
    if how == 6:
        return give.ConsumeFloat()
    if how == 7:
        return give.PickValueInList(WORDS)
    if how == 8:
        return give.ConsumeUnicode(12)
    if how == 9:
        return {give.ConsumeUnicode(6): value(give, depth - 1) for _ in range(give.ConsumeIntInRange(0, 3))}
    if how == 10:
        return tuple(value(give, depth - 1) for _ in range(give.ConsumeIntInRange(0, 3)))
    return [value(give, depth - 1) for _ in range(give.ConsumeIntInRange(0, 3))]


def flaw(made: Any) -> str | None:
    """Return what is wrong with a value that was accepted, or None."""
    for each in dataclasses.fields(made):
        boolean = "bool" in str(each.type)
        for leaf in leaves(getattr(made, each.name)):
            wrong = flaw(leaf) if dataclasses.is_dataclass(leaf) else None
            if wrong:
                return wrong
            if isinstance(leaf, bool) and not boolean:
                return f"{each.name} holds a boolean"
            if isinstance(leaf, float) and math.isnan(leaf):
                return f"{each.name} holds NaN"
            if isinstance(leaf, (int, float)) and leaf < 0 and re.match("epsilon|delta", each.name):
                return f"{each.name} is negative"
    return None


def leaves(node: Any) -> Iterator[Any]:
    """Return the values in a field, however nested in containers."""
    if isinstance(node, dict):
        node = [*node.keys(), *node.values()]
    if isinstance(node, (list, tuple, set, frozenset)):
        for part in node:
            yield from leaves(part)
    else:
        yield node


# The conductor: gives each target its turns, counts inputs, stops at the first finding.


def make_documents() -> int:
    """Write the valid documents to start from; return how many there are."""
    folder = CACHE / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate(DOCUMENTS):
        command = [
            sys.executable,
            "-c",
            "import sys; from leakbound.cli import main; sys.exit(main())",
            *line.split(),
            "--json",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        if done.returncode == 0 and done.stdout:
            (folder / f"{number}.json").write_text(done.stdout)
    return len(list(folder.glob("*.json")))


def turn(target: str, seconds: int) -> tuple[int, str]:
    """Run one target for some seconds; return the count of inputs and, if something was found, its account."""
    corpus = CACHE / target
    corpus.mkdir(parents=True, exist_ok=True)
    if not any(corpus.iterdir()):  # long inputs from the start, or every argument is empty for minutes
        for number in range(200):
            (corpus / f"start-{number}").write_bytes(random.Random(number).randbytes(512))
    limits = [f"-max_total_time={seconds}", f"-timeout={HANG}", "-rss_limit_mb=4096", "-max_len=4096"]
    command = [sys.executable, __file__, "--worker", target, *limits, "-print_final_stats=1"]
    command += [f"-artifact_prefix={CACHE}/", str(corpus)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, cwd=ROOT)
    told = done.stdout + done.stderr
    count = re.search(r"stat::number_of_executed_units:\s*(\d+)", told) or re.search(r"Done (\d+) runs", told)
    if done.returncode == 0:
        return int(count[1]) if count else 0, ""
    kept = re.findall(r".*(?:ERROR|Test unit written|ALARM).*", done.stderr)
    return int(count[1]) if count else 0, "\n".join([done.stdout[-4000:], *(kept or [done.stderr[-2000:]])])


def main() -> int:
    if sys.argv[1:2] == ["--worker"]:
        work(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description="Fuzzes certificate loading and the guarantees' constructors.")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--target", choices=TARGETS, help="only this one")
    parser.add_argument("--input", type=Path, help="run one saved input instead (needs --target)")
    chosen = parser.parse_args()
    if chosen.input:
        if not chosen.target:
            parser.error("--input needs --target")
        worker = [sys.executable, __file__, "--worker", chosen.target, f"-timeout={HANG}", str(chosen.input)]
        return subprocess.run(worker, check=False).returncode

    print(f"{make_documents()} of {len(DOCUMENTS)} valid documents to start from.", flush=True)
    targets = [chosen.target] if chosen.target else list(TARGETS)
    counts = dict.fromkeys(targets, 0)
    length = max(1, min(TURN, chosen.seconds // len(targets)))
    for number in range(max(len(targets), chosen.seconds // length)):
        target = targets[number % len(targets)]
        count, found = turn(target, length)
        counts[target] += count
        print(f"{target}: {count} inputs in {length} s", flush=True)
        if found:
            print(f"{found}\nFound in {target}. Run it again with --target {target} --input FILE (named above).")
            return 1
    print(f"Nothing found in {sum(counts.values())} inputs: " + ", ".join(f"{n} {t}" for t, n in counts.items()) + ".")
    return 0


if __name__ == "__main__":
    sys.exit(main())
