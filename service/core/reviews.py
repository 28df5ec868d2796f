"""Played games and their reviews.

A review grades every decision of a player by what that player could see: each decision is a
question for a hint whose answer is known.  A player's expected share of the win also changes
between its decisions, by draws and by the choices of others.  The first part is *skill*, the
second *luck*, as in backgammon analysis; over a game both add up to the result.

In a turn-based game a player acts alone.  In a game in rounds all players choose at once, so a
choice is graded against the others' mixed strategies, not against their actual choices.  Shares of
the win are known for all players at five moments of a round: before the dice, before the choice,
after the own choice, after the reveal, and after the round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from service.core.game import Choice, Outcome, Play
from service.core.hints import Hint, Position, Question
from service.core.profiles import PlayerProfile
from service.core.turn_hints import TurnHint, TurnPlan, TurnQuestion

Shares = Mapping[str, float]
"""Shares of the win by player; they sum to 1."""


@dataclass(frozen=True, slots=True)
class Account:
    """A player's game in shares of the win: start - loss + total luck = end.

    Attributes:
        classes: number of decisions of each grade class.
        loss: total loss of all decisions.
        luck: by source, see :data:`~service.core.vocabulary.LUCK_SOURCES`.
        start: the value of the first decision; None if there was none.
        end: the share won if the game is over, otherwise the value after the last decision.
    """

    classes: Mapping[str, int]
    loss: float
    luck: Mapping[str, float]
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a review is finished.

    Attributes:
        done: finished steps; a step is a solution that the review may need.
        total: steps of the whole review, the same in each call.
    """

    done: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether no step is left."""
        return self.done == self.total


# Turn-based games ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PastDecision(Generic[Play, Choice]):
    """A decision of a turn, whether or not it has more than one legal choice.

    Attributes:
        turn: index of the turn in the game, from 0.
        action: number of actions in the turn before it, including draws and answers.
        mover: the player whose turn it was.
        chances: number of draws and decisions of others in the turn before it.
        question: the decision as its player saw it; ``chosen`` is the player's choice.
    """

    turn: int
    action: int
    mover: str
    chances: int
    question: TurnQuestion[Play, Choice]

    @property
    def is_free(self) -> bool:
        """Whether the player had more than one choice; lists the choices."""
        return len(self.question.decision.choices[self.question.player]) > 1


@dataclass(frozen=True, slots=True)
class PlayedTurns(Generic[Play, Choice]):
    """A legal part of a turn-based game.

    Attributes:
        players: in seat order.
        decisions: in the order in which they were made.
        turns: number of turns.
        chances: number of draws and decisions of others in the last turn.
        last: the last turn, complete.
        over: whether the game is over.
        winners: empty while the game continues, or if it has no winner.
        effort: work budget of each decision.
    """

    players: tuple[str, ...]
    decisions: Sequence[PastDecision[Play, Choice]]
    turns: int
    chances: int
    last: Play
    over: bool
    winners: tuple[str, ...]
    effort: str


@dataclass(frozen=True, slots=True)
class Luck:
    """The change of a player's share between two of its decisions.

    Attributes:
        source: ``draws`` if both decisions were in one turn with a draw or an answer in between,
            ``others`` if other players had turns, ``search`` if nothing happened in between and
            only the later search saw more.
        share: of the win, gained.
    """

    source: str
    share: float


@dataclass(frozen=True, slots=True)
class JudgedDecision(Generic[Play, Choice]):
    """A graded decision, in rounded shares of the win.

    Attributes:
        past: the decision.
        best: the best choice.
        best_value: the share after the best choice.
        value: the share after the player's choice.
        loss: ``best_value`` minus ``value``.
        class_: grade class of the loss.
        luck: since the player's previous decision; None at the first one.
        hint: that the player could have had, with comparisons.
        plans: of the hint's best choice and of others, the player's among them after an error.
    """

    past: PastDecision[Play, Choice]
    best: Choice
    best_value: float
    value: float
    loss: float
    class_: str
    luck: Luck | None
    hint: TurnHint[Choice]
    plans: Sequence[TurnPlan[Play, Choice]]


@dataclass(frozen=True, slots=True)
class TurnsReview(Generic[Play, Choice]):
    """The review of a turn-based game.

    Attributes:
        decisions: all, or the first ones if the deadline passed.
        accounts: by player.
        method: of the search.
        progress: complete if all decisions are graded.
        nodes: positions searched.
    """

    decisions: Sequence[JudgedDecision[Play, Choice]]
    accounts: Mapping[str, Account]
    method: str
    progress: Progress
    nodes: int


# Games in rounds -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PastChoices(Generic[Position, Choice]):
    """A simultaneous decision.

    Attributes:
        questions: of every player with more than one choice; ``chosen`` is its choice.
        revealed: the choices that are revealed after it, by actor.
    """

    questions: Sequence[Question[Position, Choice]]
    revealed: Mapping[str, Choice]


@dataclass(frozen=True, slots=True)
class PastRound(Generic[Position, Choice, Outcome]):
    """A legal round.

    Attributes:
        before: the position before the chance event.
        drawn: the chance outcome.
        opening: the first decision after it, as a question of any player.
        decisions: in the order in which they were made.
    """

    before: Position
    drawn: Outcome
    opening: Question[Position, Choice]
    decisions: Sequence[PastChoices[Position, Choice]]


@dataclass(frozen=True, slots=True)
class PlayedRounds(Generic[Position, Choice, Outcome]):
    """A legal part of a game in rounds, of at least one round.

    Attributes:
        players: in seat order.
        rounds: in order.
        last: the position after the last round.
        over: whether the game is over.
        winners: empty while the game continues.
        effort: work budget of each solution.
    """

    players: tuple[str, ...]
    rounds: Sequence[PastRound[Position, Choice, Outcome]]
    last: Position
    over: bool
    winners: tuple[str, ...]
    effort: str


@dataclass(frozen=True, slots=True)
class JudgedChoice(Generic[Position, Choice]):
    """A player's graded choice, in rounded shares of the win.

    Attributes:
        round: index of the round, from 0.
        decision: its name.
        player: who chose.
        move: the player's choice.
        best: the best choice against the others' strategies.
        best_value: the share after the best choice.
        value: the share after the player's choice, against the same strategies.
        loss: ``best_value`` minus ``value``.
        class_: grade class of the loss.
        probability: of the choice in the hint's strategy.
        realized_value: the share after the choices of all players are revealed.
        realized_best_value: the same with the best choice and the others' actual choices.
        question: of the decision, with the choice to grade.
        hint: that the player could have had.
    """

    round: int
    decision: str
    player: str
    move: Mapping[str, Choice]
    best: Mapping[str, Choice]
    best_value: float
    value: float
    loss: float
    class_: str
    probability: float
    realized_value: float
    realized_best_value: float
    question: Question[Position, Choice]
    hint: Hint[Choice]


@dataclass(frozen=True, slots=True)
class JudgedRound(Generic[Outcome]):
    """A round in shares of the win: before - losses + luck = after, for each player.

    Attributes:
        number: index of the round, from 0.
        drawn: the chance outcome.
        before: the mean over all chance outcomes.
        win_shares: after the chance event, before the first choice.
        after: like ``before``, for the next position; the shares won if the game is over.
        luck: by player and source, see :data:`~service.core.vocabulary.LUCK_SOURCES`.
    """

    number: int
    drawn: Outcome
    before: Shares
    win_shares: Shares
    after: Shares
    luck: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class LearnedPlayer:
    """What could be learned about a player in a game, and what learning would have given it.

    Attributes:
        profile: how the player plays, from all its choices.
        prediction_gain: mean share of the win per round that the best response to the predicted
            choices of the others would have gained over the hint's strategy, against their actual
            choices.
    """

    profile: PlayerProfile
    prediction_gain: float


@dataclass(frozen=True, slots=True)
class RoundsReview(Generic[Position, Choice, Outcome]):
    """The review of a game in rounds.

    Attributes:
        decisions: all, or the first ones if the deadline passed.
        rounds: all, or the first ones; they are weighed after all decisions are graded.
        accounts: by player; without luck, start and end if the review is not complete.
        learned: by player; empty if the review is not complete.
        method: of the solutions.
        epsilon: the largest of all solutions, in shares of the win.
        evaluator: version of the evaluator.
        progress: complete if all decisions, rounds and profiles are in the review.
        nodes: rounds resolved.
    """

    decisions: Sequence[JudgedChoice[Position, Choice]]
    rounds: Sequence[JudgedRound[Outcome]]
    accounts: Mapping[str, Account]
    learned: Mapping[str, LearnedPlayer]
    method: str
    epsilon: float
    evaluator: str
    progress: Progress
    nodes: int
