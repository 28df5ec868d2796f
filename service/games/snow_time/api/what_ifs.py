"""What-ifs in print: a table of payoffs, what somebody's move would change, and every roll."""

from __future__ import annotations

from typing import Final

from service.core.hints import Further, Hint, Question
from service.core.rounding import apportion
from service.core.vocabulary import CONDITIONAL, DICE, MATRIX
from service.games.common.validation import Document
from service.games.snow_time.rules.rules import dice_rolled, growth_outcomes
from service.games.snow_time.rules.state import Move, State

_NONE: Final[Document] = {"matrix": None, "conditional": None, "dice": None}


def write_what_ifs(
    question: Question[State, Move], hint: Hint[Move], further: Further[Move]
) -> Document:
    """What was asked for of a table, one player's moves and the dice, and None for the rest."""
    told = dict(_NONE)
    if further.against is not None and MATRIX in question.include:
        told[MATRIX] = {
            player: {
                "moves": [found.move for found in hint.moves[: len(against[0].values)]],
                "against": [one.move for one in against],
                "values": [list(row) for row in zip(*(one.values for one in against), strict=True)],
            }
            for player, against in further.against.items()
        }
    if further.against is not None and CONDITIONAL in question.include:
        told[CONDITIONAL] = {
            player: [
                {
                    "move": one.move,
                    "probability": one.probability,
                    "best": one.best,
                    "value": one.value,
                    "outlook": one.outlook,
                }
                for one in against
            ]
            for player, against in further.against.items()
        }
    if further.rolls is not None:
        outcomes = growth_outcomes(dice_rolled(question.position.supply))
        chances = apportion(chance for chance, _ in further.rolls)
        told[DICE] = [
            {
                "dice": dice,
                "probability": chance,
                "best": rolled.best,
                "value": rolled.expected[question.player],
                "outlook": rolled.outlook,
            }
            for (dice, _), (_, rolled), chance in zip(outcomes, further.rolls, chances, strict=True)
        ]
    return told
