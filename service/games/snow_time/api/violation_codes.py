"""Violation codes of Snow Time and their meanings."""

from __future__ import annotations

from typing import Final

VIOLATION_CODES: Final = {
    "wrong-seating": "The seats are not 3 to 5 players with one seat each or 2 players with two.",
    "duplicate-seat": "Two seats have the same name.",
    "unknown-seat": "The position has no such seat.",
    "own-seat": "Weights are given for a seat of the player who asks for the hint.",
    "score-off-track": "The score is beyond the last space (R9).",
    "bonus-off-track": "A bonus space is not between space 1 and the last but one (R1).",
    "duplicate-bonus": "A space has more than one bonus (R1).",
    "too-much-fruit": "The tree has more fruit than there are tokens.",
    "healer-missing": "The hand has no healer, but a healer is never discarded.",
    "duplicate-card": "A card is listed more than once.",
    "card-not-in-hand": "The card is not in the hand of the seat.",
    "watcher-added": "A watcher cannot add a watcher (R3).",
    "then-without-watcher": "Only a watcher can add a card (R2).",
    "recover-without-healer": "Only a healer can take back champions (R4).",
    "illegal-recovery": "The healer may not take these champions back (R4).",
    "move-missing": "The move of a seat is missing.",
    "wrong-dice": "Growth rolls a different number of dice.",
    "dice-or-seed": "Exactly one of `dice` and `seed` is required.",
    "weights-with-revealed": "Weights are allowed at the card decision only.",
    "all-zero-weights": "No weight of the seat is positive.",
    "hint-level": "A grade or a what-if would disclose more than the hint level allows.",
    "duplicate-what-if": "`include` lists a what-if more than once.",
    "include-with-revealed": "What-ifs are available at the card decision only.",
    "include-with-depth": "What-ifs are available at depth 1 only.",
    "bad-nonce": "A nonce must be 1 to 128 printable ASCII characters.",
}
