"""Check that hints call a result sure only if it is, in random endgames of the turn-based games.

    python3 scripts/dev.py run -m research sure slopecrashers --positions 500 --effort deep

After each hint that calls a result sure, the game is played to its end several times, with other
hidden cards and draws each time.  After a sure win the player follows the hints, and the others
play at random, or what the engine thinks best or worst for them.  After a sure loss, all play at
random, or the player plays well and the others badly.  Statements and false ones are counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from research.league.slopecrashers.finishes import dealt as dealt_gifts
from research.league.slopecrashers.finishes import finish
from research.league.snowcrest.last_turns import dealt as dealt_hands
from research.league.snowcrest.last_turns import near_end
from service.core.chance import draw
from service.core.game import Chance, Decision
from service.core.turn_hints import TurnHint, TurnPlan, TurnQuestion
from service.games.common.turns.reasons import Explainer, advise
from service.games.slopecrashers.api.reasons import EXPLAINER as SLOPECRASHERS_TEXTS
from service.games.slopecrashers.api.requests import SlopecrashersRequests
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.snowcrest.api.reasons import EXPLAINER as SNOWCREST_TEXTS
from service.games.snowcrest.api.requests import SnowcrestRequests
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint, solve

ANY, LOST, SURE = "You win, whatever you choose.", "You cannot win any more.", "a sure win"
MOST_DECISIONS: Final = 400
"""A race may go on without end if all players wait."""
STYLES: Final = ("random", "best", "worst", "random")
"""How the others play, in turn."""


@dataclass(frozen=True)
class Game:
    """What the check needs of a game.

    Attributes:
        solver: the game as the solver sees it.
        requests: hides what a player does not see.
        texts: of its hints.
        position: returns a random state near the end of a game.
        dealt: returns a turn with other cards in place of those that a player does not see.
    """

    solver: Any
    requests: Any
    texts: Explainer[Any, Any]
    position: Callable[[Random], Any]
    dealt: Callable[[Any, str, Random], Any]


GAMES: Final = {
    "slopecrashers": Game(
        SlopecrashersTurns(), SlopecrashersRequests(), SLOPECRASHERS_TEXTS, finish, dealt_gifts
    ),
    "snowcrest": Game(
        SnowcrestTurns(), SnowcrestRequests(), SNOWCREST_TEXTS, near_end, dealt_hands
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Print the counts; return 1 if a statement was false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--games", type=int, default=8, help="played after each statement")
    parser.add_argument("--effort", default="standard")
    parser.add_argument("--seed", type=int, default=1, help="of the first position")
    options = parser.parse_args(arguments)
    counts = Counter[str]()
    for seed in range(options.seed, options.seed + options.positions):
        found = checked(GAMES[options.game], seed, options.effort, options.games)
        counts.update(found)
        if any(name.startswith("false") for name in found):
            print(f"seed {seed}: {dict(found)}")
    for name, count in sorted(counts.items()):
        print(f"{count:6}  {name}")
    return int(any(name.startswith("false") for name in counts))


def checked(game: Game, seed: int, effort: str, games: int) -> Counter[str]:
    """Return how often the hint for a position said what, and how often that was false."""
    random = Random(seed)
    turn = _some_decision(game, game.position(random), random)
    if turn is None:
        return Counter()
    player = _decider(game, turn)
    question = _question(game, turn, player, effort)
    hint = _hint(game, question)
    counts = Counter(hints=1)
    for statement, choices in statements(game, question, hint):
        counts[statement] += 1
        wins = statement != LOST
        for number in range(games):
            own = Random(f"{seed} {number}")
            start = game.dealt(turn, player, own)
            style = STYLES[number % len(STYLES)]
            after = game.solver.rules.choose(start, {player: own.choice(choices)}).play
            won = _played_on(game, after, player, effort if wins else "", style, own)
            if won is not None and won != wins:
                counts[f"false: {statement}"] += 1
                break
    return counts


def statements(
    game: Game, question: TurnQuestion[Any, Any], hint: TurnHint[Any]
) -> list[tuple[str, list[Any]]]:
    """Return what a hint calls sure, each with the choices that it is about."""
    if len(hint.choices) < 2:
        return []
    advice, ranked = advise(hint), [each.choice for each in hint.choices]
    plan = TurnPlan(ranked[:1], [question.play], question.play, None)
    text = game.texts.headline(question, hint, plan, advice, "en")
    found = [(text, ranked)] if text in (ANY, LOST) else []
    if SURE in text:
        found.append((SURE, [ranked[place] for place in advice.params.get("choices", [0])]))
    return found


def _played_on(
    game: Game, turn: Any, player: str, effort: str, style: str, random: Random
) -> bool | None:
    """Return whether a player wins; None if the game does not end.

    Args:
        effort: of the hints that the player follows; "" if it plays like the others.
    """
    rules = game.solver.rules
    for _ in range(MOST_DECISIONS):
        node = rules.pending(turn)
        if node is None:
            state = rules.rest(turn)
            if rules.over(state):
                return player in rules.winners(state)
            turn = rules.begin(state).play
        elif isinstance(node, Chance):
            turn = rules.draw(turn, draw(node, random.getrandbits(53))).play
        else:
            decider = _decider(game, turn)
            own = decider == player
            [choices] = node.choices.values()
            if len(choices) == 1:
                choice = choices[0]
            elif own and effort:
                choice = _hint(game, _question(game, turn, decider, effort)).choices[0].choice
            elif style == "random":
                choice = random.choice(choices)
            else:
                # Against a sure loss, the player plays well and the others badly.
                ranked = _hint(game, _question(game, turn, decider, "quick")).choices
                well = own or (style == "best" and bool(effort))
                choice = ranked[0 if well else -1].choice
            turn = rules.choose(turn, {decider: choice}).play
    return None


def _some_decision(game: Game, state: Any, random: Random) -> Any:
    """Return the turn at a decision with several choices, after some random ones; or None."""
    rules = game.solver.rules
    turn, skipped = rules.begin(state).play, random.choice((0, 0, 0, 1, 2, 3))
    while (node := rules.pending(turn)) is not None:
        if isinstance(node, Chance):
            turn = rules.draw(turn, draw(node, random.getrandbits(53))).play
            continue
        [choices] = node.choices.values()
        if not skipped and len(choices) > 1:
            return turn
        skipped = max(0, skipped - 1)
        turn = rules.choose(turn, {_decider(game, turn): random.choice(choices)}).play
    return None


def _decider(game: Game, turn: Any) -> str:
    node = game.solver.rules.pending(turn)
    assert isinstance(node, Decision), "a player decides"
    [player] = node.choices
    return str(player)


def _question(game: Game, turn: Any, player: str, effort: str) -> TurnQuestion[Any, Any]:
    """Return the question that the player can ask."""
    node = game.solver.rules.pending(turn)
    assert isinstance(node, Decision), "a player decides"
    seen = game.requests.observed_turn(turn, player)
    return TurnQuestion(seen, node, player, effort, None, None)


def _hint(game: Game, question: TurnQuestion[Any, Any]) -> TurnHint[Any]:
    players = question.play.state.players
    solution = solve(game.solver, question, None, attributed=True)
    hint = render_turn_hint(solution, question, players)
    return compare_choices(hint, solution, game.solver, players.index(question.player))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
