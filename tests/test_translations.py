"""Texts of the games and of the playground: complete in all languages, each in its own script."""

from __future__ import annotations

import importlib
import json
import pkgutil
import string
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any, Final

import service.games
from service.api.playground import FOLDER
from service.core.languages import LANGUAGES

Texts = Mapping[str, str]
"""A text by language."""

_PAIRS: Final = """
來来 倉仓 個个 們们 倖幸 傳传 價价 償偿 內内 兩两 別别 動动 務务 勝胜 勞劳 勵励 區区 卻却 員员
啟启 單单 嗎吗 嚮向 嚴严 園园 圖图 執执 場场 塊块 壯壮 婦妇 學学 寫写 寶宝 將将 對对 導导 層层
屬属 師师 帶带 幾几 庫库 廟庙 張张 強强 彈弹 後后 從从 復复 慮虑 憊惫 應应 戰战 戲戏 揚扬 換换
損损 擇择 擊击 擋挡 擲掷 擺摆 敗败 數数 於于 時时 暫暂 書书 會会 條条 棄弃 棧栈 標标 樣样 樹树
機机 檔档 欄栏 氣气 決决 沒没 淵渊 淺浅 減减 準准 滿满 為为 無无 熱热 熾炽 爾尔 獎奖 獲获 現现
畫画 療疗 盡尽 盤盘 確确 礙碍 禮礼 禱祷 種种 稱称 築筑 簡简 約约 紅红 終终 結结 給给 統统 經经
綠绿 網网 線线 編编 繪绘 繼继 續续 義义 聖圣 與与 興兴 荊荆 莊庄 著着 薦荐 藍蓝 藥药 處处 裝装
製制 複复 訂订 計计 記记 設设 許许 評评 試试 詩诗 該该 認认 語语 誤误 說说 誰谁 請请 論论 識识
護护 讀读 變变 讓让 費费 資资 軍军 軸轴 較较 輕轻 輪轮 輯辑 輸输 農农 這这 連连 進进 遊游 運运
過过 達达 選选 遼辽 還还 鈴铃 鋪铺 錯错 鏈链 鐘钟 鐵铁 鑄铸 鑰钥 長长 門门 開开 間间 闆板 闊阔
關关 階阶 隨随 隱隐 離离 難难 雲云 靜静 頁页 項项 須须 頌颂 預预 領领 頻频 題题 額额 類类 顯显
風风 餘余 體体 鴉鸦 鴞鸮 鴿鸽 鷹鹰 麥麦 麵面 麼么 黃黄 點点 龍龙
愛爱 捨舍 測测 歡欢 瀏浏 覽览 觀观
"""
PAIRS: Final = _PAIRS.split()
"""Traditional characters of the texts with their Simplified forms."""
TRADITIONAL: Final = {pair[0] for pair in PAIRS}
# These Simplified forms are also Traditional characters with another meaning.
SIMPLIFIED: Final = {pair[1] for pair in PAIRS} - set("制向后幸板游准面")
COMMON: Final = set("亦件列均密棋止添皆直碌程系螫蜇覆跟")
"""Characters that only one of the two translations uses, although both scripts have them."""


def tables(value: Any) -> Iterator[Texts]:
    """Yield all mappings from languages to texts inside a value."""
    if isinstance(value, Mapping):
        if not value.keys().isdisjoint(LANGUAGES) and all(
            isinstance(text, str) for text in value.values()
        ):
            yield value
        else:
            for inner in value.values():
                yield from tables(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from tables(inner)


def modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(service.games.__path__, "service.games."):
        yield importlib.import_module(module.name)


@cache
def game_texts() -> list[Texts]:
    """Return the texts in all modules of the games."""
    constants = [value for module in modules() for value in vars(module).values()]
    return list({id(table): table for table in tables(constants)}.values())


@cache
def page_texts() -> list[Texts]:
    """Return the messages of the playground."""
    files = {
        path.stem: json.loads(path.read_text("utf-8"))
        for path in (FOLDER / "messages").glob("*.json")
    }
    assert set(files) == set(LANGUAGES)
    codes = set().union(*files.values())
    return [
        {language: file[code] for language, file in files.items() if code in file}
        for code in sorted(codes)
    ]


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def characters(language: str) -> set[str]:
    """Return all Chinese characters of the texts in a language."""
    text = "".join(table[language] for table in (*game_texts(), *page_texts()))
    return {character for character in text if "\u3400" <= character <= "\u9fff"}


def test_the_search_reaches_the_texts_of_every_game_and_of_the_page() -> None:
    english = {table["en"] for table in game_texts()}
    assert {
        "Healer",  # Snow Time: a card
        "Look at the level above yours.",  # Snow Time: a nudge
        "Black ice",  # Slopecrashers: a card
        "Wins at once.",  # Slopecrashers: a reason
        "Snow Leopard",  # Snowcrest: a card of the catalogue file
        "Inner peace is yours.",  # Snowcrest: a grade
        "Costs {share} of the win against the best choice.",  # all turn-based games: a reason
    } <= english
    assert "Ask for a hint" in {table["en"] for table in page_texts()}


def test_every_text_exists_in_all_languages_with_the_same_placeholders() -> None:
    for table in (*game_texts(), *page_texts()):
        assert set(table) == set(LANGUAGES), table
        assert all(text.strip() or text == table["en"] for text in table.values()), table
        assert len({tuple(placeholders(text)) for text in table.values()}) == 1, table


def test_simplified_texts_contain_no_traditional_character() -> None:
    assert characters("zh-Hans") & TRADITIONAL == set()


def test_traditional_texts_contain_no_simplified_character() -> None:
    assert characters("zh-Hant") & SIMPLIFIED == set()


def test_the_character_tables_cover_all_differences_between_the_scripts() -> None:
    """A new text can contain new characters; add those to ``PAIRS`` or ``COMMON``."""
    simplified, traditional = characters("zh-Hans"), characters("zh-Hant")
    assert traditional - simplified <= TRADITIONAL | COMMON
    assert simplified - traditional <= {pair[1] for pair in PAIRS} | COMMON
