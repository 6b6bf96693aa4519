import re
import sys
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from leakbound.certificate import Assumption, Standing, issue, loads
from leakbound.errors import InvalidInput, MissingExtra
from leakbound.guarantees import GaussianDP, PureDP, ZeroConcentratedDP
from leakbound.guarantees.registry import kinds
from leakbound.report import html
from leakbound.report.html import Entry, overall, page

VOID = {"meta", "link", "br", "img", "path", "polygon", "polyline"}
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e"


class Reader(HTMLParser):
    """Reads a page, checks that its elements nest, and keeps what tests ask for."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.headings, self.words = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), []))

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag in ("dt", "th", "td"):
            self.words.append(" ")

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)
        if self.headings and re.fullmatch("h[1-6]", self.open[-1] if self.open else ""):
            self.headings[-1][1].append(data)

    @property
    def text(self):
        """The text of the page, on one line."""
        return " ".join("".join(self.words).split())

    def attributes(self, name):
        """Every value of an attribute."""
        return [attributes[name] for _, attributes in self.tags if name in attributes]


def entry(certificate, status="confirmed", sentence="confirmed: epsilon.", source="c.json"):
    return Entry(certificate, source, status, sentence)


ONE = entry(issue.convert(GaussianDP(1.0, neighbouring="replace-one"), "approx-dp", delta=1e-5))
OTHER = entry(issue.declare(ZeroConcentratedDP(0.1)), "undecided", "cannot decide: too hard.", "z.json")


def test_one_certificate_from_its_verdict_to_its_check():
    reader = Reader(page([ONE]))
    assert [heading for heading, _ in reader.headings] == [1, 2, 2, 2, 2, 2, 2]
    assert [words for _, [*words] in reader.headings][1:] == [
        ["Assumptions"],
        ["What is claimed"],
        ["Verification"],
        ["The numbers"],
        ["References"],
        ["Check it yourself"],
    ]
    for words in (
        "Confirmed: The leakage is at most (4.37718, 1e-05)-DP. proved It holds with the stated confidence",
        "For the issuer to check; if it fails, the claim is void.",
        "no event becomes more than 79.6131 times as likely, up to an added probability of 1e-05.",
        "Confidence 1 (no chance is involved in computing the claim)",
        "Relation replace-one (neighbouring data sets differ in one replaced record)",
        "Method gdp-to-approx-dp (The Gaussian profile)",
        "5 % 98.9 %",
        "confirmed epsilon. Inputs and evidence are taken as they are",
        "given, mu 1.0",
        "tolerance 1e-09",
        "Dong, Roth and Su (2022). Gaussian differential privacy.",
        "leakbound verify certificate.json",
    ):
        assert words in reader.text, words


def test_the_page_holds_the_certificate_for_others_to_verify():
    text = Reader(page([ONE])).words
    document = next(part for part in text if part.startswith("{"))
    assert loads(document) == (ONE.certificate,)


def test_several_certificates_have_a_list_and_their_own_headings():
    reader = Reader(page([ONE, OTHER]))
    levels = [level for level, _ in reader.headings]
    assert levels.count(1) == 1
    assert levels.count(2) == 2
    assert set(levels) == {1, 2, 3}
    assert reader.text.startswith("2 certificates: 1 confirmed, 1 not decided. leakbound report")
    assert [a["href"] for tag, a in reader.tags if tag == "a"] == ["#c1", "#c2"]
    assert "z.json: Not decided: The leakage is at most 0.1-zCDP. Standing: proved." in reader.text


@pytest.mark.parametrize("entries", [[ONE], [OTHER], [ONE, OTHER, ONE]])
def test_the_page_is_sound(entries):
    text = page(entries)
    reader = Reader(text)
    assert text.startswith('<!doctype html>\n<html lang="en">')
    ids = reader.attributes("id")
    assert len(ids) == len(set(ids))
    for name in ("aria-labelledby",):
        assert {part for value in reader.attributes(name) for part in value.split()} <= set(ids)
    assert {href.removeprefix("#") for href in reader.attributes("href") if href.startswith("#")} <= set(ids)
    assert [tag for tag, _ in reader.tags].count("title") == 1 + sum(tag == "svg" for tag, _ in reader.tags)
    assert [tag for tag, _ in reader.tags].count("main") == 1
    for tag, attributes in reader.tags:
        assert tag != "svg" or attributes["role"] == "img"
        assert attributes.get("tabindex", "0") == "0"


@pytest.mark.parametrize("entries", [[ONE], [ONE, OTHER]])
def test_the_page_is_self_contained_and_has_no_script(entries):
    text = page(entries)
    reader = Reader(text)
    assert not {"script", "img", "iframe", "object", "form"} & {tag for tag, _ in reader.tags}
    assert reader.attributes("src") == []
    assert not [href for href in reader.attributes("href") if not href.startswith(("#", "data:"))]
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text


def test_everything_is_escaped():
    certificate = ONE.certificate.with_(
        assumptions=(Assumption("a", HOSTILE, "caller", "void"),),
        method=HOSTILE,
        references=(HOSTILE,),
        inputs={HOSTILE: HOSTILE, "list": [HOSTILE, {HOSTILE: 1}]},
        evidence={HOSTILE: 0.5},
        provenance={HOSTILE: HOSTILE},
    )
    text = page([entry(certificate, source=HOSTILE, sentence=HOSTILE), entry(certificate)])
    reader = Reader(text)
    assert not {"script", "img"} & {tag for tag, _ in reader.tags}
    assert "onerror" not in {name for _, attributes in reader.tags for name in attributes}
    assert "\u202e" not in text
    assert "<script>alert(1)</script>" in reader.text


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_every_kind_has_a_page(kind):
    drawn = kind in ("pure-dp", "approx-dp", "gdp", "profile", "tradeoff")
    for claim in kinds()[kind].examples():
        reader = Reader(page([entry(issue.declare(claim))]))
        assert any(tag == "svg" for tag, _ in reader.tags) is drawn


def test_standings_and_statuses_are_marked():
    for standing in Standing:
        assert f'class="mark {standing.value}"' in page([entry(ONE.certificate.with_(standing=standing))])
    for status, mark in (("confirmed", "confirmed"), ("undecided", "undecided"), ("not verified", "not-verified")):
        assert f'class="mark {mark}"' in page([entry(ONE.certificate, status)])


def test_what_is_empty_is_left_out():
    bare = ONE.certificate.with_(assumptions=(), references=(), inputs={}, evidence={})
    reader = Reader(page([entry(bare)]))
    assert "Assumptions None." in reader.text
    assert "References" not in reader.text
    captions = [heading for heading, _ in entry(bare).tables]
    assert captions == ["Claim"]


def test_a_long_certificate_is_not_repeated():
    long = ONE.certificate.with_(evidence={"text": "x" * html.LONGEST_SHOWN})
    text = page([entry(long)])
    assert len(text) < html.LONGEST_SHOWN
    assert "the certificate is too long to be repeated here" in Reader(text).text
    assert "details" not in {tag for tag, _ in Reader(text).tags}


def test_no_line_ends_inside_a_number():
    assert '<h1>Confirmed: The leakage is at most <span class="number">(4.37718,</span>' in page([ONE])
    assert '<span class="number">98.9 %</span>' in page([ONE])


def test_a_refuted_certificate_has_no_page():
    with pytest.raises(InvalidInput, match=r"^A report shows no refuted certificate, but c\.json is refuted"):
        entry(ONE.certificate, "refuted")
    with pytest.raises(InvalidInput, match="status must be one of confirmed, undecided, not verified"):
        entry(ONE.certificate, "fine")


def test_a_page_needs_a_certificate():
    with pytest.raises(InvalidInput, match="entries must hold at least one certificate"):
        page([])


def test_without_templates_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"leakbound\[report\]"):
        page([ONE])


def test_the_overall_verdict_counts():
    assert overall([ONE]) == ONE.verdict
    unverified = entry(issue.declare(PureDP(1.0)), "not verified", "not verified: no extra.")
    assert overall([ONE, OTHER, unverified, ONE]) == "4 certificates: 2 confirmed, 1 not decided, 1 not verified."


def colours(scheme):
    css = files("leakbound.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
    light, dark, *_ = re.findall(r":root \{(.*?)\}", css, flags=re.DOTALL)
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", light if scheme == "light" else dark))


def contrast(one, other):
    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dim, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        ("ink", "paper", 4.5),
        ("ink", "tint", 4.5),
        ("ink", "reach", 4.5),
        ("soft", "paper", 4.5),
        ("link", "paper", 4.5),
        ("good", "good-tint", 4.5),
        ("care", "care-tint", 4.5),
        ("bad", "bad-tint", 4.5),
        ("curve", "paper", 3),
        ("curve", "reach", 3),
        ("soft", "reach", 3),
    ],
)
def test_colours_contrast_as_wcag_aa_asks(scheme, front, back, least):
    found = colours(scheme)
    assert contrast(found[front], found[back]) >= least
