"""Names of gifts in English, German and Chinese."""

from __future__ import annotations

from typing import Final

from service.games.slopecrashers.rules.gifts import Gift

GIFT_NAMES: Final = {
    Gift.SPRING: {"en": "Spring", "de": "Sprungfeder", "zh": "彈簧"},
    Gift.CHILI: {"en": "Chili", "de": "Chili", "zh": "辣椒"},
    Gift.ROCKET: {"en": "Rocket", "de": "Rakete", "zh": "火箭"},
    Gift.MAGNET: {"en": "Magnet", "de": "Magnet", "zh": "磁鐵"},
    Gift.BLACK_ICE: {"en": "Black ice", "de": "Glatteis", "zh": "薄冰"},
    Gift.BEE_STING: {"en": "Bee sting", "de": "Bienenstich", "zh": "蜂螫"},
    Gift.CARRIER_PIGEON: {"en": "Carrier pigeon", "de": "Brieftaube", "zh": "信鴿"},
    Gift.SNOWMAN: {"en": "Snowman", "de": "Schneemann", "zh": "雪人"},
}
