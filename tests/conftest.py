"""What every test shares: where the real files are, and how hypothesis behaves."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: how long one example takes says nothing about its answer.
settings.register_profile("tierce", deadline=None, print_blob=True)
settings.load_profile("tierce")

# A run in the background (`nohup ... &`) begins with Ctrl-C ignored, and so would every command that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real files; SOURCES.md in it says where each comes from."""
    return Path(__file__).parent / "data"
