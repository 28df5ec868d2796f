"""Brief hints: the same numbers and sentences as full ones, in at most 2 kB."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest
from explanations import PLAYERS, decisions
from golden.asking import ask

from service.core.languages import LANGUAGES
from service.core.violations import Rejected
from service.games.registry import GAMES
from tests import randomized

MOST_BYTES = 2_000
every_game = pytest.mark.parametrize("game", GAMES)
Body = dict[str, Any]


def played(game: str, few: int) -> list[Body]:
    seed = randomized.seed(1)
    print(f"seed {seed}")
    cases = randomized.case_count(few, 20 * few, ci=few)
    return [*islice(decisions(game, seed, "quick", PLAYERS[:4]), 2, 2 + 5 * cases, 5)]


def size(document: Body) -> int:
    return len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_brief_hint_has_at_most_two_kilobytes(game: str, language: str) -> None:
    sizes = [
        size(ask(game, "suggest", body | {"detail": "brief"}, language)) for body in played(game, 6)
    ]
    print(game, language, max(sizes))
    assert max(sizes) <= MOST_BYTES


@every_game
def test_a_brief_hint_says_what_the_full_one_says(game: str) -> None:
    for body in played(game, 6):
        full, brief = (ask(game, "suggest", body | {"detail": name}) for name in ("full", "brief"))
        assert {name: brief[name] for name in ("pick", "win_shares", "search")} == {
            name: full[name] for name in ("pick", "win_shares", "search")
        }
        assert brief["advice"]["text"] == full["advice"]["text"]
        assert brief.get("plan") == full.get("plan")
        pick, best = full["moves"][full["pick_index"]], brief["moves"][brief["pick_index"]]
        assert best == {name: pick[name] for name in best}
        assert best["reasons"] == pick["reasons"]
        for row, first in zip(brief["moves"], full["moves"][:3], strict=False):
            assert (row["move"], row["value"]) == (first["move"], first["value"])
        assert min(3, len(full["moves"])) <= len(brief["moves"]) <= 4


@every_game
def test_a_brief_hint_has_no_optional_parts(game: str) -> None:
    [body] = played(game, 1)[:1]
    with pytest.raises(Rejected) as rejected:
        ask(game, "suggest", body | {"detail": "brief", "include": ["facts"]})
    assert "include-with-brief" in str(rejected.value)
