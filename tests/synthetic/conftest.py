"""Every test ends within two minutes: what hangs fails."""

import signal

import pytest

LONGEST = 120.0  # seconds; the slowest takes a few


@pytest.fixture(autouse=True)
def _no_hang():
    def stop(*_):
        raise AssertionError(f"the test hangs: it took more than {LONGEST:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
