"""The messages and stubs of the gRPC service: generated from the .proto files beside them, never edited.

`python -m grpc_tools.protoc` with the arguments in .ci/steps.sh (step `proto`) writes them anew.
"""
