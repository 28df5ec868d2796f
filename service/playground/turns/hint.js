// Hint panel of turn-based games: the value of every choice.

import { bar, scale } from "../bars.js";
import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { percent, t } from "../text.js";
import { badge } from "../snow-time/seats.js";

const MAX_MOVES = 12;

/** Return the panel of the current hint; `take` plays one of its moves. */
export function hintPanel(view, take) {
  const { hint } = view.game;
  const across = scale(hint.moves.map((each) => each.value));
  const shown = hint.moves.slice(0, MAX_MOVES);
  return h(
    "section",
    { class: "panel hint", "aria-labelledby": "hint-title" },
    h("h2", { id: "hint-title", tabindex: "-1", "data-key": "hint-title" }, t("hint.title", { player: playerName(hint.player) })),
    h("p", { class: "advice" }, hint.advice.text),
    h("ol", { class: "moves single" }, shown.map((each, place) => move(each, place, across, view, take))),
    shown.length < hint.moves.length
      ? h("p", { class: "small" }, t("hint.more", { count: hint.moves.length - shown.length }))
      : null,
    h("h3", {}, t("hint.win-shares")),
    h(
      "dl",
      { class: "bars win-shares" },
      Object.entries(hint.win_shares).map(([player, share]) =>
        bar([badge(player, view.placeOf(player)), " ", playerName(player)], share, percent(share), "value"),
      ),
    ),
    h("p", { class: "small search" }, t("hint.searched-turn", { count: hint.search.determinizations, effort: t(`effort.${hint.search.effort}`) })),
  );
}

function move(item, place, across, view, take) {
  const name = view.own.action(item.move, view);
  return h(
    "li",
    { class: place ? "move" : "move drawn", "data-move": JSON.stringify(item.move) },
    h("h3", {}, h("span", {}, name), place ? null : h("span", { class: "tag strong" }, t("hint.best"))),
    h(
      "dl",
      { class: "bars" },
      bar(t("hint.value"), across(item.value), percent(item.value), "value"),
    ),
    item.error ? h("p", { class: "small" }, t("hint.error", { error: percent(item.error) })) : null,
    item.reasons?.length
      ? h("ul", { class: "reasons" }, item.reasons.filter((reason) => reason.text).map((reason) => h("li", {}, reason.text)))
      : null,
    button(t("hint.take"), () => take(item.move), {
      class: "quiet",
      "data-key": `take-${place}`,
      "aria-label": `${t("hint.take")}: ${name}`,
    }),
  );
}
