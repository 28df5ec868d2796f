"""What happens in a round, over the likeliest plays of the others, by the readable rules."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Container, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import product
from math import prod
from typing import Final, NamedTuple

from service.core.hints import Hint, Mixture, Question
from service.games.snow_time.rules.resolution import Event, events_on_tree
from service.games.snow_time.rules.state import Card, Move, State

MAX_MOVES: Final = 4
"""Of each other player, the likeliest."""
MAX_PLAYS: Final = 24
"""Of the others together, the likeliest."""
MIN_KNOWN: Final = 0.5
"""Of the plays of the others, by probability."""

MOSTLY: Final = 0.8
"""Share of the plays in which something comes with something else, to be said together."""

KNOCKS, BRAWLS, STRUCK, BURIED = "knocks", "brawls", "struck", "buried"
FRUIT, MANA, BONUS, FINISHES = "fruit", "mana", "bonus", "finishes"
WINS, TAKES = "wins", "takes"
"""What another seat gains: the last space, fruit."""
FALLS: Final = (STRUCK, BRAWLS, BURIED)
"""How an own champion falls."""


class Happening(NamedTuple):
    """Something that happens to a seat of the asker, or that another seat gains.

    Attributes:
        code: ``KNOCKS`` down another champion, ``FALLS``, takes fruit, and so on.
        own: the asker's seat; empty if another seat gains something.
        other: the seat that acts or falls, if there is one.
        number: the card of the other seat; or the level of the fruit, the space of the bonus.
        amount: fruit tokens.
    """

    code: str
    own: str
    other: str = ""
    number: int = 0
    amount: int = 0


class Happenings:
    """What happens after a move, with probabilities.

    Args:
        plays: of all seats, each with its probability and what happens, in a fixed order: no
            answer may depend on the order of a set of strings.

    Attributes:
        known: the sum of these probabilities; what happens in other plays is not known.
    """

    def __init__(
        self, plays: Sequence[tuple[float, Mapping[str, Move], Sequence[Happening]]]
    ) -> None:
        self._plays = plays
        self.known = sum(chance for chance, _, _ in plays)

    def chances(self, seat: str = "", card: Card | None = None) -> dict[Happening, float]:
        """Return the probability of all that may happen; with a seat, if it plays a card."""
        total, chances = 0.0, dict[Happening, float]()
        for chance, play, happened in self._plays:
            if not seat or play[seat].last.card is card:
                total += chance
                for each in happened:
                    chances[each] = chances.get(each, 0.0) + chance
        return {each: chance / total for each, chance in chances.items()}

    def share(self, other: Container[Happening], given: Happening) -> float:
        """Return the share of the plays with a happening in which one of others happens, too."""
        with_it = [(chance, happened) for chance, _, happened in self._plays if given in happened]
        both = sum(chance for chance, each in with_it if any(one in other for one in each))
        return both / sum(chance for chance, _ in with_it)


class Outlook:
    """The likeliest plays of the others at a decision, with what they do to the asker.

    Plays in which a watcher is still to add a card are left out: what happens then is not known.
    """

    def __init__(self, question: Question[State, Move], hint: Hint[Move]) -> None:
        self._state = question.position
        self._own = frozenset(seat.name for seat in self._state.seats_of(question.player))
        mixtures = [
            _likeliest(mixture)
            for player, mixture in hint.strategies.items()
            if player != question.player and mixture
        ]
        plays = (
            (
                prod(chance for _, chance in each),
                {**question.revealed, **dict(ChainMap(*(dict(move) for move, _ in each)))},
            )
            for each in product(*mixtures)
        )
        known = [
            (chance, play)
            for chance, play in nlargest(MAX_PLAYS, plays, key=lambda play: play[0])
            if not any(_is_open(own) for seat, own in play.items() if seat not in self._own)
        ]
        self._total = sum(chance for chance, _ in known)
        self._plays = known
        self._found: dict[tuple[tuple[str, Move], ...], Happenings | None] = {}

    def of(self, move: Mapping[str, Move]) -> Happenings | None:
        """Return what happens after a move; None if that is not known for most plays."""
        key = tuple(move.items())
        if key not in self._found:
            self._found[key] = self._after(move)
        return self._found[key]

    def _after(self, move: Mapping[str, Move]) -> Happenings | None:
        if self._total < MIN_KNOWN or any(map(_is_open, move.values())):
            return None
        rows = []
        for chance, play in self._plays:
            moves = {**play, **move}
            events = events_on_tree(self._state, [moves[seat.name] for seat in self._state.seats])
            happened = (each for event in events for each in self._happenings(event, moves))
            rows.append((chance, moves, sorted(set(happened))))
        return Happenings(rows)

    def _happenings(self, event: Event, moves: Mapping[str, Move]) -> Iterator[Happening]:
        """Yield what an event does to the asker's seats, what they do to others, and what others
        gain.
        """
        acting, fallen = self._own & set(event.seats), self._own & set(event.fallen)
        level = event.level or 0
        match event.type:
            case "strike":
                [attacker] = event.seats
                for seat in fallen - {attacker}:
                    yield Happening(STRUCK, seat, attacker, level)
                for own in acting:
                    for seat in event.fallen:
                        if seat not in self._own:
                            yield Happening(KNOCKS, own, seat, level - 1)
            case "brawl":
                for own in fallen:
                    for seat in event.seats:
                        if seat not in self._own:
                            yield Happening(BRAWLS, own, seat, level)
            case "blizzard":
                for own in fallen:
                    for seat in set(event.seats) - self._own:
                        yield Happening(BURIED, own, seat, int(Card.BLIZZARD))
            case "fruit":
                for own in acting:
                    yield Happening(FRUIT, own, number=level, amount=event.awards[0].points)
                for seat in set(event.seats) - self._own:
                    yield Happening(TAKES, "", seat, level, event.awards[0].points)
            case "mana":
                for own in acting:
                    yield Happening(MANA, own, number=level, amount=1)
            case "bonus":
                for award in event.awards:
                    if award.seat in self._own:
                        yield Happening(BONUS, award.seat, number=award.start, amount=award.points)
            case "finish":
                for own in acting:
                    yield Happening(FINISHES, own)
                for seat in set(event.seats) - self._own:
                    yield Happening(WINS, "", seat)


def _likeliest(mixture: Mixture[Move]) -> Mixture[Move]:
    return nlargest(MAX_MOVES, mixture, key=lambda each: each[1])


def _is_open(move: Move) -> bool:
    """Return whether a watcher is still to add a card."""
    return move.awaits_added_card
