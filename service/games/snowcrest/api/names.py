"""Names of resources, buildings and kinds of cards in all languages."""

from __future__ import annotations

from typing import Final

KIND_NAMES: Final = {
    "barley": {"en": "Barley", "de": "Gerste", "zh-Hans": "大麦", "zh-Hant": "大麥"},
    "bell": {"en": "Prayer bell", "de": "Gebetsglocke", "zh-Hans": "祈祷铃", "zh-Hant": "祈禱鈴"},
    "bowl": {"en": "Offering bowl", "de": "Opferschale", "zh-Hans": "供碗", "zh-Hant": "供碗"},
    "juniper": {"en": "Juniper", "de": "Wacholder", "zh-Hans": "杜松", "zh-Hant": "杜松"},
    "gold": {"en": "Gold", "de": "Gold", "zh-Hans": "黄金", "zh-Hant": "黃金"},
    "scroll": {"en": "Scroll", "de": "Schriftrolle", "zh-Hans": "卷轴", "zh-Hant": "卷軸"},
    "omen": {"en": "Omen", "de": "Unheil", "zh-Hans": "厄运", "zh-Hant": "厄運"},
    "farm": {"en": "Farm", "de": "Bauernhof", "zh-Hans": "农场", "zh-Hant": "農場"},
    "forge": {"en": "Forge", "de": "Schmiede", "zh-Hans": "铁匠铺", "zh-Hant": "鐵匠鋪"},
    "temple": {"en": "Temple", "de": "Tempel", "zh-Hans": "寺庙", "zh-Hant": "寺廟"},
    "starter": {
        "en": "Starter",
        "de": "Start-Bewohner",
        "zh-Hans": "起始居民",
        "zh-Hant": "起始居民",
    },
    "villager": {"en": "Villager", "de": "Bewohner", "zh-Hans": "居民", "zh-Hant": "居民"},
    "common": {
        "en": "Common villager",
        "de": "Allgemeiner Bewohner",
        "zh-Hans": "公共居民",
        "zh-Hant": "公共居民",
    },
    "guardian": {"en": "Guardian", "de": "Wächter", "zh-Hans": "守护者", "zh-Hant": "守護者"},
    "forest": {"en": "Forest card", "de": "Waldkarte", "zh-Hans": "森林卡", "zh-Hant": "森林卡"},
    "challenge": {"en": "Challenge", "de": "Herausforderung", "zh-Hans": "挑战", "zh-Hant": "挑戰"},
}
