"""Events and actions of games compared with the fields that their unions state."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from service.games.common.unions import Union
from service.games.definition import New, Resolve
from service.games.registry import GAMES
from tests.conformance.walks import random_playout

Body = dict[str, Any]
DATA = Path(__file__).parent


def golden_games(game: str) -> list[Path]:
    """Return the files of the golden games of a game."""
    files = sorted((DATA / game / "data" / "golden").glob("*.json"))
    assert files, "no golden games"
    return files


def golden_events(game: str) -> list[Body]:
    """Return the events of all golden games of a game."""
    return [
        event
        for file in golden_games(game)
        for played in json.loads(file.read_text("utf-8"))["rounds"]
        for event in played["answer"]["events"]
    ]


def playout_turns(name: str, new: Body, seeds: Iterable[int]) -> list[Body]:
    """Return the responses of ``resolve`` to every round or turn of random playouts."""
    definition = GAMES[name]
    [setup] = [each for each in definition.endpoints if isinstance(each, New)]
    [resolve] = [each for each in definition.endpoints if isinstance(each, Resolve)]
    turns = []
    for seed in seeds:
        playout = random_playout(definition.game, setup.parse(new, []), seed)
        for begun, nodes, play in zip(
            playout.begun, playout.rounds, playout.completed, strict=True
        ):
            events = begun.events + tuple(event for node in nodes for event in node.step.events)
            turns.append(resolve.render(play, events))
    return turns


def misfit(document: Mapping[str, Any], union: Union) -> str:
    """Return which required fields a document lacks and which fields its kind does not have."""
    required, optional = union.fields[document[union.tag]]
    present = set(document) - {union.tag}
    lacking, surplus = required - present, present - required - optional
    if not lacking and not surplus:
        return ""
    return f"{document[union.tag]} lacks {sorted(lacking)}, has {sorted(surplus)}"


def misfits(documents: Iterable[Mapping[str, Any]], union: Union) -> set[str]:
    return {misfit(document, union) for document in documents} - {""}


def never_absent(documents: Iterable[Mapping[str, Any]], union: Union) -> set[tuple[str, str]]:
    """Return the optional fields that every document of their kind has, each with its kind.

    They are required ones: clients would have to handle their absence for nothing.
    """
    optional = {(value, field) for value, (_, fields) in union.fields.items() for field in fields}
    return optional - {
        (document[union.tag], field)
        for document in documents
        for field in union.fields[document[union.tag]][1]
        if field not in document
    }


def stated(event: Any) -> Body:
    """Return the fields of an event object that its document has: those with a value."""
    given = {field.name: getattr(event, field.name) for field in fields(event)}
    return {name: value for name, value in given.items() if value is not None}
