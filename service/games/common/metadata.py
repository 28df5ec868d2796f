"""Schemas of ``GET /v1/games`` and ``GET /v1/games/{game}``; a game adds more fields."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields

from service.core.languages import LANGUAGES
from service.games.common.fields import Nested, ResponseSchema


class Names(ResponseSchema):
    """A name in all languages."""

    component = "Titles"

    class Meta(ResponseSchema.Meta):
        # Not attributes: a tag with a script is no Python name.
        include: ClassVar = {language: fields.String(required=True) for language in LANGUAGES}


class GameSummary(ResponseSchema):
    """A game and its operations."""

    component = "GameSummary"

    game = fields.String(required=True)
    title = Nested(Names, required=True)
    rules_version = fields.String(required=True)
    operations = fields.List(fields.String(), required=True)


class PlayerCount(ResponseSchema):
    """The numbers of players and seats."""

    component = "PlayerCount"

    min = fields.Integer(required=True)
    max = fields.Integer(required=True)
    seats_each = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={
            "description": "Seats of each player, by number of players. If absent, each player "
            "has one seat."
        },
    )


class GradeLimits(ResponseSchema):
    """The limits of the grades of choices."""

    component = "GradeLimits"

    limits = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.Float()),
        required=True,
        metadata={
            "description": "Largest loss, by objective and class, in proportion to its stake."
        },
    )
    stakes = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.Float()),
        metadata={"description": "Of these limits; the stake is the best value."},
    )
    worst = fields.String(required=True, metadata={"description": "The class of larger losses."})


class GameMetadata(GameSummary):
    """Metadata of any game."""

    players = Nested(PlayerCount, required=True)
    cards = fields.Dict(keys=fields.String(), values=Nested(Names), required=True)
    kinds = fields.Dict(keys=fields.String(), values=Nested(Names), required=True)
    decisions = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    rulings = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    rules_pages = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={
            "description": "Addresses of the complete rules, by language. The reason for a ruling "
            "is there at its number in lower case, such as `#r4`."
        },
    )


class GradedGameMetadata(GameMetadata):
    """Metadata of a game whose ``grades`` are those of choices."""

    grades = Nested(GradeLimits, required=True)


class RoundGameMetadata(GradedGameMetadata):
    """Metadata of a game of simultaneous choices, whose hints are mixed strategies."""

    quantal_precision = fields.Dict(
        keys=fields.String(),
        values=fields.Float(),
        required=True,
        metadata={
            "description": "By objective: under `quantal` and `level-1`, a move that is worse by d "
            "is played exp(-precision * d) times as often."
        },
    )
