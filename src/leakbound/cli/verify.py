"""`leakbound verify`: recompute certificates by an independent route."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import typer

from leakbound.certificate import Certificate, Verification, Verifier
from leakbound.certificate.verify import INPUTS_ARE_TAKEN
from leakbound.cli.ending import complain
from leakbound.cli.shared import Files, Json, number, read, show
from leakbound.errors import InvalidInput, MissingExtra, Undecided
from leakbound.numerics.ball import flint
from leakbound.numerics.validate import real
from leakbound.report.words import printable

CODES = {"confirmed": 0, "undecided": 3, "invalid": 2, "refuted": 1}
"""Exit codes by status, the deciding status last: one refuted certificate is a no, whatever else cannot be read."""


def verify(
    certificates: Files,
    outputs: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The private outputs that a certificate leaves out."),
    ] = None,
    time_limit: Annotated[str, typer.Option(metavar="S", help="Seconds per certificate.")] = "30",
    as_json: Json = False,
) -> int:
    """Recompute certificates by an independent route in ball arithmetic.

    Exit code 0 if all are confirmed, 1 if any is refuted, else 2 if any cannot be read or is malformed, else 3 if any
    cannot be decided. With --json it prints one result, or a list, of file, status and sentence.
    """
    limit = real("--time-limit", number("--time-limit", time_limit), above=0)
    flint()
    results = []
    for name, _, verification in verified(certificates, outputs=outputs, time_limit=limit):
        results.append({"file": name, "status": verification.status, "sentence": verification.sentence})
        if verification.status == "invalid":
            complain(verification.sentence)
        elif not as_json:
            show(f"{printable(name)}: {printable(verification.sentence)}")
    if as_json:
        print(json.dumps(results[0] if len(results) == 1 else results, indent=2))
    elif any(result["status"] != "invalid" for result in results):
        show(INPUTS_ARE_TAKEN)
    return worst(result["status"] for result in results)


def worst(statuses: Iterator[str]) -> int:
    """Return the exit code of several results.

    >>> worst(iter(["confirmed", "refuted", "invalid"]))
    1
    """
    ranks = list(CODES)
    return CODES[max(statuses, key=ranks.index)]


def verified(
    paths: list[str], *, outputs: str | None = None, time_limit: float = 30.0
) -> Iterator[tuple[str, Certificate | None, Verification]]:
    """Yield each certificate with a name and its verification; status `invalid` where there is no certificate."""
    with Verifier(time_limit) as verifier:
        for path in paths:
            try:
                found = read(path)
            except InvalidInput as error:
                yield path, None, Verification("invalid", str(error))
                continue
            for name, certificate in named(path, found):
                yield name, certificate, _one(verifier, certificate, name, outputs)


def named(path: str, found: tuple[Certificate, ...]) -> Iterator[tuple[str, Certificate]]:
    """Yield each certificate of a file with the file's name, and its place where there are several."""
    for place, certificate in enumerate(found, start=1):
        yield path if len(found) == 1 else f"{path} ({place} of {len(found)})", certificate


def _one(verifier: Verifier, certificate: Certificate, name: str, outputs: str | None) -> Verification:
    try:
        return verifier.verify(certificate, outputs=outputs)
    except InvalidInput as error:
        return Verification("invalid", f"{printable(name)}: {error}")
    except (MissingExtra, Undecided) as error:
        return Verification("undecided", f"cannot decide: {str(error).removeprefix('cannot decide: ')}")
