"""Reviews: what all games share of their schemas, and the account of a player."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.core.reviews import Account
from service.core.vocabulary import GRADES
from service.games.common.fields import Document, MapOf, Name, OneOf, ResponseSchema

ONLY_ERRORS: Final = "Only after an error."


def grade_class() -> OneOf:
    """Return the field of a loss's grade, ``class`` in JSON."""
    return OneOf(GRADES, required=True, attribute="class_", data_key="class")


def share_by_player(note: str, *, required: bool = True) -> MapOf:
    """Return a field with a number for each player."""
    return MapOf(
        keys=Name(),
        values=fields.Float(),
        required=required,
        metadata={"description": note},
    )


class DecisionValues(ResponseSchema):
    """The values of a decision of any game."""

    player = Name(required=True)
    best_value = fields.Float(
        required=True,
        metadata={"description": "Share of the win with the best choice."},
    )
    value = fields.Float(
        required=True, metadata={"description": "Share of the win with the player's choice."}
    )
    loss = fields.Float(required=True, metadata={"description": "`best_value` minus `value`."})
    class_ = grade_class()


class LuckBySource(ResponseSchema):
    """Shares of the win gained by luck, by source."""

    component = "LuckBySource"

    draws = fields.Float(required=True)
    others = fields.Float(required=True)
    search = fields.Float(required=True)
    indifferent = fields.Float(metadata={"description": "Only in games of rounds."})


class Skill(ResponseSchema):
    """A player's grades and total loss."""

    classes = MapOf(keys=OneOf(GRADES), values=fields.Integer(), required=True)
    loss = fields.Float(
        required=True, metadata={"description": "Sum over all decisions: the skill part."}
    )


class ReviewProgress(ResponseSchema):
    """How much of a review is finished."""

    component = "ReviewProgress"

    done = fields.Integer(required=True, metadata={"description": "Finished steps."})
    total = fields.Integer(
        required=True,
        metadata={
            "description": "Steps of the whole review, the same in each call: the solutions that "
            "decisions, luck and profiles need."
        },
    )


class ReviewSearch(ResponseSchema):
    """How a review was computed."""

    component = "TurnReviewSearch"

    method = fields.String(required=True, metadata={"description": "`turn-expectimax`."})
    effort = fields.String(required=True)
    complete = fields.Boolean(
        required=True,
        metadata={"description": "False if the deadline stopped the review."},
    )
    nodes = fields.Integer(required=True, metadata={"description": "Positions searched."})
    evaluator = fields.String(required=True)


def render_account(account: Account) -> Document:
    """Return a player's account; ``luck``, ``start`` and ``end`` only if they exist."""
    document: Document = {"classes": dict(account.classes), "loss": account.loss}
    if account.luck:
        document["luck"] = dict(account.luck)
    if account.start is not None:
        document["start"] = account.start
    if account.end is not None:
        document["end"] = account.end
    return document
