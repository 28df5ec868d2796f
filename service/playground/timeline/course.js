// What a finished review shows: graph, slider, what happened in the round or turn, and the errors.

import { button, h } from "../dom.js";
import { badge } from "../snow-time/seats.js";
import { percent, t } from "../text.js";
import { accounts } from "./accounts.js";
import { cost, errors } from "./errors.js";
import { graph } from "./graph.js";
import { mistakesOf, shareAt } from "./series.js";

/** Return the win shares of all players over the game, and the slider below them. */
export function course(timeline, series) {
  return h("div", { class: "timeline-course" }, drawing(timeline, series), slider(timeline, series));
}

/** Return the players to choose from, and what changed the share of the shown one in the present round or turn. */
export function moment(timeline, series) {
  return [players(timeline), change(timeline, series)];
}

function change(timeline, series) {
  const player = timeline.shownPlayer();
  const at = timeline.at();
  const seen = series.changes[player].get(at);
  const mistakes = mistakesOf(series, player).filter(({ column }) => column === at);
  if (at >= series.columns || (!seen && !mistakes.length)) return null;
  return h(
    "div",
    { class: "timeline-moment" },
    seen ? h("p", { class: "small" }, t("timeline.change", { luck: signed(seen.luck), loss: signed(-seen.loss) })) : null,
    mistakes.map((each, place) => h("p", {}, cost(each), " ", button(instead(timeline, each), () => timeline.show(each), { class: "quiet", "data-key": `mistake-${place}` }))),
  );
}

/** Return the errors of the shown player, and the accounts of all. */
export function decisions(timeline, series) {
  return h("div", { class: "review" }, errors(timeline, series), accounts(timeline.run.review, timeline.kind.name));
}

/** Return one button for each player: a legend, and the choice of whose decisions are shown. */
function players(timeline) {
  const shown = timeline.shownPlayer();
  const { name } = timeline.kind;
  const places = Object.keys(timeline.kind.colours(timeline.view.game));
  return h(
    "div",
    { class: "row timeline-players", role: "group", "aria-label": t("timeline.players") },
    Object.keys(timeline.run.review.players).map((player) =>
      button([badge(player, places.indexOf(player)), " ", name(player)], () => timeline.choosePlayer(player), {
        "data-key": `timeline-${player}`,
        "aria-pressed": String(player === shown),
      }),
    ),
    h("span", { class: "small legend-line" }, h("span", { class: "swatch luck" }), t("review.luck"), " ", h("span", { class: "swatch loss" }), t("timeline.mistakes")),
  );
}

function drawing(timeline, series) {
  const player = timeline.shownPlayer();
  const [first, last] = [0, series.columns].map((x) => percent(shareAt(series, player, x)));
  const mistakes = t("timeline.count", { count: mistakesOf(series, player).length });
  const label = t("timeline.graph", { player: timeline.kind.name(player), start: first, end: last, mistakes });
  return h(
    "figure",
    {},
    graph({
      timeline: series,
      player,
      colours: timeline.kind.colours(timeline.view.game),
      at: timeline.at(),
      other: timeline.triedSeries(),
      label,
      onColumn: (column) => timeline.jump(column),
      onMistake: (mistake) => timeline.show(mistake),
    }),
  );
}

function slider(timeline, series) {
  const at = timeline.at();
  const share = shareAt(series, timeline.shownPlayer(), at);
  const text = (column) => (column === at ? `${timeline.nameOf(column)}: ${percent(share)}` : timeline.nameOf(column));
  const shown = h("output", { class: "small" }, text(at));
  const move = ({ target }) => timeline.jump(Number(target.value));
  const step = (by, key) =>
    button(by < 0 ? "◀" : "▶", () => timeline.jump(at + by), {
      class: "quiet",
      "aria-label": t(key),
      "data-key": key.replace(".", "-"),
      disabled: at + by < 0 || at + by > series.columns,
    });
  return h(
    "div",
    { class: "timeline-slider" },
    step(-1, "timeline.previous"),
    h("input", {
      type: "range",
      min: "0",
      max: String(series.columns),
      value: String(at),
      "aria-label": t(`timeline.${timeline.kind.unit}`),
      "aria-valuetext": text(at),
      "data-key": "timeline-slider",
      oninput: ({ target }) => (shown.textContent = text(Number(target.value))),
      onchange: move,
    }),
    step(1, "timeline.next"),
    shown,
  );
}

function instead(timeline, decision) {
  const { kind, view, reviewed } = timeline;
  const turns = reviewed.turns.slice(reviewed.first);
  const [move, best] = [decision.move, decision.best].map((each) => kind.move(view, decision, each, turns));
  return t("review.instead", { player: kind.name(decision.player), move, best });
}

export function signed(share) {
  const text = percent(Math.abs(share));
  if (Math.abs(share) < 0.0005) return text;
  return share < 0 ? `−${text}` : `+${text}`;
}
