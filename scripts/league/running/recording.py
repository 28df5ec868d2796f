"""Players of games in turns who are watched."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from service.core.sequential import TurnQuestion

Question = TurnQuestion[Any, Any]


class Player(Protocol):
    """Somebody who plays a game in turns."""

    def choose(self, question: Any, random: Random) -> Any:
        """One of the choices of ``question.player``."""


class Watched:
    """A player like another, whose questions are kept.

    Attributes:
        questions: in the order in which they came.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self.questions: list[Question] = []

    def choose(self, question: Any, random: Random) -> Any:
        self.questions.append(question)
        return self._player.choose(question, random)
