"""Response schemas of hints that games in rounds share: everything, a shortlist, or nudges only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from marshmallow import fields

from service.core.vocabulary import CARD, EFFORTS, NUDGE, SHORTLIST
from service.games.common.advice_schema import Advice
from service.games.common.brief_hints import ONLY_FULL
from service.games.common.fields import MapOf, Name, Nested, OneOf, ResponseSchema
from service.games.common.review_schema import grade_class
from service.games.common.rounds.form import RoundForm

Members = Mapping[str, fields.Field[Any]]
"""Fields of a schema by name."""
NONE: Final[Members] = {}
NO_DIFFERENCE: Final = "even"
"""Nudge code if nothing distinguishes good moves from bad ones."""


def listed(codes: Mapping[str, str]) -> str:
    """Return codes with their meanings; codes of the same meaning share a line."""
    by_meaning: dict[str, list[str]] = {}
    for code, meaning in codes.items():
        by_meaning.setdefault(meaning, []).append(f"`{code}`")
    return "\n".join(f"- {', '.join(own)}: {meaning}" for meaning, own in by_meaning.items())


def note(description: str) -> dict[str, str]:
    """Return the metadata of a field with a description."""
    return {"description": description}


def number(description: str = "", *, required: bool = True) -> fields.Float:
    """Return a field for a number."""
    return fields.Float(required=required, metadata=note(description) if description else {})


def by_player(description: str, *, required: bool = True) -> MapOf:
    """Return a field with a number for each player."""
    return MapOf(
        keys=Name(),
        values=fields.Float(),
        required=required,
        metadata=note(description) if description else {},
    )


# The moves ------------------------------------------------------------------------------------


def move_value_schema(
    form: RoundForm,
    reason: type[ResponseSchema],
    parts: str,
    own: Members = NONE,
    facts: Members = NONE,
) -> type[ResponseSchema]:
    """Return the schema of a legal move with its value.

    Args:
        form: of the game.
        reason: of a reason of the game.
        parts: what the parts of a difference are.
        own: further numbers of a move.
        facts: what a move does by itself, if the game says it.
    """
    comparison = form.response(
        "Comparison",
        "A move compared with another one.",
        move=form.moves(required=True, metadata=note("The other move.")),
        difference=number("Value of the move minus that of the other one."),
        parts=MapOf(
            keys=fields.String(),
            values=fields.Float(),
            required=True,
            metadata=note(f"What it consists of; the parts sum to `difference`. {parts}"),
        ),
    )
    return form.response(
        "MoveValue",
        "A legal move with its value and reasons.",
        move=form.moves(required=True),
        value=number("In the objective's unit."),
        loss=number("Best value minus this value."),
        probability=number(),
        **own,
        comparison=Nested(
            comparison,
            metadata=note(
                "With `pick`, and for `pick` with the best other move; absent if only one move is "
                "legal."
            ),
        ),
        reasons=fields.List(
            Nested(reason),
            required=True,
            metadata=note(
                "Of the pick at most two gains, then its danger or cost. Of another move that a "
                "player would consider, or of `chosen`, what goes wrong with it; of all others "
                "none."
            ),
        ),
        **facts,
    )


def grade_schema(form: RoundForm) -> type[ResponseSchema]:
    """Return the schema of the grade of the player's choice."""
    return form.response(
        "Grade",
        "The grade of the chosen move.",
        move=form.moves(required=True),
        loss=number(),
        class_=grade_class(),
    )


# What-ifs -------------------------------------------------------------------------------------


def what_ifs(form: RoundForm) -> dict[str, fields.Field[Any]]:
    """Return the optional results of a hint: ``next``, ``matrix`` and ``conditional``."""
    following = form.response(
        "Next",
        "The best choice after a reveal.",
        move=form.moves(required=True, metadata=note("The first move.")),
        revealed=form.moves(required=True, metadata=note("The revealed cards of all seats.")),
        probability=number("Probability of this reveal after `move`."),
        next=form.moves(required=True, metadata=note("The first of `moves` after this reveal.")),
        value=number(),
    )
    matrix = form.response(
        "Matrix",
        "Payoffs against the moves of one other player.",
        moves=fields.List(form.moves(), required=True, metadata=note("The player's moves.")),
        against=fields.List(form.moves(), required=True, metadata=note("The other player's.")),
        values=fields.List(
            fields.List(fields.Float()),
            required=True,
            metadata=note("One row per move of the player, one column per move of the other."),
        ),
    )
    conditional = form.response(
        "Conditional",
        "What changes with one move of another player.",
        move=form.moves(required=True),
        probability=number(),
        best_response=form.moves(required=True, metadata=note("The best move against it.")),
        value=number("The value of `best_response`."),
        win_shares=by_player("Win shares if no other player expects that move."),
    )
    return {
        "next": fields.List(
            Nested(following),
            metadata=note(
                "Only with `include`: the best choice after each of the three likeliest reveals, "
                "if `pick` or the first of `moves` leads to a further decision of the player."
            ),
        ),
        "matrix": MapOf(
            keys=Name(),
            values=Nested(matrix),
            metadata=note(
                "Only with `include`: by other player, a payoff matrix, in which the remaining "
                "players play their strategies. The mean of a row, weighted by that player's "
                "strategy, is the value of the move. At most the 20 most frequent moves of a "
                "player are listed. Players with a single move are omitted."
            ),
        ),
        "conditional": MapOf(
            keys=Name(),
            values=fields.List(Nested(conditional)),
            metadata=note("Only with `include`: by other player, what changes with each move."),
        ),
    }


# Hints ----------------------------------------------------------------------------------------


def search_schema(form: RoundForm) -> type[ResponseSchema]:
    """Return the schema of how a hint was computed."""
    return form.response(
        "Search",
        "How a hint was computed.",
        method=fields.String(
            required=True,
            metadata=note(
                "`equilibrium`, `quantal`, `level-1`, `learned`, or `expectimax` under `uniform`."
            ),
        ),
        depth=fields.Integer(required=True, metadata=note("Rounds looked ahead.")),
        effort=OneOf(EFFORTS, required=True),
        exact=fields.Boolean(
            required=True, metadata=note("True if no value was cut off, sampled or estimated.")
        ),
        complete=fields.Boolean(
            required=True, metadata=note("False if the deadline stopped the search.")
        ),
        nodes=fields.Integer(required=True, metadata=note("Rounds resolved.")),
        epsilon=number(
            "The largest gain of a solved player from deviating from the printed strategies at "
            "this decision (the epsilon of an epsilon-equilibrium), in the objective's unit; "
            "absent if no player was solved.",
            required=False,
        ),
        quantal_residual=number(
            "The largest difference between a printed probability and the quantal response to the "
            "printed strategies; only with the model `quantal`.",
            required=False,
        ),
        unsearched=number(
            "The largest probability, over all moves, of reaching positions that were not "
            "searched further; 0 at depth 1."
        ),
        evaluator=fields.String(required=True),
        trust=number(
            "Under `learned`: the weight of the value against predicted play, from 0 to 1; the "
            "rest is that of the worst case.",
            required=False,
        ),
        risk=number(
            "Under `learned`: what the strategy can lose, compared with the equilibrium strategy, "
            "against one opponent who knows it.",
            required=False,
        ),
        library=fields.Integer(metadata=note("Under `learned`: version of the library of styles.")),
    )


def hint_schemas(
    form: RoundForm,
    move_value: type[ResponseSchema],
    nudges: Sequence[str],
    order_note: str = "",
    profile: Members = NONE,
    chance: Members = NONE,
) -> dict[str, type[ResponseSchema]]:
    """Return the schemas of hints by hint level.

    Args:
        form: of the game.
        move_value: of a legal move with its value.
        nudges: codes of nudges.
        order_note: what decides the order of equal moves, if an actor is not alone.
        profile: how the other players play, if the game knows.
        chance: the hint after each outcome of a chance event, if the game has one.
    """
    search = search_schema(form)
    shown = {
        "player": Name(required=True),
        "decision": OneOf(form.decisions, required=True),
    }
    nudge = form.response(
        "Nudge",
        "Something to consider.",
        code=fields.String(
            required=True,
            metadata=note(
                "What the hint will name: "
                + ", ".join(f"`{code}`" for code in nudges)
                + f"; `{NO_DIFFERENCE}` if nothing stands out."
            ),
        ),
        text=fields.String(required=True),
    )
    little: dict[str, Any] = {
        "hint_level": OneOf((NUDGE,), required=True),
        "nudges": fields.List(Nested(nudge), required=True),
        "search": Nested(search, required=True),
    }
    shortlist = fields.List(
        form.moves(),
        required=True,
        metadata=note(
            "Two to four moves, including the recommended one, in deck order; one move if only one "
            "is legal."
        ),
    )
    short = {**shown, **little, "hint_level": OneOf((SHORTLIST,), required=True)}
    members = {**_card_members(form, move_value, order_note), **profile, **what_ifs(form), **chance}
    return {
        NUDGE: form.response("NudgeHint", "A hint that names no moves.", **shown, **little),
        SHORTLIST: form.response(
            "ShortlistHint", "A hint that names some moves.", **short, shortlist=shortlist
        ),
        CARD: form.response(
            "CardHint",
            "A hint that discloses everything; its texts are in the language of the response.",
            hint_level=OneOf((CARD,), required=True),
            **shown,
            **members,
            search=Nested(search, required=True),
        ),
    }


def _card_members(
    form: RoundForm, move_value: type[ResponseSchema], order_note: str
) -> dict[str, fields.Field[Any]]:
    """Return what every complete hint has."""
    joint_probability = form.response(
        "JointProbability",
        "A player's move with its probability.",
        move=form.moves(required=True),
        probability=number(),
    )
    return {
        "pick": form.moves(required=True, metadata=note("Drawn from the player's strategy.")),
        "pick_index": fields.Integer(
            required=True, metadata=note("The index of `pick` in `moves`.")
        ),
        "pick_public": fields.Boolean(
            required=True,
            metadata=note("True without a `nonce`: others can then compute `pick`."),
        ),
        "advice": Nested(Advice, required=True),
        "moves": fields.List(
            Nested(move_value),
            required=True,
            metadata=note(
                "All legal moves in the order of recommendation: by value, where values that "
                "differ by no more than `search.epsilon` are equal; equal values by probability, "
                f"then in deck order{order_note}."
            ),
        ),
        "strategies": MapOf(
            keys=Name(),
            values=fields.List(Nested(joint_probability)),
            metadata=note(f"By player, the moves at this decision with probabilities. {ONLY_FULL}"),
        ),
        "win_shares": by_player("Win shares of all players under the strategies; they sum to 1."),
        "expected_values": by_player(
            f"Expected value of the objective for every player. {ONLY_FULL}", required=False
        ),
        "grade": Nested(grade_schema(form)),
    }
