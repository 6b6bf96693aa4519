"""`leakbound compose`: the total of several uses on the same secret."""

from __future__ import annotations

from typing import Annotated

import typer

from leakbound.certificate import issue
from leakbound.cli.shared import Delta, Files, Json, answer, count, number, read
from leakbound.report import routes_text


def compose(
    certificates: Files,
    delta: Delta = None,
    epsilon: Annotated[str | None, typer.Option(metavar="E", help="The epsilon to answer delta for.")] = None,
    times: Annotated[str, typer.Option(metavar="N", help="How often the whole list is used.")] = "1",
    as_json: Json = False,
) -> None:
    """Compose certificates; a file named twice counts twice.

    Certificates of one kind compose into that kind; with --delta or --epsilon, any kinds compose into approx-dp, by
    whichever route gives the smallest safe answer.
    """
    uses = count("--times", times)
    parts = [(certificate, uses) for path in certificates for certificate in read(path)]
    total = issue.compose(parts, epsilon=number("--epsilon", epsilon), delta=number("--delta", delta))
    answer([total], as_json=as_json, more=routes_text(total))
