"""The brute-force reference: `brute.c`, compiled on first use and called through ctypes.

It knows the rules of the trick (follow suit, no duty to trump, highest trump or else highest card of the suit led
wins, the winner leads) and plain memoised minimax, nothing else, and imports nothing of the project, so that the
engine can be checked against it.

Conventions: a card is 16 * suit + rank (suits S H D C = 0..3, rank 2 = 0 ... A = 12), a hand a mask of 1 << card, trump
a suit or 4 for none; seats are 0..n-1 clockwise, n = 3 or 4; a set of seats is a mask of 1 << seat.

Cost: 0.2 ms (three hands) or 2 ms (four) for 5 cards a hand on average; ten to twenty times more with each further one.

The compiled library is kept in the user's cache folder under a name that holds a hash of the source, so it is built
once per version of `brute.c`. Thread-safe: a call shares nothing with other calls, and releases the GIL.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("brute.c")
FLAGS: Final = ("-std=c11", "-O2", "-shared", "-fPIC")
NOTRUMP: Final = 4
SUIT: Final = (1 << 13) - 1  # the thirteen cards of one suit, before the shift by 16 * suit
ALL_CARDS: Final = SUIT | SUIT << 16 | SUIT << 32 | SUIT << 48


class NoCompiler(RuntimeError):
    """The reference cannot be built here: no C compiler, or it failed (the message has its output)."""


def value(
    hands: Sequence[int],
    trump: int,
    leader: int,
    trick: Sequence[int],
    counted: int,
    maxers: int,
) -> int:
    """The tricks that the seats in `counted` take from here with best play by all, the trick in progress included.

    `hands` are the cards now held, `trick` the cards (0 to n) already on the table, the first played by `leader`. The
    seats in `maxers` want the counted tricks to be many, all others want them few. Raises ValueError if the position
    breaks the rules.
    """
    check_position(hands, trump, leader, trick)
    seats = len(hands)
    if not (0 <= counted < 1 << seats and 0 <= maxers < 1 << seats):
        raise ValueError(f"counted and maxers must be masks of {seats} seats, got {counted!r} and {maxers!r}")
    tricks: int = _library().brute_value(
        seats,
        (ctypes.c_uint64 * seats)(*hands),
        trump,
        leader,
        (ctypes.c_int * seats)(*trick),
        len(trick),
        counted,
        maxers,
    )
    if tricks < 0:
        raise MemoryError("no memory for the brute force")
    return tricks


def card_values(
    hands: Sequence[int],
    trump: int,
    leader: int,
    trick: Sequence[int],
    counted: int,
    maxers: int,
) -> dict[int, int]:
    """`value` after each legal card of the seat to move, by card; the trick in progress included."""
    mover = (leader + len(trick)) % len(hands)
    values = {}
    for card in legal_cards(hands, leader, trick):
        after = list(hands)
        after[mover] ^= 1 << card
        values[card] = value(after, trump, leader, [*trick, card], counted, maxers)
    return values


def most(side: int, seats: int) -> tuple[int, int]:
    """(counted, maxers) when the seats of `side` play together for many tricks."""
    return side, side


def fewest(side: int, seats: int) -> tuple[int, int]:
    """(counted, maxers) when the seats of `side` play together for few tricks."""
    return side, ((1 << seats) - 1) & ~side


def cards_of(mask: int) -> list[int]:
    """The cards of a mask, low to high in each suit, S H D C."""
    return [card for card in range(64) if mask >> card & 1]


def legal_cards(hands: Sequence[int], leader: int, trick: Sequence[int]) -> list[int]:
    """The cards that the seat to move may play."""
    hand = hands[(leader + len(trick)) % len(hands)]
    if trick:
        hand = hand & _suit_of(trick[0]) or hand
    return cards_of(hand)


def check_position(hands: Sequence[int], trump: int, leader: int, trick: Sequence[int]) -> None:
    """Raise ValueError, saying what is wrong, unless the position can arise at the table."""
    seats = len(hands)
    if seats not in (3, 4):
        raise ValueError(f"expected 3 or 4 hands, got {seats}")
    if not 0 <= trump <= NOTRUMP:
        raise ValueError(f"trump must be 0 to 4, got {trump!r}")
    if not 0 <= leader < seats:
        raise ValueError(f"leader must be 0 to {seats - 1}, got {leader!r}")
    if len(trick) > seats:
        raise ValueError(f"a trick has at most {seats} cards, got {list(trick)!r}")
    seen = 0
    for mask in [*hands, *(1 << card if 0 <= card < 64 else -1 for card in trick)]:
        if mask & ~ALL_CARDS:
            raise ValueError(f"not a card in hands {list(hands)!r}, trick {list(trick)!r}")
        if mask & seen:
            raise ValueError(f"a card is there twice in hands {list(hands)!r}, trick {list(trick)!r}")
        seen |= mask
    sizes = {hand.bit_count() + (_has_played(seat, seats, leader, trick)) for seat, hand in enumerate(hands)}
    if len(sizes) > 1:
        raise ValueError(f"hands must be of one size at the start of the trick, got sizes {sorted(sizes)}")
    for place, card in enumerate(trick):
        if _suit_of(card) != _suit_of(trick[0]) and hands[(leader + place) % seats] & _suit_of(trick[0]):
            raise ValueError(f"card {card} of trick {list(trick)!r} does not follow suit")


def _suit_of(card: int) -> int:
    """The mask of the card's suit."""
    return SUIT << (card & 48)


def _has_played(seat: int, seats: int, leader: int, trick: Sequence[int]) -> bool:
    return (seat - leader) % seats < len(trick)


@functools.cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_built()))
    library.brute_value.restype = ctypes.c_int
    library.brute_value.argtypes = [
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_uint64),
        ctypes.c_int,
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_int),
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_uint,
    ]
    return library


def _built() -> Path:
    """The compiled library, built if this version of the source has not been built yet."""
    compiler = _compiler()
    made_from = [SOURCE.read_bytes(), " ".join([*compiler, *FLAGS]).encode(), platform.platform().encode()]
    name = f"brute-{hashlib.sha256(b'|'.join(made_from)).hexdigest()[:16]}.so"
    library = _cache_folder() / name
    if not library.exists():
        # Built under a name of its own and then moved: test processes may start together.
        with tempfile.TemporaryDirectory(dir=library.parent) as folder:
            fresh = Path(folder) / name
            command = [*compiler, *FLAGS, "-o", str(fresh), str(SOURCE)]
            # A preloaded sanitizer is meant for the tests, not for the compiler.
            environment = {key: text for key, text in os.environ.items() if key != "LD_PRELOAD"}
            done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
            if done.returncode != 0:
                raise NoCompiler(f"{shlex.join(command)} failed with exit code {done.returncode}:\n{done.stderr}")
            os.replace(fresh, library)
    return library


def _compiler() -> list[str]:
    """The command of the C compiler: $CC, else cc, gcc or clang."""
    for command in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        words = shlex.split(command)
        if words and shutil.which(words[0]):
            return words
    raise NoCompiler("the brute-force tests need a C compiler: none of $CC, cc, gcc, clang was found")


def _cache_folder() -> Path:
    """A folder of the user's own outside the source tree, or a temporary one if there is none to write to."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "tierce-tests"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="tierce-tests-"))
    return folder if os.access(folder, os.W_OK) else Path(tempfile.mkdtemp(prefix="tierce-tests-"))
