"""The `tierce` command."""

from tierce.cli.main import main

__all__ = ["main"]
