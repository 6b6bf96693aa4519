import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.cli.commands import SCRIPT

from leakbound.certificate import load
from leakbound.cli import demo

pytestmark = pytest.mark.usefixtures("here")


def test_the_demo_shows_everything_and_leaves_its_files(tmp_path, run):
    done = run("demo", "--folder", tmp_path / "new" / "demo")
    assert (done.code, done.err) == (0, "")
    for number, step in enumerate(demo.STEPS, start=1):
        assert f"\n{number}. {step.words.split('.')[0]}." in f"\n{done.out}"
        assert f"$ leakbound {step.command}" in done.out
    assert "\ntampered.json: refuted: epsilon: claimed " in done.out
    assert "\n(exit 1)\n" in done.out
    assert done.out.count(": confirmed: ") == 6
    files = sorted(path.name for path in (tmp_path / "new" / "demo").iterdir())
    assert files == ["month.json", "report.html", "rows.json", "tampered.json", "year.json"]


def test_the_demo_s_numbers_are_the_library_s(tmp_path, run, monkeypatch):
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: str(tmp_path))
    done = run("demo", "--json")
    assert (done.code, done.err) == (0, "")
    month, year, rows = done.certificates
    files = [load(tmp_path / f"{name}.json") for name in ("month", "year", "rows")]
    assert [(month,), (year,), (rows,)] == files
    assert month.claim.mu == 0.1
    assert json.loads((tmp_path / "tampered.json").read_text())["claim"]["epsilon"] == year.claim.epsilon * 0.9


def test_a_step_that_ends_otherwise_is_an_internal_error(tmp_path, run, monkeypatch):
    monkeypatch.setattr(demo, "STEPS", (demo.Step("Fail.", "convert --gdp 1 --to zcdp", code=1),))
    done = run("demo", "--folder", tmp_path)
    assert done.code == 70
    assert done.sentence == "The demo's command 'convert --gdp 1 --to zcdp' ended with 0, not 1; report it."


@pytest.mark.parametrize(("name", "reason"), [("file", "File exists"), ("file/x", "Not a directory")])
def test_a_folder_that_cannot_be_made_is_refused(name, reason, tmp_path, run):
    (tmp_path / "file").touch()
    assert f"cannot be made: {reason}; choose another." in run("demo", "--folder", tmp_path / name).refuses()


def test_a_name_that_no_folder_can_have_is_refused(run):
    assert "cannot be made: embedded null byte; choose another." in run("demo", "--folder", "a\0b").refuses()


def test_the_script_writes_the_report_here(tmp_path):
    script = Path(__file__).parents[2] / "scripts" / "demo"
    environment = {**os.environ, "PATH": f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")
    assert done.stdout.endswith("Open report.html in a browser.\n")
