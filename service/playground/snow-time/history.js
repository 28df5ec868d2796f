// What happened in the rounds so far.

import { button, h } from "../dom.js";
import { playedBefore } from "../records/record.js";
import { t } from "../text.js";
import { sentence } from "./sentences.js";

/** Return the log of all rounds, the latest one first, or null. */
export function history(view) {
  const { game, about } = view;
  const rounds = game.turns.map(({ result }, place) => ({ place, round: playedBefore(game.record) + place + 1, events: result.events }));
  if (!rounds.length) return null;
  return h(
    "details",
    { class: "panel log", "data-key": "log" },
    h("summary", {}, h("h2", {}, t("log"))),
    rounds.reverse().map(({ place, round, events }) =>
      h(
        "section",
        {},
        h("h3", {}, t("round", { round })),
        game.atTable() ? button(t("table.amend"), () => amend(view, place), { class: "quiet", "data-key": `amend-${place}`, "aria-label": t("table.amend-round", { round }), disabled: game.busy }) : null,
        h("ol", {}, events.map((event) => h("li", {}, sentence(event, about)))),
      ),
    ),
  );
}

/** Go back to a round, to enter other cards. */
async function amend(view, place) {
  await view.game.run(() => view.game.amendRound(place), () => {
    window.scrollTo({ top: 0 });
    view.focusNext();
  });
}
