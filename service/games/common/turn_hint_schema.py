"""The shape of hints in games in turns, and how they are written; a game adds that of its moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from marshmallow import fields

from service.core.game import Choice
from service.core.sequential import Play, TurnHint, TurnQuestion
from service.core.vocabulary import DEFAULT_EFFORT, EFFORTS, WIN
from service.games.common.turn_reasons import COMPARISONS, LEAST_SHARE, Explaining
from service.games.common.validation import Answer, Document, Integer, Name, OneOf, Table

TURN_OBJECTIVES = (WIN,)
MOST_TURNS = 300
"""Of a game to be reviewed."""
DEFAULT_REVIEW_MS = 20_000


# Requests -------------------------------------------------------------------------------------


def deadline(note: str = "", **kwargs: Any) -> Integer:
    """Milliseconds after which a search stops."""
    told = "From receipt, waiting included; it only stops early, and then `complete` is false."
    return Integer(10, 30_000, metadata={"description": told + note}, **kwargs)


def review_deadline() -> Integer:
    """The same for all decisions of a game together."""
    return deadline(
        " What was judged by then is told; the same request, sent again, goes on from there.",
        load_default=DEFAULT_REVIEW_MS,
    )


def objective() -> OneOf:
    return OneOf(
        TURN_OBJECTIVES,
        load_default="win",
        metadata={"description": "`win`: the player's share of the win."},
    )


def tier(note: str) -> OneOf:
    return OneOf(EFFORTS, load_default=DEFAULT_EFFORT, metadata={"description": note})


# Answers --------------------------------------------------------------------------------------


class SearchSchema(Answer):
    component = "TurnSearch"

    method = fields.String(required=True)
    depth = fields.Integer(
        required=True,
        metadata={"description": "Rounds of the others' turns looked ahead after one's own."},
    )
    tier = OneOf(EFFORTS, required=True)
    exact = fields.Boolean(
        required=True,
        metadata={"description": "Nothing of the stated values was cut, sampled or estimated."},
    )
    complete = fields.Boolean(
        required=True, metadata={"description": "False if the deadline stopped the search."}
    )
    resolved = fields.Integer(required=True, metadata={"description": "Positions looked at."})
    worlds = fields.Integer(
        required=True,
        metadata={
            "description": "In how many ways hidden cards were dealt: all there are where they are "
            "few, and then no `error` comes of them; else a sample, the same for all moves."
        },
    )
    evaluator = fields.String(required=True, metadata={"description": "Its version."})


class SuggestAbout(Answer):
    component = "TurnSuggestAbout"

    objectives = fields.List(fields.String(), required=True)
    tiers = fields.List(fields.String(), required=True)


class ReasonParams(Answer):
    """What reasons of all games in turns speak of; a game adds its own."""

    count = fields.Integer()
    share = fields.Float(metadata={"description": "Of the win."})
    player = Name()
    chance = fields.Float()
    error = fields.Float(metadata={"description": "Of the value, as a share of the win."})


PARAMS_NOTE = "What the code speaks of, and nothing else; shares are those of the search."


class ReasonShape(Answer):
    """What speaks for a choice or against it; a game adds the codes, and the shape of params."""

    text = fields.String(
        required=True, metadata={"description": "A sentence, as `Accept-Language` has it."}
    )


def reason_code(codes: Mapping[str, str]) -> OneOf:
    """The codes of a game's own reasons and of comparisons."""
    known = {**codes, **COMPARISONS}
    told = "\n".join(f"- `{code}`: {meaning}" for code, meaning in known.items())
    return OneOf(
        tuple(known),
        required=True,
        metadata={"description": f"{told}\n\nShares below {LEAST_SHARE} are not told."},
    )


def share_of_each(note: str) -> Table:
    """A number for each player."""
    return Table(keys=Name(), values=fields.Float(), required=True, metadata={"description": note})


def write_hint(
    question: TurnQuestion[Play, Choice],
    hint: TurnHint[Choice],
    write_move: Callable[[Choice], Document],
    evaluator: str,
    explaining: Explaining[Play, Choice],
    language: str,
) -> Document:
    """The answer; ``write_move`` writes one of the game's moves."""
    best = write_move(hint.choices[0].choice)
    written = {
        "player": question.player,
        "decision": question.decision.name,
        "pick": best,
        "pick_public": True,
        "best": best,
        "moves": [
            {
                "move": write_move(found.choice),
                "value": found.value,
                "loss": found.loss,
                "probability": 0.0 if place else 1.0,
                "error": found.error,
                "reasons": [
                    {
                        "code": why.code,
                        "params": dict(why.params),
                        "text": explaining.sentence(why, language),
                    }
                    for why in reasons
                ],
            }
            for place, (found, reasons) in enumerate(
                zip(hint.choices, explaining.reasons(question, hint), strict=True)
            )
        ],
        "outlook": dict(hint.outlook),
        "expected": dict(hint.outlook),
        "search": {
            "method": hint.method,
            "depth": hint.rounds,
            "tier": question.tier,
            "exact": hint.exact,
            "complete": hint.complete,
            "resolved": hint.resolved,
            "worlds": hint.worlds,
            "evaluator": evaluator,
        },
    }
    if hint.grade is not None:
        chosen, class_ = hint.grade
        written["grade"] = {
            "move": write_move(chosen.choice),
            "loss": chosen.loss,
            "class": class_,
        }
    return written
