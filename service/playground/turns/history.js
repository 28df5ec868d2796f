// What happened in the turns so far, and their review.

import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { ruling } from "../problems.js";
import { reviewPanel } from "../review.js";
import { t } from "../text.js";

/** Return the log of all turns, the latest one first, and the review if there is one. */
export function history(view) {
  const { game, own, about } = view;
  const { turns, last, review } = game;
  if (!turns.length) return null;
  const [latest, ...earlier] = turns.map((turn) => entry(view, turn)).reverse();
  return [
    h(
      "section",
      { class: "panel log", "aria-labelledby": "log-title" },
      h("h2", { id: "log-title" }, t("log")),
      own.outcome?.(last, about),
      latest,
      earlier.length
        ? h("details", { class: "fold", "data-key": "earlier" }, h("summary", {}, t("log.earlier")), earlier)
        : null,
      button(t("review"), () => view.requestReview(), { "data-key": "review", disabled: game.busy }),
    ),
    review ? reviewed(view) : null,
  ];
}

/** Return the events of a turn as sentences. */
export function eventTexts(view, { before, player, result }) {
  return result.events.map((event) => view.own.event(event, asOf(view, before, player)));
}

function entry(view, turn) {
  const { events } = turn.result;
  const texts = eventTexts(view, turn);
  return h(
    "section",
    {},
    h("h3", {}, t("turn.of", { player: playerName(turn.player) })),
    h("ol", {}, events.map(({ rule }, place) => h("li", {}, texts[place], rule ? ruling(rule, view.about) : null))),
  );
}

function reviewed(view) {
  const { turns, review } = view.game;
  return reviewPanel({
    review,
    playerName,
    moveName: (decision, move) => view.own.action(move, asOf(view, turns[decision.turn].before, decision.player)),
    when: (decision) => t("review.when.turn", { number: decision.turn + 1 }),
    resume: () => view.requestReview(),
  });
}

/** Return a view of the position before a turn, which names its actions and events. */
function asOf({ about, catalogue }, before, player) {
  return { about, catalogue, game: { state: before, decider: () => player } };
}
