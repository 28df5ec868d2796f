"""The last turn of a game with an unknown hand, against a plain search over all hands.

In the plain search, the other player knows its hand and chooses what is best for its final
standing; the asker chooses without seeing it, and learns of it by the choices only.
"""

from collections import Counter
from itertools import combinations

import pytest

from service.core.frozen import replace
from service.core.game import Chance
from service.core.vocabulary import EFFORTS
from service.games.snowcrest.api.responses import render_action
from service.games.snowcrest.rules.scoring import winners
from service.games.snowcrest.rules.state import unseen_deck
from tests.games.snowcrest.plain_ends import is_end, standing
from tests.games.snowcrest.positions import GAME, ask, seat, state, table, with_cards

POSITIONS = {
    "a penalty": table(
        seat("a", {1: "abbess!"}, hand="unknown", discards="priest", omen=-2, scrolls=1,
             tokens={"barley": 2, "juniper": 2}, buildings={"forge": (0, 1)}),
        seat("b", {4: "mason!", 5: "ploughwoman"}, discards="gardener farmer", omen=-4, scrolls=1,
             tokens={"bell": 1}, buildings={"forge": (0, 1), "temple": (2, 0)}),
        turn="b", supply=0, juniper=2, ending=True,
        row=["guide", "merchant", "smith", "enlightened-mystic", "prospector"],
        challenges=[{"challenge": name} for name in ("glowing-forges", "hard-work", "full-barns")],
    ),
    "bids": table(
        seat("a", {7: "high-abbot", 4: "monk!", 3: "merchant!"}, hand="unknown unknown", omen=-3,
             scrolls=2, tokens={"juniper": 1}, buildings={}),
        seat("b", {4: "builder", 1: "mason!", 6: "monk"}, omen=-4, scrolls=2, tokens={"bell": 1},
             buildings={"temple": 1}),
        turn="b", supply=3, juniper=3, ending=True,
        row=["enlightened-mystic", "innkeeper", "herbalist", "guide", "storyteller"],
        challenges=[{"challenge": name} for name in ("wide-fields", "whole-village", "good-omens")],
    ),
}  # fmt: skip
POSITIONS["icons of any resource"] = POSITIONS["a penalty"] | {
    "catalogue": with_cards(
        **{card: {"icons": {"any": 2}} for card in ("nun", "monk", "ploughwoman")},
        scholar={"icons": {"any": 1}},
    )
}
"""C22: of the hand, and of a villager who pays."""


def hands_of(start, index):
    """Return the state with each hand of a seat, with probabilities."""
    holder = start.seats[index]
    hands = Counter(combinations(unseen_deck(start, index).elements(), holder.unknown_count))
    return [
        (count / hands.total(), start.with_seat(index, replace(holder, hand=hand)))
        for hand, count in hands.items()
    ]


class Plain:
    """The plain search; ``known`` stores what each player gets with all hands known."""

    def __init__(self, asker):
        self.asker, self.known = asker, {}

    def final(self, state):
        winning = winners(state)
        share = (state.players[self.asker] in winning) / len(winning)
        return share, [standing(state, index) for index in range(len(state.seats))]

    def with_known_hands(self, turn):
        """Return the asker's share, and the standings of all."""
        turn = replace(turn, actions=())
        if turn not in self.known:
            self.known[turn] = self._with_known_hands(turn)
        return self.known[turn]

    def _with_known_hands(self, turn):
        if is_end(turn):
            return self.final(turn.state)
        node = GAME.pending(turn)
        if isinstance(node, Chance):
            below = [
                (float(p), self.with_known_hands(GAME.draw(turn, o).play)) for o, p in node.outcomes
            ]
            share = sum(p * share for p, (share, _) in below)
            seats = range(len(turn.state.seats))
            return share, [sum(p * each[index] for p, (_, each) in below) for index in seats]
        [(player, choices)] = node.choices.items()
        index = turn.state.players.index(player)
        after = [self.with_known_hands(GAME.choose(turn, {player: each}).play) for each in choices]
        return max(after, key=lambda each: round(each[1][index], 9))

    def share(self, deals):
        """Return the asker's share, weighted by the probabilities of the deals."""
        _, first = deals[0]
        if is_end(first):
            return sum(p * self.final(turn.state)[0] for p, turn in deals)
        node = GAME.pending(first)
        if isinstance(node, Chance):
            return sum(
                float(chance) * self.share([(p, GAME.draw(t, drawn).play) for p, t in deals])
                for drawn, chance in node.outcomes
            )
        [(player, choices)] = node.choices.items()
        if first.state.players.index(player) == self.asker:
            return max(self.share(chosen(deals, player, choice)) for choice in choices)
        groups = {}
        for p, turn in deals:
            options = GAME.pending(turn).choices[player]
            own = max(options, key=lambda each: self.best(turn, player, each))
            after = GAME.choose(turn, {player: own}).play
            groups.setdefault((own, tuple(after.tasks)), []).append((p, after))
        return sum(self.share(group) for group in groups.values())

    def best(self, turn, player, choice):
        index = turn.state.players.index(player)
        after = GAME.choose(turn, {player: choice}).play
        return round(self.with_known_hands(after)[1][index], 9)


def chosen(deals, player, choice):
    return [(p, GAME.choose(turn, {player: choice}).play) for p, turn in deals]


@pytest.mark.parametrize("name", POSITIONS)
def test_another_player_knows_its_own_hand(name):
    start = state(POSITIONS[name])
    deals = [(p, GAME.begin(each).play) for p, each in hands_of(start, 0)]
    [choices] = GAME.pending(GAME.begin(start).play).choices.values()
    plain, shares = Plain(asker=1), {}
    for choice in choices:
        move = render_action(choice, start.catalogue)
        # A card does the same in each empty cell, as the challenges are out of reach.
        if choice == next(each for each in choices if each.card == choice.card) or not choice.card:
            shares[str(move)] = plain.share(chosen(deals, "b", choice))
    assert shares
    for effort in EFFORTS:
        response = ask("suggest", {"state": POSITIONS[name], "player": "b", "effort": effort})
        values = {str(each["move"]): each["value"] for each in response["moves"]}
        # Looked-ahead shares are never quite 0 or 1; choices behind the best need not be exact.
        assert {move: values[move] for move in shares} == pytest.approx(shares, abs=1e-6)
