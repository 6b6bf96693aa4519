"""`leakbound report`: certificates as one self-contained page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from leakbound.certificate import Certificate, Verification
from leakbound.certificate.document import write_text
from leakbound.cli.ending import complain
from leakbound.cli.shared import Files, Json, answer, read, show
from leakbound.cli.verify import named, verified, worst
from leakbound.errors import InvalidInput, MissingExtra, shown
from leakbound.numerics.ball import flint
from leakbound.report import Entry, page
from leakbound.report.html import jinja
from leakbound.report.words import printable


def report(
    certificates: Files,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="The page to write.")],
    as_json: Json = False,
) -> int:
    """Verify certificates and write them as one self-contained HTML page.

    Nothing is written if one of them is refuted (exit code 1) or cannot be read (exit code 2). Without the extra
    leakbound[verify] the page says that nothing was verified.
    """
    jinja()
    target = _target(output, certificates)
    entries, refused = [], []
    for name, certificate, verification in _judged(certificates):
        if certificate is None or verification.status in ("invalid", "refuted"):
            place = "" if verification.status == "invalid" else f"{name}: "
            complain(f"{place}{verification.sentence.rstrip('.')}; no report was written.")
            refused.append(verification.status)
        else:
            entries.append(Entry(certificate, Path(name).name, verification.status, verification.sentence))
    if refused:
        return worst(iter(refused))
    write_text(target, page(entries))
    if as_json:
        answer([entry.certificate for entry in entries], as_json=True)
    else:
        for entry in entries:
            show(f"{printable(entry.source)}: {printable(entry.sentence)}")
        show(f"Wrote {printable(output)}.")
    return 0


def _judged(paths: list[str]) -> Iterator[tuple[str, Certificate | None, Verification]]:
    try:
        flint()
    except MissingExtra as missing:
        for path in paths:
            for name, certificate in named(path, read(path)):
                yield name, certificate, Verification("not verified", f"not verified: {missing}")
        return
    yield from verified(paths)


def _target(output: str, certificates: list[str]) -> Path:
    """Return the path to write, through links, so that neither a device nor a certificate is overwritten."""
    target = Path(os.path.realpath(output)) if Path(output).is_symlink() else Path(output)
    if target.exists() and not target.is_file():
        raise InvalidInput(f"--output must be a file or a new name, but got --output={shown(output)}; name a file.")
    if any(target.exists() and Path(path).exists() and target.samefile(path) for path in certificates):
        raise InvalidInput(f"--output must not be one of the certificates, but got --output={shown(output)}.")
    return target
