"""An agent that records its decisions in a game of turns."""

from __future__ import annotations

from random import Random
from typing import Any

from research.league.turns import Agent
from service.core.turn_hints import TurnQuestion

Question = TurnQuestion[Any, Any]


class RecordingAgent:
    """Plays like another agent and records the questions.

    Attributes:
        questions: in the order of play.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.questions: list[Question] = []

    def choose(self, question: Any, random: Random) -> Any:
        self.questions.append(question)
        return self._agent.choose(question, random)
