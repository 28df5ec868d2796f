"""Profiles in words: how a player plays."""

from __future__ import annotations

from typing import Final

from service.core.profiles import PlayerProfile, Trait
from service.core.rounding import rounded
from service.games.common.fields import Document
from service.texts.catalogue import text

TRAITS: Final = (
    "follows-hints",
    "plays-at-random",
    "plays-for-spaces",
    "plays-to-win",
    "thinks-one-step",
    "thinks-two-steps",
    "expects-thinking-opponents",
    "ignores-losses",
    "watches-the-others",
    "has-favourites",
    "varies",
    "repeats",
    "predictable",
    "hard-to-predict",
    "saves",
    "spends",
)
"""All codes of traits."""


def render_profile(profile: PlayerProfile, language: str) -> Document:
    """Return the document of a profile with texts in the given language."""
    return {
        "styles": [
            {
                "code": trait.code,
                "params": trait.params,
                "probability": rounded(trait.probability),
                "text": trait_sentence(trait, language),
            }
            for trait in profile.traits
        ],
        "parameters": {
            **{f"worth_{kind}": rounded(worth) for kind, worth in profile.worth.items()},
            "precision": rounded(profile.precision),
        },
        "evidence": {"rounds": profile.rounds, "nats": rounded(profile.nats)},
        "compact": profile.compact,
    }


def trait_sentence(trait: Trait, language: str) -> str:
    """Return what a trait says about a player."""
    kind = trait.params.get("kind")
    cards = {} if kind is None else {"cards": text(f"snow-time.trait-cards.{kind}", language)}
    return text(f"snow-time.trait.{trait.code}", language, **cards)
