"""Two minutes at twice the capacity, from a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.service.support import Process

MINUTES = 4  # tests of half a minute


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MINUTES))
def test_mixed_load(seed: int) -> None:
    """No wrong answer; what is accepted comes within its deadline, the rest is refused as such; no memory is lost."""
    with Process("--workers", "2", "--table-mb", "96", "--cache-mb", "2", "--log", "nothing") as server:
        words = [sys.executable, "-m", "tests.service.load", server.target, "--seconds", "24", "--seed", str(seed)]
        sizes = []
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as driver:
            assert driver.stdout is not None
            begin = time.monotonic()
            while driver.poll() is None:
                if time.monotonic() - begin > 14:
                    sizes.append(server.rss)
                time.sleep(0.25)
            told = json.loads(driver.stdout.read())
    assert told["wrong"] == [] and told["before"]["wrong"] == []
    assert set(told["statuses"]) <= {"OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"}
    assert told["statuses"]["OK"] > 0 and told["p99"] <= told["deadline"]
    assert max(sizes) <= 1.25 * sizes[0] + (16 << 20)
