"""Texts of reasons and nudges in all languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.core.hints import Reason
from service.games.common.display_names import NO_NAMES, DisplayNames
from service.games.common.formatting import decimal, join_list, percent
from service.games.snow_time.api.metadata import CARD_NAMES, KIND_NAMES

_SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "race": {
        "en": "{chance}: the game ends this round; spaces left: {to_go}.",
        "de": "{chance}: Das Spiel endet in dieser Runde; noch zu gehen: {to_go}.",
        "zh-Hans": "{chance}：游戏在本轮结束；剩余格数：{to_go}。",
        "zh-Hant": "{chance}：遊戲在本輪結束；剩餘格數：{to_go}。",
    },
    "brawl": {
        "en": "{chance}: your {level} falls in a brawl{others}.",
        "de": "{chance}: Deine {level} fällt in einer Rauferei{others}.",
        "zh-Hans": "{chance}：你的 {level} 在雪仗中倒下{others}。",
        "zh-Hant": "{chance}：你的 {level} 在雪仗中倒下{others}。",
    },
    "struck": {
        "en": "{chance}: your {level} is struck from above{others}.",
        "de": "{chance}: Deine {level} wird von oben getroffen{others}.",
        "zh-Hans": "{chance}：你的 {level} 被上方击落{others}。",
        "zh-Hant": "{chance}：你的 {level} 被上方擊落{others}。",
    },
    "buried": {
        "en": "{chance}: a blizzard takes your {level}{others}.",
        "de": "{chance}: Ein Schneesturm nimmt Deine {level}{others}.",
        "zh-Hans": "{chance}：暴风雪带走你的 {level}{others}。",
        "zh-Hant": "{chance}：暴風雪帶走你的 {level}{others}。",
    },
    "saved": {
        "en": "{chance}: somebody plays right above your {level}, and it stays all the same.",
        "de": "{chance}: Direkt über Deiner {level} wird gespielt, und sie bleibt trotzdem stehen.",
        "zh-Hans": "{chance}：有人在你的 {level} 正上方出牌，但它仍然留下。",
        "zh-Hant": "{chance}：有人出在你的 {level} 正上方，但它仍然留下。",
    },
    "returns": {
        "en": "{chance}: your {level} comes back to your hand.",
        "de": "{chance}: Deine {level} kommt auf die Hand zurück.",
        "zh-Hans": "{chance}：你的 {level} 会回到手上。",
        "zh-Hant": "{chance}：你的 {level} 會回到手上。",
    },
    "fruit": {
        "en": "Fruit on level {level}: {tokens}; points expected for fruit: {points}.",
        "de": "Früchte auf Ebene {level}: {tokens}; zu erwartende Punkte für Frucht: {points}.",
        "zh-Hans": "第 {level} 层的水果：{tokens}；预期水果得分 {points}。",
        "zh-Hant": "第 {level} 層的水果：{tokens}；預期水果得分 {points}。",
    },
    "fight": {
        "en": "Points expected for fights: {points}.",
        "de": "Zu erwartende Punkte für Kampf: {points}.",
        "zh-Hans": "预期雪仗得分 {points}。",
        "zh-Hant": "預期雪仗得分 {points}。",
    },
    "mana": {
        "en": "Points expected for mana, as the lowest on the tree: {points}.",
        "de": "Zu erwartende Punkte für Mana, als unterste Figur im Baum: {points}.",
        "zh-Hans": "作为树上最低者，预期魔力得分 {points}。",
        "zh-Hant": "作為樹上最低者，預期魔力得分 {points}。",
    },
    "bonus": {
        "en": "Spaces expected from bonuses: {points}{next}.",
        "de": "Zu erwartende Felder durch Boni: {points}{next}.",
        "zh-Hans": "预期奖励前进 {points} 格{next}。",
        "zh-Hant": "預期獎勵前進 {points} 格{next}。",
    },
    "spends": {
        "en": "{card}: spent for good.",
        "de": "{card}: danach für immer fort.",
        "zh-Hans": "{card}：用后永久移除。",
        "zh-Hant": "{card}：用後永久移除。",
    },
    "keeps": {
        "en": "{card}: kept for later.",
        "de": "{card}: bleibt für später.",
        "zh-Hans": "{card}：留待之后使用。",
        "zh-Hant": "{card}：留待之後使用。",
    },
    "recovers": {
        "en": "The healer takes back {taken}.",
        "de": "Der Heiler holt zurück: {taken}.",
        "zh-Hans": "治疗师取回：{taken}。",
        "zh-Hant": "治療師取回：{taken}。",
    },
}

_NUDGES: Final[Mapping[str, Mapping[str, str]]] = {
    "even": {
        "en": "Nothing stands out: more than one choice will do.",
        "de": "Nichts sticht heraus: Mehr als eine Wahl ist gut.",
        "zh-Hans": "没有特别突出的选择：不止一种可行。",
        "zh-Hant": "沒有特別突出的選擇：不只一種可行。",
    },
    "race": {
        "en": "The game may end soon: count who is how far from the last space.",
        "de": "Das Spiel kann bald enden: Zähle, wer wie weit vom letzten Feld ist.",
        "zh-Hans": "游戏可能即将结束：数一数各人离终点还有几格。",
        "zh-Hant": "遊戲可能即將結束：數一數各人離終點還有幾格。",
    },
    "brawl": {
        "en": "Think of who may want the same level as you.",
        "de": "Überlege, wer dieselbe Ebene wollen könnte wie Du.",
        "zh-Hans": "想想谁可能想要与你相同的一层。",
        "zh-Hant": "想想誰可能想要與你相同的一層。",
    },
    "struck": {
        "en": "Look at the level above yours.",
        "de": "Achte auf die Ebene über Deiner.",
        "zh-Hans": "留意你上方的一层。",
        "zh-Hant": "留意你上方的一層。",
    },
    "buried": {
        "en": "Blizzards are still in play.",
        "de": "Es sind noch Schneestürme im Spiel.",
        "zh-Hans": "暴风雪仍可能出现。",
        "zh-Hant": "暴風雪仍可能出現。",
    },
    "saved": {
        "en": "Who attacks you may fall first.",
        "de": "Wer Dich angreift, fällt vielleicht zuerst.",
        "zh-Hans": "攻击你的人可能会先倒下。",
        "zh-Hant": "攻擊你的人可能會先倒下。",
    },
    "returns": {
        "en": "There are places where a champion is likely to come back.",
        "de": "Es gibt Ebenen, von denen eine Figur wahrscheinlich zurückkommt.",
        "zh-Hans": "有些位置的人物很可能会回来。",
        "zh-Hant": "有些位置的人物很可能會回來。",
    },
    "fruit": {
        "en": "The fruit is worth a thought.",
        "de": "Die Früchte sind einen Gedanken wert.",
        "zh-Hans": "水果值得考虑。",
        "zh-Hant": "水果值得考慮。",
    },
    "fight": {
        "en": "There are points in fighting.",
        "de": "Im Kampf liegen Punkte.",
        "zh-Hans": "打雪仗可以得分。",
        "zh-Hant": "打雪仗可以得分。",
    },
    "mana": {
        "en": "Being the lowest on the tree counts.",
        "de": "Ganz unten im Baum zu stehen zählt.",
        "zh-Hans": "成为树上最低者有价值。",
        "zh-Hant": "成為樹上最低者有價值。",
    },
    "bonus": {
        "en": "A bonus space is within reach.",
        "de": "Ein Bonusfeld ist in Reichweite.",
        "zh-Hans": "奖励格就在可及之处。",
        "zh-Hant": "獎勵格就在可及之處。",
    },
    "spends": {
        "en": "Consider a card that can be played only once.",
        "de": "Denke an eine Karte, die nur einmal zu spielen ist.",
        "zh-Hans": "考虑一张只能使用一次的牌。",
        "zh-Hant": "考慮一張只能使用一次的牌。",
    },
    "keeps": {
        "en": "Some cards are better kept for later.",
        "de": "Manche Karten bleiben besser für später.",
        "zh-Hans": "有些牌最好留待之后。",
        "zh-Hant": "有些牌最好留待之後。",
    },
    "recovers": {
        "en": "Your discard may be worth more than this round.",
        "de": "Deine abgelegten Figuren sind vielleicht mehr wert als diese Runde.",
        "zh-Hans": "你的弃牌也许比这一轮更重要。",
        "zh-Hant": "你的棄牌也許比這一輪更重要。",
    },
}

_OF_SEAT: Final = {"en": "{}: ", "de": "{}: ", "zh-Hans": "{}：", "zh-Hant": "{}："}
_OTHERS: Final = {
    "en": " (possible: {})",
    "de": " (möglich: {})",
    "zh-Hans": "（可能：{}）",
    "zh-Hant": "（可能：{}）",
}
_NEXT: Final = {
    "en": " (next: {kind} +{advance} on space {space})",
    "de": " (nächster: {kind} +{advance} auf Feld {space})",
    "zh-Hans": "（下一个：第 {space} 格 {kind} +{advance}）",
    "zh-Hant": "（下一個：第 {space} 格 {kind} +{advance}）",
}
_AT_MOST: Final = {
    "en": "up to {}",
    "de": "bis zu {}",
    "zh-Hans": "最多 {} 张",
    "zh-Hant": "最多 {} 張",
}


def sentence(
    reason: Reason, language: str, names: DisplayNames = NO_NAMES, *, of_seat: bool
) -> str:
    """Return a reason as a sentence; percentages and decimals are rounded parameters.

    Args:
        reason: the reason.
        language: one of ``LANGUAGES``.
        names: display names, in place of the ids of seats.
        of_seat: whether to name the seat that the reason is about.
    """
    params = reason.params
    words = {name: _WORDS[name](value, language, names) for name, value in params.items()}
    if reason.code == "recovers":
        words["taken"] = words.get("cards") or _AT_MOST[language].format(params["count"])
    text = _SENTENCES[reason.code][language].format(**words)
    if of_seat and "seat" in params:
        text = _OF_SEAT[language].format(words["seat"]) + text
    return text


def nudge(code: str, language: str) -> str:
    """Return the text of a nudge, which names no number and no card."""
    return _NUDGES[code][language]


def _others(chances: Mapping[str, float], language: str, names: DisplayNames) -> str:
    if not chances:
        return ""
    pairs = (f"{names.label(seat)} {percent(chance, language)}" for seat, chance in chances.items())
    return _OTHERS[language].format(join_list(pairs, language))


def _to_go(spaces: Mapping[str, int], language: str, names: DisplayNames) -> str:
    return join_list((f"{names.label(seat)} {left}" for seat, left in spaces.items()), language)


def _next(bonuses: Mapping[str, Mapping[str, Any]], language: str, _: DisplayNames) -> str:
    return "".join(
        _NEXT[language].format(**{**bonus, "kind": KIND_NAMES[bonus["kind"]][language]})
        for bonus in bonuses.values()
    )


def _card(card: str, language: str, _: DisplayNames) -> str:
    return CARD_NAMES[card][language]


_WORDS: Final[Mapping[str, Callable[[Any, str, DisplayNames], str]]] = {
    "chance": lambda chance, language, _: percent(chance, language),
    "points": lambda points, language, _: decimal(points, language),
    "seat": lambda seat, _, names: names.label(seat),
    "others": _others,
    "next": _next,
    "card": _card,
    "cards": lambda cards, language, _: join_list(cards, language),
    "to_go": _to_go,
    **dict.fromkeys(("level", "tokens", "count"), lambda value, *_: str(value)),
}
"""The formatter of each parameter."""
