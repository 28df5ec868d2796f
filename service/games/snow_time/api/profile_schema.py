"""JSON schemas of profiles: how a player plays."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.fields import Nested, OneOf, ResponseSchema, Verbatim
from service.games.snow_time.api.profile_messages import TRAITS
from service.games.snow_time.engine.heuristic_payoffs import KEPT_KINDS


class StyleParams(ResponseSchema):
    """The parameters of a style; only those of its code."""

    component = "SnowTimeStyleParams"

    kind = OneOf(KEPT_KINDS, metadata={"description": "The cards that the player saves or spends."})


class StyleSchema(ResponseSchema):
    """One thing that can be said about how a player plays."""

    component = "SnowTimeStyle"

    code = fields.String(
        required=True,
        metadata={"description": ", ".join(TRAITS) + "; the list can grow."},
    )
    params = Verbatim(StyleParams, required=True)
    probability = fields.Float(required=True)
    text = fields.String(
        required=True, metadata={"description": "A sentence in the language of the response."}
    )


class ProfileParameters(ResponseSchema):
    """Estimated parameters of a player."""

    component = "SnowTimeProfileParameters"

    worth_champion = fields.Float(
        required=True, metadata={"description": "Value of a kept champion, in spaces."}
    )
    worth_watcher = fields.Float(required=True)
    worth_blizzard = fields.Float(required=True)
    precision = fields.Float(
        required=True,
        metadata={"description": "Per space: a move that seems worse by d is rarer by exp(-d p)."},
    )


class ProfileEvidence(ResponseSchema):
    """What a profile is based on."""

    component = "SnowTimeProfileEvidence"

    rounds = fields.Integer(
        required=True, metadata={"description": "Rounds with a known choice of the player."}
    )
    nats = fields.Float(
        required=True,
        metadata={"description": "How much better than chance the choices were predicted."},
    )


class ProfileSchema(ResponseSchema):
    """How a player plays, as far as its choices tell."""

    component = "SnowTimeProfile"

    styles = fields.List(
        Nested(StyleSchema), required=True, metadata={"description": "The likeliest first."}
    )
    parameters = Nested(ProfileParameters, required=True)
    evidence = Nested(ProfileEvidence, required=True)
    compact = fields.String(
        required=True,
        metadata={"description": "For `opponents.profiles` of later games with the same people."},
    )
