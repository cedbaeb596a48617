"""Who gets in: loopback, TLS, certificates, tokens; and what is written of it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.cli.support import run
from tests.service.support import THREE, TLS, Running, Stubs, client_of, question, running
from tierce.service import Client, ServiceError, read_settings
from tierce.service.access import Tokens
from tierce.solver.asking import Asked
from tierce.solver.errors import InputError
from tierce.v1 import solve_pb2

ONE, TWO = "first-token-0123456789", "second-token-0123456789"
POSITION = Asked(THREE, "D").query().position
SOLVE = ("solve", THREE, "--trump", "D", "--json")


def pem(name: str) -> str:
    return str(TLS / f"{name}.pem")


def key(name: str) -> str:
    return str(TLS / f"{name}.key")


def refused(server: Running, **access: str) -> str:
    with Client(server.target, **access) as client, pytest.raises(ServiceError) as caught:  # type: ignore[arg-type]
        client.within(0.4).floors(POSITION)
    return caught.value.code


@pytest.fixture(scope="module")
def secure() -> Iterator[Running]:
    with running(tls_cert=pem("server"), tls_key=key("server")) as server:
        yield server


def test_tls(secure: Running) -> None:
    with client_of(secure, ca=pem("ca")) as client:
        assert client.floors(POSITION).complete
    assert run("--server", secure.target, "--ca", pem("ca"), *SOLVE).code == 0
    assert refused(secure, ca=pem("other-ca")) == "unavailable"
    assert refused(secure) == "unavailable"  # without TLS
    assert run("--server", secure.target, "--ca", pem("nowhere"), *SOLVE).code == 65


def test_clients_show_certificates() -> None:
    with running(tls_cert=pem("server"), tls_key=key("server"), client_ca=pem("ca")) as server:
        with client_of(server, ca=pem("ca"), cert=pem("client"), key=key("client")) as client:
            assert client.floors(POSITION).complete
        assert server.calls("Solve")[0]["caller"] == "certificate client"
        assert refused(server, ca=pem("ca")) == "unavailable"


ENCRYPTED = """-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBBw
-----END ENCRYPTED PRIVATE KEY-----
"""


def test_certificates_and_keys_that_do_not_go_together(secure: Running, tmp_path: Path) -> None:
    locked, text = tmp_path / "locked.key", tmp_path / "text.pem"
    locked.write_text(ENCRYPTED, encoding="ascii")
    text.write_text("nothing", encoding="ascii")
    for chain, secret, fault in (
        (pem("server"), key("client"), key("client")),
        (pem("server"), str(locked), str(locked)),
        (pem("server"), pem("server"), pem("server")),
        (key("server"), pem("server"), key("server")),
        (str(text), key("server"), str(text)),
    ):
        ran = run("serve", "--listen", "127.0.0.1:0", "--tls-cert", chain, "--tls-key", secret)
        assert ran.code == 65 and ran.err.startswith(f"error: {fault}: expected ") and ran.err.count("\n") == 1
        ran = run("--server", secure.target, "--ca", pem("ca"), "--cert", chain, "--key", secret, *SOLVE)
        assert ran.code == 65 and ran.err.startswith(f"error: {fault}: expected ")
    words = ("--listen", "127.0.0.1:0", "--tls-cert", pem("server"), "--tls-key", key("server"))
    assert run("serve", *words, "--client-ca", key("client")).code == 65
    assert run("--server", secure.target, "--ca", str(text), *SOLVE).code == 65


def test_tokens(tmp_path: Path) -> None:
    file, mine = tmp_path / "tokens", tmp_path / "mine"
    file.write_text(f"# of the farm\n{ONE}\n\n{TWO}\n", encoding="utf-8")
    mine.write_text(TWO, encoding="utf-8")
    with running(token_file=str(file), reflection=True) as server:
        with client_of(server, token_file=str(mine)) as client:
            assert client.floors(POSITION).complete
        assert run("--server", server.target, "--token-file", str(mine), *SOLVE).code == 0
        assert refused(server) == "unauthenticated"
        assert run("--server", server.target, *SOLVE).code == 69
        assert [TWO in str(each) for each in server.log] == [False] * len(server.log)
        with Stubs(server.target) as stubs:
            health: Any = health_pb2_grpc.HealthStub(stubs.channel)
            assert health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING
            for text in (ONE, f"Bearer {ONE}x", "Bearer "):
                metadata = (("authorization", text),)
                with pytest.raises(grpc.RpcError) as caught:
                    stubs.solve.Solve(solve_pb2.SolveRequest(question=question()), metadata=metadata)
                assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
            with pytest.raises(grpc.RpcError) as stream:
                list(stubs.solve.SolveMany(iter([solve_pb2.SolveManyRequest()])))
            assert stream.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_token_that_is_taken_out_of_its_file(tmp_path: Path) -> None:
    file, mine = tmp_path / "tokens", tmp_path / "mine"
    file.write_text(f"{ONE}\n{TWO}\n", encoding="utf-8")
    mine.write_text(ONE, encoding="utf-8")
    with running(token_file=str(file)) as server, client_of(server, token_file=str(mine)) as client:
        client.floors(POSITION)
        file.write_text(f"{TWO}\n", encoding="utf-8")
        with pytest.raises(ServiceError) as caught:
            client.floors(POSITION)
        assert caught.value.code == "unauthenticated"
        mine.write_text(TWO, encoding="utf-8")  # read again for every call
        client.floors(POSITION)
        file.unlink()
        with pytest.raises(ServiceError):  # nobody gets in without a list of who may
            client.floors(POSITION)


def test_the_file_of_tokens(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    for text in ("", "short\n", f"{ONE}\nshort\n"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError):
            Tokens(str(file))
    file.write_text(f"{ONE}\n", encoding="utf-8")
    tokens = Tokens(str(file))
    name = tokens.name(ONE)
    assert name is not None and ONE not in name and tokens.name(TWO) is None
    file.write_text("short\n", encoding="utf-8")
    os.utime(file, ns=(time.time_ns(), time.time_ns() + 10**9))
    assert tokens.name(ONE) is None


# ---- settings --------------------------------------------------------------------------------------------------------


def test_other_addresses_need_tls_or_a_word() -> None:
    for listen in ("0.0.0.0:0", "[::]:0", "example.org:50051"):
        with pytest.raises(InputError) as caught:
            read_settings({"listen": listen}, env={})
        assert caught.value.field == "listen"
        read_settings({"listen": listen, "insecure": True}, env={})
    for listen in ("127.0.0.1:0", "localhost:1", "[::1]:1"):
        read_settings({"listen": listen}, env={})


@pytest.mark.parametrize("listen", ["", ":1", "::1:1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x"])
def test_addresses_that_are_none(listen: str) -> None:
    with pytest.raises(InputError) as caught:
        read_settings({"listen": listen}, env={})
    assert caught.value.field == "listen" and caught.value.message.startswith("expected an address and a port")


def test_the_other_family_of_addresses() -> None:
    with running(listen="[::1]:0") as server, Client(f"[::1]:{server.server.port}") as client:
        assert client.floors(POSITION).complete


def test_a_setting_of_the_environment_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("abc", "0"):
        monkeypatch.setenv("TIERCE_SERVE_WORKERS", text)
        ran = run("serve", "--show-config")
        assert ran.code == 65 and ran.err.startswith("error: TIERCE_SERVE_WORKERS: expected a number from 1 to 256")
    assert run("serve", "--workers", "2", "--show-config").code == 65


def test_flags_over_environment_over_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text("max_queue = 1\nworkers = 1\ntable_mb = 1\nreflection = true\nmax_seconds = 3\n", encoding="utf-8")
    found = read_settings(
        {"max_queue": 3, "workers": None},
        str(file),
        {"TIERCE_SERVE_MAX_QUEUE": "2", "TIERCE_SERVE_WORKERS": "2", "TIERCE_SERVE_REFLECTION": "false"},
    )
    assert (found.max_queue, found.workers, found.table_mb, found.reflection) == (3, 2, 1, False)
    assert found.max_seconds == 3.0


@pytest.mark.parametrize(
    "text",
    ["max_queue = 0", "max_queue = true", "unknown = 1", 'log = "all"', "max_seconds = nan", "[", "workers = 1.5"],
)
def test_files_at_fault(text: str, tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_settings({}, str(file), {})
    assert caught.value.file == str(file)
    assert run("serve", "--config", str(file), "--show-config").code == 65


def test_settings_are_shown_and_secrets_are_not(tmp_path: Path) -> None:
    ran = run("serve", "--token-file", "/secret/place", "--max-queue", "5", "--show-config")
    assert (ran.code, ran.json["max_queue"], ran.json["token_file"]) == (0, 5, "***")
    assert run("serve", "--max-queue", "0", "--show-config").code == 2
    assert run("serve", "--listen", "0.0.0.0:1", "--show-config").code == 2
    assert run("serve", "--token-file", str(tmp_path / "none")).code == 65


def test_an_address_that_is_taken(secure: Running) -> None:
    before = set(threading.enumerate())
    ran = run("serve", "--listen", f"127.0.0.1:{secure.server.port}")
    assert ran.code == 65 and "free" in ran.err and "Address already in use" in ran.err
    late = time.monotonic() + 5
    while left := [each for each in threading.enumerate() if each not in before and each.name.startswith("tierce")]:
        assert time.monotonic() < late, f"threads of a server that did not start: {left}"
        time.sleep(0.01)
