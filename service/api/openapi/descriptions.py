"""Descriptions of properties that mean the same in many schemas: one sentence for each name.

A schema class describes what is special about its own fields; this table has the rest, so that
every property of the specification has a description, and equal ones have equal words.
"""

from __future__ import annotations

from typing import Any, Final

PROPERTIES: Final = {
    # Everywhere
    "card": "The card.",
    "cards": "The cards.",
    "code": "A stable code for programs.",
    "count": "How many.",
    "decision": "What is decided now.",
    "effort": "The effort that was used.",
    "events": "What happens, in order.",
    "evaluator": "Name and digest of the evaluator.",
    "game": "Id of the game in addresses.",
    "game_over": "Whether the game has ended.",
    "hint_level": "How much it tells.",
    "kind": "The kind.",
    "loss": "Difference from the value of the best choice.",
    "operations": "Names of the operations, as in their addresses.",
    "player": "Id of the player.",
    "players": "The players, or a value for each.",
    "probability": "Between 0 and 1.",
    "rule": "Number of a ruling.",
    "rules_version": "Changes when a rule changes.",
    "seats": "Ids of the seats.",
    "text": "In the language of the request.",
    "type": "Its kind.",
    "winners": "Empty until the game ends.",
    "classes": "Number of decisions of each class.",
    "best_plan": "The choices that would follow the best one.",
    # Names
    "en": "In English.",
    "de": "In German.",
    "zh-Hans": "In Simplified Chinese.",
    "zh-Hant": "In Traditional Chinese.",
    # What suggest takes
    "efforts": "Allowed values of `effort`.",
    "hint_levels": "Allowed values of `hint_level`.",
    "include": "Allowed values of `include`.",
    "models": "Allowed values of `opponents.model`.",
    "objectives": "Allowed values of `objective`.",
    # Snow Time
    "bonus": "Spaces by bonus spaces of the track.",
    "dice": "The rolled levels.",
    "fallen": "Seats whose champions fall.",
    "fight": "Spaces by fights.",
    "fruit": "Spaces by fruit.",
    "level": "Level of the tree, from 1.",
    "mana": "Spaces by the mana point.",
    "nudges": "What to think about.",
    # Slopecrashers and Snowcrest
    "actions": "What the card does, in order.",
    "at_least": "The smallest number that meets the condition.",
    "building": "The kind of building.",
    "buildings": "Buildings.",
    "cell": "Cell of the village, counted row by row from 0.",
    "challenge": "Id of the challenge.",
    "challenges": "The challenges.",
    "draw": "The possible cards, each with its probability.",
    "items": "What is given up or lost, one by one.",
    "lane": "Lane, counted from 0 at the left.",
    "omen": "Omen.",
    "row": "Row, counted from 0 at the start.",
    "scrolls": "Scrolls.",
    "space": "The space.",
    "spent": "Whether it is a spent building.",
    "targets": "The players it hits.",
    "truncated": "Whether the list of choices is cut; those left out are legal, too.",
}
"""Description of every property of a name, unless the next table has another."""

OWN: Final = {
    "Advice": {"text": "The headline in the language of the request."},
    "AdviceParams": {
        "choices": "The choices that it speaks of.",
        "mistakes": "The choices that lose much.",
        "chances": "Probability of each of `choices`.",
        "margin": "Lead of the best choice.",
        "spread": "Largest difference between the choices.",
        "error": "Error of such a difference.",
        "result": "What is certain.",
    },
    "BatchLimits": {"body_bytes": "Of the whole batch."},
    "BatchRequest": {"requests": "The requests, in the order of their answers."},
    "BatchResult": {"id": "That of the request."},
    "GamesResponse": {"games": "All games."},
    "Health": {"status": "`ok`, `ready` or `starting`."},
    "LuckBySource": {
        "draws": "By dice or drawn cards.",
        "others": "By the choices of other players.",
        "search": "None: a later search sees more.",
    },
    "PlayerCount": {"min": "Fewest players.", "max": "Most players."},
    "Problem": {
        "title": "The name of the status.",
        "status": "The HTTP status.",
        "detail": "The first violation and how to correct it; the wording can change.",
        "request_id": "That of the header `X-Request-Id`.",
    },
    "RateLimit": {"window_seconds": "In which the units are available."},
    "VersionResponse": {"api": "Of this specification.", "engine": "Of the search."},
    # Snow Time
    "SnowTimeAward": {"kind": "What the points are for.", "seat": "The seat that gets them."},
    "SnowTimeBonus": {
        "space": "Number of the space.",
        "advance": "Further spaces.",
        "kind": "The colour: of which points the last must be.",
    },
    "SnowTimeFruitAbout": {
        "dice": "Dice rolled in a round.",
        "levels": "Levels of the tree.",
        "tokens": "Fruit of the box.",
    },
    "SnowTimeNext": {"value": "Value of the position then."},
    "SnowTimeProfileParameters": {
        "worth_watcher": "What the player spends a watcher for, in spaces.",
        "worth_blizzard": "What the player spends a blizzard for, in spaces.",
    },
    "SnowTimeReasonParams": {
        "all": "Whether all champions are meant.",
        "cards": "Cards that it speaks of.",
        "chance": "Probability that it happens.",
        "count": "Number of fruit.",
        "discarded": "Number of discarded champions.",
        "finishes": "Whether it leads to the last space.",
        "mana": "Whether the mana point is meant.",
        "space": "Number of the bonus space.",
    },
    "SnowTimeResolveResponse": {"winning_seats": "Seats of the winners."},
    "SnowTimeReviewResponse": {"players": "The account of each player."},
    "SnowTimeSeat": {"score": "Space of the marker on the track."},
    "SnowTimeTrack": {
        "length": "Number of the last space; the first is 0.",
        "bonuses": "The bonus spaces.",
    },
    # Slopecrashers
    "SlopecrashersActionAnswer": {"magnet": "Whether the player foils the attack with a magnet."},
    "SlopecrashersEventMovements": {"movements": "Movements that are left."},
    "SlopecrashersFactParams": {"count": "Number of gifts.", "rows": "Rows gained."},
    "SlopecrashersPlace": {"lap": "Lap, 1 or 2."},
    "SlopecrashersReviewResponse": {"players": "The account of each player."},
    "SlopecrashersState": {"snowmen": "Snowmen on the course."},
    # Snowcrest
    "SnowcrestAboutResponse": {"difficulties": "Those of the solo game, by number."},
    "SnowcrestCardAction": {"effects": "What it does, in order."},
    "SnowcrestCatalogue": {
        "commons": "The common villagers.",
        "guardians": "The guardians.",
        "forest": "The forest cards.",
    },
    "SnowcrestCatalogueSchemaResponse": {
        "$schema": "The dialect of JSON Schema.",
        "title": "Name of the schema.",
        "type": "`object`.",
        "properties": "A schema for each member.",
        "required": "Members that must be there.",
        "additionalProperties": "False: other members are refused.",
    },
    "SnowcrestChallenge": {"conditions": "All must hold."},
    "SnowcrestConditionVillagers": {"kind": "The kind of villager."},
    "SnowcrestDifficulty": {"barley": "At the start.", "scrolls": "Needed to win."},
    "SnowcrestEffectTrade": {"sets": "What can be exchanged for each other."},
    "SnowcrestEventCopy": {"owner": "Whose card is copied."},
    "SnowcrestEventSkip": {"action": "What is skipped."},
    "SnowcrestGrade": {"code": "Of the grade."},
    "SnowcrestLegalMovesPay": {"cost": "What is to be paid."},
    "SnowcrestResident": {"exhausted": "Whether the card lies face down."},
    "SnowcrestReviewResponse": {"players": "The account of each player."},
    "SnowcrestScore": {
        "points": "The sum.",
        "scrolls": "Points for scrolls.",
        "buildings": "Points for buildings.",
        "omen": "Points for the omen marker.",
    },
    "SnowcrestSeat": {
        "scrolls": "Scrolls of the player.",
        "village": "The cards in the cells.",
        "buildings": "Buildings by kind.",
    },
    "SnowcrestSolo": {"won": "Whether the solo game is won."},
    "SnowcrestState": {"challenges": "The challenges on the table."},
    "SnowcrestStock": {"up": "Buildings that can pay.", "spent": "Buildings turned over."},
    "TurnReasonParams": {
        "ability": "What the villager does.",
        "card": "The card that it speaks of.",
        "count": "How many.",
        "gained": "Amount of each resource.",
        "gift": "The gift that it speaks of.",
        "instead": "The number with the other choice.",
        "most": "The largest number.",
        "players": "The players that it speaks of.",
        "resource": "The resource that it speaks of.",
    },
}
"""Descriptions of the properties of single components."""


def add_descriptions(components: dict[str, Any]) -> None:
    """Describe every property of these tables that has neither a description nor a named type.

    Args:
        components: schema components by name; changed.
    """
    for name, component in components.items():
        words = PROPERTIES | OWN.get(name, {})
        for field, schema in component.get("properties", {}).items():
            if field in words and "$ref" not in schema:
                schema.setdefault("description", words[field])
