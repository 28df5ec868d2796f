"""What is known about how a player plays, without the numbers behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trait:
    """One thing that can be said about a player.

    Attributes:
        code: for example ``thinks-one-step``.
        probability: that it is true.
        params: of the text, for example the name of a kind of card.
    """

    code: str
    probability: float
    params: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlayerProfile:
    """How a player plays, as far as its choices tell.

    Attributes:
        traits: the likeliest first.
        worth: estimated value of a kept card of each kind, in spaces.
        precision: estimated precision of its choices, per space; 0 in a game without kept cards.
        rounds: number of rounds with a known choice of the player.
        nats: log-likelihood of these choices minus that of uniform play.
        compact: the profile as text, for a later question.
    """

    traits: Sequence[Trait]
    worth: Mapping[str, float]
    precision: float
    rounds: int
    nats: float
    compact: str
