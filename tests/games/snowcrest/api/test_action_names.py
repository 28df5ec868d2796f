"""Names of actions, over random games."""

from random import Random

from service.core.chance import draw
from service.core.game import Chance
from service.core.languages import LANGUAGES
from service.games.snowcrest.api.action_names import action_name
from service.games.snowcrest.rules.actions import ActionType
from service.games.snowcrest.rules.setup import set_up
from tests.games.snowcrest.positions import GAME

TURNS = 90


def test_every_choice_has_a_name_of_its_own():
    seen = set()
    for seed in (1, 2, 3):
        random = Random(seed)
        state = set_up(seed=seed, players="abc")
        for _ in range(TURNS):
            step = GAME.begin(state)
            while (node := GAME.pending(step.play)) is not None:
                if isinstance(node, Chance):
                    step = GAME.draw(step.play, draw(node, random.getrandbits(32)))
                    continue
                [(player, legal)] = node.choices.items()
                for language in LANGUAGES:
                    names = [action_name(step.play.state, player, each, language) for each in legal]
                    assert len(set(names)) == len(legal), names
                seen |= {action.type for action in legal}
                step = GAME.choose(step.play, {player: random.choice(legal)})
            state = GAME.rest(step.play)
    assert seen >= {ActionType.PAY, ActionType.GAIN, ActionType.TRADE, ActionType.BUILD}
