from importlib.metadata import EntryPoint

import pytest

import leakbound.guarantees
from leakbound.errors import InvalidInput
from leakbound.guarantees import Curve, DPCurve, GaussianCurve, GaussianDP, Guarantee, LaplaceCurve
from leakbound.guarantees.registry import _load, curve_families, kinds, plugins


def ours(base: type) -> set[type]:
    """Every class of the package that can be made."""
    values = vars(leakbound.guarantees).values()
    return {v for v in values if isinstance(v, type) and issubclass(v, base) and not v.__abstractmethods__}


def test_every_guarantee_of_ours_is_registered_under_its_kind():
    registered = {name: cls for name, cls in kinds().items() if cls.__module__.startswith("leakbound.")}
    assert set(registered.values()) == ours(Guarantee)
    assert all(cls.kind == name for name, cls in registered.items())
    assert len(registered) == 11


def test_every_named_family_of_ours_is_registered_under_its_name():
    registered = {name: cls for name, cls in curve_families().items() if cls.__module__.startswith("leakbound.")}
    assert registered == {"dp": DPCurve, "gaussian": GaussianCurve, "laplace": LaplaceCurve}
    assert all(cls.name == name for name, cls in registered.items())
    assert {cls.name for cls in ours(Curve)} - set(registered) == {"events", "statements"}


def test_plugins_are_loaded_once_and_cannot_be_changed():
    assert plugins("leakbound.guarantees") is plugins("leakbound.guarantees")
    assert plugins("leakbound.nothing-of-this-name") == {}
    with pytest.raises(TypeError):
        kinds()["gdp"] = None


def test_two_packages_may_not_claim_one_name():
    one = EntryPoint("gdp", "leakbound.guarantees.gaussian:GaussianDP", "leakbound.guarantees")
    two = EntryPoint("gdp", "leakbound.guarantees.pure:PureDP", "leakbound.guarantees")
    assert _load("leakbound.guarantees", (one, one)) == {"gdp": GaussianDP}  # one package found twice
    message = (
        r"^Two installed packages provide 'gdp' in leakbound.guarantees: leakbound.guarantees.gaussian:GaussianDP"
        r" and leakbound.guarantees.pure:PureDP; uninstall one\.$"
    )
    with pytest.raises(InvalidInput, match=message):
        _load("leakbound.guarantees", (one, two))
