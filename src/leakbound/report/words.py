"""A certificate in plain words: every number rounded to its safe side, every text safe to print."""

from __future__ import annotations

from decimal import Decimal

from leakbound.certificate import Assumption, Certificate, Standing
from leakbound.guarantees import ARROWS
from leakbound.report.attacker import attack
from leakbound.report.claims import promises_nothing, short_and_meaning
from leakbound.report.numbers import displayed

LONGEST_TEXT = 2000

RELATIONS = {
    "replace-one": "neighbouring data sets differ in one replaced record",
    "add-or-remove-one": "neighbouring data sets differ in one record added or removed",
    "label-only": "neighbouring data sets differ in the label of one record",
    "declared-secret": "it is about the secret that the inputs declare",
    "as-stated": "the one that the given guarantees were stated for, not named here",
}
CHECKERS = {
    "library": "checked by leakbound",
    "caller": "for the issuer to check",
    "nobody": "checked by nobody",
}
SEVERITIES = {
    "void": "if it fails, the claim is void",
    "weaker": "if it fails, a weaker claim holds",
    "negligible": "if it fails, the claim is off by a negligible amount",
}
_BEFORE = {
    Standing.CONDITIONAL: "if a named unproved step holds, ",
    Standing.ESTIMATE: "by an estimate without guarantee, ",
}


def printable(text: str, limit: int = LONGEST_TEXT) -> str:
    r"""Return a text with every character that could steer a terminal or reorder a line spelled out, cut if long.

    >>> printable("safe" + chr(27) + "[2J")
    'safe\\x1b[2J'
    """
    clean = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:limit])
    return clean if len(text) <= limit else f"{clean}... ({len(text)} characters)"


def headline(certificate: Certificate) -> str:
    """Return the claim as one sentence, its direction and confidence included.

    >>> from leakbound.certificate import issue
    >>> headline(issue.holdout(0, 59))
    'With confidence 0.95, the risk is at most 0.0495077.'
    """
    bound = "at most" if certificate.direction == "upper" else "at least"
    subject = "the risk" if certificate.claim.kind == "risk" else "the leakage"
    sure = "" if certificate.confidence == 1 else f"with confidence {_confidence(certificate)}, "
    sentence = f"{_BEFORE.get(certificate.standing, '')}{sure}{subject} is {bound} {short(certificate)}."
    return sentence[0].upper() + sentence[1:]


def short(certificate: Certificate) -> str:
    """Return the guarantee claimed, in a few words.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import PureDP
    >>> short(issue.declare(PureDP(1 / 3)))
    '0.333334-DP'
    """
    return printable(short_and_meaning(certificate.claim, upper=certificate.direction == "upper")[0])


def meaning(certificate: Certificate) -> tuple[str, ...]:
    """Return sentences that say what the claim means.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import ZeroConcentratedDP
    >>> meaning(issue.declare(ZeroConcentratedDP(float("inf"))))
    ('This bound promises nothing: everything satisfies it.',)
    """
    if certificate.direction == "lower":
        return ("No smaller bound of this form can hold.",)
    if promises_nothing(certificate.claim):
        return ("This bound promises nothing: everything satisfies it.",)
    return printable(short_and_meaning(certificate.claim, upper=True)[1]), *attack(certificate)


def confidence(certificate: Certificate) -> str:
    """Return the confidence and what it means.

    >>> from leakbound.certificate import issue
    >>> confidence(issue.holdout(0, 59))
    '0.95 (the claim fails with probability at most 0.05, over the chance in its own computation)'
    """
    if certificate.confidence == 1:
        return "1 (no chance is involved in computing the claim)"
    failure = displayed(1 - Decimal(_confidence(certificate)), up=True)
    return (
        f"{_confidence(certificate)} (the claim fails with probability at most {failure}, over the chance in its own"
        " computation)"
    )


def relation(certificate: Certificate) -> str:
    """Return the neighbouring relation and what it means.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import PureDP
    >>> relation(issue.declare(PureDP(1.0, neighbouring="replace-one")))
    'replace-one (neighbouring data sets differ in one replaced record)'
    """
    return f"{certificate.neighbouring} ({RELATIONS[certificate.neighbouring]})"


def assumption(entry: Assumption) -> str:
    """Return an assumption with who checks it and what follows if it fails.

    >>> assumption(Assumption("iid", "The records are independent.", "nobody", "void"))
    'The records are independent. [checked by nobody; if it fails, the claim is void]'
    """
    return f"{printable(entry.text)} [{CHECKERS[entry.checked_by]}; {SEVERITIES[entry.severity]}]"


def method(certificate: Certificate) -> str:
    """Return the id of the method, with its theorem where it is a conversion.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import GaussianDP
    >>> method(issue.convert(GaussianDP(1.0), "zcdp"))
    'gdp-to-zcdp (Renyi divergence of two normals)'
    """
    theorems = [arrow.theorem for arrow in ARROWS.values() if arrow.method == certificate.method]
    return printable(certificate.method) + (f" ({theorems[0]})" if theorems else "")


def _confidence(certificate: Certificate) -> str:
    return displayed(certificate.confidence, up=False)
