"""Studies that are killed: no row lost, none twice, the same table as that of an undisturbed run."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.batch.support import game
from tests.cli.support import command, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes")

TABLE: Final = "run.parquet"
# Slow enough to be killed on its way: some milliseconds a deal.
SLOW: Final = (
    "import time\nfrom tierce.solver.batch.sender_rules import lowest\n"
    "def rule(view, due):\n    time.sleep(0.004)\n    return lowest(view, due)\n"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(game(), encoding="utf-8")
    Path("slow_rules.py").write_text(SLOW, encoding="utf-8")
    return tmp_path


def study(deals: int, chunk: int, *args: str, out: str = TABLE) -> list[str]:
    words = [
        "--game-file",
        "small.toml",
        "--previous",
        "5/1/0",
        "--strategy",
        "slow_rules:rule",
        "--strategy",
        "random",
    ]
    words += ["--deals", str(deals), "--chunk", str(chunk), "--out", out]
    return command("batch", "exchange", *words, *args)


@contextmanager
def started(args: list[str], log: str, **changes: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is killed in the end, if it still runs."""
    with Path(log).open("ab") as file:
        process = subprocess.Popen(args, stdout=file, stderr=file, env=environment(PYTHONPATH=os.getcwd(), **changes))
        try:
            yield process
        finally:
            process.kill()
            process.wait(30)


def until(ready: Callable[[], bool], seconds: float = 60) -> None:
    last = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < last, "waited in vain"
        time.sleep(0.01)


def finished() -> int:
    """Chunks that are kept."""
    return len(list(Path(f"{TABLE}.parts").glob("part-*.parquet")))


def kill_at(process: subprocess.Popen[bytes], chunks: int) -> None:
    """Kill -9, once so many chunks are there and others are not."""
    until(lambda: finished() >= chunks or process.poll() is not None)
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    assert process.wait(30) == -signal.SIGKILL


def more(chunks: int) -> None:
    """Wait until so many more are kept."""
    wanted = finished() + chunks
    until(lambda: finished() >= wanted)


def check_whole(deals: int, chunk: int) -> None:
    """The table is that of an undisturbed run, byte by byte, and nothing lies beside it."""
    done = subprocess.run(study(deals, chunk, out="other.parquet"), env=environment(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Path(TABLE).read_bytes() == Path("other.parquet").read_bytes()
    assert not Path(f"{TABLE}.parts").exists()


def resume(*args: str) -> subprocess.CompletedProcess[str]:
    env = environment(PYTHONPATH=os.getcwd())
    words = command("batch", "resume", TABLE, *args)
    return subprocess.run(words, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.slow
def test_killed_again_and_again(here: Path) -> None:
    """On the threads of one process: each time it is killed some chunks later."""
    with started(study(200, 4, "--threads", "2"), "log") as process:
        kill_at(process, 5)
    with started(command("batch", "resume", TABLE), "log") as process:
        kill_at(process, 15)
    done = resume()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"400 rows in {TABLE}: 200 deals with 2 strategies")
    check_whole(200, 4)


@pytest.mark.slow
@pytest.mark.parametrize("anew", [False, True])
def test_killed_while_the_table_is_put_together(here: Path, anew: bool) -> None:
    """At every step of the end that can be told apart from outside; also where an older table is to be replaced."""
    code = (
        "import os, signal, sys\n"
        "step, left = sys.argv.pop(1), int(sys.argv.pop(1))\n"
        "def hook(event, args, left=[left]):\n"
        "    name = os.path.basename(str(args[0])) if event == step else ''\n"
        "    if name.endswith('.new') if step == 'os.rename' else name.startswith(('part-', 'run.', 'lock')):\n"
        "        left[0] -= 1\n"
        "        if left[0] < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(hook)\n"
        "from tierce.cli import main\nmain()\n"
    )
    words = study(24, 4, *["--overwrite"] * anew)[3:]
    steps = [("os.rename", 2), ("os.rename", 6), ("os.rename", 7), ("os.remove", 0), ("os.remove", 6), ("os.rmdir", 0)]
    for step, left in steps[2:4] if anew else steps:
        if anew:
            assert subprocess.run(study(4, 4), env=environment(), capture_output=True, check=False).returncode == 0
        args = [sys.executable, "-c", code, step, str(left), *words]
        killed = subprocess.run(args, env=environment(), capture_output=True, timeout=60, check=False)
        assert killed.returncode == -signal.SIGKILL, (step, left, killed)
        assert resume().returncode == 0
        check_whole(24, 4)
        Path(TABLE).unlink()
        Path("other.parquet").unlink()


# ---- a real cluster --------------------------------------------------------------------------------------------------


class Cluster:
    """A Dask scheduler and its workers, each a process."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"

    def scheduler(self) -> list[str]:
        module = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
        return [*module, "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]

    def worker(self, name: str) -> list[str]:
        module = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny"]
        return [*module, "--no-dashboard", "--local-directory", f"scratch-{name}"]

    def listens(self) -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.mark.slow
def test_a_worker_the_scheduler_and_the_client_are_killed(here: Path) -> None:
    cluster = Cluster()
    deals, chunk = 1200, 8
    words = study(deals, chunk, "--scheduler", cluster.address)
    with started(cluster.scheduler(), "log") as scheduler:
        until(cluster.listens)
        with (
            started(cluster.worker("a"), "log") as first,
            started(cluster.worker("b"), "log"),
            started(words, "client.log") as client,
        ):
            kill_at(first, 5)  # the other worker does what it was at
            more(10)
            with started(cluster.worker("c"), "log"):
                more(10)
                scheduler.kill()
                assert client.wait(60) == 69
    said = Path("client.log").read_text(encoding="utf-8")
    assert said == (
        "error: expected the scheduler to answer, found the connection broken\n"
        f"What is finished is kept: 'tierce batch resume {TABLE}' goes on from there.\n"
    )
    kept = finished()
    assert 25 <= kept < deals // chunk
    with started(cluster.scheduler(), "log"):
        until(cluster.listens)
        with started(cluster.worker("d"), "log"), started(cluster.worker("e"), "log"):
            with started(command("batch", "resume", TABLE, "--scheduler", cluster.address), "log") as client:
                kill_at(client, kept + 10)
            done = resume("--scheduler", cluster.address)
    assert (done.returncode, done.stderr) == (0, "")
    check_whole(deals, chunk)


@pytest.mark.slow
def test_a_scheduler_that_comes_back(here: Path) -> None:
    """Started again where it was, and its workers with it, within the time that the client waits."""
    cluster = Cluster()
    words = study(640, 8, "--scheduler", cluster.address)
    with started(cluster.scheduler(), "log") as scheduler:
        until(cluster.listens)
        with started(cluster.worker("a"), "log"), started(words, "client.log") as client:
            kill_at(scheduler, 5)
            with started(cluster.scheduler(), "log"), started(cluster.worker("b"), "log"):
                assert client.wait(120) == 0
    check_whole(640, 8)


@pytest.mark.slow
def test_workers_that_cannot_do_it(here: Path) -> None:
    """A strategy that ends each worker that asks it."""
    cluster = Cluster()
    Path("ending.py").write_text("import os\ndef rule(view, due): os._exit(3)\n", encoding="utf-8")
    with started(cluster.scheduler(), "log", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0"):
        until(cluster.listens)
        with started([*cluster.worker("a"), "--nanny"], "log"):
            words = [each if each != "slow_rules:rule" else "ending:rule" for each in study(4, 4)]
            done = subprocess.run(
                [*words, "--scheduler", cluster.address],
                env=environment(PYTHONPATH=os.getcwd()), capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
    assert done.returncode == 69
    assert "found that the workers that begin it end, 4 times" in done.stderr
    assert resume("--threads", "1").returncode != 0
