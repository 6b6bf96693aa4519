"""`leakbound convert`: one guarantee restated as another kind."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from leakbound.certificate import issue
from leakbound.cli.shared import Delta, Json, answer, count, number
from leakbound.errors import InvalidInput, shown
from leakbound.guarantees import (
    NEIGHBOURING,
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from leakbound.guarantees.arrows import Arrow, find

_FLAGS = {"orders": "--order", "epsilons": "--epsilon"}


def convert(
    to: Annotated[str, typer.Option(metavar="KIND", help="The kind wanted, such as approx-dp, renyi, tradeoff.")],
    gdp: Annotated[str | None, typer.Option(metavar="MU", help="Gaussian differential privacy.")] = None,
    renyi: Annotated[
        list[str] | None, typer.Option(metavar="ORDER:EPS", help="Renyi differential privacy; repeat it per order.")
    ] = None,
    zcdp: Annotated[str | None, typer.Option(metavar="RHO", help="Zero-concentrated differential privacy.")] = None,
    approx_dp: Annotated[
        str | None, typer.Option(metavar="EPS:DELTA", help="Approximate differential privacy.")
    ] = None,
    pure_dp: Annotated[str | None, typer.Option(metavar="EPS", help="Pure differential privacy.")] = None,
    delta: Delta = None,
    epsilon: Annotated[
        list[str] | None,
        typer.Option(metavar="E", help="The epsilon to answer delta for; repeat it for renyi to tradeoff."),
    ] = None,
    order: Annotated[
        list[str] | None, typer.Option(metavar="A", help="A Renyi order wanted; repeat it for several.")
    ] = None,
    neighbouring: Annotated[
        str, typer.Option(metavar="R", help=f"What neighbours differ in: {', '.join(NEIGHBOURING)}.")
    ] = "as-stated",
    records: Annotated[str | None, typer.Option(metavar="N", help="Records the information is about.")] = None,
    independent: Annotated[bool, typer.Option("--independent", help="The records are independent.")] = False,
    kernel: Annotated[str | None, typer.Option(metavar="NAME", help="The kernel, for kernel-renyi.")] = None,
    regularization: Annotated[str | None, typer.Option(metavar="L", help="Its ridge, for kernel-renyi.")] = None,
    as_json: Json = False,
) -> None:
    """Restate one guarantee as another kind.

    Give exactly one of --gdp, --renyi, --zcdp, --approx-dp and --pure-dp. Numbers may be inf.
    """
    given = _given(
        neighbouring, {"--gdp": gdp, "--renyi": renyi, "--zcdp": zcdp, "--approx-dp": approx_dp, "--pure-dp": pure_dp}
    )
    options: dict[str, Any] = {
        "delta": number("--delta", delta),
        "epsilon": [number("--epsilon", text) for text in epsilon or ()],
        "order": [number("--order", text) for text in order or ()],
        "records": count("--records", records),
        "independent": independent or None,
        "kernel": kernel,
        "regularization": number("--regularization", regularization),
    }
    options = {name: value for name, value in options.items() if value not in (None, [])}
    if given.kind != to or options:
        options = _fitted(find(given.kind, to), options)
    answer([issue.convert(given, to, **options)], as_json=as_json)


def _given(neighbouring: str, sources: dict[str, Any]) -> Guarantee:
    """Return the guarantee of the one source that was given."""
    found = {flag: value for flag, value in sources.items() if value not in (None, [])}
    if len(found) != 1:
        got = " and ".join(found) or "none"
        raise InvalidInput(f"Give exactly one of {', '.join(sources)}, but got {got}.")
    [(flag, value)] = found.items()
    if flag == "--gdp":
        return GaussianDP(number(flag, value), neighbouring=neighbouring)
    if flag == "--zcdp":
        return ZeroConcentratedDP(number(flag, value), neighbouring=neighbouring)
    if flag == "--pure-dp":
        return PureDP(number(flag, value), neighbouring=neighbouring)
    if flag == "--approx-dp":
        return ApproxDP(*_pair(flag, "EPS:DELTA", value), neighbouring=neighbouring)
    pairs = sorted(_pair(flag, "ORDER:EPS", text) for text in value)
    return RenyiDP(tuple(a for a, _ in pairs), tuple(e for _, e in pairs), neighbouring=neighbouring)


def _pair(flag: str, form: str, text: str) -> tuple[float, float]:
    """Return the two numbers of a text such as 1:1e-5."""
    try:
        first, second = map(float, text.split(":"))
    except ValueError:
        raise InvalidInput(f"{flag} must be {form}, two numbers such as 2:0.5, but got {flag}={shown(text)}.") from None
    return first, second


def _fitted(arrow: Arrow, options: dict[str, Any]) -> dict[str, Any]:
    """Return options under the names and shapes that a conversion takes; what it needs and lacks is asked for."""
    fitted: dict[str, Any] = {}
    for name, value in options.items():
        many = f"{name}s"
        if not isinstance(value, list) or many in arrow.options:
            fitted[many if isinstance(value, list) else name] = value
        elif len(value) == 1:
            fitted[name] = value[0]
        else:
            raise InvalidInput(f"The conversion {arrow.method} takes one --{name}, but got {len(value)}; give one.")
    for name, parameter in list(inspect.signature(arrow.function).parameters.items())[1:]:
        if parameter.default is parameter.empty and name not in fitted:
            raise InvalidInput(f"The conversion {arrow.method} needs {_FLAGS.get(name, f'--{name}')}; give it.")
    return fitted
