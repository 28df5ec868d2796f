"""Reference expectimax with the parts of the first round, and with what reasons state about it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from service.games.snow_time.rules.resolution import resolve
from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import Card, Move, State
from tests.games.snow_time.engine.plain_normal_form import Moves, PlainNormalForm
from tests.games.snow_time.engine.plain_parts import plain_parts
from tests.solver.search.reference_expectimax import Outcome, Reference, mean, mixtures

KEPT = (Card.WATCHER, Card.BLIZZARD)


class ReferenceWithParts(Reference):
    """Also computes numbers of the first round.

    They are ("part", name), ("recovered", ""): champions that the player takes back, ("hand", ""):
    champions in hand afterwards, and ("kept", card): seats with the card in hand afterwards.
    """

    def outcome(self, state: State, moves: Moves) -> Outcome:
        """Return the outcome of the complete moves of a single round."""
        complete = tuple(moves[seat.name] for seat in state.seats)
        return self._round_outcome(Round(state, True, complete, resolve(state, complete)), 1)

    def _round_outcome(self, play: Round, depth: int) -> Outcome:
        outcome = super()._round_outcome(play, depth)
        assert play.resolution is not None
        after, points = play.resolution.state, play.resolution.points
        parts = plain_parts(play.state, after, points, self.player, self.objective)
        own = after.seats_of(self.player)
        moves = dict(zip((seat.name for seat in play.state.seats), play.moves, strict=True))
        outcome |= {("part", name): amount for name, amount in parts.items()}
        outcome["recovered", ""] = sum(len(moves[seat.name].last.recover or ()) for seat in own)
        outcome["hand", ""] = sum(card.is_champion for seat in own for card in seat.hand)
        for card in KEPT:
            outcome["kept", card.label] = sum(card in seat.hand for seat in own)
        return outcome


def outcomes_against(
    state: State, player: str, strategies: Mapping[str, Mapping[Move, float]]
) -> list[tuple[dict[str, Move], Outcome | None]]:
    """Return the outcomes of a player's cards against given strategies of all other seats.

    Later decisions are those of the plain normal form.

    Args:
        state: the position at the card decision.
        player: the player, who wants to win.
        strategies: probabilities of the cards of the other seats.

    Returns:
        By joint card, in the order of the position; None if several players may have an open
        watcher, because their strategies then are those of a game that is solved by itself.
    """
    plain = PlainNormalForm(state, "win", {}, player)
    reference = ReferenceWithParts(player, "win")
    choices = plain.decision.choices
    own = [seat.name for seat in state.seats_of(player)]
    others = mixtures([(seat, choices[seat]) for seat in choices if seat not in own], strategies)
    rows: list[tuple[dict[str, Move], Outcome | None]] = []
    for cards in product(*(choices[seat] for seat in own)):
        mine = dict(zip(own, cards, strict=True))
        profiles = [(chance, mine | theirs) for theirs, chance in others]
        if any(len(plain.watching(profile)) > 1 for _, profile in profiles):
            rows.append((mine, None))
            continue
        rows.append(
            (
                mine,
                mean(
                    (chance, reference.outcome(state, plain.played(profile)))
                    for chance, profile in profiles
                ),
            )
        )
    return rows
