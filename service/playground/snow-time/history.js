// What happened in the rounds so far.

import { h } from "../dom.js";
import { t } from "../text.js";
import { sentence } from "./sentences.js";

/** Return the log of all rounds, the latest one first, or null. */
export function history({ game, about }) {
  const rounds = game.turns.map(({ result }, place) => ({ round: place + 1, events: result.events }));
  if (!rounds.length) return null;
  return h(
    "details",
    { class: "panel log", "data-key": "log" },
    h("summary", {}, h("h2", {}, t("log"))),
    rounds.reverse().map(({ round, events }) =>
      h(
        "section",
        {},
        h("h3", {}, t("round", { round })),
        h("ol", {}, events.map((event) => h("li", {}, sentence(event, about)))),
      ),
    ),
  );
}
