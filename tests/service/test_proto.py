"""The .proto files: the generated code is theirs, and what they promise of themselves holds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor

from tierce.v1 import advice_pb2, games_pb2, question_pb2, solve_pb2

PROTO = Path(__file__).parents[2] / "proto"
FILES = sorted((PROTO / "tierce/v1").glob("*.proto"))


def test_generated_code_is_up_to_date(tmp_path: Path) -> None:
    pytest.importorskip("grpc_tools")
    names = [str(file.relative_to(PROTO)) for file in FILES]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", f"--python_out={tmp_path}", *names]
    subprocess.run(command, check=True)
    for file in FILES:
        name = f"tierce/v1/{file.stem}_pb2.py"
        assert (tmp_path / name).read_text(encoding="utf-8") == (PROTO / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_field_and_call_is_explained(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    field = re.compile(r"\s+(optional |repeated )?[\w.<>, ]+ \w+ = \d+;|  rpc .*")
    enum = re.compile(r"\s+[A-Z_]+ = \d+;")
    found = [number for number, line in enumerate(lines) if field.fullmatch(line) and not enum.fullmatch(line)]
    assert found
    assert [lines[number] for number in found if not lines[number - 1].strip().startswith("//")] == []


def _messages(descriptor: Descriptor, found: dict[str, Descriptor] | None = None) -> dict[str, Descriptor]:
    """A message and all that are in it, by name."""
    found = {} if found is None else found
    if descriptor.full_name not in found:
        found[descriptor.full_name] = descriptor
        for field in descriptor.fields:
            if field.message_type is not None:
                _messages(field.message_type, found)
    return found


def test_no_enum_is_in_a_response() -> None:
    """Words are text there, so that the dictionary form is the command's JSON."""
    services = [
        each for file in (solve_pb2, advice_pb2, games_pb2) for each in file.DESCRIPTOR.services_by_name.values()
    ]
    methods = [method for service in services for method in service.methods]
    assert len(methods) == 16
    for method in methods:
        assert method.input_type.name == f"{method.name}Request" and method.output_type.name == f"{method.name}Response"
        for message in _messages(method.output_type).values():
            if message.file.package == "tierce.v1":
                assert not [field.name for field in message.fields if field.enum_type is not None], message.full_name


def test_enums_begin_with_unspecified() -> None:
    assert question_pb2.OBJECTIVE_UNSPECIFIED == 0
    for enum in question_pb2.DESCRIPTOR.enum_types_by_name.values():
        assert enum.values_by_number[0].name.endswith("_UNSPECIFIED")
