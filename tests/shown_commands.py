"""Commands that a page shows with their answers: run against a live service, and compared."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from typing import Any

import requests

_EXAMPLE = re.compile(r"```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```", re.DOTALL)
LEFT_OUT = "…"
"""Shown in place of a value, of further items, or of further members (as name and value)."""


def examples_of(page: str) -> list[tuple[str, str]]:
    """Each command of a page and the answer beside it."""
    return _EXAMPLE.findall(page)


def run(command: str, address: str) -> str:
    """What a command prints when the service is at an address (host:port)."""
    return _told_by(shlex.split(command.replace("\\\n", " ").replace("localhost:8000", address)))


def _told_by(command: list[str]) -> str:
    """What curl prints; where there is no curl, the same request is made without it."""
    if shutil.which("curl"):
        ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return ran.stdout
    words = iter(command[1:])
    headers, body, address = {}, None, ""
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(words).encode()
        elif word != "-s":
            address = "http://" + word
    method = "GET" if body is None else "POST"
    return requests.request(method, address, data=body, headers=headers, timeout=60).text


def abridged(told: Any, shown: Any) -> Any:
    """An answer with left out what the shown one leaves out, and nothing else."""
    if shown == LEFT_OUT:
        return LEFT_OUT
    if isinstance(told, dict) and isinstance(shown, dict):
        if LEFT_OUT not in shown:
            return {name: abridged(value, shown.get(name)) for name, value in told.items()}
        kept = {name: abridged(told[name], value) for name, value in shown.items() if name in told}
        return kept | {LEFT_OUT: LEFT_OUT} if len(kept) < len(told) else kept
    if isinstance(told, list) and isinstance(shown, list) and LEFT_OUT in shown:
        before = shown.index(LEFT_OUT)
        after = len(shown) - before - 1
        if len(told) <= before + after:
            return told
        first = [abridged(*pair) for pair in zip(told, shown[:before], strict=False)]
        last = [
            abridged(*pair)
            for pair in zip(told[len(told) - after :], shown[before + 1 :], strict=False)
        ]
        return [*first, LEFT_OUT, *last]
    if isinstance(told, list) and isinstance(shown, list) and len(told) == len(shown):
        return [abridged(*pair) for pair in zip(told, shown, strict=True)]
    return told
