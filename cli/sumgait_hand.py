"""A hand of Sumgait Driller as it is typed: its text, `-` for standard input, and no name of a file."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Final

from tierce.cli.options import one_deal
from tierce.solver.errors import InputError, shown

__all__ = ["typed_hand"]

_SUFFIX: Final = r"\.[A-Za-z]*[B-IL-PRSU-Zb-il-prsu-z][A-Za-z]*"  # with a letter that is no rank
_FILE: Final = re.compile(rf"[^\s:]*/[^\s:]*|[^\s:.]+{_SUFFIX}")


def typed_hand(text: str) -> str:
    """The hand or deal that was typed, not yet read. OSError or InputError for what can be a file's name alone."""
    if not _FILE.fullmatch(text):
        return one_deal(text)
    if not Path(text).exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
    message = f"expected a hand, such as AK.QJ.T9.87.J1, or - for stdin, found the file {shown(text)}: try '- < FILE'"
    raise InputError("hand_syntax", message, field="hand")
