"""Certificates and keys in PEM files, looked at before gRPC gets them: what is wrong with them it tells nobody."""

from __future__ import annotations

import ssl
from pathlib import Path

from tierce.solver.errors import InputError

__all__ = ["authority", "pair"]


def pair(cert: tuple[str, str], key: tuple[str, str]) -> tuple[bytes, bytes]:
    """A certificate chain and its key, each given as a setting's name and a file. InputError."""
    chain, secret = _read(*cert), _read(*key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert[1], key[1], password=lambda: "")  # a key with a password is of no use to gRPC
    except (ssl.SSLError, ValueError):
        _check(*cert, chain)
        message = f"expected the key of {cert[1]}, without a password, found none"
        raise InputError(key[0], message, field=key[0], file=key[1]) from None
    return chain, secret


def authority(name: str, file: str) -> bytes:
    """The certificates of an authority. InputError."""
    data = _read(name, file)
    _check(name, file, data)
    return data


def _read(name: str, file: str) -> bytes:
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise InputError(name, error.strerror or str(error), field=name, file=file) from None
    if b"-----BEGIN " not in data:
        raise InputError(name, "expected PEM, found none", field=name, file=file)
    return data


def _check(name: str, file: str, data: bytes) -> None:
    """InputError unless these are certificates."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=data.decode("ascii", "replace"))
    except ssl.SSLError:
        raise InputError(name, "expected certificates in PEM, found none", field=name, file=file) from None
