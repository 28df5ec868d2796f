"""From a question to a hint: every legal move with its value, and what everybody can expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from service.core.game import Choice
from service.core.hints import Grade, Hint, MoveValue, Position, Question, Search
from service.core.rounding import TIE, apportion, rounded
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.vocabulary import LEAD, WIN
from service.solver import canonical
from service.solver.canonical import canonicalize
from service.solver.hints.grading import grade_class
from service.solver.hints.player_view import PlayerView, player_view
from service.solver.hints.sampling import draw, softmax_of_losses
from service.solver.solution import Solution


def compute_hint(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    stop_at: float | None = None,
) -> Hint[Choice]:
    """Solves a question by the model that it names, and tells the asker.

    Args:
        game: the game in rounds.
        question: what is asked.
        owners: the player of each actor, in the position's order.
        stop_at: ``time.monotonic()`` at which the search has to stop, if ever.

    Raises:
        OutOfTime: if that came before anything was found.
    """
    asked = canonicalize(game, question)
    return render_hint(canonical.solve(game, asked, stop_at), game, question, asked, owners)


def render_hint(
    found: Solution,
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    asked: CanonicalQuestion[Position, Choice],
    owners: Mapping[str, str],
) -> Hint[Choice]:
    """What was found, in print, for the asker.

    Args:
        found: of the question in its canonical form.
        game: the game in rounds.
        question: what was asked.
        asked: the same in its canonical form.
        owners: the player of each actor, in the position's order.
    """
    part = player_view(found, game, question, asked, owners)
    on_shares = question.objective == WIN
    estimated = on_shares and bool((part.outcomes[:, part.columns.estimated] > 0.0).any())
    values = _rounded_values(part.values.tolist())
    best = values.index(max(values))
    own = part.own
    if own is None:
        own = np.zeros(len(values))
        own[best] = 1.0
    in_order = [
        _move_value(part, index, values, float(probability))
        for index, probability in enumerate(own)
    ]
    tolerance = 0.0 if found.epsilon is None else rounded(found.epsilon)
    recommended = recommended_order(values, own.tolist(), tolerance)
    moves = [in_order[index] for index in recommended]
    win_shares, expected = _prospects(part, question.objective, best, values[best])
    order = list(dict.fromkeys(owners.values()))
    mine = [(move, float(p)) for move, p in zip(part.moves, own, strict=True) if p > 0.0]
    likely = own.tolist()
    if question.temperature is not None:
        likely = softmax_of_losses([found.loss for found in in_order], question.temperature)
    pick = draw(likely, game.position_key(question), question.player, question.nonce)
    mixtures = {**part.others, question.player: mine}
    return Hint(
        moves=moves,
        pick=part.moves[pick],
        pick_index=recommended.index(pick),
        strategies={player: mixtures[player] for player in order},
        win_shares=_by_player(part, win_shares, order),
        expected_values=_by_player(part, expected, order),
        grade=_grade(question, moves),
        search=Search(
            method=found.method,
            depth=found.depth,
            exact=found.depth == question.depth and found.choices_exact and not estimated,
            complete=found.complete,
            nodes=found.nodes,
            epsilon=None if found.epsilon is None else rounded(found.epsilon),
            quantal_residual=None
            if found.quantal_residual is None
            else rounded(found.quantal_residual),
            unsearched=rounded(found.unsearched),
            evaluator=game.evaluator,
        ),
    )


def _grade(
    question: Question[Position, Choice], moves: Sequence[MoveValue[Choice]]
) -> Grade[Choice] | None:
    if question.chosen is None:
        return None
    loss = next(found.loss for found in moves if found.move == question.chosen)
    return Grade(question.chosen, loss, grade_class(question.objective, loss))


def _rounded_values(values: list[float]) -> list[float]:
    """Return rounded values; values that tie within the last decimal are made equal."""
    result = [rounded(value) for value in values]
    by_value = sorted(range(len(values)), key=lambda index: -result[index])
    head = by_value[0]
    for index in by_value:
        if result[head] - result[index] < TIE:
            result[index] = result[head]
        else:
            head = index
    return result


def recommended_order(
    values: Sequence[float], probabilities: Sequence[float], tolerance: float
) -> list[int]:
    """Return the indices of moves in the order of recommendation.

    Values that differ by no more than the tolerance from the highest value of their class are
    equal; equal values are ordered by probability, then in deck order. The first move is one that
    the strategy plays.

    Args:
        values: of the moves in deck order.
        probabilities: of the moves under the asking player's strategy.
        tolerance: in the unit of the values, at least 0.
    """
    value_class = dict.fromkeys(range(len(values)), 0)
    highest, number = max(values), 0
    for index in sorted(value_class, key=lambda index: -values[index]):
        if values[index] < highest - tolerance - TIE / 2:
            highest, number = values[index], number + 1
        value_class[index] = number
    order = sorted(value_class, key=lambda i: (value_class[i], -probabilities[i], i))
    # An epsilon-equilibrium plays a move of the first class, except within rounding.
    first = next(index for index in order if probabilities[index] > 0.0)
    order.remove(first)
    return [first, *order]


def _move_value(
    part: PlayerView[Choice], index: int, values: list[float], probability: float
) -> MoveValue[Choice]:
    outcome = part.outcomes[index]
    return MoveValue(
        move=part.moves[index],
        value=values[index],
        loss=rounded(max(values) - values[index]),
        probability=probability,
        measures={name: float(outcome[column]) for name, column in part.columns.measures.items()},
    )


def _prospects(
    part: PlayerView[Choice], objective: str, best: int, own: float
) -> tuple[list[float], list[float]]:
    """Everybody's share of the win, and everybody's objective, as printed.

    Where the asker plays its best move, its own number is the printed value of that move.
    """
    outcome = part.outcomes[best] if part.common is None else part.common
    shares = [float(share) for share in outcome[part.columns.shares]]
    printed_own = own if part.common is None else None
    if objective == WIN:
        if printed_own is None:
            win_shares = apportion(shares)
        else:
            others = shares[: part.asker] + shares[part.asker + 1 :]
            win_shares = apportion(others, whole=rounded(1.0 - printed_own))
            win_shares.insert(part.asker, printed_own)
        return win_shares, win_shares
    gains = [float(gain) for gain in outcome[part.columns.gains]]
    if objective == LEAD:
        rest = [sum(gains[:player] + gains[player + 1 :]) for player in range(len(gains))]
        gains = [gain - others / (len(gains) - 1) for gain, others in zip(gains, rest, strict=True)]
    expected = [rounded(gain) for gain in gains]
    if printed_own is not None:
        expected[part.asker] = printed_own
    return apportion(shares), expected


def _by_player(
    part: PlayerView[Choice], values: Sequence[float], order: Sequence[str]
) -> dict[str, float]:
    by_name = dict(zip(part.players, values, strict=True))
    return {player: by_name[player] for player in order}
