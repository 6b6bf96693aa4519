"""Finds laws and subjects through entry points, and applies the ones to the others."""

from __future__ import annotations

from typing import Any

from leakbound.checks.law import Law, Violation, named
from leakbound.errors import InvalidInput
from leakbound.guarantees.registry import plugins


def laws() -> tuple[Law, ...]:
    """Return every law of every installed module of checks.

    >>> "hashes" in {law.name for law in laws()}
    True
    """
    return tuple(law for module in plugins("leakbound.checks").values() for law in module.LAWS)


def subjects() -> tuple[Any, ...]:
    """Return every subject that the installed modules of checks find, each once.

    >>> "GaussianDP" in {subject.__name__ for subject in subjects()}
    True
    """
    found: list[Any] = []
    for module in plugins("leakbound.checks").values():
        for subject in module.subjects() if hasattr(module, "subjects") else ():
            if not any(subject is known for known in found):
                found.append(subject)
    return tuple(found)


def conformance() -> list[tuple[Any, Law]]:
    """Return every subject with every law that applies to it, for `pytest.mark.parametrize`.

    >>> len(conformance()) > 100
    True
    """
    return [(subject, law) for subject in subjects() for law in laws() if law.applies(subject)]


def run(subject: Any) -> tuple[Violation, ...]:
    """Apply every law to one subject, which need not be installed, and return what it breaks.

    >>> from leakbound.guarantees import GaussianDP
    >>> run(GaussianDP)
    ()
    """
    applicable = [law for law in laws() if law.applies(subject)]
    if not applicable:
        raise InvalidInput(f"No law applies to {named(subject)}; give a class of guarantees, curves or seed models.")
    broken = []
    for law in applicable:
        try:
            law.check(subject)
        except Violation as violation:
            broken.append(violation)
    return tuple(broken)
