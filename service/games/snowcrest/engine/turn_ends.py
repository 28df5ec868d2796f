"""Ends of turns, and of games, in the search."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from service.games.snowcrest.catalogue import cards
from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.scoring import BUILDING_POINTS
from service.games.snowcrest.rules.state import VILLAGE_CELLS
from service.games.snowcrest.rules.turn import Turn

MOST_CHOICES: Final = 12
"""Choices of all effects of a card with small turns."""
MOST_PLAYERS: Final = 4
GAINS_PER_TURN: Final = 2
"""Large gains of scrolls in a turn, at most, about."""
_SCROLL_EFFECTS: Final = (cards.Copy, cards.Gain, cards.Meditate, cards.Trade, cards.Worship)
"""Effects that may bring a scroll."""


@lru_cache(maxsize=8)
def most_scrolls(catalogue: Catalogue) -> int:
    """Return how many scrolls a turn takes at most, about; 6 with the default catalogue."""
    effects = (
        effect
        for villager in catalogue.villagers
        for action in villager.actions
        for effect in action.effects
    )
    spirits = (*catalogue.guardians, *catalogue.forest)
    gains = [
        *(times * _scrolls(gain) for effect in effects for gain, times in _gains(effect)),
        *(_scrolls(gain) for each in spirits for gain in each.reward),
        *(each.scrolls for each in catalogue.challenges),
    ]
    return GAINS_PER_TURN * max(gains, default=0)


@lru_cache(maxsize=8)
def has_small_turns(catalogue: Catalogue) -> bool:
    """Return whether all cards are about as small as printed ones, so that turns have few choices.

    The compiled search of a turn cannot be interrupted, and has room for a limited number of
    positions.  Own catalogues may have turns of hundreds of choices.
    """
    of_rests = (VILLAGE_CELLS * villager.any_icons for villager in catalogue.villagers)
    villagers = (
        sum(_choices(effect) for action in villager.actions for effect in action.effects)
        for villager in catalogue.villagers
    )
    spirits = (
        sum(map(_choices_of_gain, each.reward))
        for each in (*catalogue.guardians, *catalogue.forest)
    )
    return max((*of_rests, *villagers, *spirits), default=0) <= MOST_CHOICES


def _choices(effect: cards.Effect) -> int:
    """Return how many choices an effect needs at most, about."""
    match effect:
        case cards.Gain():
            return _choices_of_gain(effect)
        case cards.PerBuilding(gain=gain):
            return len(BUILDING_POINTS) * _choices_of_gain(gain)
        case cards.Trade(sets=sets):
            return max(map(_choices_of_gain, sets))
        case cards.Meditate():
            return MOST_PLAYERS  # Each player bids.
    return 1


def _choices_of_gain(gain: cards.Gain) -> int:
    return gain.count if gain.what is cards.GainKind.ANY or gain.what.is_building else 1


def _scrolls(gain: cards.Gain) -> int:
    return gain.count if gain.what is cards.GainKind.SCROLL else 0


def _gains(effect: cards.Effect) -> list[tuple[cards.Gain, int]]:
    """Return the gains of an effect, and how often each one is gained at most."""
    match effect:
        case cards.Gain():
            return [(effect, 1)]
        case cards.PerBuilding(gain=gain):
            return [(gain, max(BUILDING_POINTS))]
        case cards.Trade(sets=sets):
            return [(each, 1) for each in sets]
    return []


def play_may_end_game(turn: Turn, play: Action) -> bool:
    """Return whether a play, or a challenge that it meets, may take the last scroll (C9)."""
    state = turn.state
    in_last_seat = state.turn + 1 == len(state.seats)
    if play.card is None or not in_last_seat or state.supply > most_scrolls(state.catalogue):
        return False
    open_ = [posted.challenge for posted in state.challenges if posted.by is None]
    rewards = (state.catalogue.challenges[challenge].scrolls for challenge in open_)
    effects = map(state.villager(play.card).has, _SCROLL_EFFECTS)
    return state.supply <= max(rewards, default=0) or any(effects)
