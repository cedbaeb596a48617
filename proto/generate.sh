#!/usr/bin/env bash
# Writes the generated code beside the .proto files anew. Needs grpcio-tools and mypy-protobuf (the extra `dev`).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python -m grpc_tools.protoc -I proto --python_out=proto --mypy_out=quiet:proto proto/tierce/v1/*.proto
services=$(grep -l '^service ' proto/tierce/v1/*.proto)
# shellcheck disable=SC2086
python -m grpc_tools.protoc -I proto --grpc_python_out=proto --mypy_grpc_out=quiet:proto $services
