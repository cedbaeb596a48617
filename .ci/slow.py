"""Run slow tests in an order drawn by a seed until a time budget is spent, and say what was left out.

    python .ci/slow.py [--seed N] [--minutes M]

Without --seed one is drawn, so every run begins elsewhere; it is printed, and repeats the order and what
hypothesis draws. A test that has begun is not cut short: no slow test should need more than half a minute.
"""

import argparse
import random
import sys
import time

import pytest


class Budget:
    """A pytest plugin: shuffles what was collected, and skips what no time is left for."""

    def __init__(self, seed: int, minutes: float) -> None:
        self.seed = seed
        self.seconds = minutes * 60
        self.left_out: list[str] = []
        self.start = time.monotonic()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: item.nodeid)
        random.Random(self.seed).shuffle(items)
        self.start = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if time.monotonic() - self.start > self.seconds:
            self.left_out.append(item.nodeid)
            pytest.skip("no time left")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.write_line(f"seed {self.seed}, {self.seconds:g} s, left out: {len(self.left_out)}")
        for name in sorted(self.left_out):
            terminalreporter.write_line(f"  {name}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Run slow tests until a time budget is spent.")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--minutes", type=float, default=5)
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    options = ["-m", "slow", f"--hypothesis-seed={wanted.seed}", "--durations=5"]
    return pytest.main(options, plugins=[Budget(wanted.seed, wanted.minutes)])


if __name__ == "__main__":
    sys.exit(main())
