// What a review tells: what each player lost by decisions, what luck brought, what cost most.

import { button, h } from "./dom.js";
import { percent, t } from "./text.js";

const DEAREST = 6;
const CLASSES = ["best", "good", "inaccuracy", "mistake", "blunder"];

/**
 * @param {object} told `review`, the answer; `named` calls a player, `moved` a decision's move,
 *     `when` says when it was; `again` asks once more, where time had ended.
 */
export function reviewPanel({ review, named, moved, when, again }) {
  const { search } = review;
  return h(
    "section",
    { class: "panel review", "aria-labelledby": "review-title" },
    h("h2", { id: "review-title", tabindex: "-1", "data-key": "review-title" }, t("review.title")),
    h("p", { class: "small" }, t("review.judged", { judged: search.judged, decisions: search.decisions })),
    search.complete ? null : button(t("review.on"), again, { class: "main", "data-key": "review-on" }),
    accounts(review.players, named),
    h("h3", {}, t("review.dearest")),
    dearest(review.decisions, { named, moved, when }),
  );
}

function accounts(players, named) {
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
      h("tbody", {}, Object.entries(players).map(([player, account]) => row(named(player), account))),
    ),
  );
}

/** A share that was not told, since time had ended, is a dash. */
function row(name, { start, loss, luck, end, classes }) {
  const share = (value) => (value === undefined ? "–" : percent(value));
  const brought = luck && luck.draws + luck.others;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    [start, loss, brought, luck?.search, end].map((value) => h("td", {}, share(value))),
    CLASSES.map((word) => h("td", {}, String(classes[word] ?? 0))),
  );
}

function dearest(decisions, { named, moved, when }) {
  const costly = decisions.filter((each) => each.loss > 0).sort((one, other) => other.loss - one.loss);
  if (!costly.length) return h("p", {}, t("review.none"));
  return h(
    "ol",
    { class: "dearest" },
    costly.slice(0, DEAREST).map((each) =>
      h(
        "li",
        {},
        h("strong", {}, `−${percent(each.loss)}`),
        " ",
        h("span", { class: "tag" }, t(`class.${each.class}`)),
        " ",
        h("span", { class: "small" }, when(each)),
        " ",
        t("review.instead", { player: named(each.player), move: moved(each, each.move), best: moved(each, each.best) }),
      ),
    ),
  );
}
