"""The shape of a review, and how it is written; a game adds the shape of its moves."""

from __future__ import annotations

from collections.abc import Callable

from marshmallow import fields

from service.core.game import Choice
from service.core.sequential import Play
from service.core.turn_reviews import Account, JudgedDecision, PlayedTurns, TurnsReview
from service.core.vocabulary import GRADES, LUCK_SOURCES
from service.games.common.validation import Answer, Document, Name, Nested, OneOf, Table


def grade_class() -> OneOf:
    """What a loss is called."""
    return OneOf(GRADES, required=True, attribute="class_", data_key="class")


class LuckSchema(Answer):
    component = "Luck"

    source = OneOf(
        LUCK_SOURCES,
        required=True,
        metadata={
            "description": "What came since the player's decision before:\n"
            "- `draws`: something was drawn or answered in the same turn\n"
            "- `others`: others had turns\n"
            "- `search`: nothing, but the search looked again from nearer"
        },
    )
    share = fields.Float(required=True, metadata={"description": "Of the win, gained by it."})


class Judgement(Answer):
    player = Name(required=True)
    expected = fields.Float(
        required=True, metadata={"description": "Share of the win, the best being done."}
    )
    value = fields.Float(
        required=True, metadata={"description": "Share of the win with what was done."}
    )
    loss = fields.Float(required=True, metadata={"description": "The one minus the other."})
    class_ = grade_class()


class ReviewedDecision(Judgement):
    turn = fields.Integer(required=True, metadata={"description": "Which of `turns`, from 0."})
    atom = fields.Integer(
        required=True,
        metadata={"description": "How many atoms of the turn, draws included, came before."},
    )
    luck = Nested(LuckSchema, metadata={"description": "From the player's second decision on."})


class LuckBySource(Answer):
    component = "LuckBySource"

    draws = fields.Float(required=True)
    others = fields.Float(required=True)
    search = fields.Float(required=True)


class Skill(Answer):
    classes = Table(keys=OneOf(GRADES), values=fields.Integer(), required=True)
    loss = fields.Float(required=True, metadata={"description": "Of all decisions; the skill."})


class AccountSchema(Skill):
    component = "PlayerAccount"

    luck = Nested(LuckBySource, required=True)
    start = fields.Float(metadata={"description": "Expected at the player's first decision."})
    end = fields.Float(
        metadata={
            "description": "The share won; while the game goes on, what the last decision led to. "
            "It is `start` - `loss` + all `luck`."
        }
    )


class ReviewSearch(Answer):
    component = "TurnReviewSearch"

    method = fields.String(required=True)
    tier = fields.String(required=True)
    complete = fields.Boolean(
        required=True, metadata={"description": "False if time ended before all was told."}
    )
    judged = fields.Integer(required=True, metadata={"description": "Decisions judged."})
    decisions = fields.Integer(required=True, metadata={"description": "Decisions there are."})
    resolved = fields.Integer(required=True, metadata={"description": "Positions looked at."})
    evaluator = fields.String(required=True, metadata={"description": "Its version."})


class ReviewAnswer(Answer):
    players = Table(keys=Name(), values=Nested(AccountSchema), required=True)
    game_over = fields.Boolean(required=True)
    winners = fields.List(Name(), required=True)
    search = Nested(ReviewSearch, required=True)


def write_review(
    played: PlayedTurns[Play, Choice],
    review: TurnsReview[Play, Choice],
    write_move: Callable[[Choice], Document],
    evaluator: str,
) -> Document:
    """The answer; ``write_move`` writes one of the game's moves."""
    return {
        "decisions": [_decision(decision, write_move) for decision in review.decisions],
        "players": {player: write_account(told) for player, told in review.accounts.items()},
        "game_over": played.over,
        "winners": list(played.winners),
        "search": {
            "method": review.method,
            "tier": played.tier,
            "complete": review.complete,
            "judged": len(review.decisions),
            "decisions": len(played.decisions),
            "resolved": review.resolved,
            "evaluator": evaluator,
        },
    }


def _decision(
    judged: JudgedDecision[Play, Choice], write_move: Callable[[Choice], Document]
) -> Document:
    question = judged.past.question
    assert question.chosen is not None, "a past decision was taken"
    written = {
        "turn": judged.past.turn,
        "atom": judged.past.atom,
        "player": question.player,
        "decision": question.decision.name,
        "move": write_move(question.chosen),
        "best": write_move(judged.best),
        "expected": judged.expected,
        "value": judged.value,
        "loss": judged.loss,
        "class": judged.class_,
    }
    if judged.luck is not None:
        written["luck"] = {"source": judged.luck.source, "share": judged.luck.share}
    return written


def write_account(account: Account) -> Document:
    """A player's account, as far as it is told."""
    written: Document = {"classes": dict(account.classes), "loss": account.loss}
    if account.luck:
        written["luck"] = dict(account.luck)
    if account.start is not None:
        written["start"] = account.start
    if account.end is not None:
        written["end"] = account.end
    return written
