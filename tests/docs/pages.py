"""What a documentation page holds: blocks to run, console commands with their output, links and anchors."""

from __future__ import annotations

import contextlib
import difflib
import doctest
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RUN = ("python", "console")
NOT_RUN = ("text", "json", "bash", "makefile", "toml", "html")
SECONDS = 120  # a page's command that takes longer is a bug in the page

_FENCE = re.compile(r"^( *)(`{3,}|~{3,}) *([^\s`]*)[^`]*$")
_EXIT = re.compile(r"^\(exit (\d+)\)$")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\s*\[[^\]]+\]:\s+<?(\S+?)>?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
_ANCHOR = re.compile(r"<a\s+(?:id|name)=[\"']([^\"']+)[\"']")


@dataclass(frozen=True)
class Block:
    """One fenced block; `line` is the number of its first line of code."""

    language: str
    code: str
    line: int


@dataclass(frozen=True)
class Command:
    """One console command with what it should print and the exit code it should end with."""

    command: str
    expected: str
    code: int
    line: int


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page; a fence without a known language or without an end is refused."""
    found, lines, number = [], text.splitlines(), 0
    while number < len(lines):
        opening = _FENCE.match(lines[number])
        number += 1
        if not opening:
            continue
        indent, fence, language = opening.groups()
        if language not in RUN + NOT_RUN:
            raise ValueError(f"line {number}: language {language!r}; use one of {', '.join(RUN + NOT_RUN)}")
        first = number
        while number < len(lines) and not re.fullmatch(rf" *{re.escape(fence)}{fence[0]}* *", lines[number]):
            number += 1
        if number == len(lines):
            raise ValueError(f"line {first}: the block that starts here never ends")
        code = "\n".join(line.removeprefix(indent) for line in lines[first:number])
        found.append(Block(language, code + "\n", first + 1))
        number += 1
    return found


def commands(block: Block) -> list[Command]:
    """Split a console block into its commands; output before the first command is refused."""
    found, lines, number = [], block.code.splitlines(), 0
    while number < len(lines):
        start = number
        if not lines[start].startswith("$ "):
            raise ValueError(f"line {block.line + start}: a console block must start with '$ ' and a command")
        command = lines[start][2:]
        number += 1
        while command.endswith("\\") and number < len(lines):
            command = command[:-1] + lines[number].removeprefix("> ")
            number += 1
        output = []
        while number < len(lines) and not lines[number].startswith("$ "):
            output.append(lines[number])
            number += 1
        while output and not output[-1].strip():
            output.pop()
        ending = _EXIT.match(output[-1]) if output else None
        expected = output[:-1] if ending else output
        found.append(Command(command, "\n".join(expected), int(ending[1]) if ending else 0, block.line + start))
    return found


def run_page(text: str, name: str, folder: Path) -> int:
    """Run a page's blocks in order, in one namespace and one folder; return how many ran, or raise AssertionError."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    ran = 0
    with contextlib.chdir(folder):
        for block in blocks(text):
            if block.language == "console":
                for command in commands(block):
                    _run_command(command, name, folder)
            elif block.language == "python" and ">>>" in block.code:
                _run_doctest(block, name, namespace)
            elif block.language == "python":
                # Leading empty lines make a traceback name the page's own line.
                code = compile("\n" * (block.line - 1) + block.code, name, "exec")
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(code, namespace)
            ran += block.language in RUN
    return ran


def _run_doctest(block: Block, name: str, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.code, {}, name, name, block.line - 1)
    test.globs = namespace  # the constructor copies, and the page's blocks share one namespace
    complaints: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, out=complaints.append, clear_globs=False)
    assert runner.tries, f"{name}:{block.line}: a doctest block without an example"
    assert not runner.failures, "".join(complaints)


def _run_command(command: Command, name: str, folder: Path) -> None:
    tools = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}  # a fixed page width, no colour codes
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    where = f"{name}:{command.line}: $ {command.command}"
    assert done.returncode == command.code, (
        f"{where}\nexit {done.returncode}, not {command.code}; it printed:\n{done.stdout}"
    )
    wanted, got = _tidy(command.expected), _tidy(done.stdout)
    if not doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS):
        difference = "".join(difflib.ndiff(wanted.splitlines(keepends=True), got.splitlines(keepends=True)))
        raise AssertionError(f"{where}\nprinted something else (-: the page, +: the command):\n{difference}")


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def prose(text: str) -> str:
    """Return a page without its fenced blocks, whose links and headings are only examples."""
    kept, fence = [], ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[2].startswith(fence):
                fence = ""
        elif mark:
            fence = mark[2]
        else:
            kept.append(line)
    return "\n".join(kept)


def links(text: str) -> list[str]:
    """Return the targets of a page's links that stay inside the repository."""
    found = [one or other for one, other in _LINK.findall(re.sub(r"`[^`\n]*`", "", prose(text)))]
    return [target for target in found if not re.match(r"[a-z][a-z+.-]*:", target)]


def anchors(text: str) -> set[str]:
    """Return the names that `#name` can point at: headings as GitHub names them, and explicit anchors."""
    names: set[str] = set()
    body = prose(text)
    for heading in _HEADING.findall(body):
        visible = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", visible.lower()).replace(" ", "-")
        name, again = slug, 0
        while name in names:
            again += 1
            name = f"{slug}-{again}"
        names.add(name)
    return names | set(_ANCHOR.findall(body))
