"""What a solver needs from a simultaneous decision: a game in normal form.

Each *player* has *moves*; they are joint moves if the player has several actors.  A *profile* is
one move of each player.  Profiles are numbered with the last player's move changing fastest.
Later decisions of the same round are folded into the payoffs.  If several players take part in a
later decision, the profile is *open*: a solver solves it as a separate *subgame*, if it matters.

The order of the players depends on the position, not on names or seats.  One solution therefore
serves every player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from service.core.arrays import NO_PLACES, Floats, Ints, Ints32, no_numbers
from service.core.best_response_model import BestResponseGame, OutcomeColumns
from service.core.game import Choice
from service.core.hints import Position, Question, Weights
from service.core.styles import StyleLibrary

Position_co = TypeVar("Position_co", covariant=True)


@dataclass(frozen=True, slots=True)
class OpenSubgames:
    """The subgames of some open profiles, all of one shape.

    Attributes:
        profiles: int64[k].
        actors: int64[k], equal where the same actors decide.
        deciding: int64[k, d], the players who decide, ascending.
        sizes: number of joint additions of each of these d players, the same in all profiles.
        payoffs: float64[k, players, additions], the last deciding player's changing fastest.
        outcome_ids: int32[k, additions], the game's numbers of the outcomes; a solver passes
            them back to :meth:`SimultaneousGame.set_subgame_solutions`.
    """

    profiles: Ints
    actors: Ints
    deciding: Ints
    sizes: Sequence[int]
    payoffs: Floats
    outcome_ids: Ints32


@dataclass(frozen=True, slots=True)
class ContinuationValue:
    """The expected result of the rounds after a position.

    Attributes:
        gains: spaces (or points), by player's name.
        shares: share of the win, by player's name.
        unsearched: the share of those rounds that is only an estimate.
    """

    gains: Mapping[str, float]
    shares: Mapping[str, float]
    unsearched: float = 0.0


@dataclass(frozen=True, slots=True)
class ResultBounds(Generic[Choice]):
    """What a move can lead to over all legal plays of the others.

    Attributes:
        least: the share of the win that the asker is sure of.
        most: the largest possible share.
        hope: part of the others' plays after which the asker can still win.
        needed: by actor, the only choice of its player after which the asker can still win.
    """

    least: float
    most: float
    hope: float
    needed: Mapping[str, Choice]


@dataclass(frozen=True, slots=True)
class CanonicalQuestion(Generic[Position, Choice]):
    """A question in canonical form: equal for all equivalent positions.

    Players and actors are numbered by their cards and scores; the actors of one player are
    consecutive.  Their numbers replace their names.

    Attributes:
        question: with numbers as names; without deadline, graded choice and nonce, on which no
            solution depends.
        players: the real name of each player, by number.
        actors: the real name of each actor, by number.
        owners: the player of each actor, by their numbers, ascending.
        mutual: whether the solution is independent of the asker: no player's decision is fixed
            in advance because another player asks.
    """

    question: Question[Position, Choice]
    players: Sequence[str]
    actors: Sequence[str]
    owners: Mapping[str, str]
    mutual: bool

    def actors_of(self, player: int) -> tuple[str, ...]:
        """Return the real names of a player's actors."""
        return tuple(
            name
            for name, owner in zip(self.actors, self.owners.values(), strict=True)
            if owner == str(player)
        )


class SimultaneousGame(Protocol[Choice, Position_co]):
    """A simultaneous decision of all players of a round, in normal form.

    Members with a body suit a game of one round without later decisions and heuristics: its class
    inherits from this one and leaves them out.
    """

    @property
    def players(self) -> tuple[str, ...]:
        """The players by number."""

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of moves of each player; 1 if the player has nothing to decide."""

    @property
    def symmetry_classes(self) -> tuple[int, ...]:
        """For each player, the first player with the same moves and payoffs."""
        return tuple(range(len(self.players)))

    @property
    def payoffs(self) -> Floats:
        """float64[players, profiles], in the objective's unit.

        They change when subgames or later rounds are folded in.
        """

    @property
    def mirrors(self) -> tuple[Ints | None, ...]:
        """For each player None, or int64[moves].

        The array has for each move the one that is equivalent after an exchange of two equal
        actors.
        """
        return (None,) * len(self.players)

    @property
    def rounds(self) -> int:
        """Number of rounds resolved to build the game."""

    @property
    def kept_kinds(self) -> tuple[str, ...]:
        """Names of the kinds of cards, or other items, that a player keeps for later rounds.

        Empty if the game has no heuristics.
        """
        return ()

    @property
    def typical_values(self) -> tuple[tuple[float, ...], ...]:
        """What people commonly think that a kept item of each kind is worth, in spaces or points.

        One tuple for each valuation.
        """
        return ()

    @property
    def single_round(self) -> bool:
        """Whether no search can look beyond this round.

        This is so if simultaneous decisions of other players were fixed by the estimate of this
        round alone.
        """
        return True

    def heuristic_payoffs(
        self,
        values: Sequence[Sequence[float]],
        *,
        ignore_losses: Sequence[bool] = (),
        throughout: bool = False,
    ) -> Floats:
        """Return the payoffs of players who do not look beyond the round, for some valuations.

        Such a player counts its own gains and the items that it keeps, in spaces (or points), and
        ignores what others gain.

        Args:
            values: for each valuation those of a kept item of each kind, see ``kept_kinds``.
            ignore_losses: whether a player expects to keep an item that it may lose, for each
                valuation; by default nobody does.
            throughout: whether players make the later decisions of the round by these payoffs too;
                else they make them by the objective in question.

        Returns:
            float64[valuations, players, profiles], a new array.
        """
        raise LookupError("a game without kept kinds has no heuristics")

    def moves(self, player: int) -> tuple[Mapping[str, Choice], ...]:
        """Return a player's moves in deck order; one empty move if it has nothing to decide."""

    def allowed_mixtures(self, weights: Weights[Choice]) -> tuple[Floats | None, ...]:
        """Return the mixtures that players can choose among if some weights are given.

        Returns:
            For each player None, if it may mix its moves freely, or float64[mixtures, moves].  A
            player with one mixture has a fixed strategy.
        """

    def columns(self, player: int) -> OutcomeColumns:
        """Return the columns of a player's outcome vector."""

    def outcomes(self, player: int, strategies: Floats) -> Floats:
        """Return the outcome of each move against the other players' strategies.

        Args:
            player: whose moves.
            strategies: float64[sum of moves] of all players.

        Returns:
            float64[moves, width].
        """

    def parts(self, player: int, strategies: Floats) -> Floats:
        """Return what each move gains and loses in this round, by part.

        The parts of a move sum to its value minus a number that is the same for all moves of the
        player, except for the values of further rounds.

        Args:
            player: whose moves.
            strategies: float64[sum of moves] of all players.

        Returns:
            float64[moves, parts], in the order of :attr:`RoundGame.part_names`.
        """
        return no_numbers(self.counts[player])

    def open_profiles(self) -> tuple[Ints, Ints]:
        """Return the open profiles without a solution, and the size of each subgame.

        Returns:
            int64[...] each: the profiles, ascending, and the number of payoffs of deciding
            players in their subgames.
        """
        return NO_PLACES, NO_PLACES

    def open_subgames(self, profiles: Ints) -> Sequence[OpenSubgames]:
        """Return the subgames of some open profiles, grouped by shape."""
        return ()

    def successors(self, profile: int) -> Sequence[tuple[float, Position_co | None]]:
        """Return the positions after a profile with probabilities; None if the game is over."""
        return ((1.0, None),)

    def set_continuation(self, profile: int, values: Sequence[ContinuationValue | None]) -> None:
        """Fold the values of the positions after a profile into its payoffs."""
        return None

    def set_default_gains(self, gains: Mapping[str, float]) -> None:
        """Set the later gains of all unfinished profiles that have no continuation value."""
        return None

    def set_subgame_solutions(self, subgames: OpenSubgames, strategies: Floats) -> None:
        """Fold the solutions of subgames into the payoffs.

        Args:
            subgames: as returned by :meth:`open_subgames`.
            strategies: float64[k, sum of sizes], a mixture for each deciding player.
        """
        return None


class RoundGame(BestResponseGame[Position, Choice], Protocol[Position, Choice]):
    """A game in rounds that provides best-response models and normal forms.

    Members with a body suit a game of one round; its class inherits from this one.
    """

    @property
    def part_names(self) -> Sequence[str]:
        """Names of the parts of a value, see :meth:`SimultaneousGame.parts`."""
        return ()

    @property
    def style_library(self) -> StyleLibrary:
        """How people play the game."""

    def kept(self, move: Mapping[str, Choice]) -> int:
        """Return how much a move keeps or takes back for later; it decides between equal values."""
        return 0

    def shown(self, move: Mapping[str, Choice]) -> tuple[str, ...]:
        """Return what the others see of a move when it is revealed, in the order of its actors."""

    def position_key(self, question: Question[Position, Choice]) -> bytes:
        """Return the position and the revealed choices as bytes, in an order without seats."""

    def canonicalize(
        self, question: Question[Position, Choice]
    ) -> CanonicalQuestion[Position, Choice]:
        """Return the question in canonical form."""

    def result_bounds(
        self, question: Question[Position, Choice], moves: Sequence[Mapping[str, Choice]]
    ) -> Sequence[ResultBounds[Choice]]:
        """Return the bounds of the asker's share of the win after each of its moves; or nothing."""
        return ()

    def columns(self, players: int, actors: Sequence[str]) -> OutcomeColumns:
        """Return the columns of an outcome for a player with these actors.

        Args:
            players: number of players.
            actors: of the player.
        """

    def stage_game(
        self, question: Question[Position, Choice]
    ) -> SimultaneousGame[Choice, Position]:
        """Return the decision in question as a game in normal form."""

    def next_rounds(
        self, question: Question[Position, Choice], position: Position
    ) -> Sequence[tuple[float, Question[Position, Choice], int]]:
        """Return the questions that follow a position, one for each chance outcome.

        Returns:
            Its probability, the question, and how many rounds of final choices its decision
            resolves.
        """
