"""What the English sentence of a reason states, as a direction of a number.

The sentences are matched, not the codes, so that a text with the wrong direction is met too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Effects = Sequence[tuple[str, str, str, int, int]]
"""Pattern of a sentence; the part; what is counted, or nothing; whether that is more (1) or less
(-1) than with the other choice; whether this is good (1) or bad (-1) for the player."""


@dataclass(frozen=True)
class StatedEffect:
    """What one reason states.

    Attributes:
        part: of the comparison.
        counted: name of the number that changes, or nothing.
        direction: 1 for more of it than with the other choice, -1 for less.
        favours: 1 if that speaks for the choice, otherwise -1.
    """

    part: str
    counted: str
    direction: int
    favours: int


def stated_effect(effects: Effects, reason: Mapping[str, Any]) -> StatedEffect:
    """Return what the sentence of a reason states; exactly one pattern fits."""
    found = [effect for effect in effects if re.search(effect[0], reason["text"], re.IGNORECASE)]
    assert len(found) == 1, f"{len(found)} patterns fit {reason}"
    _, part, counted, direction, favours = found[0]
    params = {name: reason["params"].get(name) for name in ("card", "player", "kind")}
    return StatedEffect(part.format(**params), counted.format(**params), direction, favours)


def stated_sides(text: str) -> set[int]:
    """Return the sides that the form of a sentence shows: a signed impact, an exception."""
    sides = {1 if sign == "+" else -1 for sign in re.findall(r"\(([+\N{MINUS SIGN}])\d", text)}
    if text.startswith("But "):
        sides.add(-1)
    return sides


TURNS: Effects = (
    ("better chances against the others", "others", "", 1, 1),
    ("worse chances against the others", "others", "", -1, -1),
    ("more likely to win soon", "result", "", 1, 1),
    ("less likely to win soon", "result", "", -1, -1),
    ("certain to win", "result", "", 1, 1),
    ("more wins soon per", "result", "won", 1, 1),
    ("fewer wins soon per", "result", "won", -1, -1),
    # The measure falls with lost games.
    ("fewer losses soon per", "result", "lost", 1, 1),
    ("more losses soon per", "result", "lost", -1, -1),
    (r"you almost certainly win soon( \(|\.$)", "result", "won", 1, 1),
    ("you almost certainly do not win soon", "result", "won", -1, -1),
    ("you almost certainly do not lose soon", "result", "lost", 1, 1),
    (r"you almost certainly lose soon( \(|\.$)", "result", "lost", -1, -1),
    ("you win sooner", "result", "won", 1, 1),
    ("you win later", "result", "won", -1, -1),
    ("you lose later", "result", "lost", 1, 1),
    ("you lose sooner", "result", "lost", -1, -1),
)
SLOPECRASHERS: Effects = (
    *TURNS,
    ("better gifts in your stack", "gifts", "", 1, 1),
    ("worse gifts in your stack", "gifts", "", -1, -1),
    (r"\d more gifts?", "gifts", "gifts", 1, 1),
    (r"\d fewer gifts?", "gifts", "gifts", -1, -1),
    ("you do not miss your next turn", "next-turn", "misses-turn", -1, 1),
    ("you miss your next turn", "next-turn", "misses-turn", 1, -1),
    ("next turn begins with two movements", "next-turn", "stung", -1, 1),
    ("next turn begins with one movement", "next-turn", "stung", 1, -1),
    ("a better next turn", "next-turn", "", 1, 1),
    ("a worse next turn", "next-turn", "", -1, -1),
    (r"\d more movements? next turn", "next-turn", "next-movements", 1, 1),
    (r"\d fewer movements? next turn", "next-turn", "next-movements", -1, -1),
    (" falls back", "others", "rival {player}", 1, 1),
    (" gets ahead", "others", "rival {player}", -1, -1),
    ("your next turn sets .* back more", "next-turn", "next rival {player}", 1, 1),
    ("your next turn sets .* back less", "next-turn", "next rival {player}", -1, -1),
    ("more next turn: .*movements? in gifts", "next-turn", "next-gifts-worth", 1, 1),
    ("less next turn: .*movements? in gifts", "next-turn", "next-gifts-worth", -1, -1),
    (r"more next turn: (?!.* in ).*gifts?( \(|\.$)", "next-turn", "next-gifts", 1, 1),
    (r"less next turn: (?!.* in ).*gifts?( \(|\.$)", "next-turn", "next-gifts", -1, -1),
    ("more on the way after your next turn: ", "next-turn", "later-gift-fields", 1, 1),
    ("fewer on the way after your next turn: ", "next-turn", "later-gift-fields", -1, -1),
    ("snowmen slow you down less", "next-turn", "snowmen", -1, 1),
    ("snowmen slow you down more", "next-turn", "snowmen", 1, -1),
    ("waiting costs you less", "next-turn", "waits", -1, 1),
    ("waiting costs you something", "next-turn", "waits", 1, -1),
    ("a shorter way", "progress", "way", -1, 1),
    ("a longer way", "progress", "way", 1, -1),
    ("more in your stack: ", "gifts", "{kind}", 1, 1),
    ("fewer in your stack: ", "gifts", "{kind}", -1, -1),
    ("more on the way: ", "progress", "gift-fields", 1, 1),
    ("fewer on the way: ", "progress", "gift-fields", -1, -1),
    ("further ahead", "progress", "movements", 1, 1),
    ("further back", "progress", "movements", -1, -1),
    ("a better place on the course", "progress", "", 1, 1),
    ("a worse place on the course", "progress", "", -1, -1),
)
RESOURCE = "(barley|juniper|gold|(prayer bell|offering bowl)s?)"
SNOWCREST: Effects = (
    *TURNS,
    ("stronger actions next turn", "actions", "", 1, 1),
    ("weaker actions next turn", "actions", "", -1, -1),
    ("more useful buildings", "buildings", "", 1, 1),
    ("less useful buildings", "buildings", "", -1, -1),
    (r"\d more buildings?", "buildings", "buildings", 1, 1),
    (r"\d fewer buildings?", "buildings", "buildings", -1, -1),
    (r"\d face-up buildings? more", "buildings", "face-up", 1, 1),
    (r"\d face-up buildings? fewer", "buildings", "face-up", -1, -1),
    (r"\d (farm|forge|temple)s? more", "buildings", "{kind}", 1, 1),
    (r"\d (farm|forge|temple)s? fewer", "buildings", "{kind}", -1, -1),
    ("closer to a challenge", "challenges", "", 1, 1),
    ("further from a challenge", "challenges", "", -1, -1),
    (r"better cards in your hand( \(|\.$)", "hand", "", 1, 1),
    (r"worse cards in your hand( \(|\.$)", "hand", "", -1, -1),
    (r"\d more hand cards?", "hand", "hand", 1, 1),
    (r"\d fewer hand cards?", "hand", "hand", -1, -1),
    ("more majorities of resources", "majorities", "", 1, 1),
    ("fewer majorities of resources", "majorities", "", -1, -1),
    # The measure falls with omen.
    ("less omen to come", "omen", "", 1, 1),
    ("more omen to come", "omen", "", -1, -1),
    (r"\d less omen", "omen", "omen", 1, 1),
    (r"\d more omen", "omen", "omen", -1, -1),
    (" falls behind", "others", "rival {player}", 1, 1),
    (" gets ahead", "others", "rival {player}", -1, -1),
    ("at a better time", "phase", "", 1, 1),
    ("at a worse time", "phase", "", -1, -1),
    ("a better end: .* more scrolls? left", "phase", "supply", 1, 1),
    ("a better end: .* fewer scrolls? left", "phase", "supply", -1, 1),
    ("a worse end: .* more scrolls? left", "phase", "supply", 1, -1),
    ("a worse end: .* fewer scrolls? left", "phase", "supply", -1, -1),
    ("more points to come", "points", "", 1, 1),
    ("fewer points to come", "points", "", -1, -1),
    (r"\d more scrolls?\b(?! left)", "points", "scrolls", 1, 1),
    (r"\d fewer scrolls?\b(?! left)", "points", "scrolls", -1, -1),
    ("better resources", "resources", "", 1, 1),
    ("worse resources", "resources", "", -1, -1),
    ("more in village: ", "villagers", "{kind}", 1, 1),
    ("fewer in village: ", "villagers", "{kind}", -1, -1),
    # Now or later.
    (rf"\d {RESOURCE} more", "resources", "{kind}", 1, 1),
    (rf"\d {RESOURCE} less", "resources", "{kind}", -1, -1),
    (r"more for next turn: .*villagers? (who|with)", "actions", "ready-{kind}", 1, 1),
    (r"less for next turn: .*villagers? (who|with)", "actions", "ready-{kind}", -1, -1),
    (r"more for next turn: (?!.*villager)", "actions", "available-{kind}", 1, 1),
    (r"less for next turn: (?!.*villager)", "actions", "available-{kind}", -1, -1),
    (r"more later on: .* to (?!exhaust)", "actions", "{kind}", 1, 1),
    (r"less later on: ", "actions", "{kind}", -1, -1),
    (
        r"more later on: .* (villagers?|cells? to exhaust before a rest)( \(|\.$)",
        "villagers",
        "{kind}",
        1,
        1,
    ),
    (r"fewer later on: .* villagers?( \(|\.$)", "villagers", "{kind}", -1, -1),
    (r"majorit(y|ies) of resources more later", "majorities", "{kind}", 1, 1),
    (r"more later on: .* hand cards?( \(|\.$)", "hand", "{kind}", 1, 1),
    (r"fewer later on: .* hand cards?( \(|\.$)", "hand", "{kind}", -1, -1),
    ("more in hand: ", "hand", "held-{kind}", 1, 1),
    ("fewer in hand: ", "hand", "held-{kind}", -1, -1),
    ("more for majorities: ", "majorities", "available-{kind}", 1, 1),
    ("less for majorities: ", "majorities", "available-{kind}", -1, -1),
    ("omen less later", "omen", "later-omen", 1, 1),
    ("omen more later", "omen", "later-omen", -1, -1),
    (r"points? more later", "points", "later-points", 1, 1),
    (r"points? fewer later", "points", "later-points", -1, -1),
    (r"points? better off by the end", "result", "later-lead", 1, 1),
    (r"points? worse off by the end", "result", "later-lead", -1, -1),
    (r"\d more resources?", "resources", "resources", 1, 1),
    (r"\d fewer resources?", "resources", "resources", -1, -1),
    ("you do not have to rest next turn", "villagers", "rest-due", -1, 1),
    ("you have to rest next turn", "villagers", "rest-due", 1, -1),
    ("you can rest later", "villagers", "rest-sooner", -1, 1),
    ("a rest comes sooner", "villagers", "rest-sooner", 1, -1),
    (r"a stronger village( \(|\.$)", "villagers", "", 1, 1),
    (r"a weaker village( \(|\.$)", "villagers", "", -1, -1),
    ("a stronger village with .* ready", "villagers", "ready {card}", 1, 1),
    ("a weaker village without .* ready", "villagers", "ready {card}", -1, -1),
    ("a stronger village with (?!.* ready)", "villagers", "village {card}", 1, 1),
    ("a stronger village without ", "villagers", "village {card}", -1, 1),
    ("a weaker village with ", "villagers", "village {card}", 1, -1),
    ("a weaker village without (?!.* ready)", "villagers", "village {card}", -1, -1),
    ("better cards in your hand with ", "hand", "held {card}", 1, 1),
    ("better cards in your hand without ", "hand", "held {card}", -1, 1),
    ("worse cards in your hand with ", "hand", "held {card}", 1, -1),
    ("worse cards in your hand without ", "hand", "held {card}", -1, -1),
    (r"\d more ready villagers?", "villagers", "villagers", 1, 1),
    (r"\d fewer ready villagers?", "villagers", "villagers", -1, -1),
)
