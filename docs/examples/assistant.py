"""Winter Games as tools of an assistant: an MCP server that speaks over stdio.

    pip install mcp
    python3 assistant.py --url http://localhost:8000 --language de

An assistant turns a photo of the table or a spoken sentence into a position, sends it, and corrects
what the service refuses. It needs ``winter_games.py`` in the same folder and the package ``mcp``. A
key of the service stands in the environment variable ``WINTER_GAMES_KEY``.
"""

from __future__ import annotations

import argparse
import os
import urllib.error
from functools import cache
from typing import Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from winter_games import Document, Problem, WinterGames

Game = Literal["snow-time", "slopecrashers", "snowcrest"]
EXAMPLES: dict[Game, Document] = {
    "snow-time": {
        "seats": [
            {"seat": "red", "player": "anna", "score": 25, "hand": ["2", "4", "healer"]},
            {"seat": "blue", "player": "bob", "score": 24, "hand": ["3", "6", "healer"]},
            {"seat": "green", "player": "cleo", "score": 22, "hand": ["3", "5", "healer"]},
        ],
        "fruit": [0, 1, 2, 0, 0, 1],
    },
    "slopecrashers": {
        "seats": [
            {"player": "anna", "lap": 1, "row": 1, "lane": 3, "gifts": ["rocket"]},
            {"player": "hugo", "lap": 1, "row": 4, "lane": 3, "gifts": ["unknown"]},
        ],
        "turn": "anna",
        "course": ["cedar", "fir"],
    },
    "snowcrest": {
        "seats": [
            {
                "player": "anna",
                "tokens": {"barley": 2, "juniper": 1},
                "hand": ["gardener", "nun"],
                "village": [{"cell": 4, "card": "potter", "exhausted": True}],
            },
            {"player": "hugo", "tokens": {"bell": 1}, "hand": ["unknown"], "village": []},
        ],
        "turn": "anna",
        "supply": 11,
        "juniper": 3,
        "row": ["poet", "baker", "guide", "smith", "scribe"],
    },
}
"""A position of each game, which shows an assistant what to fill in."""
INSTRUCTIONS = """\
Tools for three board games: Snow Time, Slopecrashers and Snowcrest.

To help at a table: call `describe_game` once. Build the position from a photo or from what people
say; its result has an example to fill in and the names of all cards. Ask the people for what a
photo does not show, such as their own hand. Call `hint` and read its `advice` and the reasons of
the pick aloud. Give the hint to the player who asked, and to nobody else.

If a tool refuses a position, its error names the place and the cause of every fault. Correct these
places, or ask the people about them, and call it again. Never invent a card or a number.

Snow Time: call `grow` once a round, before the cards are chosen. Then all moves of a round go to
`resolve` together. In the other games, a turn is a list of actions: choices, answers and draws.
Go on with the `state` that `resolve` returns. Keep every round or turn for `review`.
"""


def server(url: str, language: str, key: str) -> MCPServer:
    """Return a server whose tools ask the service at a URL."""
    mcp = MCPServer("Winter Games", instructions=INSTRUCTIONS)

    @cache
    def client(game: Game) -> WinterGames:
        return WinterGames(url, game, language, key)

    def ask(game: Game, operation: str, **body: Any) -> Any:
        """Return an answer; a refusal lists all faults, so that the assistant can mend them."""
        sent = {name: value for name, value in body.items() if value is not None}
        try:
            return client(game).ask(operation, sent if operation else None)
        except Problem as problem:
            faults = [f"{each['path']}: {each['detail']}" for each in problem.errors]
            raise ToolError("\n".join(faults) or str(problem)) from None
        except urllib.error.URLError as error:
            raise ToolError(f"The service at {url} does not answer: {error.reason}") from None

    def so_far_of(game: Game, so_far: Any) -> Document:
        return {"revealed" if game == "snow-time" else "so_far": so_far}

    def spoken(names: Document) -> Document:
        return {name: each.get(language) or each["en"] for name, each in names.items()}

    @mcp.tool()
    def describe_game(game: Game) -> Document:
        """Return the players, the names of all cards, and an example of a position."""
        about = ask(game, "")
        return {
            "title": about["title"].get(language, about["title"]["en"]),
            "players": about["players"],
            "cards": spoken(about["cards"]),
            "example": EXAMPLES[game],
        }

    @mcp.tool()
    def new_game(game: Game, seats: list[Document], seed: int | None = None) -> Document:
        """Return the first position. A seat is {"player": "anna", "name": "Änna"}; in Snow Time it
        also has a "seat": red, blue, green, yellow or white. Games other than Snow Time are
        shuffled by the seed.
        """
        return ask(game, "new", seats=seats, seed=seed)

    @mcp.tool()
    def grow(state: Document, dice: list[int] | None = None, seed: int | None = None) -> Document:
        """Snow Time: return the position with the fruit of two dice, or of a random seed."""
        return ask("snow-time", "grow", state=state, dice=dice, seed=seed)

    @mcp.tool()
    def legal_moves(
        game: Game, state: Document, so_far: Document | list[Document] | None = None
    ) -> Document:
        """Return who decides now and the legal moves. `so_far`: in Snow Time the revealed moves by
        seat, such as {"red": {"card": "4"}}; in other games the actions of this turn.
        """
        return ask(game, "legal-moves", state=state, **so_far_of(game, so_far))

    @mcp.tool()
    def hint(
        game: Game,
        state: Document,
        player: str,
        so_far: Document | list[Document] | None = None,
    ) -> Document:
        """Return a hint for one player: `advice` is what to do, `pick` the move, `reasons` say why.
        `so_far` as in `legal_moves`. Leave out what others hide: write "unknown".
        """
        return ask(
            game, "suggest", state=state, player=player, detail="brief", **so_far_of(game, so_far)
        )

    @mcp.tool()
    def resolve(
        game: Game, state: Document, moves: Document | list[Document], seed: int | None = None
    ) -> Document:
        """Return the next position and what happens. `moves`: in Snow Time the complete move of
        every seat; in other games all actions of the turn. A seed draws what is missing.
        """
        seeded = {} if game == "snow-time" else {"seed": seed}
        return ask(game, "resolve", state=state, moves=moves, **seeded)

    @mcp.tool()
    def review(game: Game, state: Document, played: list[Any]) -> Document:
        """Return what each decision of a game lost. `state`: before the first round or turn.
        `played`: in Snow Time {"dice": [2, 6], "moves": {...}} of each round; in other games the
        list of actions of each turn, as `resolve` returns it in `moves`.
        """
        rounds = "rounds" if game == "snow-time" else "turns"
        return ask(game, "review", state=state, effort="quick", **{rounds: played})

    return mcp


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--language", default="en", choices=["en", "de", "zh-Hans", "zh-Hant"])
    options = parser.parse_args()
    server(options.url, options.language, os.environ.get("WINTER_GAMES_KEY", "")).run()
