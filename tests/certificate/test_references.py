import re

import pytest

from leakbound.certificate.issue import _ROUTE_REFERENCES
from leakbound.certificate.references import REFERENCES, citation
from leakbound.errors import InvalidInput
from leakbound.guarantees import ARROWS


def test_every_reference_has_authors_a_year_and_ends_as_a_sentence():
    for key, text in REFERENCES.items():
        year = re.fullmatch(r".+ \((\d{4})\)\. .+\.", text)
        assert year is not None, text
        assert year[1] in key
        assert text.lower().startswith(key[: key.index(year[1])])


def test_every_conversion_and_every_route_cites_known_references():
    for arrow in ARROWS.values():
        assert arrow.references
        assert all(citation(key) for key in arrow.references)
    for keys in _ROUTE_REFERENCES.values():
        assert all(citation(key) for key in keys)


@pytest.mark.parametrize("key", ["nobody1999", "", "MIRONOV2017"])
def test_an_unknown_key_is_refused(key):
    with pytest.raises(InvalidInput, match=rf"^No reference has the key '{key}'; add it to the table of references\.$"):
        citation(key)
