"""Writes the README's grid of conversions from the code; with --check, says whether it is up to date."""

import sys
from pathlib import Path

from leakbound.guarantees.arrows import grid

START, END = "| from, to |", "\n\nA profile or trade-off"


def main() -> int:
    """Replace the table in the README, or compare it."""
    path = Path(__file__).parent.parent / "README.md"
    text = path.read_text(encoding="utf-8")
    updated = text[: text.index(START)] + grid() + text[text.index(END) :]
    if "--check" in sys.argv:
        return 0 if updated == text else 1
    path.write_text(updated, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
