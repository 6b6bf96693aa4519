import pytest
from tests.cli.commands import Run

from leakbound.certificate import Verifier, verify


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs the command line in this process, at a fixed width and without colours."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("LEAKBOUND_DEBUG", raising=False)
    return Run(capsys)


@pytest.fixture
def here(monkeypatch):
    """Verifies in this process, which is quicker; tests of the console script verify in one of their own."""

    def verify_here(self, certificate, *, outputs=None):
        assert self.time_limit > 0
        return verify(certificate, outputs=outputs)

    monkeypatch.setattr(Verifier, "verify", verify_here)
