"""Certificates as one self-contained page: no script, no network, every text escaped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from leakbound.certificate import Certificate, dumps
from leakbound.errors import InvalidInput, MissingExtra
from leakbound.numerics.validate import choice
from leakbound.report import words
from leakbound.report.attacker import SIDE, Figure, figure
from leakbound.report.chart import HEIGHT, WIDTH, Chart, charts
from leakbound.report.tables import rows

STATUSES = ("confirmed", "undecided", "not verified")
LONGEST_SHOWN = 200_000
"""Characters; a longer certificate is not repeated on the page."""

_NUMBER = re.compile(r"(?<!\S)(?=\S{1,24}(?!\S))\S*\d\S*( %)?")
_WORDS = {"confirmed": "Confirmed", "undecided": "Not decided", "not verified": "Not verified"}


@dataclass(frozen=True)
class Entry:
    """A certificate to show, the name of its file, and what its verification said."""

    certificate: Certificate
    source: str
    status: str
    sentence: str

    def __post_init__(self) -> None:
        """Refuse other statuses; a refuted certificate has no page."""
        if self.status == "refuted":
            raise InvalidInput(f"A report shows no refuted certificate, but {self.source} is refuted; leave it out.")
        choice("status", self.status, STATUSES)

    @property
    def verdict(self) -> str:
        """The first sentence of the page."""
        return f"{_WORDS[self.status]}: {words.headline(self.certificate)}"

    @property
    def finding(self) -> str:
        """What the verification said, without the status, which stands beside it."""
        return self.sentence.removeprefix(f"{self.status}: ")

    @property
    def tables(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """The numbers of the claim, the inputs and the evidence, each with a heading."""
        certificate = self.certificate
        claim = {"kind": certificate.claim.kind, "direction": certificate.direction, **certificate.claim.claim()}
        named = (("Claim", claim), ("Inputs", certificate.inputs), ("Evidence", certificate.evidence))
        return tuple((heading, rows(values)) for heading, values in named if values)

    @property
    def figure(self) -> Figure | None:
        """The drawing of what an attacker can reach, where the claim fixes it."""
        return figure(self.certificate)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The drawings of the certificate's series."""
        return charts(self.certificate)

    @property
    def document(self) -> str:
        """The certificate itself, or an empty text where it is too long to repeat."""
        text = dumps(self.certificate)
        return text if len(text) <= LONGEST_SHOWN else ""


def page(entries: Sequence[Entry]) -> str:
    """Return one HTML page that shows certificates with what their verification said.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import PureDP
    >>> page([Entry(issue.declare(PureDP(1.0)), "c.json", "confirmed", "confirmed: epsilon")])[:15]
    '<!doctype html>'
    """
    if not entries:
        raise InvalidInput("entries must hold at least one certificate, but is empty; give one.")
    jinja2 = jinja()
    loader = jinja2.PackageLoader("leakbound.report", "templates")
    environment = jinja2.Environment(
        autoescape=True, loader=loader, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"printable": words.printable, "unbroken": _unbroken}
    style = files("leakbound.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
    template = environment.get_template("page.html")
    sizes = {"side": SIDE, "width": WIDTH, "height": HEIGHT}
    text: str = template.render(entries=entries, verdict=overall(entries), style=style, words=words, **sizes)
    return text + "\n"


def jinja() -> Any:
    """Return the jinja2 module, or say which extra installs it.

    >>> jinja().__name__
    'jinja2'
    """
    try:
        import jinja2
    except ImportError:
        raise MissingExtra("jinja2", "report") from None
    return jinja2


def _unbroken(text: str) -> Any:
    """Return text as HTML in which no line ends inside a number, where 1e-06 has a hyphen."""
    from markupsafe import Markup, escape

    return Markup(_NUMBER.sub(r'<span class="number">\g<0></span>', str(escape(text))))


def overall(entries: Sequence[Entry]) -> str:
    """Return the verdict on all entries: the only one's own, or how many there are of each.

    >>> from leakbound.certificate import issue
    >>> from leakbound.guarantees import PureDP
    >>> one = Entry(issue.declare(PureDP(1.0)), "c.json", "confirmed", "confirmed: epsilon")
    >>> overall([one]), overall([one, one])
    ('Confirmed: The leakage is at most 1-DP.', '2 certificates: 2 confirmed.')
    """
    if len(entries) == 1:
        return entries[0].verdict
    counts = Counter(entry.status for entry in entries)
    listed = ", ".join(f"{counts[status]} {_WORDS[status].lower()}" for status in STATUSES if counts[status])
    return f"{len(entries)} certificates: {listed}."
