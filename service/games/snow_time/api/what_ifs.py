"""Render what-ifs: payoff matrices, values given another player's move, outcomes of the dice."""

from __future__ import annotations

from typing import Final

from service.core.hints import Hint, Question, WhatIfs
from service.core.rounding import apportion
from service.core.vocabulary import CONDITIONAL, DICE, MATRIX
from service.games.common.fields import Document
from service.games.snow_time.rules.rules import dice_rolled, growth_outcomes
from service.games.snow_time.rules.state import Move, State

_NONE: Final[Document] = {"matrix": None, "conditional": None, "dice": None}


def render_what_ifs(
    question: Question[State, Move], hint: Hint[Move], what_ifs: WhatIfs[Move]
) -> Document:
    """Return the requested what-ifs; None for each that was not requested."""
    response = dict(_NONE)
    if what_ifs.conditional_values is not None and MATRIX in question.include:
        response[MATRIX] = {
            player: {
                "moves": [row.move for row in hint.moves[: len(against[0].values)]],
                "against": [what_if.move for what_if in against],
                "values": [
                    list(row) for row in zip(*(what_if.values for what_if in against), strict=True)
                ],
            }
            for player, against in what_ifs.conditional_values.items()
        }
    if what_ifs.conditional_values is not None and CONDITIONAL in question.include:
        response[CONDITIONAL] = {
            player: [
                {
                    "move": what_if.move,
                    "probability": what_if.probability,
                    "best_response": what_if.best_response,
                    "value": what_if.value,
                    "win_shares": what_if.win_shares,
                }
                for what_if in against
            ]
            for player, against in what_ifs.conditional_values.items()
        }
    if what_ifs.rolls is not None:
        outcomes = growth_outcomes(dice_rolled(question.position.supply))
        chances = apportion(chance for chance, _ in what_ifs.rolls)
        response[DICE] = [
            {
                "dice": dice,
                "probability": chance,
                "move": rolled.moves[0].move,
                "value": rolled.expected_values[question.player],
                "win_shares": rolled.win_shares,
            }
            for (dice, _), (_, rolled), chance in zip(
                outcomes, what_ifs.rolls, chances, strict=True
            )
        ]
    return response
