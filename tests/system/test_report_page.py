"""The report in a real browser: it opens without an error, asks the network for nothing and says what it is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
LEAKBOUND = Path(sys.executable).with_name("leakbound")


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def look(page: Path, screenshot: Path) -> subprocess.CompletedProcess[str]:
    command = ["node", HERE / "page.mjs", page, screenshot]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def opened(page: Path, screenshot: Path) -> dict[str, Any]:
    done = look(page, screenshot)
    assert done.returncode == 0, f"{page.name}: {done.stdout}{done.stderr}"
    return json.loads(done.stdout)


def test_a_report_opens_without_errors_or_requests(tmp_path: Path) -> None:
    certificate, page, screenshot = tmp_path / "c.json", tmp_path / "page.html", tmp_path / "page.png"
    certificate.write_text(run(LEAKBOUND, "convert", "--gdp", "1", "--to", "approx-dp", "--delta", "1e-5", "--json"))
    run(LEAKBOUND, "report", certificate, "-o", page)

    seen = opened(page, screenshot)

    assert seen["title"].strip()
    assert seen["headings"]
    assert seen["overflow"] <= 0, "the page is wider than the window"
    epsilon = json.loads(certificate.read_text())["claim"]["epsilon"]
    assert repr(epsilon)[:3] in seen["text"], "the page does not show the claim's epsilon"  # it may round the rest
    assert screenshot.read_bytes().startswith(b"\x89PNG")


# The test above is worth something only if the watcher sees what it watches for.
@pytest.mark.parametrize(
    ("flaw", "field"),
    [
        ("<script>console.error('broken')</script>", "errors"),
        ("<script>nowhere()</script>", "errors"),
        ("<img src='https://example.org/pixel.png'>", "requests"),
        ("<script src='other.js'></script>", "requests"),
    ],
)
def test_the_watcher_sees_errors_and_requests(tmp_path: Path, flaw: str, field: str) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><title>t</title><h1>h</h1>{flaw}")
    done = look(page, tmp_path / "page.png")
    assert done.returncode == 1
    assert json.loads(done.stdout)[field]


def test_the_watcher_accepts_a_self_contained_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><title>t</title><h1>one</h1><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>")
    seen = opened(page, tmp_path / "page.png")
    assert (seen["title"], seen["headings"]) == ("t", ["one"])
