"""What the codes of Snow Time's own faults mean."""

from __future__ import annotations

from typing import Final

VIOLATION_CODES: Final = {
    "wrong-seating": "Neither three to five players with one seat nor two with two seats each.",
    "duplicate-seat": "Two seats have the same name.",
    "unknown-seat": "The position has no such seat.",
    "own-seat": "Weights are for the seats of other players.",
    "score-off-track": "The score is beyond the last space (R9).",
    "bonus-off-track": "A bonus space lies beyond the track or on its last space (R1).",
    "duplicate-bonus": "A space has two bonuses (R1).",
    "too-much-fruit": "There is more fruit on the tree than there are tokens.",
    "healer-missing": "A hand lacks the healer, which is never discarded.",
    "duplicate-card": "A card is named twice.",
    "card-not-in-hand": "The seat does not hold the card.",
    "watcher-added": "A watcher cannot add itself (R3).",
    "then-without-watcher": "Only a watcher adds a card (R2).",
    "recover-without-healer": "Only a healer takes champions back (R4).",
    "illegal-recovery": "The healer may not take these champions back (R4).",
    "move-missing": "The move of a seat is missing.",
    "wrong-dice": "Growth rolls another number of dice.",
    "dice-or-seed": "Exactly one of `dice` and `seed` is due.",
    "weights-with-revealed": "Weights are for the card decision only.",
    "all-zero-weights": "No weight of the seat is positive.",
    "hint-level": "A grade or a what-if would tell what the hint level keeps back.",
    "duplicate-what-if": "The same what-if is asked for twice.",
    "include-with-revealed": "What-ifs are for the card decision only.",
    "include-with-depth": "What-ifs look one round ahead.",
    "bad-nonce": "A nonce is 1 to 128 printable ASCII characters.",
}
