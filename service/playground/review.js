// Review of a game: losses and luck of each player, and the most costly decisions.

import { button, h } from "./dom.js";
import { percent, t } from "./text.js";

const MAX_COSTLY = 6;
const CLASSES = ["best", "good", "inaccuracy", "mistake", "blunder"];

/**
 * Return the panel of a review.
 * @param {object} options `review`: the answer of the service; `playerName`, `moveName` and `when`:
 *     texts for a player, a move and the time of a decision; `resume`: called to continue an
 *     incomplete review.
 */
export function reviewPanel({ review, playerName, moveName, when, resume }) {
  const { search, progress } = review;
  return h(
    "section",
    { class: "panel review", "aria-labelledby": "review-title" },
    h("h2", { id: "review-title", tabindex: "-1", "data-key": "review-title" }, t("review.title")),
    h("p", { class: "small" }, t("review.progress", progress)),
    search.complete ? null : button(t("review.on"), resume, { class: "main", "data-key": "review-on" }),
    accounts(review.players, playerName),
    h("h3", {}, t("review.costly")),
    costly(review.decisions, { playerName, moveName, when }),
  );
}

function accounts(players, playerName) {
  const columns = ["review.player", "review.start", "review.loss", "review.luck", "review.search", "review.end"];
  return h(
    "div",
    { class: "scroller", tabindex: "0", role: "region", "aria-label": t("review.title") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h("tr", {}, columns.map((key) => h("th", { scope: "col" }, t(key))), CLASSES.map((word) => h("th", { scope: "col" }, t(`class.${word}`)))),
      ),
      h("tbody", {}, Object.entries(players).map(([player, account]) => row(playerName(player), account))),
    ),
  );
}

/** A dash replaces a share that an incomplete review does not contain. */
function row(name, { start, loss, luck, end, classes }) {
  const share = (value) => (value === undefined ? "–" : percent(value));
  const luckShare = luck && luck.draws + luck.others;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    [start, loss, luckShare, luck?.search, end].map((value) => h("td", {}, share(value))),
    CLASSES.map((word) => h("td", {}, String(classes[word] ?? 0))),
  );
}

function costly(decisions, { playerName, moveName, when }) {
  const losses = decisions.filter((each) => each.loss > 0).sort((one, other) => other.loss - one.loss);
  if (!losses.length) return h("p", {}, t("review.none"));
  return h(
    "ol",
    { class: "costly" },
    losses.slice(0, MAX_COSTLY).map((each) =>
      h(
        "li",
        {},
        h("strong", {}, `−${percent(each.loss)}`),
        " ",
        h("span", { class: "tag" }, t(`class.${each.class}`)),
        " ",
        h("span", { class: "small" }, when(each)),
        " ",
        t("review.instead", { player: playerName(each.player), move: moveName(each, each.move), best: moveName(each, each.best) }),
      ),
    ),
  );
}
