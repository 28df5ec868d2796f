"""Values of request and response fields that games, solver and API share."""

from __future__ import annotations

from typing import Final

OBJECTIVES: Final = ("win", "points", "lead")
WIN, POINTS, LEAD = OBJECTIVES
"""What a player maximises: the win share, its own spaces, or its lead over the others' mean."""

MODELS: Final = ("equilibrium", "quantal", "level-1", "uniform", "learned")
EQUILIBRIUM, QUANTAL, LEVEL_1, UNIFORM, LEARNED = MODELS
"""How the other players are assumed to choose."""

STYLE_FAMILIES: Final = (
    "chance",
    "greedy",
    "level-1",
    "level-2",
    "quantal",
    "regret-matching",
    "solver",
    "equilibrium",
)
"""How the players of a style think; see ``solver/opponents/styles``."""

EFFORTS: Final = ("quick", "standard", "deep")
QUICK, STANDARD, DEEP = EFFORTS
DEFAULT_EFFORT: Final = STANDARD
"""The work budget of a search."""

MAX_DEADLINE_MS: Final = 30_000
"""Also the deadline of a search without one."""
DEFAULT_REVIEW_MS: Final = 20_000
"""Deadline of a review that is not streamed."""

HINT_LEVELS: Final = ("nudge", "shortlist", "card")
NUDGE, SHORTLIST, CARD = HINT_LEVELS
"""How much a hint reveals."""

DETAILS: Final = ("full", "brief")
FULL, BRIEF = DETAILS
DEFAULT_DETAIL: Final = FULL
"""How long a hint is."""

INCLUDES: Final = ("next", "matrix", "conditional", "dice", "facts")
NEXT, MATRIX, CONDITIONAL, DICE, FACTS = INCLUDES
"""Optional parts of a hint: follow-ups, payoff matrix, conditional values, values by dice roll,
facts about each choice."""

GRADES: Final = ("best", "good", "inaccuracy", "mistake", "blunder")
BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = GRADES
"""Classes of a choice by its loss, the best first."""

LUCK_SOURCES: Final = ("draws", "others", "search")
DRAWS, OTHERS, SEARCH = LUCK_SOURCES
"""Why a win share changed without a decision of the player: a chance event, the other players, or
a later search that saw more."""
INDIFFERENT: Final = "indifferent"
"""In rounds also: players to whom all their choices were worth the same."""
ROUND_LUCK_SOURCES: Final = (*LUCK_SOURCES, INDIFFERENT)
