"""Every example a user can read is run, and every link inside the repository leads somewhere."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest
from tests.docs.pages import Block, Command, anchors, blocks, commands, links, run_page

ROOT = Path(__file__).parents[2]
EXECUTED = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*EXECUTED, ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("proofs/**/*.md")), *ROOT.glob("changelog.d/*.md")]

# Pages without an example, each with its reason: (page, reason).
PROSE_ONLY: tuple[tuple[str, str], ...] = ()


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", EXECUTED, ids=name)
def test_every_example_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    ran = run_page(page.read_text(encoding="utf-8"), name(page), tmp_path)
    prose_only = name(page) in dict(PROSE_ONLY)
    assert (ran == 0) == prose_only, f"{name(page)} runs {ran} blocks; PROSE_ONLY must list it exactly if it runs none"


def test_prose_only_pages_exist_and_say_why() -> None:
    for page, reason in PROSE_ONLY:
        assert (ROOT / page).is_file(), page
        assert reason.strip(), page


@pytest.mark.parametrize("page", LINKED, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    dead = [target for target in links(page.read_text(encoding="utf-8")) if not leads_somewhere(page, target)]
    assert dead == []


def leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists() or not file.is_relative_to(ROOT):
        return False
    return not anchor or file.suffix != ".md" or anchor in anchors(file.read_text(encoding="utf-8"))


# The reader of pages, tested.


def test_blocks_are_found_with_language_indent_and_line() -> None:
    text = "a\n```python\nx = 1\n```\n1. item\n\n   ````console title\n   $ echo ```\n   ```\n   ````\n~~~text\n~~~\n"
    assert blocks(text) == [
        Block("python", "x = 1\n", 3),
        Block("console", "$ echo ```\n```\n", 8),
        Block("text", "\n", 12),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```py\nx\n```\n", "line 1: language 'py'"),
        ("```\nx\n```\n", "line 1: language ''"),
        ("a\n```python\nx = 1\n", "line 2: the block that starts here never ends"),
    ],
)
def test_a_block_that_would_never_run_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        blocks(text)


def test_commands_have_output_exit_code_and_continuation() -> None:
    block = Block("console", "$ one \\\n> two\na\n\nb\n(exit 3)\n$ three\n\n$ four\n(exit 2)\nc\n", 10)
    assert commands(block) == [
        Command("one two", "a\n\nb", 3, 10),
        Command("three", "", 0, 16),
        Command("four", "(exit 2)\nc", 0, 18),
    ]


def test_output_before_the_first_command_is_refused() -> None:
    with pytest.raises(ValueError, match="line 7: a console block must start"):
        commands(Block("console", "leakbound\n", 7))


def fenced(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```", ""])


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        (
            fenced("python", "x = 1")
            + fenced("python", ">>> x + 1", "2", ">>> y = 3")
            + fenced("python", "assert y == 3"),
            3,
        ),
        (fenced("console", "$ echo 12 > f; exit 3", "(exit 3)", "$ cat f | tr 1 2", "22"), 1),
        (fenced("console", "$ echo start middle end", "start ... end"), 1),
        (fenced("console", "$ echo error >&2", "error"), 1),
        (
            fenced("python", "from pathlib import Path; _ = Path('f').write_text('a')")
            + fenced("console", "$ cat f", "a"),
            2,
        ),
        (fenced("text", "anything") + fenced("bash", "false"), 0),
    ],
)
def test_a_right_page_runs(text: str, ran: int, tmp_path: Path) -> None:
    assert run_page(text, "page.md", tmp_path) == ran


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (fenced("python", ">>> 1 + 1", "3"), AssertionError, "Expected:\n    3\nGot:\n    2"),
        (fenced("python", "# >>> nothing"), AssertionError, "page.md:2: a doctest block without an example"),
        (fenced("python", "1 / 0"), ZeroDivisionError, "division by zero"),
        (fenced("console", "$ echo a", "b"), AssertionError, r"page.md:2: \$ echo a\nprinted something else"),
        (fenced("console", "$ echo a"), AssertionError, "printed something else"),
        (fenced("console", "$ false"), AssertionError, "exit 1, not 0"),
        (fenced("console", "$ false | cat"), AssertionError, "exit 1, not 0"),
        (fenced("console", "$ true", "(exit 1)"), AssertionError, "exit 0, not 1"),
    ],
)
def test_a_wrong_page_fails(text: str, error: type[Exception], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        run_page(text, "page.md", tmp_path)


def test_links_and_anchors_are_read_as_a_reader_sees_them() -> None:
    text = (
        '# The `kl` inverse, twice\n[a](b.md#c "title") [w](https://example.org) `[no](code)`\n[ref]: docs/x.md\n'
        '# Twice\n# Twice\n<a id="here"></a>\n' + fenced("text", "# not a heading", "[no](fence)")
    )
    assert links(text) == ["b.md#c", "docs/x.md"]
    assert anchors(text) == {"the-kl-inverse-twice", "twice", "twice-1", "here"}
