// What happened in the rounds so far, and their review.

import { jointName } from "../coach/moves.js";
import { button, h } from "../dom.js";
import { reviewPanel } from "../review.js";
import { t } from "../text.js";
import { seatName } from "./seats.js";
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

/** Return the review of the rounds played here, or the button that requests it. */
export function review(view) {
  const { game, about } = view;
  if (!about.operations.includes("review") || !game.played().rounds.length) return null;
  const request = () => view.requestReview();
  if (!game.review) {
    return h("div", { class: "row" }, button(t("review"), request, { "data-key": "review", disabled: game.busy }));
  }
  return reviewPanel({
    review: game.review,
    playerName: seatName,
    moveName: ({ decision }, move) => jointName(move, decision, about),
    when: ({ round }) => t("review.when.round", { number: round + 1 }),
    resume: request,
  });
}
