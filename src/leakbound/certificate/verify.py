"""Verification: every number of a claim is recomputed by an independent route, and the two are compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from leakbound.certificate.certificate import Certificate
from leakbound.certificate.check import Check
from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.method import Method, Problem
from leakbound.certificate.record import Record
from leakbound.certificate.standing import Standing
from leakbound.errors import InvalidCertificate, InvalidInput, Undecided, shown
from leakbound.guarantees.registry import plugins

if TYPE_CHECKING:
    from collections.abc import Mapping

INPUTS_ARE_TAKEN = "Inputs and evidence are taken as they are: numbers falsified consistently cannot be seen."


@dataclass(frozen=True)
class Verification:
    """The answer of a verification: `confirmed`, `refuted` or `undecided`, with every check and a sentence."""

    status: str
    sentence: str
    checks: tuple[Check, ...] = ()

    def __str__(self) -> str:
        return self.sentence


@cache
def methods() -> Mapping[str, Method]:
    """Return every method by id, from the modules of the entry-point group `leakbound.verifiers`."""
    found: dict[str, Method] = {}
    for name, module in plugins("leakbound.verifiers").items():
        for identity, method in module.METHODS.items():
            if identity in found:
                raise InvalidInput(f"Two verifiers know the method {identity!r}, one of them {name}; uninstall one.")
            found[identity] = method
    return MappingProxyType(found)


def verify(certificate: Certificate, *, outputs: str | Path | None = None) -> Verification:
    """Recompute a certificate's numbers in ball arithmetic and say confirmed, refuted or undecided.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import GaussianDP
    >>> verify(issue.convert(GaussianDP(1.0), "approx-dp", epsilon=1.0)).status
    'confirmed'
    """
    method = methods().get(certificate.method)
    if method is None:
        known = f"No installed verifier knows the method {certificate.method!r}"
        return Verification("undecided", f"cannot decide: {known}; install the package that made it.")
    _refuse_false_labels(certificate, method)
    try:
        checks = tuple(method.recompute(_problem(certificate, method, outputs)))
    except Undecided as error:
        return Verification("undecided", f"cannot decide: {error}")
    except (ArithmeticError, MemoryError) as error:
        return Verification("undecided", f"cannot decide: the recomputation ended in {type(error).__name__}.")
    return _judged(checks)


def enclosed(certificate: Certificate) -> bool:
    """Return whether every number of the claim is on the safe side of a proved enclosure, without any tolerance."""
    verification = verify(certificate)
    return verification.status == "confirmed" and all(check.safe for check in verification.checks)


def _judged(checks: tuple[Check, ...]) -> Verification:
    if not checks:
        return Verification("undecided", "cannot decide: the method checks no number of this claim.")
    for status, word in (("refuted", "refuted"), ("undecided", "cannot decide")):
        for check in checks:
            if check.status == status:
                return Verification(status, f"{word}: {check}.", checks)
    main = checks[-1]
    more = f" and {len(checks) - 1} more" if len(checks) > 1 else ""
    return Verification("confirmed", f"confirmed: {main}{more}.", checks)


def _problem(certificate: Certificate, method: Method, outputs: str | Path | None) -> Problem:
    claim = FrozenMap({"kind": certificate.claim.kind, **certificate.claim.claim()})
    return Problem(
        claim=Record("claim", claim),
        inputs=Record("inputs", certificate.inputs),
        evidence=Record("evidence", certificate.evidence),
        confidence=certificate.confidence,
        tolerance=Record("evidence", certificate.evidence).number("tolerance", high=method.tolerance),
        outputs=None if outputs is None else Path(outputs),
    )


def _refuse_false_labels(certificate: Certificate, method: Method) -> None:
    if certificate.direction != method.direction:
        raise InvalidCertificate(
            f"The method {certificate.method} gives {method.direction} bounds, but the claim is a"
            f" {certificate.direction} one; the certificate does not fit its method."
        )
    if Standing.weakest([certificate.standing, method.firmest]) != certificate.standing:
        raise InvalidCertificate(
            f"The method {certificate.method} stands at best as {method.firmest.value}, but the certificate says"
            f" {certificate.standing.value}; it claims more than was done."
        )
    listed = {assumption.id for assumption in certificate.assumptions}
    needed = (*method.assumptions, *(name for given, name in method.when if given in certificate.inputs))
    if missing := [name for name in needed if name not in listed]:
        raise InvalidCertificate(
            f"The method {certificate.method} rests on the assumption {shown(missing[0])}, which the certificate does"
            " not list; it is incomplete."
        )
    inputs = Record("inputs", certificate.inputs)
    if certificate.neighbouring != (relation := method.relation(inputs)):
        raise InvalidCertificate(
            f"The inputs are about the relation {shown(relation)}, but the claim is about"
            f" {certificate.neighbouring}; it does not follow from them."
        )
    for part in inputs.records("parts") if "parts" in inputs else ():
        standing = part.text("standing") if "standing" in part else Standing.PROVED.value
        if standing not in {s.value for s in Standing}:
            raise InvalidCertificate(
                f"{part.place}.standing must be one of the four standings, but is {shown(standing)}."
            )
        if Standing.weakest([certificate.standing, Standing(standing)]) != certificate.standing:
            raise InvalidCertificate(
                f"A part stands only as {standing}, but the certificate says {certificate.standing.value}; it claims"
                " more than its parts."
            )
