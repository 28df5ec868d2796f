"""Profiles in words: how a player plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.core.profiles import PlayerProfile, Trait
from service.core.rounding import rounded
from service.games.common.fields import Document

_SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "follows-hints": {
        "en": "Mixes moves the way the hints do.",
        "de": "Mischt Züge so, wie die Tipps es tun.",
        "zh-Hans": "像提示那样混合出牌。",
        "zh-Hant": "像提示那樣混合出牌。",
    },
    "plays-at-random": {
        "en": "Plays almost at random.",
        "de": "Spielt fast zufällig.",
        "zh-Hans": "几乎是随机出牌。",
        "zh-Hant": "幾乎是隨機出牌。",
    },
    "plays-for-spaces": {
        "en": "Plays for spaces in this round.",
        "de": "Spielt auf Felder in dieser Runde.",
        "zh-Hans": "只看本轮能前进几格。",
        "zh-Hant": "只看本輪能前進幾格。",
    },
    "plays-to-win": {
        "en": "Looks at the whole race, not at single spaces.",
        "de": "Achtet auf das ganze Rennen, nicht auf einzelne Felder.",
        "zh-Hans": "着眼全局，而不是一两格的得失。",
        "zh-Hant": "著眼全局，而不是一兩格的得失。",
    },
    "thinks-one-step": {
        "en": "Thinks one step ahead.",
        "de": "Denkt einen Schritt voraus.",
        "zh-Hans": "会多想一步。",
        "zh-Hant": "會多想一步。",
    },
    "thinks-two-steps": {
        "en": "Thinks two steps ahead.",
        "de": "Denkt zwei Schritte voraus.",
        "zh-Hans": "会多想两步。",
        "zh-Hant": "會多想兩步。",
    },
    "expects-thinking-opponents": {
        "en": "Expects the others to think, too.",
        "de": "Rechnet damit, dass auch die anderen nachdenken.",
        "zh-Hans": "知道别人也在思考。",
        "zh-Hant": "知道別人也在思考。",
    },
    "ignores-losses": {
        "en": "Does not fear losing a champion.",
        "de": "Fürchtet nicht, eine Figur zu verlieren.",
        "zh-Hans": "不怕失去人物牌。",
        "zh-Hant": "不怕失去人物牌。",
    },
    "watches-the-others": {
        "en": "Tries to keep the others back.",
        "de": "Versucht, die anderen zu bremsen.",
        "zh-Hans": "会设法拖住别人。",
        "zh-Hant": "會設法拖住別人。",
    },
    "has-favourites": {
        "en": "Has favourite cards.",
        "de": "Hat Lieblingskarten.",
        "zh-Hans": "有偏爱的牌。",
        "zh-Hant": "有偏愛的牌。",
    },
    "varies": {
        "en": "Seldom plays the same card twice in a row.",
        "de": "Spielt selten zweimal hintereinander dieselbe Karte.",
        "zh-Hans": "很少连续出同一张牌。",
        "zh-Hant": "很少連續出同一張牌。",
    },
    "repeats": {
        "en": "Often plays the same card again.",
        "de": "Spielt oft dieselbe Karte noch einmal.",
        "zh-Hans": "常常重复出同一张牌。",
        "zh-Hant": "常常重複出同一張牌。",
    },
    "predictable": {
        "en": "Is predictable.",
        "de": "Ist leicht auszurechnen.",
        "zh-Hans": "容易预测。",
        "zh-Hant": "容易預測。",
    },
    "hard-to-predict": {
        "en": "Is hard to predict.",
        "de": "Ist schwer auszurechnen.",
        "zh-Hans": "难以预测。",
        "zh-Hant": "難以預測。",
    },
    "saves": {
        "en": "Saves {cards}.",
        "de": "Spart {cards} auf.",
        "zh-Hans": "喜欢保留{cards}。",
        "zh-Hant": "喜歡保留{cards}。",
    },
    "spends": {
        "en": "Spends {cards} readily.",
        "de": "Gibt {cards} gern aus.",
        "zh-Hans": "舍得打出{cards}。",
        "zh-Hant": "捨得打出{cards}。",
    },
}
_CARDS: Final[Mapping[str, Mapping[str, str]]] = {
    "champion": {"en": "champions", "de": "Figuren", "zh-Hans": "人物牌", "zh-Hant": "人物牌"},
    "watcher": {
        "en": "the watcher",
        "de": "den Wächter",
        "zh-Hans": "警戒者",
        "zh-Hant": "警戒者",
    },
    "blizzard": {
        "en": "the blizzard",
        "de": "den Schneesturm",
        "zh-Hans": "暴风雪",
        "zh-Hant": "暴風雪",
    },
}
TRAITS: Final = tuple(_SENTENCES)
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
    cards = "" if kind is None else _CARDS[kind][language]
    return _SENTENCES[trait.code][language].format(cards=cards)
