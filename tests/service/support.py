"""Servers for tests: in this process, or in one of their own that can be killed."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from tests.cli.support import command, environment
from tierce.service import Client, Server, read_settings
from tierce.service.figures import Log
from tierce.v1 import advice_pb2_grpc, games_pb2_grpc, question_pb2, solve_pb2, solve_pb2_grpc

TLS = Path(__file__).parent / "tls"
THREE = "D:.9.T8.T A.5.7.Q T.J.A.K"
FOUR = "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8"
LONG = "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."
"""Its caps take minutes."""
DISCARD = ".87..Q4"


class Running:
    """A server in this process. `log` has its lines."""

    def __init__(self, **flags: Any) -> None:
        self._text = io.StringIO()
        self.server = Server(read_settings({"listen": "127.0.0.1:0"} | flags, env={}), Log("calls", self._text))
        self._ready = threading.Event()
        self._failed: list[BaseException] = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        async def serve() -> None:
            await self.server.start()
            self.loop = asyncio.get_running_loop()
            self._ready.set()
            await self.server.wait()

        try:
            asyncio.run(serve())
        except BaseException as error:
            self._failed.append(error)
        self._ready.set()

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(20)
        if self._failed:
            raise self._failed[0]

    def stop(self) -> None:
        with suppress(RuntimeError):  # it has ended
            self.loop.call_soon_threadsafe(self.server.stop)
        self._thread.join(20)
        assert not self._thread.is_alive()

    @property
    def target(self) -> str:
        return f"localhost:{self.server.port}"

    @property
    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._text.getvalue().splitlines()]

    def calls(self, method: str) -> list[dict[str, Any]]:
        """What the log says of the calls of a method."""
        return [each for each in self.log if each["event"] == "call" and each["method"] == method]


@contextmanager
def running(**flags: Any) -> Iterator[Running]:
    """A server with these settings."""
    server = Running(**({"workers": 2, "drain_seconds": 0.2} | flags))
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Stubs:
    """The generated stubs over one plain connection."""

    def __init__(self, target: str, credentials: grpc.ChannelCredentials | None = None) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own
        self.channel = (
            grpc.insecure_channel(target, options)
            if credentials is None
            else grpc.secure_channel(target, credentials, options)
        )
        self.solve = solve_pb2_grpc.SolveServiceStub(self.channel)
        self.advice = advice_pb2_grpc.AdviceServiceStub(self.channel)
        self.games = games_pb2_grpc.GamesServiceStub(self.channel)

    def __enter__(self) -> Stubs:
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.close()


def dictionary(message: Message) -> dict[str, Any]:
    """A message in protobuf's dictionary form, original names, defaults printed."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def question(deal: str = THREE, trump: str = "D", **more: Any) -> question_pb2.Question:
    return question_pb2.Question(deal=deal, trump=trump, **more)


def endless(**more: Any) -> solve_pb2.SolveRequest:
    """A question that takes minutes."""
    fewest = question(LONG, "S", discard=DISCARD, objective=question_pb2.OBJECTIVE_FEWEST)
    return solve_pb2.SolveRequest(question=fewest, **more)


def until(there: Any, seconds: float = 10.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it never came to be so"
        time.sleep(0.002)


class Process:
    """`tierce serve` as a process of its own."""

    def __init__(self, *flags: str, port: int = 0) -> None:
        words = command("serve", "--listen", f"127.0.0.1:{port}", *flags)
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", line)
        assert match, line
        self.port = int(match[1])
        self.target = f"localhost:{self.port}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)

    def end(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def rss(self) -> int:
        """Resident memory, bytes; of the processes beside it what is theirs alone."""
        whole, _ = _pages(self.process.pid)
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        beside = [_pages(int(pid)) for task in tasks for pid in task.read_text(encoding="ascii").split()]
        return (whole + sum(resident - shared for resident, shared in beside)) * os.sysconf("SC_PAGE_SIZE")


def _pages(pid: int) -> tuple[int, int]:
    """Resident ones, and those of them that are shared."""
    try:
        words = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return 0, 0
    return int(words[1]), int(words[2])


@contextmanager
def client_of(server: Running | Process, **more: Any) -> Iterator[Client]:
    with Client(server.target, **more) as client:
        yield client
