"""What a dealer and a sender know, for tests of estimates."""

from __future__ import annotations

import json

from tierce.solver.advice.candidates import Candidate
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.sender_views import sender_view
from tierce.solver.advice.views import dealer_view
from tierce.solver.cards import mask_of, parse_cards, parse_hand
from tierce.solver.games import View, load_game
from tierce.solver.hints.view_json import view_json


def text_of(seen: View) -> bytes:
    """A view as a request has it."""
    return json.dumps(view_json(seen)).encode()


HAND = "KQ2.KQT984.2.AKQ753"
HELD = dealer_view(load_game("raf"), parse_hand(HAND))
CHOSEN = Candidate("H", Choice(mask_of(parse_cards("S2 HT H9 H8"))))
SENDER = "T9.A53.AK9842.Q8754"
SENDING = sender_view(load_game("raf"), parse_hand(SENDER), (9, 5, 2))
LONG_SUITS = "D:AKQJT9876543.AKQJ.2. ..AKQJT9876543.AKQJT .T98765432..98765432 / 2..."
SWAPPING = dealer_view(
    load_game("nine_five_three_one_card"), parse_hand("AKQJT9876543.AKQJ.2."), up_card=parse_hand("2...")
)
