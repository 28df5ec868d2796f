"""What a game in rounds came to: skill, and luck of two kinds; every number as it is printed."""

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
from service.core.vocabulary import DRAWS, GRADES, LUCK_SOURCES, OTHERS, SEARCH
from service.solver.solution import Solution

"""Where a player's luck of a round comes from.

- ``draws``: the outlook with the dice that fell, less the mean over all dice.  Over the table it
  sums to 0.
- ``others``: what everybody's choices together came to, less the value of the own one against the
  others' mixtures; whoever has nothing to choose is measured from what was expected.  Its mean over
  what the others may do by their strategies is 0.
- ``search``: no event, but that a later solve says something else of the same moment, being nearer;
  and that the best move is worth a little more than the mixture (by the gap at most).

Of a round ``others`` and ``search`` together sum over the table to what all decisions lost: what
one gives away the others get.
"""
_NOTHING: Final = dict.fromkeys(LUCK_SOURCES, 0.0)


def win_shares(
    found: Solution, game: RoundGame[Position, Choice], asked: CanonicalQuestion[Position, Choice]
) -> dict[str, float]:
    """Everybody's share of the win by a solve under one model for all; not rounded."""
    common = found.common()
    assert common is not None, "everybody plays by the model"
    shares = common[game.columns(len(asked.players), ()).shares]
    return dict(zip(asked.players, shares.tolist(), strict=True))


def mean_shares(weighed: Iterable[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    """The mean of some outlooks, by their probabilities; not rounded."""
    total: dict[str, float] = {}
    for probability, shares in weighed:
        for player, share in shares.items():
            total[player] = total.get(player, 0.0) + probability * share
    return total


def rounded_shares(shares: Mapping[str, float], players: Iterable[str]) -> Shares:
    """Shares as they are printed, in the order of players; they sum to 1."""
    by_player = dict(zip(shares, apportion(shares.values()), strict=True))
    return {player: by_player[player] for player in players}


def judge(
    number: int,
    question: Question[Position, Choice],
    hint: Hint[Choice],
    realized_value: Shares,
    realized_best_value: Shares,
) -> JudgedChoice[Choice]:
    """A choice by the hint that was due there.

    Args:
        number: of the round.
        question: with what was chosen.
        hint: with that graded.
        came_to: once everybody's choice lay.
        best_came_to: likewise, had this player chosen the best.
    """
    grade = hint.grade
    assert grade is not None, "a past decision was taken"
    chosen = next(found for found in hint.moves if found.move == grade.move)
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
        realized_value=realized_value[question.player],
        realized_best_value=realized_best_value[question.player],
    )


@dataclass
class LuckTracker:
    """A round from its first choice on, share by share.

    Attributes:
        outlook: before that choice.
        stand: of each player by now.
        luck: by player and source, so far.
    """

    win_shares: Shares
    current: dict[str, float]
    luck: dict[str, dict[str, float]]

    @classmethod
    def start(cls, win_shares: Shares) -> LuckTracker:
        return cls(win_shares, dict(win_shares), {player: dict(_NOTHING) for player in win_shares})

    def add_choice(self, choice: JudgedChoice[Choice]) -> None:
        """A player's own choice: what it lost is its own, what is expected anew is not."""
        self._gain(choice.player, SEARCH, choice.best_value)
        self.current[choice.player] = choice.value

    def add_reveal(self, shares: Shares) -> None:
        """Everybody's choice lies on the table."""
        for player, share in shares.items():
            self._gain(player, OTHERS, share)

    def finish(
        self, number: int, drawn: Outcome, before: Shares, after: Shares
    ) -> JudgedRound[Outcome]:
        """The whole round, the dice included; nothing more comes in."""
        for player, share in after.items():
            self._gain(player, SEARCH, share)
            self.luck[player][DRAWS] = rounded(self.win_shares[player] - before[player])
        return JudgedRound(number, drawn, before, self.win_shares, after, self.luck)

    def _gain(self, player: str, source: str, share: float) -> None:
        luck = self.luck[player]
        luck[source] = rounded(luck[source] + share - self.current[player])
        self.current[player] = share


def accounts(
    players: Iterable[str],
    decisions: Sequence[JudgedChoice[Choice]],
    rounds: Sequence[JudgedRound[Outcome]],
    *,
    complete: bool,
) -> Mapping[str, Account]:
    """Each player's game, by the decisions that were judged.

    Args:
        complete: whether these are all, so that luck, start and end can be told.
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
    decisions: Sequence[JudgedChoice[Choice]],
    rounds: Sequence[JudgedRound[Outcome]],
) -> Account:
    classes = Counter(choice.class_ for choice in decisions)
    return Account(
        classes={name: classes[name] for name in GRADES},
        loss=rounded(sum(choice.loss for choice in decisions)),
        luck={
            source: rounded(sum(one.luck[player][source] for one in rounds))
            for source in (LUCK_SOURCES if rounds else ())
        },
        start=rounds[0].before[player] if rounds else None,
        end=rounds[-1].after[player] if rounds else None,
    )
