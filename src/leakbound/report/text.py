"""A certificate as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from leakbound.certificate import Certificate
from leakbound.report import words
from leakbound.report.numbers import displayed

NARROWEST = 40


def certificate_text(certificate: Certificate, *, width: int = 100) -> str:
    """Return a certificate in lines: its standing first, then the claim in plain words and what it rests on.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import PureDP
    >>> print(certificate_text(issue.declare(PureDP(1.0)), width=200).splitlines()[1])
    Claim: The leakage is at most 1-DP.
    """
    wide = max(width, NARROWEST)
    return "\n".join(line for start, text in _entries(certificate) for line in _wrapped(start, text, wide))


def routes_text(certificate: Certificate) -> str:
    """Return a table of what every route of a composition gives, or an empty text where there is none.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import GaussianDP
    >>> print(routes_text(issue.compose([(GaussianDP(0.5), 4)], epsilon=1.0)))
    Delta at epsilon 1 by every route:
      gaussian  0.126937  (used)
    """
    routes = certificate.evidence.get("routes")
    if not isinstance(routes, Mapping) or not routes:
        return ""
    asked, read = ("epsilon", "Delta") if "epsilon" in certificate.inputs else ("delta", "Epsilon")
    at = certificate.inputs.get(asked)
    lines = [f"{read} at {asked} {_shown(at)} by every route:"]
    longest = max(len(words.printable(name)) for name in routes)
    for name, value in routes.items():
        used = "  (used)" if certificate.method == f"compose-{name}" else ""
        lines.append(f"  {words.printable(name):<{longest}}  {_shown(value)}{used}")
    return "\n".join(lines)


def _entries(certificate: Certificate) -> Iterator[tuple[str, str]]:
    standing = certificate.standing
    yield "Standing: ", f"{standing.value}. {standing.meaning}"
    yield "Claim: ", words.headline(certificate)
    for sentence in words.meaning(certificate):
        yield "  ", sentence
    yield "Confidence: ", f"{words.confidence(certificate)}."
    yield "Relation: ", f"{words.relation(certificate)}."
    yield ("Assumptions:" if certificate.assumptions else "Assumptions: none."), ""
    for entry in certificate.assumptions:
        yield "  - ", words.assumption(entry)
    yield "Method: ", words.method(certificate)
    if certificate.references:
        yield "References:", ""
    for reference in certificate.references:
        yield "  - ", words.printable(reference)


def _wrapped(start: str, text: str, width: int) -> list[str]:
    """Return a text wrapped, its first line after a start and the others below it, two columns in."""
    below = " " * len(start) if start.isspace() or start.strip() == "-" else "  "
    return textwrap.wrap(
        start + text, width, subsequent_indent=below, break_on_hyphens=False, drop_whitespace=True
    ) or [start]


def _shown(value: object) -> str:
    return displayed(value, up=True) if isinstance(value, (int, float)) else words.printable(str(value))
