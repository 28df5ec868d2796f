"""Commands on a page with their responses: run them against a live service and compare."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import requests

from service.docs.guide_chapters import CHAPTERS

_ASSIGNMENT = r"(?:^\w+='[^']*'\n)"
_EXAMPLE = re.compile(
    rf"```sh\n{_ASSIGNMENT}*(curl [^`]*?)\n```\n\n"
    r"(?:```(?:python|js|kotlin)\n(?:(?!```).)*?\n```\n\n)*```json\n(.*?)\n```",
    re.DOTALL | re.MULTILINE,
)
OMITTED = "…"
"""Stands for a value, for further items, or for further members (as name and value)."""


def guide_text() -> str:
    """Return the text of all chapters of the guide, in order."""
    root = Path(__file__).resolve().parents[1]
    return "\n".join((root / each.source).read_text(encoding="utf-8") for each in CHAPTERS)


def examples_of(page: str) -> list[tuple[str, str]]:
    """Return each command of a page with its response, and with the values of its variables."""
    values = dict(re.findall(r"^(\w+)='([^']*)'$", page, re.MULTILINE))
    return [
        (re.sub(r"'\"\$(\w+)\"'", lambda name: values[name[1]], command), shown)
        for command, shown in _EXAMPLE.findall(page)
    ]


def program_of(page: str, language: str, address: str) -> str:
    """Return all blocks of a language as one program, with the service at an address."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return "".join(blocks).replace("localhost:8000", address)


def shown_output(program: str, comment: str) -> list[str]:
    """Return the lines that a program prints, as the comments after its print statements state."""
    printing = r"^(?:print|console\.log)\(.*\);? +" + re.escape(comment) + r"(.*)$"
    return re.findall(printing, program, re.MULTILINE)


def run(command: str, address: str) -> str:
    """Return the output of a command, with the service at an address (host:port)."""
    return _output_of(shlex.split(command.replace("\\\n", " ").replace("localhost:8000", address)))


def _output_of(command: list[str]) -> str:
    """Return the output of curl; without curl, send the same request with Python."""
    if shutil.which("curl"):
        return subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=60
        ).stdout
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


def abridged(response: Any, shown: Any) -> Any:
    """Return a response with exactly the omissions of the shown one."""
    if shown == OMITTED:
        return OMITTED
    if isinstance(response, dict) and isinstance(shown, dict):
        if OMITTED not in shown:
            return {name: abridged(value, shown.get(name)) for name, value in response.items()}
        members = {
            name: abridged(response[name], value)
            for name, value in shown.items()
            if name in response
        }
        return members | {OMITTED: OMITTED} if len(members) < len(response) else members
    if isinstance(response, list) and isinstance(shown, list) and OMITTED in shown:
        before = shown.index(OMITTED)
        after = len(shown) - before - 1
        if len(response) <= before + after:
            return response
        first = [abridged(*pair) for pair in zip(response, shown[:before], strict=False)]
        last = [
            abridged(*pair)
            for pair in zip(response[len(response) - after :], shown[before + 1 :], strict=False)
        ]
        return [*first, OMITTED, *last]
    if isinstance(response, list) and isinstance(shown, list) and len(response) == len(shown):
        return [abridged(*pair) for pair in zip(response, shown, strict=True)]
    return response
