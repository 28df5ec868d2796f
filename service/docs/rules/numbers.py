"""Numbers of the rules pages, all of them from the code of the games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from service.core.game import MAX_EVENTS
from service.games.registry import GAMES
from service.games.slopecrashers.rules import attacks as slope_attacks
from service.games.slopecrashers.rules import choices as slope_choices
from service.games.slopecrashers.rules import course as slope_course
from service.games.slopecrashers.rules import gifts as slope_gifts
from service.games.slopecrashers.rules import state as slope
from service.games.slopecrashers.rules.movement import chili_movements
from service.games.snow_time.rules import rules as snow_rules
from service.games.snow_time.rules import state as snow
from service.games.snowcrest.catalogue import cards
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.catalogue.schema import ROW_SIZE
from service.games.snowcrest.rules import setup, solo
from service.games.snowcrest.rules import state as crest
from service.games.snowcrest.rules.effects.effects import STARTER_WORSHIP
from service.games.snowcrest.rules.effects.meditation import (
    BELLS_PER_SOLO_SCROLL,
    TWO_PLAYER_SCROLLS,
)

Numbers = Mapping[str, int]


def _common(game: str) -> dict[str, int]:
    about = GAMES[game].about
    players: Mapping[str, int] = about["players"]
    version = int(about["rules_version"])
    return {"version": version, "fewest": players["min"], "most": players["max"]}


def _snow_time() -> Numbers:
    players = _common("snow-time")
    seats: Mapping[str, int] = GAMES["snow-time"].about["players"]["seats_each"]
    track = snow.default_track()
    seat = snow.Seat("red", "anna", 0, snow.DECK[len(snow.CHAMPIONS) - 1 :])
    return players | {
        "single": min(int(count) for count, each in seats.items() if each == 1),
        "seats_each": seats[str(players["fewest"])],
        "seats_of_fewest": seats[str(players["fewest"])] * players["fewest"],
        "levels": snow.LEVELS,
        "fruit_levels": snow.FRUIT_LEVELS,
        "tokens": snow.FRUIT_TOKENS,
        "dice": snow.DICE,
        "cards": len(snow.DECK),
        "champions": len(snow.CHAMPIONS),
        "taken_back": max(map(len, snow_rules.recoverable(seat))),
        "last_space": track.length,
        "bonuses": len(track.bonuses),
        "least_advance": min(bonus.advance for bonus in track.bonuses),
        "most_advance": max(bonus.advance for bonus in track.bonuses),
    }


def _slopecrashers() -> Numbers:
    behind, own, ahead = slope.Place(1, 0, 0), slope.Place(1, 1, 0), slope.Place(1, 2, 0)
    pieces = slope_course.DEFAULT_PIECES
    rows_ahead, rows_behind = slope_choices.SNOWMAN_ROWS
    return _common("slopecrashers") | {
        "laps": slope.LAPS,
        "movements": slope.MOVEMENTS,
        "stung": slope.STUNG_MOVEMENTS,
        "actions": slope.MAX_ACTIONS,
        "pieces": len(pieces),
        "piece_rows": len(pieces[0].rows),
        "lanes": len(pieces[0].rows[0]),
        "rows": sum(len(piece.rows) for piece in pieces),
        "most_pieces": slope_course.MAX_PIECES,
        "most_lanes": slope_course.MAX_LANES,
        "deck": slope_gifts.DEFAULT_DECK.size,
        "slide": slope_attacks.SLIDE,
        "chili_ahead": chili_movements(own, [behind.progress]),
        "chili": chili_movements(own, [behind.progress, ahead.progress]),
        "chili_last": chili_movements(own, [ahead.progress]),
        "rows_ahead": rows_ahead,
        "rows_behind": -rows_behind,
    }


def _snowcrest() -> Numbers:
    catalogue = DEFAULT_CATALOGUE
    kinds = Counter[cards.VillagerKind]()
    for villager in catalogue.villagers:
        kinds[villager.kind] += villager.copies
    villagers = {villager.id: villager for villager in catalogue.villagers}
    [trade] = _effects(villagers["merchant"], cards.Trade)
    traded = {each.what.label: each.count for each in trade.sets}
    [per_farm] = _effects(villagers["gardener"], cards.PerBuilding)
    farms, forges, temples = crest.BUILDING_LIMITS.values()
    return _common("snowcrest") | {
        "several": min(setup.SCROLLS),
        "cells": crest.VILLAGE_CELLS,
        "row": len(crest.LINES[0]),
        "hand": crest.START_HAND,
        "starters": kinds[cards.VillagerKind.STARTER],
        "villagers": kinds[cards.VillagerKind.VILLAGER],
        "deck": catalogue.deck.total(),
        "at_start": kinds[cards.VillagerKind.STARTER] + 1,
        "hand_left": crest.START_HAND - 1,
        "commons": kinds[cards.VillagerKind.COMMON],
        "common_row": ROW_SIZE,
        "guardians": catalogue.guardian_pile.total(),
        "forest_cards": catalogue.forest_pile.total(),
        "challenges": len(catalogue.challenges),
        "challenge_scrolls": max(challenge.scrolls for challenge in catalogue.challenges),
        "farms": farms,
        "forges": forges,
        "temples": temples,
        "slots": crest.BUILDING_SLOTS,
        "juniper": crest.JUNIPER_PER_PLAYER,
        "most_omen": crest.MAX_OMEN,
        "starter_worship": STARTER_WORSHIP,
        "higher_bid": TWO_PLAYER_SCROLLS,
        "solo_bells": BELLS_PER_SOLO_SCROLL,
        "solo_challenges": solo.SOLO_CHALLENGES,
        "difficulties": len(solo.DIFFICULTIES),
        "winning_points": solo.MIN_WINNING_POINTS,
        "trade_barley": traded["barley"],
        "trade_juniper": traded["juniper"],
        "trade_scrolls": traded["scroll"],
        "per_farm": per_farm.gain.count,
        "events": MAX_EVENTS,
    }


def _effects(villager: cards.Villager, kind: type[Any]) -> list[Any]:
    return [
        effect
        for action in villager.actions
        for effect in action.effects
        if isinstance(effect, kind)
    ]


NUMBERS: Final[Mapping[str, Numbers]] = {
    "snow-time": _snow_time(),
    "slopecrashers": _slopecrashers(),
    "snowcrest": _snowcrest(),
}
"""Numbers of each game, by the name of the placeholder."""
