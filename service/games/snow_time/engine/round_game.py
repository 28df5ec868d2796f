"""Snow Time as a game of the solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from service.core.best_response_model import BestResponseModel, OutcomeColumns
from service.core.calibration import evaluator_name
from service.core.game import Decision
from service.core.hints import Question
from service.core.simultaneous import CanonicalQuestion, ResultBounds
from service.core.styles import StyleLibrary
from service.games.snow_time.engine.best_response.model import RoundSetup, SnowTimeBestResponse
from service.games.snow_time.engine.canonical import canonical, canonical_seats
from service.games.snow_time.engine.columns import columns_of
from service.games.snow_time.engine.evaluation import Evaluator, default_evaluator
from service.games.snow_time.engine.objective import Objective
from service.games.snow_time.engine.packed_rounds import pack_round
from service.games.snow_time.engine.packing import final_counts, hand_bits, lines_of
from service.games.snow_time.engine.parts import PARTS
from service.games.snow_time.engine.result_bounds import result_bounds
from service.games.snow_time.engine.stage_game.normal_form import SnowTimeNormalForm
from service.games.snow_time.engine.styles import style_library
from service.games.snow_time.rules.rules import card_choices, dice_rolled, grow, growth_outcomes
from service.games.snow_time.rules.state import CHAMPIONS, SINGLE_USE, Move, State


class SnowTimeRoundGame:
    """Snow Time as a :class:`~service.core.simultaneous.RoundGame`."""

    def __init__(self, evaluator: Evaluator | None = None) -> None:
        self._evaluator = evaluator or default_evaluator()
        self.evaluator = evaluator_name(self._evaluator)

    @property
    def part_names(self) -> Sequence[str]:
        return PARTS

    @property
    def style_library(self) -> StyleLibrary:
        return style_library()

    def kept(self, move: Mapping[str, Move]) -> int:
        """Return the champions taken back; a card that can be played only once counts for all."""
        spent = sum(card in SINGLE_USE for own in move.values() for card in own.cards)
        taken = sum(len(own.last.recover or ()) for own in move.values())
        return taken - len(CHAMPIONS) * spent

    def shown(self, move: Mapping[str, Move]) -> tuple[str, ...]:
        """Return the cards; a healer's champions are taken back later."""
        return tuple(own.last.card.label for own in move.values())

    def position_key(self, question: Question[State, Move]) -> bytes:
        state = question.position
        seats = tuple(sorted(state.seats, key=lambda seat: seat.name))
        table = replace(state, seats=seats, track=state.board)
        revealed = sorted(question.revealed.items(), key=lambda each: each[0])
        return repr((table, revealed)).encode()

    def next_rounds(
        self, question: Question[State, Move], position: State
    ) -> Sequence[tuple[float, Question[State, Move], int]]:
        hands = np.array([hand_bits(seat.hand) for seat in position.seats])
        rounds = int(final_counts(spared=position.board.spared_champion)[hands].prod())
        choices = {seat.name: card_choices(seat) for seat in position.seats}
        return [
            (
                float(chance),
                replace(
                    question,
                    position=grow(position, dice),
                    revealed={},
                    decision=Decision("card", choices),
                    weights={},
                ),
                rounds,
            )
            for dice, chance in growth_outcomes(dice_rolled(position.supply))
        ]

    def canonicalize(self, question: Question[State, Move]) -> CanonicalQuestion[State, Move]:
        return canonical(question)

    def result_bounds(
        self, question: Question[State, Move], moves: Sequence[Mapping[str, Move]]
    ) -> Sequence[ResultBounds[Move]]:
        return result_bounds(question, moves)

    def columns(self, players: int, actors: Sequence[str]) -> OutcomeColumns:
        return columns_of(players, actors)

    def stage_game(self, question: Question[State, Move]) -> SnowTimeNormalForm:
        return SnowTimeNormalForm(question, self._evaluator)

    def best_response_model(self, question: Question[State, Move]) -> BestResponseModel[Move]:
        ordered = canonical_seats(question)
        asker = ordered.players.index(question.player)
        own = len(ordered.seats_of(asker))
        seats = sorted(ordered.seats, key=lambda seat: seat.player != question.player)
        setup = RoundSetup(
            names=tuple(seat.name for seat in seats),
            owners=np.array([[ordered.players.index(seat.player)] for seat in seats], np.int64),
            players=ordered.players,
            asker=asker,
            own=own,
            track=question.position.board,
            objective=Objective.of(question.objective, len(ordered.players)),
        )
        lines = tuple(
            lines_of(
                seat,
                question.revealed.get(seat.name),
                question.weights.get(seat.name),
                question.position.board,
            )
            for seat in seats
        )
        return SnowTimeBestResponse(
            setup,
            pack_round(lines, own, question.decision.name),
            np.array([seat.score for seat in seats], np.int64),
            np.array([hand_bits(seat.hand) for seat in seats], np.int64),
            np.array([question.position.fruit], np.int64),
            question.actors,
            self._evaluator,
        )
