"""From a question to a hint: the value of every legal move, and the prospects of all players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from service.core.advice import HOPELESS, judge
from service.core.comparison import Comparison
from service.core.game import Choice
from service.core.hints import Grade, Hint, MoveValue, Position, Question, Search
from service.core.rounding import TIE, apportion, rounded
from service.core.simultaneous import CanonicalQuestion, ResultBounds, RoundGame
from service.core.vocabulary import LEAD, QUANTAL, WIN
from service.solver.canonical import canonicalize
from service.solver.canonical import solve as solve_canonical
from service.solver.hints.comparisons import compare_moves
from service.solver.hints.grading import grade_class
from service.solver.hints.player_view import PlayerView, player_view
from service.solver.hints.sampling import draw_index, softmax_of_losses
from service.solver.solution import Solution


def compute_hint(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    stop_at: float | None = None,
) -> Hint[Choice]:
    """Solve a question and return the asker's hint.

    Args:
        game: the game.
        question: the question.
        owners: the player of each actor, in the order of the position.
        stop_at: ``time.monotonic()`` at which the search must stop, or None.

    Raises:
        OutOfTime: if the deadline passed before the search had any result.
    """
    canonical = canonicalize(game, question)
    solution = solve_canonical(game, canonical, stop_at)
    return render_hint(solution, game, question, canonical, owners)


def render_hint(
    solution: Solution,
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    owners: Mapping[str, str],
) -> Hint[Choice]:
    """Return the asker's hint with rounded numbers.

    Args:
        solution: of the canonical question.
        game: the game.
        question: the original question.
        canonical: its canonical form.
        owners: the player of each actor, in the order of the position.
    """
    view = player_view(solution, game, question, canonical, owners)
    values = _rounded_values(view.values.tolist())
    bounds = _bounds(game, question, view.moves, values)
    hopeless = bool(bounds) and max(values) < HOPELESS
    best = _best(game, view.moves, values)
    alone = _chooses_alone(question, owners)
    if alone and view.own is not None and view.own.max() == 1.0:
        # It plays a best move, but not the one that decides between equal values.
        view = replace(view, own=None, common=None)
    own = view.own
    if own is None:
        own = np.zeros(len(values))
        own[best] = 1.0
    tolerance = _rounded(solution.epsilon) or 0.0
    recommended = recommended_order(values, own.tolist(), tolerance)
    pick = _pick(game, question, own.tolist(), values, bounds if hopeless else ())
    comparisons = compare_moves(
        view.moves,
        values,
        recommended,
        pick,
        game.part_names,
        view.parts,
        further=solution.depth > 1,
    )
    in_deck_order = [
        _move_value(view, index, values, float(probability), comparisons[index])
        for index, probability in enumerate(own)
    ]
    moves = [in_deck_order[index] for index in recommended]
    win_shares, expected_values = _prospects(view, question.objective, best, values[best])
    order = list(dict.fromkeys(owners.values()))
    own_mixture = [(move, float(p)) for move, p in zip(view.moves, own, strict=True) if p > 0.0]
    mixtures = {**view.others, question.player: own_mixture}
    # Quantal players and a temperature do not mix on purpose: they make mistakes.
    mixes = view.own is not None and question.model != QUANTAL and question.temperature is None
    proven = _proven(question, values, bounds, alone=alone)
    return Hint(
        moves=moves,
        verdict=judge(
            [row.value for row in moves],
            question.objective,
            tolerance=tolerance,
            bounds=proven and [proven[index] for index in recommended],
            probabilities=[row.probability for row in moves] if mixes else None,
            pick=recommended.index(pick),
        ),
        pick=view.moves[pick],
        pick_index=recommended.index(pick),
        strategies={player: mixtures[player] for player in order},
        win_shares=_by_player(view, win_shares, order),
        expected_values=_by_player(view, expected_values, order),
        grade=_grade(question, moves, mixes=mixes),
        search=_search(solution, game, question, view),
        needed=bounds[pick].needed if hopeless else {},
        replies={
            player: [values[recommended].tolist() for values in own]
            for player, own in view.replies.items()
        },
    )


def _pick(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    own: list[float],
    values: Sequence[float],
    hopes: Sequence[ResultBounds[Choice]],
) -> int:
    """Return the index of the move to play: drawn from the mixture, or the one with most hope.

    Args:
        own: probabilities of the moves.
        values: of the moves.
        hopes: bounds of the moves if none of them wins against the predicted play, else empty.
    """
    probabilities = own
    if question.temperature is not None:
        losses = [rounded(max(values) - value) for value in values]
        probabilities = softmax_of_losses(losses, question.temperature)
    if hopes:
        # It hopes for a play of the others that is not predicted.
        played = [index for index, probability in enumerate(probabilities) if probability > 0.0]
        return max(played, key=lambda index: hopes[index].hope)
    return draw_index(probabilities, game.position_key(question), question.player, question.nonce)


def _search(
    solution: Solution,
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    view: PlayerView[Choice],
) -> Search:
    """Return how the hint was computed."""
    estimated = question.objective == WIN and bool(
        (view.outcomes[:, view.columns.estimated] > 0.0).any()
    )
    return Search(
        method=solution.method,
        depth=solution.depth,
        exact=solution.depth == question.depth and solution.choices_exact and not estimated,
        complete=solution.complete,
        nodes=solution.nodes,
        epsilon=_rounded(solution.epsilon),
        quantal_residual=_rounded(solution.quantal_residual),
        unsearched=rounded(solution.unsearched),
        evaluator=game.evaluator,
        learned=solution.learned,
    )


def _proven(
    question: Question[Position, Choice],
    values: Sequence[float],
    bounds: Sequence[ResultBounds[Choice]],
    *,
    alone: bool,
) -> Sequence[tuple[float, float]]:
    """Return the bounds of all values, or nothing; without other choices, gains are certain."""
    if question.objective != WIN and alone:
        return [(value, value) for value in values]
    return [(each.least, each.most) for each in bounds]


def _chooses_alone(question: Question[Position, Choice], owners: Mapping[str, str]) -> bool:
    """Return whether nobody but the asker has a choice."""
    choices = question.decision.choices
    return all(len(own) == 1 or owners[actor] == question.player for actor, own in choices.items())


def _bounds(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    moves: Sequence[Mapping[str, Choice]],
    values: Sequence[float],
) -> Sequence[ResultBounds[Choice]]:
    """Return what each move can lead to, if the result may be certain; otherwise nothing."""
    best = max(values)
    undecided = HOPELESS <= best <= 1.0 - TIE and best - min(values) > TIE
    if question.objective != WIN or undecided:
        return ()
    return game.result_bounds(question, moves)


def _best(
    game: RoundGame[Position, Choice],
    moves: Sequence[Mapping[str, Choice]],
    values: Sequence[float],
) -> int:
    """Return the index of the best move; of equal ones, the first that keeps most for later."""
    return max(range(len(values)), key=lambda index: (values[index], game.kept(moves[index])))


def _rounded(value: float | None) -> float | None:
    return None if value is None else rounded(value)


def _grade(
    question: Question[Position, Choice], moves: Sequence[MoveValue[Choice]], *, mixes: bool
) -> Grade[Choice] | None:
    """Return the grade of the chosen move; one that a mixed strategy plays is at worst good."""
    if question.chosen is None:
        return None
    chosen = next(value for value in moves if value.move == question.chosen)
    best = max(value.value for value in moves)
    error = chosen.loss if mixes and chosen.probability > 0.0 else 0.0
    class_ = grade_class(question.objective, chosen.loss, best, error)
    return Grade(question.chosen, chosen.loss, class_)


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
    view: PlayerView[Choice],
    index: int,
    values: list[float],
    probability: float,
    comparison: Comparison[Mapping[str, Choice]] | None,
) -> MoveValue[Choice]:
    outcome = view.outcomes[index]
    return MoveValue(
        move=view.moves[index],
        value=values[index],
        loss=rounded(max(values) - values[index]),
        probability=probability,
        measures={name: float(outcome[column]) for name, column in view.columns.measures.items()},
        gains=dict(zip(view.players, outcome[view.columns.gains].tolist(), strict=True)),
        comparison=comparison,
    )


def _prospects(
    view: PlayerView[Choice], objective: str, best: int, best_value: float
) -> tuple[list[float], list[float]]:
    """Return the rounded win shares and objective values of all players.

    If the asker plays its best move, its own number is the rounded value of that move.
    """
    outcome = view.outcomes[best] if view.common is None else view.common
    shares = [float(share) for share in outcome[view.columns.shares]]
    own_value = best_value if view.common is None else None
    if objective == WIN:
        if own_value is None:
            win_shares = apportion(shares)
        else:
            others = shares[: view.asker] + shares[view.asker + 1 :]
            win_shares = apportion(others, whole=rounded(1.0 - own_value))
            win_shares.insert(view.asker, own_value)
        return win_shares, win_shares
    gains = [float(gain) for gain in outcome[view.columns.gains]]
    if objective == LEAD:
        rest = [sum(gains[:player] + gains[player + 1 :]) for player in range(len(gains))]
        gains = [gain - others / (len(gains) - 1) for gain, others in zip(gains, rest, strict=True)]
    expected_values = [rounded(gain) for gain in gains]
    if own_value is not None:
        expected_values[view.asker] = own_value
    return apportion(shares), expected_values


def _by_player(
    view: PlayerView[Choice], values: Sequence[float], order: Sequence[str]
) -> dict[str, float]:
    by_name = dict(zip(view.players, values, strict=True))
    return {player: by_name[player] for player in order}
