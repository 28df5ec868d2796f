// The accounts of a review: what errors and luck brought to each player. A column for each player
// fits a phone.

import { h } from "../dom.js";
import { percent, t } from "../text.js";

const CLASSES = ["best", "good", "inaccuracy", "mistake", "blunder"];

/** Return the foldable accounts of all players; a dash replaces the shares of a player without a decision. */
export function accounts({ players }, name) {
  const all = Object.entries(players);
  const share = (of) => ([, account]) => (of(account) === undefined ? "–" : percent(of(account)));
  const indifferent = all.some(([, { luck }]) => luck.indifferent);
  const rows = [
    ["review.start", share(({ start }) => start)],
    ["review.loss", share(({ loss }) => -loss)],
    ["review.luck", share(({ luck }) => luck.draws + luck.others)],
    ...(indifferent ? [["review.indifferent", share(({ luck }) => luck.indifferent)]] : []),
    ["review.search", share(({ luck }) => luck.search)],
    ["review.end", share(({ end }) => end)],
    ...CLASSES.map((word) => [`class.${word}`, ([, { classes }]) => String(classes[word] ?? 0)]),
  ];
  return h(
    "details",
    { class: "fold", "data-key": "accounts" },
    h("summary", {}, t("review.accounts")),
    h(
      "div",
      { class: "scroller", tabindex: "0", role: "region", "aria-label": t("review.accounts") },
      h(
        "table",
        { class: "accounts" },
        h("thead", {}, h("tr", {}, h("td", {}), all.map(([player]) => h("th", { scope: "col" }, name(player))))),
        h("tbody", {}, rows.map(([key, cell]) => h("tr", {}, h("th", { scope: "row" }, t(key)), all.map((entry) => h("td", {}, cell(entry)))))),
      ),
    ),
  );
}
