import json
import os
import sys

import pytest
from tests.cli.commands import example, tampered, write

from leakbound.certificate import issue
from leakbound.guarantees import PureDP

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def good(tmp_path):
    return write(tmp_path / "good.json", example())


def test_a_page_is_written(good, tmp_path, run):
    page = tmp_path / "page.html"
    done = run("report", good, "-o", page)
    assert (done.code, done.err) == (0, "")
    line, wrote = done.out.splitlines()
    assert line.startswith("good.json: confirmed: epsilon: claimed ")
    assert wrote == f"Wrote {page}."
    assert page.read_text().startswith("<!doctype html>")
    assert "Confirmed: The leakage is at most" in page.read_text()


def test_with_json_the_certificates_are_all_that_is_printed(good, tmp_path, run):
    done = run("report", good, good, "-o", tmp_path / "page.html", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.certificates == (example(), example())
    assert (tmp_path / "page.html").exists()


def test_a_refuted_certificate_is_refused_and_nothing_written(good, tmp_path, run):
    page, false = tmp_path / "page.html", tampered(tmp_path / "false.json", example())
    sentence = run("report", good, false, "-o", page).refuses(1)
    assert sentence.startswith(f"{false}: refuted: epsilon: claimed ")
    assert sentence.endswith("; no report was written.")
    assert not page.exists()


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_what_cannot_be_read_is_refused_and_nothing_written(text, good, tmp_path, run):
    page, bad = tmp_path / "page.html", tmp_path / "bad.json"
    bad.write_text(text)
    sentence = run("report", good, bad, "-o", page).refuses()
    assert sentence.startswith(f"{bad}: ")
    assert sentence.endswith("; no report was written.")
    assert not page.exists()


def test_what_cannot_be_decided_is_shown_as_such(tmp_path, run):
    unknown = write(tmp_path / "unknown.json", example().with_(method="of-another-package"))
    page = tmp_path / "page.html"
    assert run("report", unknown, "-o", page).code == 0
    assert "<h1>Not decided: The leakage is at most" in page.read_text()


def test_without_ball_arithmetic_nothing_is_verified_and_the_page_says_so(good, tmp_path, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    page = tmp_path / "page.html"
    done = run("report", good, "-o", page)
    assert done.code == 0
    assert done.out.startswith("good.json: not verified: python-flint is needed here")
    assert "<h1>Not verified: The leakage is at most" in page.read_text()
    assert "python-flint is needed here" in page.read_text()
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    assert run("report", bad, "-o", page).refuses().startswith(f"{bad}: ")


def test_without_templates_there_is_no_page(good, tmp_path, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert run("report", good, "-o", tmp_path / "page.html").refuses() == (
        "jinja2 is needed here and is not installed; install it with pip install 'leakbound[report]'."
    )


def test_certificates_of_one_file_have_their_places(tmp_path, run):
    two = write(tmp_path / "two.json", example(), issue.declare(PureDP(1.0)))
    page = tmp_path / "page.html"
    assert run("report", two, "-o", page).code == 0
    assert "2 certificates: 2 confirmed." in page.read_text().replace('<span class="number">2</span>', "2")
    assert "two.json (2 of 2)" in page.read_text()
    assert str(tmp_path) not in page.read_text()


@pytest.mark.parametrize("name", ["", ".", "/dev/null"])
def test_only_files_are_written(name, good, run):
    assert run("report", good, "-o", name).refuses() == (
        f"--output must be a file or a new name, but got --output={name!r}; name a file."
    )


def test_a_certificate_is_not_overwritten(good, tmp_path, run):
    before = good.read_text()
    os.symlink(good, tmp_path / "link.html")
    for name in (good, tmp_path / "link.html", tmp_path / ".." / tmp_path.name / "good.json"):
        assert run("report", good, "-o", name).refuses().startswith("--output must not be one of the certificates")
    assert good.read_text() == before


def test_a_link_stays_a_link(good, tmp_path, run):
    os.symlink(tmp_path / "real.html", tmp_path / "link.html")
    assert run("report", good, "-o", tmp_path / "link.html").code == 0
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").is_file()


def test_a_folder_that_is_missing_is_refused(good, tmp_path, run):
    assert "cannot be written: No such file or directory" in run("report", good, "-o", tmp_path / "no" / "p").refuses()


def test_a_page_shows_hostile_text_as_text(tmp_path, run):
    hostile = json.loads(write(tmp_path / "h.json", example()).read_text())
    hostile["inputs"]["<script>alert(1)</script>"] = "<img src=x>"
    hostile["references"] = ["<b>bold</b>\u202e"]
    (tmp_path / "h.json").write_text(json.dumps(hostile))
    assert run("report", tmp_path / "h.json", "-o", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page
    assert "<img" not in page
    assert "\u202e" not in page
