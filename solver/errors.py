"""Errors: one small tree under `TierceError`.

Every error carries a stable `code` (snake_case, safe to compare and to send), the `field` of the input it
is about, if any, and a `message` for people: lower case, what was expected first, then what was found.

    TierceError
      InputError     the input is at fault; also a ValueError; may name a file and a line
      LimitReached   time, nodes or memory ran out; may carry the bounds found so far
      Cancelled      somebody asked the search to stop
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

__all__ = ["Cancelled", "InputError", "LimitReached", "TierceError", "shown"]

SHOWN_MAX = 60  # characters of the input quoted in a message


def shown(text: str) -> str:
    """Return `text` quoted for a message, cut to `SHOWN_MAX` characters, less if they need escapes."""
    if len(text) <= SHOWN_MAX and len(repr(text)) <= 2 * SHOWN_MAX:
        return repr(text)
    quoted = repr(text[:SHOWN_MAX] + "...")
    return quoted if len(quoted) <= 2 * SHOWN_MAX else repr(text[: SHOWN_MAX // 4] + "...")


class TierceError(Exception):
    """Base of all errors of this package."""

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        super().__init__(code, message)  # both in `args`, so that pickling rebuilds the object
        self.code = code
        self.message = message
        self.field = field

    def __str__(self) -> str:
        return self.message


class InputError(TierceError, ValueError):
    """The input is at fault. `str()` is "file:line: message" where these are known."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(code, message, field=field)
        self.file = file
        self.line = line

    def __str__(self) -> str:
        if self.line is None:
            return self.message if self.file is None else f"{self.file}: {self.message}"
        return f"{self.file or 'line'}{':' if self.file else ' '}{self.line}: {self.message}"

    def located(self, *, file: str | None = None, line: int | None = None, field: str | None = None) -> Self:
        """Return a copy that names the given place; what is not given stays as it is."""
        return type(self)(
            self.code,
            self.message,
            field=self.field if field is None else field,
            file=self.file if file is None else file,
            line=self.line if line is None else line,
        )


class LimitReached(TierceError):
    """A limit ended the search; `bounds`, if asked for: lowest and highest tricks of each seat or side."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        bounds: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        super().__init__(code, message, field=field)
        self.bounds = bounds


class Cancelled(TierceError):
    """The search was asked to stop."""

    def __init__(
        self, code: str = "cancelled", message: str = "the search was cancelled", *, field: str | None = None
    ) -> None:
        super().__init__(code, message, field=field)
