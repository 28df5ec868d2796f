"""``assistant.py``: an MCP server, asked over stdio by the client of the same package."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "docs" / "examples" / "assistant.py"
MAX_LINES = 200
TOOLS = {"describe_game", "new_game", "grow", "legal_moves", "hint", "resolve", "review"}

Call = Callable[..., Awaitable[Any]]


class Refused(Exception):
    """A tool answered with an error."""


def run(host: str, play: Callable[[Call], Awaitable[None]], language: str = "en") -> None:
    """Start the program, and play with its tools."""
    # The package takes 0.4 s to import, so other tests are collected without it.
    from mcp import Client, StdioServerParameters

    async def session() -> None:
        arguments = [str(PROGRAM), "--url", f"http://{host}", "--language", language]
        parameters = StdioServerParameters(command=sys.executable, args=arguments)
        async with Client(parameters) as client:
            listed = await client.list_tools()
            assert {tool.name for tool in listed.tools} == TOOLS
            assert all(tool.description for tool in listed.tools)

            async def call(tool: str, **arguments: Any) -> Any:
                result = await client.call_tool(tool, arguments)
                if result.is_error:
                    raise Refused(result.content[0].text)
                return result.structured_content

            await play(call)

    asyncio.run(session())


def test_the_program_is_short() -> None:
    assert len(PROGRAM.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_an_assistant_plays_and_reviews_a_round_of_snow_time(live_service: str) -> None:
    async def play(call: Call) -> None:
        about = await call("describe_game", game="snow-time")
        assert about["cards"]["healer"] == "Heiler"
        seats = [{"seat": seat, "player": seat} for seat in ("red", "blue", "green")]
        start = (await call("new_game", game="snow-time", seats=seats))["state"]
        state = (await call("grow", state=start, dice=[2, 6]))["state"]
        so_far: dict[str, Any] = {}
        for _ in range(3):
            legal = await call("legal_moves", game="snow-time", state=state, so_far=so_far or None)
            if legal["decision"] == "none":
                break
            for seat in legal["moves"]:
                asked = {"state": state, "player": seat, "so_far": so_far or None}
                hint = await call("hint", game="snow-time", **asked)
                assert hint["advice"]["text"]
                so_far = {**so_far, **hint["pick"]} if legal["decision"] != "card" else so_far
            if legal["decision"] == "card":
                so_far = {"red": {"card": "1"}, "blue": {"card": "3"}, "green": {"card": "6"}}
        resolved = await call("resolve", game="snow-time", state=state, moves=so_far)
        assert resolved["state"]["seats"][2]["score"] > 0
        played = [{"dice": [2, 6], "moves": so_far}]
        review = await call("review", game="snow-time", state=start, played=played)
        assert {each["player"] for each in review["decisions"]} == {"red", "blue", "green"}

    run(live_service, play, "de")


@pytest.mark.parametrize("game", ["slopecrashers", "snowcrest"])
def test_an_assistant_plays_and_reviews_a_turn(live_service: str, game: str) -> None:
    async def play(call: Call) -> None:
        start = (await call("describe_game", game=game))["example"]
        so_far: list[Any] = []
        while True:
            legal = await call("legal_moves", game=game, state=start, so_far=so_far)
            if legal["decision"] == "none":
                break
            if legal["decision"] == "draw":
                so_far.append(legal["draw"][0])
                continue
            asked = {"state": start, "player": legal["player"], "so_far": so_far}
            so_far += (await call("hint", game=game, **asked))["plan"]
        resolved = await call("resolve", game=game, state=start, moves=so_far)
        assert resolved["state"] == legal["position"]
        assert resolved["state"]["seats"][0] != start["seats"][0]
        review = await call("review", game=game, state=start, played=[resolved["moves"]])
        assert review["decisions"][0]["player"] == "anna"

    run(live_service, play)


def test_a_refused_position_names_every_fault_and_is_mended(live_service: str) -> None:
    async def play(call: Call) -> None:
        state = (await call("describe_game", game="snow-time"))["example"]
        state["seats"][0]["hand"] = ["2", "9"]
        state["fruit"] = [0, 1]
        asked = {"game": "snow-time", "state": state, "player": "anna"}
        with pytest.raises(Refused) as refused:
            await call("hint", **asked)
        assert "/state/seats/0/hand/1: " in str(refused.value)
        assert "/state/fruit: " in str(refused.value)
        state["seats"][0]["hand"] = ["2", "healer"]
        state["fruit"] = [0, 1, 0, 0, 0, 0]
        assert (await call("hint", **asked))["pick"]

    run(live_service, play)


def test_a_service_that_does_not_answer_is_named() -> None:
    async def play(call: Call) -> None:
        with pytest.raises(Refused, match="does not answer"):
            await call("describe_game", game="snow-time")

    run("127.0.0.1:9", play)
