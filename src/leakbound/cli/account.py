"""`leakbound account`: what publishing synthetic rows leaks."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from leakbound.certificate import dumps
from leakbound.certificate.document import write_text
from leakbound.cli.shared import Json, answer, count, number, show
from leakbound.guarantees import NEIGHBOURING
from leakbound.report.numbers import displayed
from leakbound.report.words import printable
from leakbound.synthetic import Publication, growth
from leakbound.synthetic import account as certify

_DELTA = 1e-5
_SAVED = f"{growth.WORTH:.0%}".replace("%", " %")


def account(
    features: Annotated[str, typer.Option(metavar="D", help="Length of a seed: columns of the weight matrix.")],
    outputs: Annotated[str, typer.Option(metavar="N", help="Length of a synthetic record.")],
    rows: Annotated[str, typer.Option(metavar="L", help="Records ever published from this fit.")],
    noise: Annotated[str, typer.Option(metavar="S", help="Standard deviation added to every weight.")],
    sensitivity: Annotated[str, typer.Option(metavar="DELTA", help="Largest Frobenius distance of the weights.")],
    norm_bound: Annotated[
        str | None, typer.Option(metavar="B", help="Largest norm of the unperturbed weights.")
    ] = None,
    seeds: Annotated[
        str, typer.Option(metavar="WHO", help="fixed (anyone may choose or know them), public or hidden (random).")
    ] = "fixed",
    order: Annotated[
        list[str] | None, typer.Option(metavar="A", help="Certify the Renyi divergence of this order; repeat it.")
    ] = None,
    delta: Annotated[
        str | None, typer.Option(metavar="D", help=f"Certify epsilon at this delta; {_DELTA:g} if nothing is asked.")
    ] = None,
    epsilon: Annotated[str | None, typer.Option(metavar="E", help="Certify delta at this epsilon.")] = None,
    neighbouring: Annotated[
        str, typer.Option(metavar="R", help=f"What neighbours differ in: {', '.join(NEIGHBOURING)}.")
    ] = "replace-one",
    rigorous: Annotated[
        bool, typer.Option("--rigorous", help="A proved certificate or none; for hidden seeds it takes minutes.")
    ] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write certificates and table, for `report`.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what publishing synthetic rows leaks, from a linear generator whose weights were perturbed once.

    The certificate is for the seed model of --seeds. Without --json a table shows every seed model for growing rows,
    and from how many rows on publishing them leaks as much as publishing the model.
    """
    published: dict[str, Any] = {
        "features": count("--features", features),
        "outputs": count("--outputs", outputs),
        "rows": count("--rows", rows),
        "noise": number("--noise", noise),
        "sensitivity": number("--sensitivity", sensitivity),
        "norm_bound": number("--norm-bound", norm_bound),
    }
    orders = [number("--order", text) for text in order or ()]
    asked: dict[str, Any] = {
        "orders": orders or None,
        "delta": number("--delta", delta),
        "epsilon": number("--epsilon", epsilon),
    }
    questions = {name: value for name, value in asked.items() if value is not None} or {"delta": _DELTA}
    certificates = [
        certify(**published, seeds=seeds, neighbouring=neighbouring, rigorous=rigorous, **{name: value})
        for name, value in questions.items()
    ]
    if as_json and output is None:  # nobody will see the table
        answer(certificates, as_json=True)
        return
    [(name, value)] = list(questions.items())[:1]
    question = growth.Question("order", value[0]) if name == "orders" else growth.Question(name, value)
    if not as_json:
        answer(certificates, as_json=False)
    series = _table(Publication(**published), question, quiet=as_json)
    certificates = [certificates[0].with_(series=series), *certificates[1:]]
    if output is not None:
        write_text(output, dumps(*certificates) + "\n")
    if as_json:
        answer(certificates, as_json=True)
    elif output is not None:
        show(f"Wrote {printable(output)}; `leakbound report` draws it.")


def _table(publication: Publication, question: growth.Question, *, quiet: bool) -> dict[str, Any]:
    """Print the bounds of every seed model for growing rows as they are found, and return them as curves."""
    names, seen = list(growth.models()), []
    say = (lambda text: print(text, file=sys.stderr, flush=True)) if quiet else show
    say(f"\n{question.answered.capitalize()} at {question.name} {displayed(question.value, up=True)} for growing rows:")
    say(" ".join(["      rows", *(f"{name:>12}" for name in names)]))
    for rows, bounds in growth.growth(publication, question):
        seen.append((rows, bounds))
        say(" ".join([f"{rows:>10}", *(f"{displayed(bounds[name], up=True):>12}" for name in names)]))
    for name in names:
        if name != growth.MODEL:
            fewest = growth.stops_paying(publication, question, name, seen)
            if fewest is None:
                say(f"With {name} seeds, {publication.rows} rows still leak less than the model.")
            else:
                say(f"With {name} seeds, from {fewest} rows on less than {_SAVED} is saved over publishing the model.")
    return growth.curves(question, seen)
