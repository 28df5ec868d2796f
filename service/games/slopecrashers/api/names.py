"""Names of gifts in all languages."""

from __future__ import annotations

from typing import Final

from service.games.slopecrashers.rules.gifts import Gift

GIFT_NAMES: Final = {
    Gift.SPRING: {"en": "Spring", "de": "Sprungfeder", "zh-Hans": "弹簧", "zh-Hant": "彈簧"},
    Gift.CHILI: {"en": "Chili", "de": "Chili", "zh-Hans": "辣椒", "zh-Hant": "辣椒"},
    Gift.ROCKET: {"en": "Rocket", "de": "Rakete", "zh-Hans": "火箭", "zh-Hant": "火箭"},
    Gift.MAGNET: {"en": "Magnet", "de": "Magnet", "zh-Hans": "磁铁", "zh-Hant": "磁鐵"},
    Gift.BLACK_ICE: {"en": "Black ice", "de": "Glatteis", "zh-Hans": "薄冰", "zh-Hant": "薄冰"},
    Gift.BEE_STING: {"en": "Bee sting", "de": "Bienenstich", "zh-Hans": "蜂蜇", "zh-Hant": "蜂螫"},
    Gift.CARRIER_PIGEON: {
        "en": "Carrier pigeon",
        "de": "Brieftaube",
        "zh-Hans": "信鸽",
        "zh-Hant": "信鴿",
    },
    Gift.SNOWMAN: {"en": "Snowman", "de": "Schneemann", "zh-Hans": "雪人", "zh-Hant": "雪人"},
}
