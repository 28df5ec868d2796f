// The end of a game: who won and why, the place of the user, what decided, and a picture to share.

import { announce, button, focusOn, h, s } from "../dom.js";
import { disc, figure, shape } from "../front/figure.js";
import { formatList, t } from "../text.js";
import { reviewButton } from "./panel.js";

/** The podium: x and height of the first three steps. */
const STEPS = [[80, 36], [32, 24], [128, 16]];
const FLAKES = [[12, 20], [30, 8], [52, 30], [104, 12], [140, 28], [152, 8], [116, 40], [10, 52]];

/**
 * Return what follows the heading.
 * @param {object} view has `timeline`, `page`, `winners()`, `tieBreak()` (a sentence or null), and
 *     `ranking()`, the players in order as {player, text}.
 * @param {object[]} scores what the standings consist of, or null.
 */
export function ending(view, scores = null) {
  const { game, page, timeline } = view;
  const rows = view.ranking();
  const share = () => game.run(async () => (await page.picture(view, winnerText(view))) || announce(t("announce.image")));
  return [
    h("div", { class: "finish" }, podium(view, rows), h("div", {}, h("p", { class: "winner" }, winnerText(view)), sentence(view.tieBreak()), sentence(place(view, rows)))),
    h("ol", { class: "standings" }, rows.map(({ player, text }) => h("li", {}, h("strong", {}, timeline.kind.name(player)), " ", text))),
    timeline.shown() ? timeline.drawings?.story(timeline) : null,
    h(
      "div",
      { class: "row" },
      reviewButton(timeline, "main"),
      button(t("end.image"), share, { "data-key": "end-image" }),
      button(t("end.link"), () => page.share(game.record), { "data-key": "end-link" }),
      button(t("end.again"), () => view.again(), { "data-key": "end-again", disabled: game.busy }),
    ),
    scores,
  ];
}

/** Bring the end into view when a game ends on the page; its last moves can be far below. */
export function showEnding(view, over) {
  const ends = over && view.over === false && !view.timeline.shown();
  view.over = over;
  if (!ends) return;
  focusOn(view.place, "#now-title");
  view.place.querySelector(".now").scrollIntoView({ block: "start" });
}

/** Return the sentence with the winners, or that the game is over. */
export function winnerText(view) {
  const names = view.winners().map(view.timeline.kind.name);
  return names.length ? t("now.winners", { count: names.length, players: formatList(names) }) : t("now.over");
}

function sentence(text) {
  return text ? h("p", { class: "sentence" }, text) : null;
}

/** Return the place of the user in words, or null. */
function place({ game, winners }, rows) {
  const [mine] = game.mine;
  const at = rows.findIndex(({ player }) => player === mine);
  if (at < 0 || rows.length < 2) return null;
  return t("end.place", { place: winners().includes(mine) ? 1 : at + 1, total: rows.length });
}

/** Return the first three on a podium; winners who share the win stand equally high. */
function podium(view, rows) {
  const colours = view.timeline.kind.colours(view.game);
  return s(
    "svg",
    { class: "podium", viewBox: "0 0 160 112", "aria-hidden": "true", focusable: "false" },
    FLAKES.map(([x, y]) => disc("snow", x, y, 1.8)),
    rows.slice(0, STEPS.length).map(({ player }, order) => {
      const won = view.winners().includes(player);
      const [x, own] = STEPS[order];
      const height = won ? STEPS[0][1] : own;
      return [
        shape("step", `M${x - 22} 112v${-height}q0 -4 4 -4h36q4 0 4 4V112z`),
        s("text", { x, y: 108 }, won ? "1" : String(order + 1)),
        s("g", { transform: `translate(${x} ${108 - height}) scale(${won ? 1.25 : 1})` }, s("g", { class: won ? "hops" : null }, figure(colours[player]))),
      ];
    }),
  );
}
