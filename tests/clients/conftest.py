"""Fixtures for tests of generated clients."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients.packages import SPECIFICATION, TYPES_COMMAND, node_program, run


@pytest.fixture(scope="session")
def typescript_types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the types that the command of the guide generates."""
    folder = tmp_path_factory.mktemp("types")
    arguments = [str(SPECIFICATION) if "://" in word else word for word in TYPES_COMMAND[1:]]
    run(node_program(TYPES_COMMAND[0].partition("@")[0]), *arguments, cwd=folder)
    return folder / "winter-games.ts"
