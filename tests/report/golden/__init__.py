"""Reports that are written out: what `tierce review` prints of some hands, and the same as JSON.

`golden(name)` makes a report anew; `<name>.txt` here is what it was. After a change that is meant:
`python -m tests.report.golden`, and read what changed.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.advice.played import play
from tests.advice.small_games import twin
from tests.report import reviews
from tierce.cli import review_text
from tierce.solver.advice.fair_decisions import fair_review
from tierce.solver.advice.review import review
from tierce.solver.advice.review_results import Review
from tierce.solver.report.summary import summary_of

FOLDER: Final = Path(__file__).parent


def small(name: str, deal: int) -> Review:
    """A deal of a small game, every decision judged."""
    return review(play(f"golden {name}", name, twin(name))[deal].deal, reviews.NAMES, seconds=None)


HANDS: Final[dict[str, Callable[[], Review]]] = {
    "match": lambda: reviews.match_reviews()[1],
    "unfinished": reviews.unfinished,
    "claimed": reviews.claimed,
    "miz": reviews.miz,
    "kitty_trick": reviews.kitty_trick,
    "small_raf": lambda: small("raf", 1),
    "small_swap": lambda: small("nine_five_two_swap", 2),
}
NAMES: Final = (*HANDS, "fair", "summary", "json")


def golden(name: str) -> str:
    """A report, but for what it took."""
    if name == "json":
        return "".join(f"{json.dumps(untimed(HANDS[hand]()).json())}\n" for hand in ("unfinished", "small_raf"))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        if name == "summary":
            review_text.show_summary(summary_of([*reviews.match_reviews(), reviews.unfinished(), small("raf", 1)]))
        elif name == "fair":
            found = small("raf", 1)
            review_text.show(untimed(found), replace(fair_review(found.deal, worlds=5), nodes=0, millis=0.0))
        else:
            review_text.show(untimed(HANDS[name]()))
    return out.getvalue()


def untimed(found: Review) -> Review:
    return replace(found, nodes=0, millis=0.0)
