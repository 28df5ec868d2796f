"""A legal review request whose payments can be made in very many ways."""

from typing import Any

from golden.snowcrest import SMALL

from tests.games.snowcrest.positions import seat, table

KINDS, COPIES, HAND, TURNS = 25, 10, 20, 32
PAYMENT = {"tokens": {"bell": 2, "bowl": 2, "juniper": 2}}
_ICONS = ("barley", "bell", "bowl", "juniper", "gold")
_MONKS = ("monk-a", "monk-b")
_ROW = 3
"""Three exhausted villagers in a row force a rest."""


def hostile_review(turns: int = TURNS) -> dict[str, Any]:
    """Return the review of two players who activate villagers and pay six times for each.

    Their hands are unknown, so that each payment may contain any of 25 kinds of cards.
    """
    action = {"pay": PAYMENT["tokens"], "effects": [{"type": "gain", "what": "barley"}]}
    catalogue = SMALL | {
        "villagers": [
            {"id": f"v{kind}", "cost": 1, "icons": {_ICONS[kind % 5]: 1}, "copies": COPIES}
            for kind in range(KINDS)
        ],
        "commons": [
            *({"id": monk, "cost": 1, "copies": 10, "actions": [action] * 6} for monk in _MONKS),
            {"id": "idler", "cost": 1, "copies": 10},
        ],
    }
    village = range(9)
    seats = [
        seat(monk[-1], dict.fromkeys(village, monk), hand="unknown " * HAND,
             tokens=dict.fromkeys(_ICONS, 200), buildings={})
        for monk in _MONKS
    ]  # fmt: skip
    start = table(*seats, row=["idler"] * 5, catalogue=catalogue)
    return {"state": start, "turns": [_turn(number) for number in range(turns)]}


def _turn(number: int) -> list[dict[str, Any]]:
    """Return a turn; both players activate three villagers, then rest, and so on."""
    cell = number // len(_MONKS) % (_ROW + 1)
    if cell == _ROW:
        return [{"type": "rest"}]
    return [{"type": "activate", "cell": cell}, *[{"type": "pay", "payment": PAYMENT}] * 6]
