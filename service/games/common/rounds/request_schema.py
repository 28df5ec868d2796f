"""Request schemas of hints that games in rounds share."""

from __future__ import annotations

from typing import Final

from service.core.vocabulary import CARD, EQUILIBRIUM, HINT_LEVELS, WIN
from service.games.common.brief_hints import detail_field
from service.games.common.fields import (
    FullMatch,
    Name,
    Nested,
    Number,
    OneOf,
    StrictSchema,
    Text,
)
from service.games.common.request_fields import effort_field, suggest_deadline
from service.games.common.rounds.form import RoundForm
from service.games.common.rounds.hint_schema import Members, note

DEFAULT_OBJECTIVE, DEFAULT_DEPTH, DEFAULT_MODEL = WIN, 1, EQUILIBRIUM
DEFAULT_HINT_LEVEL: Final = CARD
MIN_TEMPERATURE, MAX_TEMPERATURE = 1e-3, 1e3
NONCE_PATTERN: Final = r"^[ -~]{1,128}$"
_ORDER: Final = (
    "state", "player", "revealed", "objective", "opponents", "effort", "depth", "deadline_ms",
    "chosen", "nonce", "hint_level", "detail", "include", "temperature",
)  # fmt: skip
"""Of the fields in the documentation."""


def suggest_request_schema(
    form: RoundForm, state: type[StrictSchema], own: Members
) -> type[StrictSchema]:
    """Return the schema of ``suggest`` requests.

    Args:
        form: of the game.
        state: of a position.
        own: those of ``revealed``, ``objective``, ``opponents``, ``depth`` and ``include`` that the
            game has.
    """
    nonce = FullMatch(
        NONCE_PATTERN, error="bad-nonce: Expected 1 to 128 printable ASCII characters."
    )
    members: Members = {
        **own,
        "state": Nested(state, required=True),
        "player": Name(required=True, metadata=note("The player who asks for the hint.")),
        "effort": effort_field(),
        "deadline_ms": suggest_deadline(),
        "chosen": form.moves(
            metadata=note("A move to grade, for each of the player's seats that decide.")
        ),
        "nonce": Text(
            examples=("5feceb66ffc86f38",),
            validate=nonce,
            metadata=note(
                "A secret that makes `pick` unpredictable to others. Send at least 16 random "
                "characters, new with each request."
            ),
        ),
        "hint_level": OneOf(
            HINT_LEVELS,
            load_default=DEFAULT_HINT_LEVEL,
            metadata=note(
                "How much the hint discloses. `nudge`: texts about what to consider. `shortlist`: "
                "in addition two to four moves, including the best, in deck order. `card`: "
                "everything. Below `card` the response has no pick, values or strategies."
            ),
        ),
        "detail": detail_field(),
        "temperature": Number(
            MIN_TEMPERATURE,
            MAX_TEMPERATURE,
            metadata=note(
                "Makes a weaker opponent: `pick` is drawn with probabilities proportional to "
                "exp(-`loss` / `temperature`) instead of from the player's strategy. In the "
                "objective's unit: with `win`, 0.02 gives small mistakes and 0.2 large ones."
            ),
        ),
    }
    ordered = {name: members[name] for name in _ORDER if name in members}
    return form.request("SuggestRequest", "A request for a hint.", **ordered)
