"""Skill and luck in a game in rounds; all numbers are rounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.core.game import Choice, Outcome
from service.core.hints import Hint, Position, Question
from service.core.reviews import Account, JudgedChoice, JudgedRound, Shares
from service.core.rounding import apportion, rounded
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.vocabulary import (
    DRAWS,
    GRADES,
    INDIFFERENT,
    OTHERS,
    ROUND_LUCK_SOURCES,
    SEARCH,
)
from service.solver.solution import Solution

_NO_LUCK: Final = dict.fromkeys(ROUND_LUCK_SOURCES, 0.0)


def win_shares(
    solution: Solution,
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
) -> dict[str, float]:
    """Return the unrounded win shares of all players, who all follow one model."""
    outcome = solution.common_outcome()
    assert outcome is not None, "all players follow the model"
    shares = outcome[game.columns(len(canonical.players), ()).shares]
    return dict(zip(canonical.players, shares.tolist(), strict=True))


def mean_shares(weighted: Iterable[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    """Return the unrounded mean of some win shares, weighted by probabilities."""
    total: dict[str, float] = {}
    for probability, shares in weighted:
        for player, share in shares.items():
            total[player] = total.get(player, 0.0) + probability * share
    return total


def rounded_shares(shares: Mapping[str, float], players: Iterable[str]) -> Shares:
    """Return rounded shares in the order of ``players``; they sum to 1."""
    by_player = dict(zip(shares, apportion(shares.values()), strict=True))
    return {player: by_player[player] for player in players}


def judge(
    number: int,
    question: Question[Position, Choice],
    hint: Hint[Choice],
    realized: Shares,
    realized_with_best: Shares,
) -> JudgedChoice[Position, Choice]:
    """Return a graded choice.

    Args:
        number: of the round.
        question: of the decision; ``chosen`` is the player's choice.
        hint: that the player could have had, with the graded choice.
        realized: the shares after the choices of all players were revealed.
        realized_with_best: the same if this player had made the best choice.
    """
    grade = hint.grade
    assert grade is not None, "a past decision has a choice"
    chosen = next(value for value in hint.moves if value.move == grade.move)
    return JudgedChoice(
        round=number,
        decision=question.decision.name,
        player=question.player,
        move=grade.move,
        best=hint.best_response.move,
        best_value=hint.best_response.value,
        value=chosen.value,
        loss=grade.loss,
        class_=grade.class_,
        probability=chosen.probability,
        realized_value=realized[question.player],
        realized_best_value=realized_with_best[question.player],
        question=question,
        hint=hint,
    )


@dataclass
class LuckTracker:
    """The luck of all players in a round, updated at each moment of the round.

    There are four sources:

    - ``draws``: the win share after the dice minus the mean over all dice.  The sum over all
      players is 0.
    - ``others``: the share after the reveal minus the value of the own choice against the others'
      mixed strategies.  For a player without a choice it is the share minus the expected share.
      Its mean over the others' strategies is 0.
    - ``indifferent``: no luck: the choices of players to whom all their choices were worth the
      same; see ``indifference.py``.
    - ``search``: no event.  A later solution values the same moment more accurately, or the best
      move is worth slightly more than the mixed strategy (by epsilon at most).

    In a round the sum of all but ``draws`` over all players equals the total loss of all decisions:
    the losses of one player are gains of the others.

    Attributes:
        win_shares: before the first choice.
        current: win share of each player at this moment.
        luck: by player and source, so far.
    """

    win_shares: Shares
    current: dict[str, float]
    luck: dict[str, dict[str, float]]

    @classmethod
    def start(cls, win_shares: Shares) -> LuckTracker:
        """Start before the first choice of a round."""
        return cls(win_shares, dict(win_shares), {player: dict(_NO_LUCK) for player in win_shares})

    def add_choice(self, choice: JudgedChoice[Position, Choice]) -> None:
        """Add a player's choice: its loss is not luck, a new expectation before it is."""
        self._add(choice.player, SEARCH, choice.best_value)
        self.current[choice.player] = choice.value

    def add_indifferent(self, effects: Mapping[str, float]) -> None:
        """Add what players decided to whom all their choices were worth the same."""
        for player, effect in effects.items():
            self._add(player, INDIFFERENT, rounded(self.current[player] + effect))

    def add_reveal(self, shares: Shares) -> None:
        """Add the win shares after the choices of all players are revealed."""
        for player, share in shares.items():
            self._add(player, OTHERS, share)

    def finish(
        self, number: int, drawn: Outcome, before: Shares, after: Shares
    ) -> JudgedRound[Outcome]:
        """Return the round, including the dice; the tracker must not be used afterwards."""
        for player, share in after.items():
            self._add(player, SEARCH, share)
            self.luck[player][DRAWS] = rounded(self.win_shares[player] - before[player])
        return JudgedRound(number, drawn, before, self.win_shares, after, self.luck)

    def _add(self, player: str, source: str, share: float) -> None:
        luck = self.luck[player]
        luck[source] = rounded(luck[source] + share - self.current[player])
        self.current[player] = share


def accounts(
    players: Iterable[str],
    decisions: Sequence[JudgedChoice[Position, Choice]],
    rounds: Sequence[JudgedRound[Outcome]],
    *,
    complete: bool,
) -> Mapping[str, Account]:
    """Return each player's account of the graded decisions.

    Args:
        players: in seat order.
        decisions: graded decisions.
        rounds: with luck.
        complete: whether these are all decisions and rounds; otherwise the accounts have no luck,
            start and end.
    """
    return {
        player: _account(
            player,
            [choice for choice in decisions if choice.player == player],
            rounds if complete else (),
        )
        for player in players
    }


def _account(
    player: str,
    decisions: Sequence[JudgedChoice[Position, Choice]],
    rounds: Sequence[JudgedRound[Outcome]],
) -> Account:
    classes = Counter(choice.class_ for choice in decisions)
    return Account(
        classes={name: classes[name] for name in GRADES},
        loss=rounded(sum(choice.loss for choice in decisions)),
        luck={
            source: rounded(sum(one.luck[player][source] for one in rounds))
            for source in (ROUND_LUCK_SOURCES if rounds else ())
        },
        start=rounds[0].before[player] if rounds else None,
        end=rounds[-1].after[player] if rounds else None,
    )
