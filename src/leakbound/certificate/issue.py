"""Certificates of the core's own answers: declared guarantees, conversions, compositions, held-out error rates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from leakbound.certificate import assumption as known
from leakbound.certificate.assumption import Assumption
from leakbound.certificate.certificate import Certificate
from leakbound.certificate.frozen import FrozenMap
from leakbound.certificate.references import citation
from leakbound.certificate.standing import Standing
from leakbound.certificate.verify import enclosed, methods
from leakbound.errors import InvalidInput, MissingExtra, Undecided
from leakbound.guarantees import compose as composition
from leakbound.guarantees import pld
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.arrows import find, restate
from leakbound.guarantees.base import Guarantee
from leakbound.guarantees.concentrated import ZeroConcentratedDP
from leakbound.guarantees.renyi import RenyiDP
from leakbound.guarantees.risk_bound import RiskBound
from leakbound.numerics import joint_range
from leakbound.numerics.binomial import clopper_pearson_upper
from leakbound.numerics.rounding import ceiling, down, floor, up
from leakbound.numerics.validate import probability, whole


def declare(guarantee: Guarantee) -> Certificate:
    """Return a certificate that states a guarantee as the caller knows it.

    >>> from leakbound.guarantees import PureDP
    >>> str(declare(PureDP(1.0)))
    '[proved] at most 1-DP (as-stated) by declared'
    """
    inputs = {"given": claim_of(guarantee), "neighbouring": guarantee.neighbouring}
    return certified(guarantee, "declared", inputs, {}, (known.STATED,), ())


def convert(given: Guarantee, target: str, **options: Any) -> Certificate:
    """Convert a guarantee and return the certificate of the result; see `leakbound.guarantees.ARROWS`.

    >>> from leakbound.guarantees import GaussianDP
    >>> str(convert(GaussianDP(1.0), "zcdp"))
    '[proved] at most 0.5-zCDP (as-stated) by gdp-to-zcdp'
    """
    options = {name: value for name, value in options.items() if value is not None}
    if given.kind == target and not options:
        return declare(given)
    arrow = find(given.kind, target)
    result = restate(given, target, **options)
    assumptions = [known.STATED, known.SYMMETRIC, known.REAL_ARITHMETIC]
    if target == "kernel-renyi":
        assumptions.append(known.KERNEL)
    if target == "max-information" or options.get("records", 1) > 1:
        assumptions.append(known.FIXED_SIZE)
    if options.get("records", 1) > 1 and options.get("independent"):
        assumptions.append(known.INDEPENDENT_RECORDS)
    if target in ("mutual-information", "max-information") and given.neighbouring == "as-stated":
        assumptions.append(known.ONE_STEP)
    evidence: dict[str, Any] = {}
    if target == "approx-dp":
        evidence = _order(given, result)
    inputs = {"given": claim_of(given), "neighbouring": given.neighbouring, **options}
    return certified(result, arrow.method, inputs, evidence, assumptions, arrow.references)


def compose(
    parts: Iterable[Certificate | Guarantee | tuple[Certificate | Guarantee, int]],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    routes: Sequence[str] | None = None,
    rigorous: bool = False,
) -> Certificate:
    """Compose upper bounds, of one kind into that kind or any to a target, and return the certificate of the total.

    Standing is the weakest part's, and confidence one minus the sum of the parts' failure probabilities. A composition
    by privacy loss distributions is numerical; `rigorous` encloses it too, which takes seconds and may prove it.

    >>> from leakbound.guarantees import GaussianDP
    >>> str(compose([(GaussianDP(0.5), 4)]))
    '[proved] at most 1-GDP (as-stated) by compose-same-kind'
    """
    counts = _counted(parts)
    for part in counts:
        if part.direction != "upper":
            raise InvalidInput(
                f"Only upper bounds compose, but one part is a lower bound ({part.claim}); leave it out."
            )
    guarantees = [(part.claim, n) for part, n in counts.items()]
    listed = [
        {"claim": claim_of(part.claim), "count": n, "standing": part.standing.value, "confidence": part.confidence}
        for part, n in counts.items()
    ]
    options = {name: value for name, value in (("epsilon", epsilon), ("delta", delta)) if value is not None}
    assumptions = [known.STATED, known.SYMMETRIC, known.REAL_ARITHMETIC, known.ADAPTIVE]
    evidence: dict[str, Any] = {}
    if not options:
        result: Guarantee = composition.total(guarantees)
        method = "compose-same-kind"
        references: tuple[str, ...] = ("dwork2006", "mironov2017", "bun2016", "dong2022")
        if result.kind == "mutual-information":
            assumptions[-1] = known.INDEPENDENT_RELEASES
    else:
        found = composition.compose(guarantees, epsilon=epsilon, delta=delta, routes=routes)
        result, method = found.guarantee, f"compose-{found.route}"
        references = _ROUTE_REFERENCES[found.route]
        evidence = {"routes": dict(found.routes)}
        if found.route in _TOTALS:
            evidence |= _order(_TOTALS[found.route](guarantees, result.neighbouring), result)
        if found.route == "pld":
            assumptions.append(known.FOURIER)
            curves = [(curve, n) for part, n in guarantees if (curve := composition.curve_of(part)) is not None]
            evidence["interval"] = pld.interval(curves)
    for part in counts:
        assumptions += [a for a in part.assumptions if a.id not in {known_one.id for known_one in assumptions}]
    confidence = ceiling_failure(part.confidence for part in counts)
    standing = Standing.weakest(part.standing for part in counts)
    if method == "compose-pld" and not rigorous:
        standing = Standing.weakest([standing, Standing.NUMERICAL])
    inputs = {"parts": listed, "neighbouring": result.neighbouring, **options}
    issued = certified(result, method, inputs, evidence, assumptions, references, confidence, standing)
    if issued.standing is Standing.PROVED:  # enclosed: what the library's Fourier transforms did no longer matters
        issued = issued.with_(assumptions=tuple(a for a in issued.assumptions if a != known.FOURIER))
    return issued


def holdout(errors: int, records: int, *, confidence: float = 0.95) -> Certificate:
    """Bound the error rate on new data from the errors on held-out records.

    Formula: the Clopper-Pearson upper limit at failure 1 - confidence. Reference: Clopper and Pearson (1934).

    >>> round(holdout(0, 59).claim.bound, 4)
    0.0495
    """
    records = whole("records", records, low=1)
    errors = whole("errors", errors, low=0, high=records)
    confidence = probability("confidence", confidence, zero=False, one=False)
    failure = floor(1 - Fraction(confidence))
    bound = RiskBound(clopper_pearson_upper(errors, records, failure if failure < 1 else down(1.0)))
    inputs = {"errors": errors, "records": records}
    return certified(bound, "holdout-clopper-pearson", inputs, {}, (known.IID_HOLDOUT,), ("clopper1934",), confidence)


def claim_of(guarantee: Guarantee) -> dict[str, Any]:
    """Return a guarantee's claim with its kind, as inputs hold it."""
    return {"kind": guarantee.kind, **guarantee.claim()}


def provenance() -> dict[str, str]:
    """Return what made a certificate: the version, never a time, a place or a person."""
    return {"leakbound": version("leakbound")}


def ceiling_failure(confidences: Iterable[float]) -> float:
    """Return one minus the sum of the failure probabilities, rounded down; refuse a sum that reaches one.

    >>> ceiling_failure([0.95, 0.99]) <= 0.94
    True
    """
    failure = ceiling(sum((1 - Fraction(c) for c in confidences), Fraction(0)))
    if failure >= 1:
        raise InvalidInput(
            f"The parts' failure probabilities add up to {failure:.3g}, so nothing is known of the total."
        )
    return 1.0 if failure == 0 else max(1 - up(failure), 5e-324)


def _counted(
    parts: Iterable[Certificate | Guarantee | tuple[Certificate | Guarantee, int]],
) -> dict[Certificate, int]:
    counts: dict[Certificate, int] = {}
    for entry in parts:
        part, count = entry if isinstance(entry, tuple) and len(entry) == 2 else (entry, 1)
        certificate = declare(part) if isinstance(part, Guarantee) else part
        if not isinstance(certificate, Certificate):
            raise InvalidInput(f"parts must hold certificates or guarantees, but got {part!r}.")
        counts[certificate] = counts.get(certificate, 0) + whole("count", count, low=1)
    if not counts:
        raise InvalidInput("parts must hold at least one certificate, but is empty; give one.")
    return counts


def certified(
    claim: Guarantee,
    method: str,
    inputs: Mapping[str, Any],
    evidence: Mapping[str, Any],
    assumptions: Iterable[Assumption],
    references: Iterable[str],
    confidence: float = 1.0,
    standing: Standing = Standing.PROVED,
) -> Certificate:
    """Make a certificate: numerical at best, and proved once its numbers are enclosed in ball arithmetic."""
    numerical = Certificate(
        claim=claim,
        direction="upper",
        standing=Standing.weakest([standing, Standing.NUMERICAL]),
        confidence=confidence,
        assumptions=tuple(assumptions),
        method=method,
        references=tuple(citation(key) for key in references),
        inputs=FrozenMap(inputs),
        evidence=FrozenMap({"tolerance": methods()[method].tolerance, **evidence}),
        series=FrozenMap(),
        provenance=FrozenMap(provenance()),
    )
    firmest = Standing.weakest([standing, methods()[method].firmest])
    try:
        return numerical.with_(standing=firmest) if firmest is Standing.PROVED and enclosed(numerical) else numerical
    except (MissingExtra, Undecided):  # without balls nothing is enclosed
        return numerical


def _order(given: Guarantee | None, result: Guarantee) -> dict[str, float]:
    """Return the order at which a Renyi or zCDP guarantee was read, as evidence; nothing for other kinds."""
    assert isinstance(result, ApproxDP)
    if isinstance(given, RenyiDP):
        pairs = tuple(zip(given.orders, given.epsilons, strict=True))
        return {"order": joint_range.best_order(pairs, result.epsilon)}
    if isinstance(given, ZeroConcentratedDP):
        by_epsilon = joint_range.over_orders(given.rho, result.epsilon)
        attained = (
            by_epsilon if by_epsilon[0] <= result.delta else joint_range.threshold_over_orders(given.rho, result.delta)
        )
        return {"order": attained[1]}
    return {}


_TOTALS = {"zcdp": composition.concentrated_total, "renyi": composition.renyi_total}

_ROUTE_REFERENCES = {
    "basic": ("dwork2006", "kairouz2017"),
    "gaussian": ("dong2022", "balle2018gaussian"),
    "zcdp": ("bun2016", "asoodeh2020"),
    "renyi": ("mironov2017", "asoodeh2020"),
    "optimal": ("kairouz2017",),
    "pld": ("doroshenko2022",),
}
