"""Names of resources, buildings and kinds of cards in English, German and Chinese."""

from __future__ import annotations

from typing import Final

KIND_NAMES: Final = {
    "barley": {"en": "Barley", "de": "Gerste", "zh": "大麥"},
    "bell": {"en": "Prayer bell", "de": "Gebetsglocke", "zh": "祈禱鈴"},
    "bowl": {"en": "Offering bowl", "de": "Opferschale", "zh": "供碗"},
    "juniper": {"en": "Juniper", "de": "Wacholder", "zh": "杜松"},
    "gold": {"en": "Gold", "de": "Gold", "zh": "黃金"},
    "scroll": {"en": "Scroll", "de": "Schriftrolle", "zh": "卷軸"},
    "omen": {"en": "Omen", "de": "Unheil", "zh": "厄運"},
    "farm": {"en": "Farm", "de": "Bauernhof", "zh": "農場"},
    "forge": {"en": "Forge", "de": "Schmiede", "zh": "鐵匠鋪"},
    "temple": {"en": "Temple", "de": "Tempel", "zh": "寺廟"},
    "starter": {"en": "Starter", "de": "Start-Bewohner", "zh": "起始居民"},
    "villager": {"en": "Villager", "de": "Bewohner", "zh": "居民"},
    "common": {"en": "Common villager", "de": "Allgemeiner Bewohner", "zh": "公共居民"},
    "guardian": {"en": "Guardian", "de": "Wächter", "zh": "守護者"},
    "forest": {"en": "Forest card", "de": "Waldkarte", "zh": "森林卡"},
    "challenge": {"en": "Challenge", "de": "Herausforderung", "zh": "挑戰"},
}
