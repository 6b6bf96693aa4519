"""Certificates as JSON: a published schema with a version; unknown fields are refused; older versions stay readable."""

from __future__ import annotations

import json
import os
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from leakbound.certificate.assumption import Assumption
from leakbound.certificate.certificate import Certificate
from leakbound.certificate.frozen import DEEPEST, INFINITIES, FrozenMap, thaw
from leakbound.certificate.standing import Standing
from leakbound.errors import InvalidCertificate, InvalidInput, shown
from leakbound.guarantees.registry import kinds

SCHEMA_VERSION = 1
LARGEST_FILE = 32 * 1024 * 1024
"""Bytes; a longer file is refused unread."""

_FIELDS = (
    "schema", "claim", "neighbouring", "standing", "confidence", "assumptions", "method", "references", "inputs",
    "evidence", "series", "provenance",
)  # fmt: skip


def to_document(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate as plain JSON values."""
    claim = certificate.claim
    fields: dict[str, object] = {
        "schema": SCHEMA_VERSION,
        "claim": {"kind": claim.kind, "direction": certificate.direction, **claim.claim()},
        "neighbouring": claim.neighbouring,
        "standing": certificate.standing.value,
        "confidence": certificate.confidence,
        "assumptions": tuple(
            {"id": a.id, "text": a.text, "checked_by": a.checked_by, "severity": a.severity}
            for a in certificate.assumptions
        ),
        "method": certificate.method,
        "references": certificate.references,
        "inputs": certificate.inputs,
        "evidence": certificate.evidence,
        "series": certificate.series,
        "provenance": certificate.provenance,
    }
    return {name: thaw(value) for name, value in fields.items()}


def from_document(document: object) -> Certificate:
    """Return the certificate of plain JSON values, upgraded from an older version if need be."""
    if not isinstance(document, Mapping):
        raise InvalidCertificate(f"A certificate is a JSON object, but this is {shown(document)}.")
    _refuse_deep(document)
    document = _upgraded(document)
    if unknown := sorted(set(document) - set(_FIELDS)):
        raise InvalidCertificate(f"A certificate has no field {shown(unknown[0])}; remove it.")
    if missing := [name for name in _FIELDS if name not in document]:
        raise InvalidCertificate(f"The certificate lacks the field {missing[0]!r}; it may be truncated.")
    try:
        return _read(_thawed(document))
    except InvalidCertificate:
        raise
    except InvalidInput as error:
        raise InvalidCertificate(f"The certificate is not valid: {error}") from None


def dumps(*certificates: Certificate) -> str:
    """Return one certificate as a JSON object, or several as a list."""
    documents = [to_document(certificate) for certificate in certificates]
    return json.dumps(documents[0] if len(documents) == 1 else documents, indent=2, allow_nan=False)


def loads(data: str | bytes) -> tuple[Certificate, ...]:
    """Return the certificates of a JSON object or list; anything else is refused in one sentence."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        parsed = json.loads(text, parse_constant=_refuse_constant, parse_float=_float, object_pairs_hook=_unique)
    except InvalidCertificate:
        raise
    except UnicodeDecodeError:
        raise InvalidCertificate("A certificate is UTF-8 text, but this is not; it is damaged or not one.") from None
    except RecursionError:
        raise InvalidCertificate("The JSON is nested too deeply for a certificate.") from None
    except json.JSONDecodeError as error:
        raise InvalidCertificate(
            f"This is not JSON: {error.msg} at line {error.lineno}; it may be truncated."
        ) from None
    except ValueError:  # an integer of thousands of digits
        raise InvalidCertificate("The JSON has a number too long for a certificate.") from None
    entries = parsed if isinstance(parsed, list) else [parsed]
    if not entries:
        raise InvalidCertificate("The list holds no certificate.")
    return tuple(from_document(entry) for entry in entries)


def load(path: str | Path) -> tuple[Certificate, ...]:
    """Return the certificates in a file; of one too large to be a certificate no more than the limit is read."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"The file {shown(str(path))} cannot be read: {_reason(error)}; check the path.") from None
    if len(data) > LARGEST_FILE:
        raise InvalidCertificate(f"{path} is longer than the {LARGEST_FILE} bytes a certificate may have.")
    return loads(data)


def save(path: str | Path, *certificates: Certificate) -> None:
    """Write certificates to a file, under a temporary name first, so that it is never half written."""
    write_text(path, dumps(*certificates) + "\n")


def write_text(path: str | Path, text: str) -> None:
    """Write a text file under a temporary name and rename it."""
    try:
        target = Path(os.path.realpath(path))
        aside = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            with open(aside, "x", encoding="utf-8") as file:
                file.write(text)
            os.replace(aside, target)
        finally:
            aside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InvalidInput(
            f"The file {shown(str(path))} cannot be written: {_reason(error)}; choose another."
        ) from None


def _reason(error: OSError | ValueError) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _read(document: Mapping[str, Any]) -> Certificate:
    claim = document["claim"]
    if not isinstance(claim, Mapping) or "kind" not in claim or "direction" not in claim:
        raise InvalidCertificate("The claim must be a map with kind and direction; it may be truncated.")
    kind = claim["kind"]
    if not isinstance(kind, str) or kind not in kinds():
        raise InvalidCertificate(f"claim.kind must be one of {', '.join(sorted(kinds()))}, but is {shown(kind)}.")
    numbers = {name: value for name, value in claim.items() if name not in ("kind", "direction")}
    standing = document["standing"]
    if standing not in {s.value for s in Standing}:
        raise InvalidCertificate(f"standing must be one of the four standings, but is {shown(standing)}.")
    return Certificate(
        claim=kinds()[kind].from_claim(numbers, document["neighbouring"]),
        direction=claim["direction"],
        standing=Standing(standing),
        confidence=document["confidence"],
        assumptions=tuple(_assumption(entry) for entry in _entries("assumptions", document["assumptions"])),
        method=document["method"],
        references=_entries("references", document["references"]),
        inputs=document["inputs"],
        evidence=document["evidence"],
        series=document["series"],
        provenance=document["provenance"],
    )


def _entries(name: str, value: object) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        raise InvalidCertificate(f"{name} must be a list, but is {shown(value)}.")
    return value


def _assumption(entry: object) -> Assumption:
    names = {"id", "text", "checked_by", "severity"}
    if not isinstance(entry, Mapping) or set(entry) != names:
        raise InvalidCertificate(f"An assumption has exactly {', '.join(sorted(names))}, but one is {shown(entry)}.")
    return Assumption(**entry)


_NUMERIC = ("claim", "confidence", "inputs", "evidence", "series", "provenance")
"""The fields in which numbers stand; elsewhere a text is a text."""


def _thawed(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Freeze plain JSON, with the text "inf" read as infinity where a number may stand."""
    return FrozenMap({name: _numbers(value) if name in _NUMERIC else value for name, value in document.items()})


def _numbers(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _numbers(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_numbers(entry) for entry in value]
    return INFINITIES.get(value, value) if isinstance(value, str) else value


def _refuse_deep(document: object) -> None:
    """Refuse what nests deeper than a certificate may, before anything walks it by recursion."""
    level = [document]
    for _ in range(DEEPEST + 2):
        level = [
            entry
            for value in level
            if isinstance(value, (Mapping, list, tuple))
            for entry in (value.values() if isinstance(value, Mapping) else value)
        ]
    if level:
        raise InvalidCertificate(f"A certificate's values may nest {DEEPEST} deep, but these go deeper; flatten them.")


def _upgraded(document: Mapping[str, Any]) -> Mapping[str, Any]:
    version = document.get("schema")
    if isinstance(version, bool) or not isinstance(version, int) or not 0 <= version <= SCHEMA_VERSION:
        raise InvalidCertificate(
            f"schema must be a version from 0 to {SCHEMA_VERSION}, but is {shown(version)};"
            " a newer leakbound may read it."
        )
    for step in range(version, SCHEMA_VERSION):
        document = {**_UPGRADES[step](document), "schema": step + 1}
    return document


def _from_0(document: Mapping[str, Any]) -> dict[str, Any]:
    """Version 0 had no series and no severity of assumptions."""
    if "series" in document:
        raise InvalidCertificate("A certificate of version 0 has no field 'series'; remove it.")
    entries = document.get("assumptions")
    known = [
        {"severity": "void", **entry} if isinstance(entry, Mapping) else entry
        for entry in (entries if isinstance(entries, list) else [])
    ]
    return {**document, "series": {}, "assumptions": known if isinstance(entries, list) else entries}


_UPGRADES: dict[int, Callable[[Mapping[str, Any]], dict[str, Any]]] = {0: _from_0}


def _refuse_constant(word: str) -> float:
    raise InvalidCertificate(f"A certificate holds no {word}; infinity is written as the text inf.")


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise InvalidCertificate(f"The number {digits[:30]} is beyond a double.")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise InvalidCertificate(f"The field {shown(twice)} appears twice; keep one.")
    return found
