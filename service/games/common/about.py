"""What every game tells of itself; each adds what is its own."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.validation import Answer, Nested


class Titles(Answer):
    component = "Titles"

    en = fields.String(required=True)
    de = fields.String(required=True)
    zh = fields.String(required=True)


class GameInShort(Answer):
    component = "GameSummary"

    game = fields.String(required=True)
    title = Nested(Titles, required=True)
    rules_version = fields.String(required=True)
    verbs = fields.List(fields.String(), required=True)


class Players(Answer):
    component = "PlayerCount"

    min = fields.Integer(required=True)
    max = fields.Integer(required=True)
    seats_each = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={
            "description": "By how many players there are, how many seats each has; one if absent."
        },
    )


class Grades(Answer):
    component = "GradeLimits"

    limits = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.Float()),
        required=True,
        metadata={"description": "By objective and class, the greatest loss."},
    )
    worst = fields.String(required=True, metadata={"description": "The class of what loses more."})


class GameAbout(GameInShort):
    players = Nested(Players, required=True, metadata={"description": "How many can play."})
    cards = fields.Dict(keys=fields.String(), values=Nested(Titles), required=True)
    kinds = fields.Dict(keys=fields.String(), values=Nested(Titles), required=True)
    decisions = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    rulings = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class HintedGameAbout(GameAbout):
    grades = Nested(Grades, required=True)


class RoundGameAbout(HintedGameAbout):
    """Of a game in which all choose at once, and hints are mixed."""

    quantal_precision = fields.Dict(
        keys=fields.String(),
        values=fields.Float(),
        required=True,
        metadata={
            "description": "By objective: a move that is worse by d is played exp(-precision * d) "
            "times as often under `quantal` and `level-1`."
        },
    )
