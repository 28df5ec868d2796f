// The accounts of a review: losses and luck of each player, and the most costly decisions.

import { button, h } from "../dom.js";
import { percent, t } from "../text.js";

const MAX_COSTLY = 6;
const CLASSES = ["best", "good", "inaccuracy", "mistake", "blunder"];

/** Return the foldable accounts of all players. */
export function accounts({ players }, name) {
  const indifferent = Object.values(players).some(({ luck }) => luck.indifferent);
  const columns = ["review.player", "review.start", "review.loss", "review.luck", ...(indifferent ? ["review.indifferent"] : []), "review.search", "review.end"];
  return h(
    "details",
    { class: "fold", "data-key": "accounts" },
    h("summary", {}, t("review.accounts")),
    h(
      "div",
      { class: "scroller", tabindex: "0", role: "region", "aria-label": t("review.accounts") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, columns.map((key) => h("th", { scope: "col" }, t(key))), CLASSES.map((word) => h("th", { scope: "col" }, t(`class.${word}`)))),
        ),
        h("tbody", {}, Object.entries(players).map(([player, account]) => row(name(player), account, indifferent))),
      ),
    ),
  );
}

/** A dash replaces the shares of a player without a decision. */
function row(name, { start, loss, luck, end, classes }, indifferent) {
  const share = (value) => (value === undefined ? "–" : percent(value));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    [start, loss, luck.draws + luck.others, ...(indifferent ? [luck.indifferent] : []), luck.search, end].map((value) => h("td", {}, share(value))),
    CLASSES.map((word) => h("td", {}, String(classes[word] ?? 0))),
  );
}

/**
 * Return the foldable list of the most costly decisions.
 * @param {object} options `text` returns the sentence of a decision, `show` shows one.
 */
export function costly(decisions, { text, show }) {
  const losses = decisions.filter((each) => each.loss > 0).sort((one, other) => other.loss - one.loss);
  return h(
    "details",
    { class: "fold", "data-key": "costly" },
    h("summary", {}, t("review.costly")),
    losses.length
      ? h("ol", { class: "costly" }, losses.slice(0, MAX_COSTLY).map((each, place) => h("li", {}, cost(each), " ", button(text(each), () => show(each), { class: "quiet", "data-key": `costly-${place}` }))))
      : h("p", {}, t("review.none")),
  );
}

/** Return the loss of a decision and its class. */
export function cost({ loss, class: word }) {
  return [h("strong", {}, `−${percent(loss)}`), " ", h("span", { class: `tag ${word}` }, t(`class.${word}`))];
}
