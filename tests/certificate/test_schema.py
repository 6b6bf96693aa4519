"""The published JSON Schema and the reader agree on what a certificate is."""

import copy
import json
import math
import random
from importlib.resources import files

import jsonschema
import pytest
from tests.certificate.generated import RECIPES, SLOW, declared, issued

from leakbound.certificate import Standing, document
from leakbound.certificate.document import SCHEMA_VERSION, from_document, loads
from leakbound.errors import InvalidCertificate
from leakbound.guarantees.registry import curve_families, kinds

SCHEMA = json.loads((files("leakbound.certificate") / f"schema-{SCHEMA_VERSION}.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
KINDS = sorted(kinds())


def sample(kind, seed=1):
    return json.loads(document.dumps(declared(random.Random(seed), kind)))


def refused_by_both(value):
    assert not VALIDATOR.is_valid(value), value
    with pytest.raises(InvalidCertificate):
        from_document(value)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"].endswith("2020-12/schema")
    assert SCHEMA["additionalProperties"] is False


@pytest.mark.parametrize("kind", KINDS)
def test_declared_certificates_of_every_kind_fit(kind):
    rng = random.Random(kind)
    for _ in range(40):
        VALIDATOR.validate(json.loads(document.dumps(declared(rng, kind))))


@pytest.mark.parametrize("name", [name for name in RECIPES if name not in SLOW])
def test_certificates_of_every_recipe_fit(name):
    for certificate in issued(name):
        VALIDATOR.validate(json.loads(document.dumps(certificate)))


def test_series_and_other_standings_fit():
    (certificate, *_) = issued("composed gdp")
    curves = {"routes": {"x": [0, 1.5, math.inf], "y": [-math.inf, 0.0, 1]}}
    for standing in Standing:
        changed = certificate.with_(series=curves, direction="lower", standing=standing)
        VALIDATOR.validate(json.loads(document.dumps(changed)))


def test_the_schema_names_every_kind_family_and_relation():
    text = json.dumps(SCHEMA)
    assert all(f'{{"const": "{word}"}}' in text for word in (*kinds(), *curve_families()))


@pytest.mark.parametrize("field", list(document._FIELDS))
def test_every_field_is_needed(field):
    value = sample("gdp")
    del value[field]
    refused_by_both(value)


@pytest.mark.parametrize("field", list(document._FIELDS))
@pytest.mark.parametrize("bad", [None, True, "NaN", "nan", -1, [[1]], {"x": {"y": {}}}])
def test_a_field_of_the_wrong_type_is_refused(field, bad):
    value = {**sample("gdp"), field: bad}
    free = {"inputs": dict, "evidence": dict, "provenance": dict, "method": str, "references": ()}
    if isinstance(bad, free.get(field, ())):
        assert VALIDATOR.is_valid(value)
        assert from_document(value)
    else:
        refused_by_both(value)


def test_an_unknown_field_is_refused_everywhere():
    for kind in KINDS:
        value = sample(kind)
        refused_by_both({**value, "extra": 1})
        refused_by_both({**value, "claim": {**value["claim"], "extra": 1}})
        refused_by_both({**value, "assumptions": [{**value["assumptions"][0], "extra": 1}]})


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_of_every_claim_is_held_to_its_range(kind):
    for seed in range(6):
        value = sample(kind, seed)
        for path in numbers(value["claim"]):
            for bad in (-1, "nan", "NaN", "1.5", None, True, {}, []):
                refused_by_both(put(value, ("claim", *path), bad))
            if path[-1] in ("delta", "failure", "bound"):
                for bad in (1.5, "inf"):
                    refused_by_both(put(value, ("claim", *path), bad))


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_every_claim_is_needed(kind):
    value = sample(kind)
    for name in value["claim"]:
        less = copy.deepcopy(value)
        del less["claim"][name]
        refused_by_both(less)


@pytest.mark.parametrize("name", ["id", "text", "checked_by", "severity"])
def test_every_field_of_an_assumption_is_needed(name):
    value = sample("gdp")
    for bad in ("", 1, None):
        refused_by_both(put(value, ("assumptions", 0, name), bad))
    del value["assumptions"][0][name]
    refused_by_both(value)


@pytest.mark.parametrize(
    ("path", "bad"),
    [
        (("claim", "kind"), "magic"),
        (("claim", "direction"), "sideways"),
        (("neighbouring",), "all"),
        (("standing",), "certain"),
        (("confidence",), 0),
        (("confidence",), 1.01),
        (("schema",), 2),
        (("schema",), 0.5),
        (("assumptions", 0, "checked_by"), "me"),
        (("assumptions", 0, "severity"), "bad"),
        (("method",), " "),
        (("references",), [""]),
        (("series",), {"c": {"x": [1]}}),
        (("series",), {"c": {"x": [1], "y": ["1"]}}),
        (("series",), {"c": {"x": [1], "y": [2], "z": [3]}}),
        (("claim",), {"kind": "profile", "direction": "upper", "family": "dp", "parameters": {"epsilon": 1.0}}),
        (("claim",), {"kind": "profile", "direction": "upper", "family": "cauchy", "parameters": {"mu": 1.0}}),
        (("claim",), {"kind": "profile", "direction": "upper", "lines": []}),
        (("claim",), {"kind": "tradeoff", "direction": "upper", "lines": [[1.0, 0.0, 0.0]]}),
        (("claim",), {"kind": "tradeoff", "direction": "upper", "lines": [[1.0, 0.0]], "family": "dp"}),
    ],
)
def test_other_words_and_shapes_are_refused(path, bad):
    refused_by_both(put(sample("gdp"), path, bad))


def test_nan_written_as_json_does_is_refused_before_any_schema():
    with pytest.raises(InvalidCertificate, match="holds no NaN"):
        loads(json.dumps(put(sample("gdp"), ("claim", "mu"), math.nan)))


def numbers(value, path=()):
    """Yield the way to every number of a claim."""
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from numbers(entry, (*path, name))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from numbers(entry, (*path, index))
    elif value == "inf" or not isinstance(value, (str, bool)):
        yield path


def put(value, path, new):
    changed = copy.deepcopy(value)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = new
    return changed
