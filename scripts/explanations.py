"""Report how well hints explain themselves, over decisions of played games; not a test.

    python3 scripts/dev.py run scripts/explanations.py --decisions 500 [--game GAME] [--show 5]

Players follow the hints. In games of turns, every third turn and each turn with a draw is random,
so that unusual positions occur too. In Snow Time, other models of the opponents and a temperature
are asked for in turn. Counted are decisions with an alternative. A contradiction is a headline, an
order, a reason or a shortlist that disagrees with the values and probabilities of the same hint.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from math import fsum
from random import Random
from statistics import median
from typing import Any, Final

from golden.asking import ask, below
from golden.turns import random_turn
from tqdm import tqdm

from service.core.advice import MIN_PLAYED, TOLERANCES
from service.core.explanation import BALANCE
from service.core.languages import LANGUAGES
from service.core.vocabulary import WIN
from service.games.registry import GAMES
from service.games.slopecrashers.api import reasons as slopecrashers
from service.games.snow_time.api.reasons import consequences as snow_time
from service.games.snowcrest.api import reasons as snowcrest

PLAYERS: Final = ("anna", "hugo", "nina", "vincent")
RANDOM_SHARE: Final = 1 / 3
EXACT: Final = 2e-9
"""Difference between sums of numbers that are rounded to nine decimals."""
COSTS: Final = frozenset(
    (*snow_time.COSTS, *slopecrashers.COSTS, *snowcrest.COSTS, "struck", "brawl", "buried")
)
"""Codes of reasons that speak against a choice."""
COMPARISONS: Final = r"\b(?:further|fewer|less|more (?!movement))\b"
"""What compares two choices, but not "one more movement"."""
Body = dict[str, Any]


def decisions(
    game: str, seed: int, effort: str, players: Sequence[str] = PLAYERS
) -> Iterator[Body]:
    """Yield hint requests of played games without end."""
    random = Random(seed)
    play = rounds if game == "snow-time" else turns
    while True:
        yield from play(game, random, effort, players)


def rounds(game: str, random: Random, effort: str, players: Sequence[str]) -> Iterator[Body]:
    """Play one game in rounds and yield its hint requests at the card decisions."""
    seats = [{"seat": player} for player in players]
    state = ask(game, "new", {"seats": seats})["state"]
    while not ask(game, "legal-moves", {"state": state})["game_over"]:
        grown = ask(game, "grow", {"state": state, "seed": below(random, 2**32)})
        moves: Body = {}
        for player in players:
            body = {"state": grown["state"], "player": player, "effort": effort}
            body["nonce"] = str(below(random, 2**32))
            yield body
            moves |= ask(game, "suggest", body)["pick"]
        moves = _completed(game, random, grown["state"], moves)
        state = ask(game, "resolve", {"state": state, "dice": grown["dice"], "moves": moves})[
            "state"
        ]


def _completed(game: str, random: Random, state: Body, moves: Body) -> Body:
    """Return the moves with random choices at the later decisions of the round."""
    while True:
        legal = ask(game, "legal-moves", {"state": state, "revealed": moves})
        if legal["decision"] == "none":
            return moves
        moves = moves | {
            actor: choices[below(random, len(choices))] for actor, choices in legal["moves"].items()
        }


def turns(game: str, random: Random, effort: str, players: Sequence[str]) -> Iterator[Body]:
    """Play one game in turns and yield its hint requests."""
    seats = [{"player": player} for player in players]
    state = ask(game, "new", {"seats": seats, "seed": below(random, 2**32)})["state"]
    over = False
    while not over:
        so_far: list[Body] = []
        while True:
            body = {"state": state, "so_far": so_far}
            legal = ask(game, "legal-moves", body)
            if legal["decision"] in ("none", "draw", "answer"):
                break
            body |= {"player": legal["player"], "effort": effort}
            yield body
            so_far = [*so_far, ask(game, "suggest", body)["pick"]]
        if legal["decision"] != "none" or random.random() < RANDOM_SHARE:
            so_far = random_turn(game, random, state)
        resolved = ask(game, "resolve", {"state": state, "moves": so_far})
        state, over = resolved["state"], resolved["game_over"]


VARIANTS: Final[Sequence[Body]] = (
    {},
    {"opponents": {"model": "quantal"}},
    {},
    {"temperature": 0.2},
    {"opponents": {"model": "level-1"}, "objective": "points"},
)
"""What questions about Snow Time add to the default, in turn."""


def contradictions(hint: Body, objective: str) -> Iterator[str]:
    """Yield what a hint for an objective says that its own numbers deny."""
    moves, code = hint["moves"], hint["advice"]["code"]
    pick = next(row for row in moves if row["move"] == hint["pick"])
    by_move = {repr(row["move"]): row for row in moves}
    if (code == "forced") != (len(moves) == 1):
        yield "forced"
    named = hint["advice"]["params"].get("choices")
    if code in ("clear", "equal", "mixture") and named and moves.index(pick) not in named:
        yield "the headline does not name the pick"
    if moves.index(pick) in hint["advice"]["params"].get("mistakes", ()):
        yield "the pick is called a mistake"
    if code == "mixture" and max(row["probability"] for row in moves) >= 1.0:
        yield "a mixture of one choice"
    rare = [moves[index] for index in named or () if moves[index]["probability"] < MIN_PLAYED]
    if code == "mixture" and any(row is not pick for row in rare):
        yield "a mixture names a choice that is hardly played"
    if moves[0]["probability"] == 0.0:
        yield "the first choice is never played"
    if pick["probability"] == 0.0 and code not in ("equal", "drawn", "avoid", "unlikely"):
        yield "the pick is never played"
    for row in moves:
        compared = row.get("comparison")
        if compared is None:
            continue
        other = by_move[repr(compared["move"])]
        if abs(row["value"] - other["value"] - compared["difference"]) > EXACT:
            yield "a difference is not that of the values"
        if abs(fsum(compared["parts"].values()) - compared["difference"]) > EXACT:
            yield "parts do not add up"
        is_better = row is pick and compared["difference"] > TOLERANCES[objective]
        if is_better and row["reasons"] and row["reasons"][0]["code"] in COSTS:
            yield "the first reason speaks against the pick"
        for reason in row["reasons"]:
            if reason["code"] in ("keeps", "spends") and "seat" in reason["params"]:
                played = str(row["move"]).count(f"'{reason['params']['card']}'")
                instead = str(compared["move"]).count(f"'{reason['params']['card']}'")
                if (played > instead) != (reason["code"] == "spends"):
                    yield "a reason names a card that is not kept or spent"


def faults_of_form(hint: Body) -> Iterator[str]:
    """Yield what the English sentences about a pick must not say."""
    pick = next(row for row in hint["moves"] if row["move"] == hint["pick"])
    headline, sentences = hint["advice"]["text"], [each["text"] for each in pick["reasons"]]
    if re.search(r"\d\.\d", " ".join((headline, *sentences))):
        yield "a decimal"
    for sentence in sentences:
        if re.search(COMPARISONS, sentence) and "than" not in sentence:
            yield "a comparison without than"
        if sentence.rstrip(".").lower() in headline.lower():
            yield "a tautology"
    if len({*sentences}) < len(sentences):
        yield "a sentence twice"
    seats = hint["position"]["seats"] if "position" in hint else ()
    absent = {seat["player"] for seat in seats if "stung" in seat and "lap" not in seat}
    for reason in pick["reasons"]:
        named = {reason["params"].get("player"), *reason["params"].get("players", ())}
        if named & absent:
            yield "a player who is not on the course"
        if reason["params"].get("chance") == 0.0:
            yield "an event that cannot happen"


def words(hint: Body) -> int:
    """Return the number of words of the headline and of the pick's reasons."""
    pick = next(row for row in hint["moves"] if row["move"] == hint["pick"])
    texts = [hint["advice"]["text"], *(reason["text"] for reason in pick["reasons"])]
    return sum(len(text.split()) for text in texts)


def report(game: str, options: argparse.Namespace) -> None:
    """Print the report of a game."""
    counted = argued = balanced = 0
    lengths: list[int] = []
    codes: Counter[str] = Counter()
    denied: Counter[str] = Counter()
    bodies = decisions(game, options.seed, options.effort)
    for body in tqdm(islice(bodies, options.decisions), total=options.decisions, desc=game):
        if game == "snow-time":
            body = body | VARIANTS[counted % len(VARIANTS)]
        hint = ask(game, "suggest", body)
        if len(hint["moves"]) < 2:
            continue
        if game == "snow-time" and not counted % len(VARIANTS):
            short = ask(game, "suggest", body | {"hint_level": "shortlist"})
            denied["the pick is not on the shortlist"] += hint["pick"] not in short["shortlist"]
            nudges = {nudge["code"] for nudge in short["nudges"]}
            spends = any(f"'{card}'" in str(hint["pick"]) for card in ("watcher", "blizzard"))
            denied["a nudge denies the pick"] += spends and "keeps" in nudges
        counted += 1
        pick = next(row for row in hint["moves"] if row["move"] == hint["pick"])
        argued += bool(pick["reasons"])
        lengths.append(words(hint))
        codes[hint["advice"]["code"]] += 1
        denied.update(set(contradictions(hint, body.get("objective", WIN))))
        denied.update(set(faults_of_form(hint)))
        balanced += any(each["code"] == BALANCE for each in pick["reasons"])
        if options.show and counted % (options.decisions // options.show) == 1:
            show(game, body)
    print(f"{game}: {counted} decisions with an alternative, seed {options.seed}")
    print(f"  picks with a reason: {argued / counted:.1%}")
    print(f"  of these, better on balance: {balanced / counted:.1%}")
    print(f"  words of headline and reasons: {median(lengths):g} (median), {max(lengths)} (most)")
    print(f"  headlines: {', '.join(f'{code} {n}' for code, n in codes.most_common())}")
    print(f"  faults: {dict(+denied) or 0}", flush=True)


def show(game: str, body: Body) -> None:
    """Print the headline and the reasons of the pick in all languages."""
    for language in LANGUAGES:
        hint = ask(game, "suggest", body, language)
        pick = next(row for row in hint["moves"] if row["move"] == hint["pick"])
        texts = [hint["advice"]["text"], *(reason["text"] for reason in pick["reasons"])]
        tqdm.write(f"  [{language}] {hint['pick']}: {' / '.join(texts)}")
    tqdm.write("")


def main(arguments: Sequence[str]) -> int:
    """Print a report for each game; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(GAMES), action="append", help="default: all")
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--effort", default="quick")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="about so many hints in all languages")
    options = parser.parse_args(arguments)
    for game in options.game or GAMES:
        report(game, options)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
