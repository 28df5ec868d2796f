// The errors of a player in a review: what was played, what was better, why, and two small boards.

import { button, h } from "../dom.js";
import { percent, t } from "../text.js";
import { mistakesOf } from "./series.js";

const MAX_ERRORS = 6;

/** Return the foldable list of the errors of the shown player, the most costly one first. */
export function errors(timeline, series) {
  const player = timeline.shownPlayer();
  const lost = mistakesOf(series, player).sort((one, other) => other.loss - one.loss);
  return h(
    "details",
    { class: "fold", "data-key": "errors", open: true },
    h("summary", {}, t("review.errors", { player: timeline.kind.name(player) })),
    lost.length ? h("ol", { class: "errors" }, lost.slice(0, MAX_ERRORS).map((each, place) => error(timeline, each, place))) : h("p", {}, t("review.none")),
  );
}

function error(timeline, decision, place) {
  const when = timeline.nameOf(decision.column);
  return h(
    "li",
    {},
    h("div", { class: "row" }, cost(decision), button(when, () => timeline.show(decision), { class: "quiet", "data-key": `error-${place}`, "aria-label": t("review.go", { when }) })),
    h("div", { class: "sketches" }, side(timeline, decision, "played"), side(timeline, decision, "better")),
  );
}

/** Return one side of an error: the board, the move, and what comes of it. */
function side(timeline, decision, which) {
  const { kind, view, reviewed } = timeline;
  const turns = reviewed.turns.slice(reviewed.first);
  const [move, reasons = []] = which === "played" ? [decision.move, decision.reasons] : [decision.best, decision.best_reasons];
  const texts = reasons.filter(({ text }) => text).map(({ text }) => kind.cause(view, text));
  return h(
    "figure",
    { class: which },
    kind.sketch(view, decision, which, turns),
    h("figcaption", {}, h("strong", {}, t(`review.${which}`, { move: kind.move(view, decision, move, turns) })), texts.map((text) => h("span", { class: "small" }, text))),
  );
}

/** Return the loss of a decision and its class. */
export function cost({ loss, class: word }) {
  return [h("strong", {}, `−${percent(loss)}`), " ", h("span", { class: `tag ${word}` }, t(`class.${word}`))];
}
