"""The messages and stubs of the gRPC service: generated from the .proto files beside them, never edited.

`bash proto/generate.sh` writes them anew.
"""
