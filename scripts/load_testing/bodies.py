"""Requests for load tests; a seed fixes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

SUGGEST: Final = "/v1/games/snow-time/suggest"
NAMES: Final = ("red", "blue", "green", "black", "white")
CHAMPIONS: Final = ("1", "2", "3", "4", "5", "6", "7")


def positions(seats: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield realistic positions without end, practically all different."""
    random = Random(seed)
    while True:
        start = random.randint(0, 22)
        table = []
        for name in NAMES[:seats]:
            hand = sorted(random.sample(CHAMPIONS, random.randint(3, 7)))
            hand += [
                "healer",
                *sorted(random.sample(("watcher", "blizzard"), random.randint(0, 2))),
            ]
            table.append({"seat": name, "score": start + random.randint(0, 7), "hand": hand})
        yield {"seats": table, "fruit": [random.randint(0, 2) for _ in range(6)]}


def hints(seats: int, seed: int, count: int, **more: Any) -> list[bytes]:
    """Return request bodies for hints at ``count`` positions."""
    return list(islice(hint_bodies(seats, seed, **more), count))


def hint_bodies(seats: int, seed: int, **more: Any) -> Iterator[bytes]:
    """Yield request bodies for hints without end."""
    for state in positions(seats, seed):
        yield json.dumps({"state": state, "player": NAMES[0], **more}).encode()
