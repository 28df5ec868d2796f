"""What a solver needs of a decision in which everybody has a stake: a game in normal form.

Each *player* has *moves*, joint ones where it has several actors.  A *profile* is one move of each
player, numbered with the last player's move turning fastest.  Decisions that come later in the
same round are folded into the payoffs.  Where several players meet in one of them the profile is
*open*: a solver settles it as a small game of its own, as far as it matters.

Players are numbered in an order that depends on what lies on the table and not on names or seats,
so that one solution serves every player who asks.  Arrays are NumPy's, see ``core.stage.Array``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from service.core.best_response_model import Array, BestResponseGame, OutcomeColumns
from service.core.game import Choice
from service.core.hints import Position, Question, Weights

Position_co = TypeVar("Position_co", covariant=True)


@dataclass(frozen=True, slots=True)
class OpenSubgames:
    """Open profiles of one shape.

    Attributes:
        profiles: int64[k].
        actors: int64[k], equal where the same actors decide.
        deciding: int64[k, d], the players who meet, ascending.
        sizes: how many joint additions each of those d has, the same in all profiles.
        payoffs: float64[k, players, additions], the last deciding player's turning fastest.
        reached: what the game itself needs to fold a solution in.
    """

    profiles: Array
    actors: Array
    deciding: Array
    sizes: Sequence[int]
    payoffs: Array
    outcome_ids: Array


@dataclass(frozen=True, slots=True)
class ContinuationValue:
    """What is expected after a round, from further rounds.

    Attributes:
        gains: by player's name, spaces (or points).
        shares: by player's name, of the win.
        left_out: the share of those rounds that is only an estimate.
    """

    gains: Mapping[str, float]
    shares: Mapping[str, float]
    unsearched: float = 0.0


@dataclass(frozen=True, slots=True)
class CanonicalQuestion(Generic[Position, Choice]):
    """A question as all tables that look alike would put it: without names, sides and order.

    Players and their actors are numbered by what lies before them, those of a player together,
    and called by their numbers.

    Attributes:
        question: in these names; without deadline, grading and nonce, on which no solve depends.
        players: what each is really called, by number.
        actors: likewise.
        owners: the player of each actor, by their numbers, ascending.
        mutual: whether nobody's decision is taken for granted because of who asks.
    """

    question: Question[Position, Choice]
    players: Sequence[str]
    actors: Sequence[str]
    owners: Mapping[str, str]
    mutual: bool

    def actors_of(self, player: int) -> tuple[str, ...]:
        """What a player's actors are really called."""
        return tuple(
            name
            for name, owner in zip(self.actors, self.owners.values(), strict=True)
            if owner == str(player)
        )


class SimultaneousGame(Protocol[Choice, Position_co]):
    """A simultaneous decision of all players of a round.

    Attributes:
        players: by number.
        counts: how many moves each has; 1 where it has nothing to decide.
        alike: for each player, the first one with the same to play for, at the same stakes.
        payoffs: float64[players, profiles] in the objective's unit; settled profiles change.
        mirrors: for each player None, or int64[moves]: the move that comes to the same with two
            equal actors exchanged.
        rounds: how many rounds were resolved for it.
        interests: how many ways are known in which people commonly judge such a decision; may be 0.
        presettled: whether what others decide at the same time was taken for granted for this
            round alone, so that nobody can look further ahead from here.
    """

    @property
    def players(self) -> tuple[str, ...]: ...

    @property
    def counts(self) -> tuple[int, ...]: ...

    @property
    def symmetry_classes(self) -> tuple[int, ...]: ...

    @property
    def payoffs(self) -> Array: ...

    @property
    def mirrors(self) -> tuple[Array | None, ...]: ...

    @property
    def rounds(self) -> int: ...

    @property
    def heuristic_count(self) -> int: ...

    @property
    def single_round(self) -> bool: ...

    def heuristic_payoffs(self, which: int) -> Array:
        """float64[players, profiles]: what everybody pursues who judges the decision in one of
        those ways, in spaces (or points): what it gains and keeps itself, whoever else gains.
        """

    def moves(self, player: int) -> tuple[Mapping[str, Choice], ...]:
        """A player's moves in deck order; the only one is empty if it has nothing to decide."""

    def allowed_mixtures(self, weights: Weights[Choice]) -> tuple[Array | None, ...]:
        """For each player None, or float64[ways, moves]: the distributions over moves that it can
        still choose among.  With one way its strategy is given.
        """

    def columns(self, player: int) -> OutcomeColumns:
        """Where each number of a player's outcome stands."""

    def outcomes(self, player: int, strategies: Array) -> Array:
        """float64[moves, width] of each move while the others play float64[sum of moves]."""

    def open_profiles(self) -> tuple[Array, Array]:
        """int64[...] each: the open profiles that are not settled, ascending, and how many
        payoffs of deciding players the game has that each comes to.
        """

    def open_subgames(self, profiles: Array) -> Sequence[OpenSubgames]:
        """The games that open profiles come to, by shape."""

    def successors(self, profile: int) -> Sequence[tuple[float, Position_co | None]]:
        """The positions that a profile leads to, with probabilities; None where it is over."""

    def set_continuation(self, profile: int, prospects: Sequence[ContinuationValue | None]) -> None:
        """Folds in what is expected from the positions that a profile leads to."""

    def set_default_gains(self, gains: Mapping[str, float]) -> None:
        """What players gain later, from profiles that nobody looked beyond and that go on."""

    def set_subgame_solutions(self, subgames: OpenSubgames, strategies: Array) -> None:
        """Folds solved games in; float64[k, sum of sizes], a mixture for each deciding player."""


class RoundGame(BestResponseGame[Position, Choice], Protocol[Position, Choice]):
    """A game in rounds whose decisions can be seen from one side, and all together."""

    def position_key(self, question: Question[Position, Choice]) -> bytes:
        """The position and what has been revealed, whatever the order of its seats."""

    def canonicalize(
        self, question: Question[Position, Choice]
    ) -> CanonicalQuestion[Position, Choice]:
        """The question without names, sides and order."""

    def columns(self, players: int, actors: Sequence[str]) -> OutcomeColumns:
        """Where each number of an outcome stands, among so many players, for one with these
        actors.
        """

    def stage_game(
        self, question: Question[Position, Choice]
    ) -> SimultaneousGame[Choice, Position]:
        """The decision in question as a game in normal form."""

    def next_rounds(
        self, question: Question[Position, Choice], position: Position
    ) -> Sequence[tuple[float, Question[Position, Choice], int]]:
        """The questions that follow from a position, one for each outcome of chance: with its
        probability, and how many rounds of final choices its decision resolves.
        """
