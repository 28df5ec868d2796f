"""What a move does on the board, compared with another one, and how much that matters.

What happens comes from the rules (``outlook.py``), what it weighs from the parts of the difference
and from the values of both moves against each reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from service.core.advice import (
    CLEAR,
    DECIDED,
    EQUAL,
    MISTAKES,
    MIXTURE,
    TOLERANCES,
    is_slight,
)
from service.core.explanation import (
    BALANCE,
    LEAST,
    MAX_REASONS,
    Consequence,
    explain_alone,
    explain_best,
    explain_other,
)
from service.core.hints import Hint, MoveValue, Question, Reason
from service.core.vocabulary import WIN
from service.games.snow_time.api.reasons.falls import (
    DANGERS,
    avoided,
    avoided_fall,
    dangers_of,
    is_riskier,
)
from service.games.snow_time.api.reasons.gains import comparative_gains, plain_gains
from service.games.snow_time.api.reasons.outlook import (
    Outlook,
)
from service.games.snow_time.api.reasons.replies import (
    CERTAIN,
    FELLED_BY,
    KNOWN,
    MANY,
    RARE,
    SURE,
    UNLIKELY,
    Case,
    Reply,
    against,
    felled_by,
    replies_of,
)
from service.games.snow_time.api.reasons.threats import largest_threat, storms
from service.games.snow_time.rules.rules import recoverable
from service.games.snow_time.rules.state import SINGLE_USE, Card, Move, State

CONSEQUENCE_CODES: Final = {
    "fruit": "Takes `count` fruit on `level`, with probability `chance`; with `mana`, the mana "
    "point, too; with `space`, and reaches the bonus there; `finishes` if the fruit lead to the "
    "last space.",
    "leaves-fruit": "Leaves `count` fruit on `level`, which the other move takes.",
    "mana": "The lowest champion gains a mana point, with probability `chance`; `finishes` and "
    "`space` as in `fruit`.",
    "bonus": "Reaches the bonus on `space`, with probability `chance`.",
    "finishes": "Reaches the last space, with probability `chance`.",
    "storms": "The blizzard sweeps all champions away, for a fight point each; with `other`, who "
    "could take the `count` fruit on `level`, or reach the last space (`finishes`).",
    "recovers": "Takes back `count` of `discarded` champions, `cards`; `all` if none stays in the "
    "discard pile. At its own decision, the headline names them instead.",
    "recovers-fewer": "Leaves champions in the discard pile that the other move takes back: "
    "`cards`, if they are known.",
    "watches": "The watcher sees the cards of the others first.",
    "keeps": "Keeps `card`, which can be played only once.",
    "spends": "Spends `card`.",
    "knocks": "The champion `own` knocks down `card` of `other`, who misses `count` fruit, with "
    "probability `chance`; with `finishes`, the fruit lead to the last space.",
    "stops": "The champion `own` meets `card` of `other`, and both fall; `count` and `chance` as "
    "in `knocks`.",
    "avoids": "If `other` plays `card`, with probability `chance`, the other move's champion, "
    "`own`, falls; `by` and `by_card` knock it down if that is another player.",
    "struck": "`other` knocks down the champion `own` with `card`, with probability `chance`.",
    "brawl": "`other` plays the same champion, `card`, with probability `chance`; both fall.",
    "buried": "The blizzard of `other` sweeps the champion `own` away, with probability `chance`.",
    "wins": "`other` reaches the last space, with probability `chance`.",
    "takes": "`other` can take the `count` fruit on `level`; with `finishes`, they lead to the "
    "last space. `chance`: how likely that is, if the play of the others is known.",
    "waits": "Only the player has the champion for the `count` fruit on `level`.",
    "sits-out": "The healer has nothing to take back; no champion is played.",
    BALANCE: "Better on balance; nothing stands out.",
}
"""Codes of reasons and their descriptions; the rows of the table of sentences."""

MAX_CONSIDERED: Final = 4
"""So many of the best moves have reasons, if they are no mistakes."""
UNIT: Final = 10.0
"""Spaces that matter as much as the win, for objectives in spaces."""
COSTS: Final = ("leaves-fruit", "spends", "recovers-fewer")
"""Codes that follow a gain as an exception."""


class Reasons:
    """The reasons of a hint.

    Args:
        question: the question.
        hint: with the strategies of all players.
    """

    def __init__(self, question: Question[State, Move], hint: Hint[Move]) -> None:
        self._question, self._hint = question, hint
        self._outlook = Outlook(question, hint)
        self._unit = 1.0 if question.objective == WIN else UNIT
        limit = MISTAKES[question.objective]
        self._considered = [row for row in hint.moves if row.loss <= limit][:MAX_CONSIDERED]

    def of(self, row: MoveValue[Move]) -> list[Reason]:
        """Return the reasons about a move; none for moves that nobody would consider."""
        comparison, question = row.comparison, self._question
        if comparison is None or self._hint.verdict.code == DECIDED:
            return []
        if row.move == self._hint.pick:
            return self._of_pick(row, comparison.difference)
        if row not in self._considered and row.move != question.chosen:
            return []
        case = self._case(row)
        return explain_other(self._consequences(case, replies_of(case)), self._unit)

    def facts(self, row: MoveValue[Move]) -> list[Reason]:
        """Return what a move does by itself."""
        happens = self._outlook.of(row.move)
        case = Case(self._question, self._hint, row, row, {}, happens, happens)
        replies, least = replies_of(case), LEAST * self._unit
        # Of a danger, how likely it is counts, not what it costs compared with another move.
        dangers = [
            replace(each, weight=-each.params["chance"] * self._unit)
            for each in dangers_of(case, replies)
        ]
        gains = [*plain_gains(case, least), *storms(case, replies, least), *_waiting(case, least)]
        found = [*_played_cards(case, least), *gains, *_besides(dangers, gains)]
        return explain_alone(found, self._unit)

    def _of_pick(self, row: MoveValue[Move], difference: float) -> list[Reason]:
        """Return why to play the pick; without a danger to it, the largest threat to the player."""
        verdict, tolerance = self._hint.verdict, TOLERANCES[self._question.objective]
        best = _of_equals(self.facts(row)) if verdict.code in (EQUAL, MIXTURE) else []
        case = self._case(row)
        replies = replies_of(case)
        if not best or best[0].code == "sits-out":
            best = explain_best(
                self._consequences(case, replies), difference, tolerance, self._unit
            )
        # What is much better, or one of equals, is not only "better on balance".
        if verdict.code != CLEAR or not is_slight(verdict.margin, self._question.objective):
            best = [each for each in best if each.code != BALANCE]
        if verdict.result:
            # What happens only now and then is no reason for a sure win.
            return [each for each in best if each.params.get("chance", 1.0) >= SURE]
        threat, codes = largest_threat(case, replies), {each.code for each in best}
        if threat is None or "finishes" in codes:
            return best
        # A champion that falls is nothing, compared with a lost game.
        is_likely = threat.params.get("chance", 1.0) >= RARE
        is_lost = threat.code == "wins" or "finishes" in threat.params
        if is_likely and (is_lost or not codes & {*DANGERS.values()}):
            best = best[:1]
        return [*best, threat.reason][:MAX_REASONS]

    def _case(self, row: MoveValue[Move]) -> Case:
        assert row.comparison is not None, "see `of`"
        hint = self._hint
        other = next(each for each in hint.moves if each.move == row.comparison.other)
        happens, instead = self._outlook.of(row.move), self._outlook.of(other.move)
        return Case(self._question, hint, row, other, row.comparison.parts, happens, instead)

    def _consequences(self, case: Case, replies: Sequence[Reply]) -> list[Consequence]:
        found = [
            *_cards(case),
            *comparative_gains(case),
            *_replies(case, replies),
            *dangers_of(case, replies),
        ]
        if case.row.move != self._hint.pick:
            return found
        least = LEAST * self._unit
        plain = _besides(plain_gains(case, least), found)
        return [*found, *plain, *storms(case, replies, least)]


def _besides(consequences: Iterable[Consequence], said: Sequence[Consequence]) -> list[Consequence]:
    """Return the consequences that are not about the same card of another player."""
    cards = {_card_of(each.params) for each in said}
    return [
        each
        for each in consequences
        if "other" not in each.params or _card_of(each.params) not in cards
    ]


def _card_of(params: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return another player and its card, if a consequence is about one."""
    return params.get("other"), params.get("card")


def _of_equals(facts: Sequence[Reason]) -> list[Reason]:
    """Return what to say of one of several moves that are as good: a gain, and a cost or a gain.

    A danger that is likelier than the gain would argue against the move.
    """
    losses = ("spends", *DANGERS.values())
    gain = next((each for each in facts if each.code not in losses), None)
    if gain is None:
        return []
    costs = [each for each in facts if each.code in losses]
    # The likeliest danger comes first.
    second = [
        each
        for each in costs[:1]
        if each.code == "spends" or each.params["chance"] <= gain.params.get("chance", 1.0)
    ]
    # What a champion takes, and whom it fells, are the two halves of its plan.
    halves = (("fruit", "mana"), tuple(FELLED_BY.values()))
    if not second and gain.code in chain(*halves):
        [other] = [half for half in halves if gain.code not in half]
        second = [each for each in facts if each.code == "bonus" and "space" not in gain.params]
        second = second or [each for each in facts if each.code in other]
    return [gain, *(second or [each for each in facts if each.code == "waits"])][:MAX_REASONS]


# Certain consequences -------------------------------------------------------------------------


def _cards(case: Case) -> Iterator[Consequence]:
    """Yield which cards are taken back, kept and spent."""
    parts, state = case.parts, case.question.position
    own, instead = (_recovered(state, each.move) for each in (case.row, case.other))
    value = parts.get("champions", 0.0)
    for seat, cards in own.items():
        if not state.seat(seat).discarded_champions:
            yield Consequence("sits-out", {"seat": seat}, LEAST)
        known = case.question.decision.name == "healer"
        everything = len(cards) == len(state.seat(seat).discarded_champions)
        # At its own decision, the headline names the champions.
        if value > 0.0 and cards and cards != instead.get(seat) and (everything or not known):
            yield Consequence("recovers", _recovery(case, seat, cards), value)
    if value < 0.0 and sum(map(len, own.values())) < sum(map(len, instead.values())):
        yield Consequence("recovers-fewer", _left_behind(case, own, instead), value)
    for card in SINGLE_USE:
        spent, instead_spent = _spending(case.row, card), _spending(case.other, card)
        value, params = parts.get(card.label, 0.0), {"card": card.label}
        if value < 0.0 and spent - instead_spent:
            yield Consequence("spends", {"seat": min(spent - instead_spent), **params}, value)
        if value > 0.0 and instead_spent - spent:
            yield Consequence(
                "keeps", {"seat": min(instead_spent - spent), **params}, value, rank=1
            )


def _played_cards(case: Case, least: float) -> Iterator[Consequence]:
    """Yield which champions a move takes back, and which card it spends."""
    for seat, cards in _recovered(case.question.position, case.row.move).items():
        if cards:
            yield Consequence("recovers", _recovery(case, seat, cards), 1.3 * least)
        elif not case.question.position.seat(seat).discarded_champions:
            yield Consequence("sits-out", {"seat": seat}, least)
    for card in SINGLE_USE:
        for seat, move in case.row.move.items():
            if move.last.card is card:
                yield Consequence("spends", {"seat": seat, "card": card.label}, -least)


def _waiting(case: Case, least: float) -> Iterator[Consequence]:
    """Yield the level with many fruit that only the player can take, with a card of its hand."""
    state, question = case.question.position, case.question
    if question.decision.name != "card":
        return
    played = {move.card for move in case.row.move.values()}
    for level in sorted(range(1, len(state.fruit) + 1), key=lambda each: -state.fruit[each - 1]):
        holders = {seat.player for seat in state.seats if Card(level) in seat.hand}
        count = state.fruit[level - 1]
        if count >= MANY and holders == {question.player} and Card(level) not in played:
            yield Consequence("waits", {"level": level, "count": count}, least, rank=1)
            return


def _recovery(case: Case, seat: str, cards: Sequence[Card]) -> dict[str, Any]:
    discarded = len(case.question.position.seat(seat).discarded_champions)
    params: dict[str, Any] = {"seat": seat, "count": len(cards), "discarded": discarded}
    everything = len(cards) == discarded
    if case.question.decision.name != "healer":
        chosen = cards if everything else case.question.position.seat(seat).discarded_champions
        params["cards"] = [card.label for card in chosen]
    return params | {"all": everything}


def _left_behind(
    case: Case, own: Mapping[str, Sequence[Card]], instead: Mapping[str, Sequence[Card]]
) -> dict[str, Any]:
    """Return the champions that only the other move takes back, if they are known."""
    [seat, *others] = instead
    move, taken = case.other.move[seat], instead[seat]
    everything = len(taken) == len(case.question.position.seat(seat).discarded_champions)
    if others or not (everything or move.last.recover is not None):
        return {}
    left = [card.label for card in taken if card not in own.get(seat, ())]
    return {"seat": seat, "cards": left, "count": len(left)}


def _recovered(state: State, moves: Mapping[str, Move]) -> dict[str, tuple[Card, ...]]:
    """Return the champions that each seat takes back, if that is known."""
    taken = {}
    for seat, move in moves.items():
        if move.last.card is Card.HEALER:
            most = max(recoverable(state.seat(seat)), key=len)
            taken[seat] = most if move.last.recover is None else move.last.recover
    return taken


def _spending(row: MoveValue[Move], card: Card) -> set[str]:
    return {seat for seat, move in row.move.items() if card in move.cards}


# Replies --------------------------------------------------------------------------------------


def _replies(case: Case, replies: Sequence[Reply]) -> Iterator[Consequence]:
    """Yield what a reply decides: whom the move fells then, or which fall it avoids."""
    if case.happens is None or case.instead is None:
        return
    for reply in replies:
        if reply.chance < UNLIKELY:
            continue
        after = case.happens.chances(reply.seat, reply.card)
        instead = case.instead.chances(reply.seat, reply.card)
        felled = felled_by(after, instead, reply)
        weight = _weight(case, reply, "fight", "others_spaces")
        if felled is not None and weight > 0.0 and case.happens.known >= KNOWN:
            params = against(case, felled, case.happens.chances()[felled])
            yield Consequence(FELLED_BY[felled.code], params, weight)
            continue
        fall = avoided_fall(after, instead, case.instead.chances(), reply)
        weight = _weight(case, reply, "champions")
        if fall is not None and weight > 0.0 and is_riskier(case, fall.own):
            yield Consequence("avoids", avoided(case, fall, reply), weight, rank=1)


def _weight(case: Case, reply: Reply, *parts: str) -> float:
    """Return what a reply contributes to the difference; of a certain one, some parts."""
    if reply.chance < CERTAIN:
        return reply.influence
    return sum(case.parts.get(part, 0.0) for part in parts)
