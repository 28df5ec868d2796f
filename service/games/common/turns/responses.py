"""Write the responses that turn-based games share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from service.core.game import Chance, Choice, Decision, Outcome, Play
from service.core.hints import Reason
from service.core.reviews import JudgedDecision, PlayedTurns, TurnsReview
from service.core.rounding import rounded
from service.core.turn_hints import ChoiceValue, TurnHint, TurnPlan, TurnQuestion
from service.core.vocabulary import BRIEF, CARD, FACTS
from service.games.common.brief_hints import brief
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.habits import FINE, habits
from service.games.common.review_schema import render_account
from service.games.common.turns.moves_schema import DRAW, NONE
from service.games.common.turns.reasons import Explainer, advise


def without_none(**members: Any) -> Document:
    """Return the members whose value is not None."""
    return {name: value for name, value in members.items() if value is not None}


# The next decision or draw --------------------------------------------------------------------


def render_open(
    node: Decision[Choice] | Chance[Outcome] | None,
    drawer: str,
    render_action: Callable[[Choice], Document],
    card_name: Callable[[Outcome], str],
) -> Document:
    """Return the decision, its player and the choices or outcomes of a node.

    Args:
        node: the next node of a turn; None at its end.
        drawer: the player who draws, if the node is a draw.
        render_action: renders an action of the game.
        card_name: returns the name of a card in JSON.
    """
    if isinstance(node, Decision):
        [(player, legal)] = node.choices.items()
        moves = {player: [render_action(action) for action in legal]}
        return {"decision": node.name, "player": player, "moves": moves}
    if isinstance(node, Chance):
        outcomes = [
            {"type": DRAW, "card": card_name(card), "probability": rounded(float(probability))}
            for card, probability in node.outcomes
        ]
        return {"decision": DRAW, "player": drawer, "moves": {}, "draw": outcomes}
    return {"decision": NONE, "moves": {}}


# Hints ----------------------------------------------------------------------------------------


def render_hint(
    question: TurnQuestion[Play, Choice],
    hint: TurnHint[Choice],
    plans: Sequence[TurnPlan[Play, Choice]],
    position: Document,
    after_plan: Document,
    render_action: Callable[[Choice], Document],
    evaluator: str,
    explainer: Explainer[Play, Choice],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the response of ``suggest``.

    Args:
        question: the question.
        hint: its result, with comparisons.
        plans: of the best choice, and of those that a player would consider.
        position: at the decision, as the player sees it.
        after_plan: the response of ``legal-moves`` after the plan.
        render_action: renders an action of the game.
        evaluator: version of the evaluator.
        explainer: the texts of the game.
        language: of the sentences.
        names: display names of the players in the sentences.
    """
    best, plan = render_action(hint.choices[0].choice), plans[0]
    advice = advise(hint)
    reasons = explainer.reasons(question, hint, plans)
    moves = []
    for place, value in enumerate(hint.choices):
        move = _value(value, render_action, probability=0.0 if place else 1.0)
        said = reasons[place]
        sentences = explainer.sentences(question, said, place, _other(value), language, names)
        move["reasons"] = list(map(_reason, said, sentences))
        if FACTS in question.include:
            move["facts"] = [
                _reason(fact, explainer.fact(fact, language, names))
                for fact in explainer.facts(question, value.choice)
            ]
        moves.append(move)
    response = {
        "player": question.player,
        "decision": question.decision.name,
        "hint_level": CARD,
        "position": position,
        "advice": {
            "code": advice.code,
            "params": dict(advice.params),
            "text": explainer.headline(question, hint, plan, advice, language),
        },
        "pick": best,
        "pick_public": True,
        "pick_index": 0,
        "moves": moves,
        "win_shares": dict(hint.win_shares),
        "expected_values": dict(hint.win_shares),
        "plan": [render_action(choice) for choice in plan.choices],
        "after_plan": after_plan,
        "search": {
            "method": hint.method,
            "depth": hint.rounds,
            "effort": question.effort,
            "exact": hint.exact,
            "complete": hint.complete,
            "nodes": hint.nodes,
            "determinizations": hint.determinizations,
            "evaluator": evaluator,
        },
    }
    if hint.grade is not None:
        chosen, class_ = hint.grade
        response["grade"] = {
            "move": render_action(chosen.choice),
            "loss": chosen.loss,
            "class": class_,
        }
    return brief(response) if question.detail == BRIEF else response


def _value(
    value: ChoiceValue[Choice], render_action: Callable[[Choice], Document], probability: float
) -> Document:
    document = {
        "move": render_action(value.choice),
        "value": value.value,
        "loss": value.loss,
        "probability": probability,
        "error": value.error,
    }
    if value.comparison is not None:
        document["comparison"] = {
            "move": render_action(value.comparison.other),
            "difference": value.comparison.difference,
            "error": value.difference_error,
            "parts": dict(value.comparison.parts),
        }
    return document


def _reason(reason: Reason, sentence: str) -> Document:
    return {"code": reason.code, "params": dict(reason.params), "text": sentence}


# Reviews --------------------------------------------------------------------------------------


def render_review(
    played: PlayedTurns[Play, Choice],
    review: TurnsReview[Play, Choice],
    render_action: Callable[[Choice], Document],
    evaluator: str,
    explainer: Explainer[Play, Choice],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the response of ``review``.

    Args:
        played: the game.
        review: its result.
        render_action: renders an action of the game.
        evaluator: version of the evaluator.
        explainer: the texts of the game.
        language: of the sentences.
        names: display names of the players in the sentences.
    """
    decisions = [
        _decision(judged, render_action)
        | _explained(judged, render_action, explainer, language, names)
        for judged in review.decisions
    ]
    return {
        "progress": {"done": review.progress.done, "total": review.progress.total},
        "decisions": decisions,
        "players": {
            player: render_account(account) | habits(player, decisions, language)
            for player, account in review.accounts.items()
        },
        "game_over": played.over,
        "winners": list(played.winners),
        "search": {
            "method": review.method,
            "effort": played.effort,
            "complete": review.progress.complete,
            "nodes": review.nodes,
            "evaluator": evaluator,
        },
    }


def _decision(
    judged: JudgedDecision[Play, Choice], render_action: Callable[[Choice], Document]
) -> Document:
    question = judged.past.question
    assert question.chosen is not None, "a past decision has a choice"
    document = {
        "turn": judged.past.turn,
        "action": judged.past.action,
        "player": question.player,
        "decision": question.decision.name,
        "move": render_action(question.chosen),
        "best": render_action(judged.best),
        "best_value": judged.best_value,
        "value": judged.value,
        "loss": judged.loss,
        "class": judged.class_,
    }
    if judged.luck is not None:
        document["luck"] = {"source": judged.luck.source, "share": judged.luck.share}
    return document


def _explained(
    judged: JudgedDecision[Play, Choice],
    render_action: Callable[[Choice], Document],
    explainer: Explainer[Play, Choice],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return what went wrong with an error, what the best choice does, and both plans."""
    question, hint = judged.past.question, judged.hint
    if judged.class_ in FINE or question.chosen is None:
        return {}
    plans = {plan.choices[0]: plan for plan in judged.plans}
    reasons = explainer.reasons(question, hint, judged.plans)
    chosen = [value.choice for value in hint.choices].index(question.chosen)
    document: Document = {}
    for name, place in (("reasons", chosen), ("best_reasons", 0)):
        said, other = reasons[place], _other(hint.choices[place])
        sentences = explainer.sentences(question, said, place, other, language, names)
        document[name] = list(map(_reason, said, sentences))
    for name, choice in (("plan", question.chosen), ("best_plan", judged.best)):
        if choice in plans:
            document[name] = [render_action(each) for each in plans[choice].choices]
    return document


def _other(value: ChoiceValue[Choice]) -> Choice | None:
    """Return the choice that another one is compared with."""
    return None if value.comparison is None else value.comparison.other
