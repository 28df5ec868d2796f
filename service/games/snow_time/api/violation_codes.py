"""Violation codes of Snow Time, each with its cause and its remedy."""

from __future__ import annotations

from typing import Final

from service.core.violation_codes import ErrorCode

VIOLATION_CODES: Final = {
    "wrong-seating": ErrorCode(
        "The game does not support this number of players or seats.",
        "Use 3 to 5 players with one seat each, or 2 players with two seats each: "
        "give two seats the same `player`.",
    ),
    "duplicate-seat": ErrorCode(
        "Two seats have the same name.",
        "Give each seat a different `seat`. A player with two seats has the same `player` twice.",
    ),
    "unknown-seat": ErrorCode(
        "The position has no such seat.",
        "Use the `seat` of a seat of the position, not its `player`; `detail` lists the seats.",
    ),
    "own-seat": ErrorCode(
        "Weights are given for a seat of the player who asks for the hint.",
        "Remove the seat from `weights`; they describe the other players.",
    ),
    "score-off-track": ErrorCode(
        "The score is beyond the last space of the track (R9).",
        "Use at most the length of the track: a marker stops on the last space.",
    ),
    "bonus-off-track": ErrorCode(
        "A bonus is on the last space or beyond it (R1).",
        "Put each bonus between space 1 and the second-to-last space, or increase `length`.",
    ),
    "duplicate-bonus": ErrorCode(
        "A space has more than one bonus (R1).",
        "Keep one of the bonuses.",
    ),
    "too-much-fruit": ErrorCode(
        "The tree has more fruit than there are tokens.",
        "Reduce the numbers in `fruit`: together they are at most 15.",
    ),
    "wrong-position": ErrorCode(
        "The `state` of a round in a review does not follow from the previous round and growth.",
        "Send the positions of one game in order, or send `dice` instead of `state`.",
    ),
    "healer-missing": ErrorCode(
        "The hand has no healer, but healers are never discarded.",
        'Add `"healer"` to the hand.',
    ),
    "duplicate-card": ErrorCode(
        "A card is listed more than once.",
        "List each card once; every deck has one copy of each card.",
    ),
    "card-not-in-hand": ErrorCode(
        "The card is not in the hand of the seat.",
        "Choose a card of the hand, or correct the hand in the position.",
    ),
    "watcher-added": ErrorCode(
        "A watcher cannot add a watcher (R3).",
        "Set `then.card` to another card of the hand.",
    ),
    "card-required": ErrorCode(
        "A watcher adds no card, but the track does not allow that (R2).",
        "Set `then.card` to a card of the hand, or `optional_watcher` of the track to true.",
    ),
    "then-without-watcher": ErrorCode(
        "The move has `then`, but only a watcher adds a card (R2).",
        "Remove `then`, or set `card` to `watcher`.",
    ),
    "recover-without-healer": ErrorCode(
        "The move has `recover`, but only a healer takes back champions (R4).",
        "Remove `recover`, or move it into `then` if the watcher adds a healer.",
    ),
    "illegal-recovery": ErrorCode(
        "The healer cannot take back these champions (R4).",
        "Take back champions that are not in the hand: up to two, or all seven if all seven are "
        "discarded. `legal-moves` lists the sets.",
    ),
    "move-missing": ErrorCode(
        "The move of a seat is missing.",
        'Add a move such as `{"card": "healer"}` under the name of the seat.',
    ),
    "wrong-dice": ErrorCode(
        "Growth rolls a different number of dice.",
        "Send one die for each fruit token in the supply, at most two.",
    ),
    "dice-or-seed": ErrorCode(
        "The request has both `dice` and `seed`, or neither.",
        "Send `dice` with the numbers rolled at the table, or `seed` to let the service roll.",
    ),
    "weights-with-revealed": ErrorCode(
        "Weights describe the card choice, which is over once cards are revealed.",
        "Remove `weights` or `revealed`.",
    ),
    "all-zero-weights": ErrorCode(
        "All weights of a seat are zero.",
        "Give at least one card a positive weight, or remove the seat from `weights`.",
    ),
    "hint-level": ErrorCode(
        "`chosen` or `include` would disclose more than the hint level allows.",
        "Set `hint_level` to `card`, or remove `chosen` and `include`.",
    ),
    "duplicate-what-if": ErrorCode(
        "`include` lists a result more than once.",
        "List each result once.",
    ),
    "include-with-revealed": ErrorCode(
        "What-ifs are available only at the card decision, but the request has `revealed`.",
        "Remove `include` or `revealed`.",
    ),
    "include-with-depth": ErrorCode(
        "What-ifs are available only at depth 1.",
        "Remove `include`, or set `depth` to 1.",
    ),
    "bad-profile": ErrorCode(
        "The profile is not the `compact` text of a hint.",
        "Send `opponents.NAME.compact` of an earlier hint unchanged, or remove the profile.",
    ),
    "profile-version": ErrorCode(
        "The profile belongs to another version of the library of styles.",
        "Remove the profile. The history of this game replaces it after a few rounds.",
    ),
    "own-profile": ErrorCode(
        "A profile is given for the player who asks for the hint.",
        "Remove the profile; profiles describe the other players.",
    ),
    "bad-nonce": ErrorCode(
        "The nonce is empty, too long or not printable ASCII.",
        "Use 1 to 128 printable ASCII characters, for example a random UUID.",
    ),
}
