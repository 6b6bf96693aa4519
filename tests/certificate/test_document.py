import json
import math
import os
import stat
import time

import pytest

from leakbound.certificate import Assumption, Standing, document, dumps, issue, load, loads, save
from leakbound.certificate.document import LARGEST_FILE, SCHEMA_VERSION, from_document, to_document, write_text
from leakbound.errors import InvalidCertificate, InvalidInput
from leakbound.guarantees import GaussianDP, KernelRenyiDP, PureDP, RenyiDP
from leakbound.guarantees.registry import kinds

CERTIFICATE = issue.convert(GaussianDP(1.0, neighbouring="replace-one"), "approx-dp", delta=1e-5)


def plain(**changes):
    """A certificate as JSON values, some top-level fields changed (None removes one)."""
    whole = {**to_document(CERTIFICATE), **changes}
    return {name: value for name, value in whole.items() if value is not ...}


def refusal(data):
    with pytest.raises(InvalidCertificate) as error:
        loads(data if isinstance(data, (str, bytes)) else json.dumps(data))
    sentence = str(error.value)
    assert "\n" not in sentence
    assert len(sentence) < 400
    return sentence


def test_the_fields_are_those_of_the_contract():
    whole = json.loads(dumps(CERTIFICATE))
    assert list(whole) == [
        "schema", "claim", "neighbouring", "standing", "confidence", "assumptions", "method", "references", "inputs",
        "evidence", "series", "provenance",
    ]  # fmt: skip
    assert whole["schema"] == SCHEMA_VERSION == 1
    assert list(whole["claim"]) == ["kind", "direction", "epsilon", "delta"]
    assert list(whole["assumptions"][0]) == ["id", "text", "checked_by", "severity"]
    assert whole["neighbouring"] == "replace-one"
    assert set(whole["provenance"]) == {"leakbound"}


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_every_kind_comes_back_as_it_was(kind):
    for example in kinds()[kind].examples():
        certificate = issue.declare(example)
        assert loads(dumps(certificate)) == (certificate,)
        assert from_document(to_document(certificate)) == certificate
        assert "NaN" not in dumps(certificate)
        assert "Infinity" not in dumps(certificate)


def test_doubles_are_written_in_full_and_infinity_as_a_text():
    numbers = (0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 123456789012345.67)
    certificate = issue.declare(RenyiDP((1.0, 2.0, 3.0, 4.0, math.inf), numbers))
    text = dumps(certificate)
    assert all(repr(number) in text for number in numbers)
    assert '"inf"' in text
    assert loads(text)[0].claim.epsilons == numbers


def test_one_certificate_is_an_object_and_several_are_a_list():
    other = issue.declare(PureDP(1.0))
    assert json.loads(dumps(CERTIFICATE))["method"] == "gdp-to-approx-dp"
    assert [entry["method"] for entry in json.loads(dumps(CERTIFICATE, other))] == ["gdp-to-approx-dp", "declared"]
    assert loads(dumps(CERTIFICATE, other)) == (CERTIFICATE, other)
    assert loads(dumps(CERTIFICATE).encode()) == (CERTIFICATE,)


def test_a_text_that_reads_like_infinity_stays_a_text():
    for word in ("inf", "-inf"):
        for place in ("inputs", "evidence", "provenance"):
            with pytest.raises(
                InvalidInput, match=rf"^{place} must not hold the text '{word}', which stands for infini"
            ):
                CERTIFICATE.with_(**{place: {**getattr(CERTIFICATE, place), "name": [{"x": (word,)}]}})
        with pytest.raises(InvalidInput, match=rf"^kernel must be a kernel's name, but got '{word}', a number"):
            KernelRenyiDP(word, 2.0, 0.1, 0.1)
        named = CERTIFICATE.with_(assumptions=(*CERTIFICATE.assumptions, Assumption("x", word, "caller", "void")))
        assert loads(dumps(named)) == (named,)


def test_series_and_negative_infinity_survive():
    certificate = CERTIFICATE.with_(series={"curve": {"x": [-1.5, 0, 2], "y": [math.inf, -math.inf, 0.25]}})
    assert loads(dumps(certificate)) == (certificate,)


# What is not a certificate.


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", "This is not JSON: Expecting value at line 1; it may be truncated."),
        ("   \n", "This is not JSON: Expecting value at line 2; it may be truncated."),
        ("hello", "This is not JSON: Expecting value at line 1; it may be truncated."),
        ("{", "This is not JSON: Expecting property name enclosed in double quotes at line 1; it may be truncated."),
        ("[]", "The list holds no certificate."),
        ("3", "A certificate is a JSON object, but this is 3."),
        ('"text"', "A certificate is a JSON object, but this is 'text'."),
        ("[null]", "A certificate is a JSON object, but this is None."),
        (b"\xff\xfe\x00binary", "A certificate is UTF-8 text, but this is not; it is damaged or not one."),
        (b"\x7fELF\x02\x01\x01\x00\x80", "A certificate is UTF-8 text, but this is not; it is damaged or not one."),
        (b"PK\x03\x04", "This is not JSON: Expecting value at line 1; it may be truncated."),
        ("NaN", "A certificate holds no NaN; infinity is written as the text inf."),
        ("[NaN, NaN, NaN]", "A certificate holds no NaN; infinity is written as the text inf."),
        ("[Infinity]", "A certificate holds no Infinity; infinity is written as the text inf."),
        ("-Infinity", "A certificate holds no -Infinity; infinity is written as the text inf."),
        ("[1e999]", "The number 1e999 is beyond a double."),
        ("[-1e400]", "The number -1e400 is beyond a double."),
        ("[" + "9" * 5000 + "]", "The JSON has a number too long for a certificate."),
        ('{"a": 1, "a": 2}', "The field 'a' appears twice; keep one."),
        ('{"schema": 1, "claim": {"x": 1, "y": 2, "x": 1}}', "The field 'x' appears twice; keep one."),
        ("[" * 100_000, "The JSON is nested too deeply for a certificate."),
        ('{"a":' * 100_000, "The JSON is nested too deeply for a certificate."),
        (
            "{}",
            "schema must be a version from 0 to 1, but is None; a newer leakbound may read it.",
        ),
    ],
)
def test_what_is_not_a_certificate_is_refused_in_a_sentence(data, sentence):
    assert refusal(data) == sentence


@pytest.mark.parametrize("depth", [25, 300, 600, 900, 1500])
@pytest.mark.parametrize("field", ["inputs", "series", "claim", "references", "standing"])
def test_nesting_of_any_depth_is_refused(depth, field):
    text = json.dumps(plain(**{field: "HERE"})).replace('"HERE"', "[" * depth + "]" * depth)
    assert refusal(text)
    assert refusal(text.replace("[", '{"a":').replace("]", "}")) if depth == 25 else True


@pytest.mark.parametrize("depth", [30, 600, 900])
def test_deep_values_from_python_are_refused_too(depth):
    deep: object = 1
    for _ in range(depth):
        deep = [deep] if depth % 20 else {"a": deep}
    for whole in (plain(schema=deep), plain(extra=deep), plain(claim={"kind": deep, "direction": "upper"})):
        with pytest.raises(InvalidCertificate, match=r"may nest 20 deep, but these go deeper; flatten them\.$"):
            from_document(whole)


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(share):
    text = dumps(CERTIFICATE)
    assert "it may be truncated" in refusal(text[: int(len(text) * share)])


def test_a_long_list_of_fields_with_one_twice_is_refused_quickly():
    many = ",".join(f'"field{i}":1' for i in range(20_000))
    began = time.perf_counter()
    assert refusal("{" + many + ',"z":1,"z":2}') == "The field 'z' appears twice; keep one."
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"schema": 2}, "schema must be a version from 0 to 1, but is 2; a newer leakbound may read it."),
        ({"schema": -1}, "schema must be a version from 0 to 1, but is -1; a newer leakbound may read it."),
        ({"schema": True}, "schema must be a version from 0 to 1, but is True; a newer leakbound may read it."),
        ({"schema": "1"}, "schema must be a version from 0 to 1, but is '1'; a newer leakbound may read it."),
        ({"schema": 1.0}, "schema must be a version from 0 to 1, but is 1.0; a newer leakbound may read it."),
        ({"extra": 1}, "A certificate has no field 'extra'; remove it."),
        ({"claim": ...}, "The certificate lacks the field 'claim'; it may be truncated."),
        ({"provenance": ...}, "The certificate lacks the field 'provenance'; it may be truncated."),
        ({"claim": 1}, "The claim must be a map with kind and direction; it may be truncated."),
        ({"claim": {"kind": "gdp"}}, "The claim must be a map with kind and direction; it may be truncated."),
        ({"claim": {"direction": "upper"}}, "The claim must be a map with kind and direction; it may be truncated."),
        ({"standing": "certain"}, "standing must be one of the four standings, but is 'certain'."),
        ({"standing": ["proved"]}, "standing must be one of the four standings, but is ('proved',)."),
        ({"standing": None}, "standing must be one of the four standings, but is None."),
        ({"assumptions": {}}, "assumptions must be a list, but is FrozenMap({})."),
        ({"assumptions": "x"}, "assumptions must be a list, but is 'x'."),
        ({"references": 1}, "references must be a list, but is 1."),
        ({"assumptions": [1]}, "An assumption has exactly checked_by, id, severity, text, but one is 1."),
        ({"references": [1]}, "The certificate is not valid: references must be a list of str values, but got"
                              " references=(1,)."),
        ({"neighbouring": "both"}, "The certificate is not valid: neighbouring must be one of replace-one,"
                                   " add-or-remove-one, label-only, declared-secret, as-stated, but got"
                                   " neighbouring='both'."),
        ({"confidence": 0}, "The certificate is not valid: confidence must be a number in (0, 1], but got"
                            " confidence=0.0; give one."),
        ({"confidence": "inf"}, "The certificate is not valid: confidence must be a number in (0, 1], but got"
                                " confidence=inf; give a finite one."),
        ({"method": ""}, "The certificate is not valid: method must be a non-empty text, but got method=''."),
        ({"inputs": []}, "The certificate is not valid: inputs must be a map of names to values, but got inputs=()."),
        ({"evidence": 1}, "The certificate is not valid: evidence must be a map of names to values, but got"
                          " evidence=1."),
        ({"series": {"c": {"x": [1]}}}, "The certificate is not valid: series must map a name to equally long lists x"
                                        " and y, but 'c' does not."),
    ],
)  # fmt: skip
def test_wrong_fields_are_refused_in_a_sentence(changes, sentence):
    assert refusal(plain(**changes)) == sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "magic"}, r"claim\.kind must be one of approx-dp, gdp, .*, zcdp, but is 'magic'\."),
        ({"kind": 1}, r"claim\.kind must be one of .*, but is 1\."),
        ({"direction": "sideways"}, r".*: direction must be one of upper, lower, but got direction='sideways'\."),
        ({"mu": 1.0}, r".*: A approx-dp claim has no field 'mu'; its fields are delta, epsilon\."),
        ({"delta": "1e-5"}, r".*: delta must be a number in \[0, 1\], but got delta='1e-5' \(type str\)\."),
        ({"delta": -1e-9}, r".*: delta must be a number in \[0, 1\], but got delta=-1e-09; give one\."),
        ({"epsilon": "nan"}, r".*: epsilon must be a number of at least 0, but got epsilon='nan' \(type str\)\."),
        ({"epsilon": True}, r".*: epsilon must be a number of at least 0, but got epsilon=True \(type bool\)\."),
        ({"epsilon": None}, r".*: epsilon must be a number of at least 0, but got epsilon=None \(type NoneType\)\."),
        (
            {"epsilon": 10**400},
            r".*: epsilon must be a number of at least 0 that a double can hold, but got a larger o",
        ),
    ],
)
def test_wrong_claims_are_refused_in_a_sentence(changes, sentence):
    import re

    assert re.match(sentence, refusal(plain(claim={**plain()["claim"], **changes})))


def test_fields_of_an_assumption_are_exactly_four():
    (first, *rest) = plain()["assumptions"]
    less = {name: value for name, value in first.items() if name != "severity"}
    for wrong in (less, {**first, "more": 1}):
        assert refusal(plain(assumptions=[wrong, *rest])).startswith(
            "An assumption has exactly checked_by, id, severity, text, but one is FrozenMap("
        )


def test_from_document_takes_plain_python_values_too():
    assert from_document(plain(confidence=0.5)).confidence == 0.5
    with pytest.raises(InvalidCertificate, match=r"^The certificate is not valid: A certificate holds no NaN"):
        from_document(plain(confidence=math.nan))
    with pytest.raises(InvalidCertificate, match=r"^A certificate is a JSON object, but this is \[\]\.$"):
        from_document([])
    with pytest.raises(InvalidCertificate, match="holds numbers, texts, lists and maps"):
        from_document(plain(evidence={"x": object}))


# Older versions.


def version_0():
    whole = plain(schema=0, series=...)
    whole["assumptions"] = [
        {name: value for name, value in entry.items() if name != "severity"} for entry in whole["assumptions"]
    ]
    return whole


def test_a_file_of_version_0_still_reads():
    (certificate,) = loads(json.dumps(version_0()))
    assert certificate == CERTIFICATE.with_(
        assumptions=tuple(Assumption(a.id, a.text, a.checked_by, "void") for a in CERTIFICATE.assumptions)
    )
    assert to_document(certificate)["schema"] == 1


@pytest.mark.parametrize("wrong", [{"extra": 1}, {"assumptions": 1}, {"assumptions": [1]}, {"claim": ...}])
def test_a_wrong_file_of_version_0_is_refused(wrong):
    assert refusal({name: value for name, value in {**version_0(), **wrong}.items() if value is not ...})


def test_a_field_that_version_0_did_not_have_is_unknown_there():
    sentence = "A certificate of version 0 has no field 'series'; remove it."
    assert refusal({**version_0(), "series": {"c": {"x": [1], "y": [1]}}}) == sentence


# Files.


def test_a_file_is_written_and_read(tmp_path):
    path = tmp_path / "c.json"
    save(path, CERTIFICATE)
    assert load(path) == load(str(path)) == (CERTIFICATE,)
    assert path.read_text().endswith("}\n")
    save(path, CERTIFICATE, CERTIFICATE)
    assert len(load(path)) == 2
    assert os.listdir(tmp_path) == ["c.json"]


def test_a_new_file_has_the_modes_of_any_other(tmp_path):
    save(tmp_path / "c.json", CERTIFICATE)
    (tmp_path / "other").write_text("")
    assert stat.S_IMODE((tmp_path / "c.json").stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)


def test_nothing_is_left_half_written(tmp_path, monkeypatch):
    path = tmp_path / "c.json"
    save(path, CERTIFICATE)
    before = path.read_bytes()

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(path, CERTIFICATE, CERTIFICATE)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["c.json"]


@pytest.mark.parametrize("name", ["missing/c.json", "c\0.json", "", "x" * 300])
def test_a_path_that_cannot_be_written_is_refused(tmp_path, name):
    with pytest.raises(InvalidInput, match=r"^The file '.+ cannot be written: .+; choose another\.$"):
        write_text(os.path.join(tmp_path, name) if name else str(tmp_path), "text")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["missing.json", "c\0.json", "."])
def test_a_path_that_cannot_be_read_is_refused(tmp_path, name):
    with pytest.raises(InvalidInput, match=r"^The file '.+ cannot be read: .+; check the path\.$"):
        load(os.path.join(tmp_path, name))


def test_a_file_of_a_gigabyte_is_refused_unread(tmp_path):
    path = tmp_path / "big.json"
    with open(path, "wb") as file:
        file.truncate(1024**3)
    began = time.perf_counter()
    with pytest.raises(InvalidCertificate, match=f" {LARGEST_FILE} bytes "):
        load(path)
    assert time.perf_counter() - began < 5


def test_a_device_without_end_is_refused():
    with pytest.raises(InvalidCertificate, match=f" {LARGEST_FILE} bytes "):
        load("/dev/zero")


@pytest.mark.parametrize(
    "content", [b"", b"NaN " * 1000, b"[" + b"NaN," * 1000 + b"NaN]", bytes(range(256)), b"\0" * 99]
)
def test_a_file_of_anything_else_is_refused(tmp_path, content):
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(InvalidCertificate) as error:
        load(path)
    assert "\n" not in str(error.value)


def test_reading_never_runs_code(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(b"cos\nsystem\n(S'touch " + str(tmp_path / "ran").encode() + b"'\ntR.")
    with pytest.raises(InvalidCertificate):
        load(path)
    assert os.listdir(tmp_path) == ["c.json"]


def test_standing_and_direction_are_read():
    changed = plain(standing="estimate")
    changed["claim"]["direction"] = "lower"
    (certificate,) = loads(json.dumps(changed))
    assert certificate.standing is Standing.ESTIMATE
    assert certificate.direction == "lower"


def test_every_step_between_versions_has_an_upgrade():
    assert sorted(document._UPGRADES) == list(range(SCHEMA_VERSION))
