"""A game of Snow Time and a turn of Slopecrashers with the client of openapi-python-client."""

from __future__ import annotations

import json
import sys

from generated import models
from generated.api.slopecrashers import (
    slopecrashers_legal_moves,
    slopecrashers_new,
    slopecrashers_resolve,
    slopecrashers_suggest,
)
from generated.api.snow_time import (
    snow_time_grow,
    snow_time_legal_moves,
    snow_time_new,
    snow_time_resolve,
    snow_time_suggest,
)
from generated.client import Client

PLAYERS = {"red": "anna", "blue": "bob", "green": "cleo"}
LEVELS = list(models.SnowTimeSuggestRequestHintLevel)
LEVELS.sort(key=["card", "shortlist", "nudge"].index)


def main(url: str) -> None:
    client = Client(base_url=url, raise_on_unexpected_status=True)
    summary = play_game(client) | play_turn(client)
    print(json.dumps(summary))


def play_game(client: Client) -> dict[str, object]:
    seats = [models.SnowTimeNewSeat(seat, player=player) for seat, player in PLAYERS.items()]
    state = snow_time_new.sync(client=client, body=models.SnowTimeNewRequest(seats)).state
    hints = {"card": 0, "shortlist": 0, "nudge": 0}
    rounds = strike_levels = 0
    while True:
        seed = rounds + 2**40
        grow = models.SnowTimeGrowRequest(state, seed=seed)
        state = snow_time_grow.sync(client=client, body=grow).state
        moves = {}
        for index, (seat, player) in enumerate(PLAYERS.items()):
            request = models.SnowTimeSuggestRequest(
                state,
                player,
                hint_level=LEVELS[(index + rounds) % 3],
                effort=models.Effort.QUICK,
                nonce=str(seed),
            )
            hint = snow_time_suggest.sync(client=client, body=request)
            if isinstance(hint, models.SnowTimeCardHint):
                hints["card"] += len(hint.moves)
                moves[seat] = hint.pick[seat]
            elif isinstance(hint, models.SnowTimeShortlistHint):
                hints["shortlist"] += len(hint.shortlist)
                moves[seat] = hint.shortlist[0][seat]
            else:
                assert isinstance(hint, models.SnowTimeNudgeHint)
                hints["nudge"] += len(hint.nudges)
                asked = models.SnowTimeLegalMovesRequest(state)
                moves[seat] = snow_time_legal_moves.sync(client=client, body=asked).moves[seat][0]
        while True:
            revealed = models.SnowTimeMovesBySeat()
            revealed.additional_properties = moves
            asked = models.SnowTimeLegalMovesRequest(state, revealed=revealed)
            legal = snow_time_legal_moves.sync(client=client, body=asked)
            moves |= {seat: legal.moves[seat][-1] for seat in legal.moves.additional_keys}
            if legal.decision == "none":
                break
        complete = models.SnowTimeMovesBySeat()
        complete.additional_properties = moves
        body = models.SnowTimeResolveRequest(state, complete)
        resolved = snow_time_resolve.sync(client=client, body=body)
        for event in resolved.events:
            if isinstance(event, models.SnowTimeEventStrike):
                strike_levels += event.level
        state, rounds = resolved.state, rounds + 1
        if resolved.game_over:
            return {
                "rounds": rounds,
                "hints": hints,
                "strikeLevels": strike_levels,
                "winners": resolved.winners,
            }


def play_turn(client: Client) -> dict[str, object]:
    seats = [models.SlopecrashersNewSeat(player) for player in ("anna", "bob")]
    table = models.SlopecrashersNewRequest(seats, seed=7)
    state = slopecrashers_new.sync(client=client, body=table).state
    so_far = []
    while True:
        asked = models.SlopecrashersLegalMovesRequest(state, so_far=so_far)
        legal = slopecrashers_legal_moves.sync(client=client, body=asked)
        if isinstance(legal, models.SlopecrashersLegalMovesComplete):
            break
        if isinstance(legal, models.SlopecrashersLegalMovesDraw):
            draw = models.SlopecrashersActionDrawType.DRAW
            so_far.append(models.SlopecrashersActionDraw(draw, legal.draw[0].card))
            continue
        request = models.SlopecrashersSuggestRequest(state, legal.player, so_far=so_far)
        so_far.append(slopecrashers_suggest.sync(client=client, body=request).pick)
    turn = models.SlopecrashersResolveRequest(state, so_far)
    events = slopecrashers_resolve.sync(client=client, body=turn).events
    names = [
        action.direction.value
        if isinstance(action, models.SlopecrashersActionStep)
        else action.type_.value
        for action in so_far
    ]
    return {"turn": names, "turnEvents": len(events)}


main(sys.argv[1])
