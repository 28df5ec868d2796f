"""Reference expectimax with the parts of the first round, and with what reasons state about it."""

from __future__ import annotations

from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import Card
from tests.games.snow_time.engine.plain_parts import plain_parts
from tests.solver.search.reference_expectimax import Outcome, Reference

KEPT = (Card.WATCHER, Card.BLIZZARD)


class ReferenceWithParts(Reference):
    """Also computes numbers of the first round.

    They are ("part", name), ("recovered", ""): champions that the player takes back, ("hand", ""):
    champions in hand afterwards, and ("kept", card): seats with the card in hand afterwards.
    """

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
