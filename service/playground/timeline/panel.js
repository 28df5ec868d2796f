// The panel of the timeline: graph, slider, what happened in the round or turn, and the ways on.

import { button, h } from "../dom.js";
import { problemBox } from "../problems.js";
import { hasLeft } from "../records/line.js";
import { badge } from "../snow-time/seats.js";
import { percent, t } from "../text.js";
import { mistakesOf, shareAt } from "./series.js";

/** Return the panel of a timeline, or null. */
export function timelinePanel(timeline) {
  if (!timeline.shown()) return null;
  const { run, view } = timeline;
  const series = timeline.series();
  return h(
    "section",
    { class: "panel timeline", "aria-labelledby": "review-title", onkeydown: (event) => arrow(timeline, event) },
    h("h2", { id: "review-title", class: "hidden", tabindex: "-1", "data-key": "review-title" }, t("review.title")),
    progress(run, view),
    series ? h("div", { class: "timeline-course" }, drawing(timeline, series), slider(timeline, series)) : null,
    h(
      "div",
      { class: "timeline-side" },
      series ? [players(timeline), moment(timeline, series)] : null,
      situation(timeline, series),
    ),
    series ? review(timeline, series) : null,
  );
}

function review(timeline, series) {
  const { errors, accounts } = timeline.drawings;
  return h("div", { class: "review" }, errors(timeline, series), accounts(timeline.run.review, timeline.kind.name));
}

/** Return the button that requests a review, or null. */
export function reviewButton(timeline, style = null) {
  if (!timeline.possible() || (timeline.shown() && !timeline.stale())) return null;
  return h("div", { class: "row" }, button(t("review"), () => open(timeline), { class: style, "data-key": "review", disabled: timeline.view.game.busy }));
}

/** Return the banner of a record that is not at its end, while there is no review and no puzzle on the page. */
export function lookingBack(timeline) {
  if (timeline.shown() || timeline.retry || !timeline.view.game.record.line) return null;
  return h("section", { class: "panel timeline", "aria-label": t("review.title") }, situation(timeline, null));
}

async function open(timeline) {
  const review = timeline.start();
  timeline.view.place.querySelector("#review-title")?.focus();
  await review;
}

function progress(run, view) {
  if (run.review) return null;
  if (run.problem) return problemBox(run.problem, { seats: view.game.state.seats, action: button(t("review.on"), () => run.start(), { class: "main", "data-key": "review-on" }) });
  const bar = h("progress", { "aria-label": t("review.title") });
  const text = h("span", { class: "small" });
  // Steps are many and short: only these two elements change.
  run.onprogress = ({ done, total }) => {
    Object.assign(bar, { max: total, value: done });
    text.textContent = t("review.progress", { done, total });
  };
  if (run.progress) run.onprogress(run.progress);
  const stop = () => {
    run.stop();
    view.draw();
  };
  const ways = run.running()
    ? button(t("review.stop"), stop, { class: "quiet", "data-key": "review-stop" })
    : button(t("review.on"), () => run.start(), { class: "main", "data-key": "review-on" });
  return h("div", { class: "row" }, bar, text, ways);
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
    timeline.drawings.graph({
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
      oninput: ({ target }) => {
        shown.textContent = text(Number(target.value));
      },
      onchange: move,
    }),
    step(1, "timeline.next"),
    shown,
  );
}

/** Return what changed the share of the player in the present round or turn. */
function moment(timeline, series) {
  const player = timeline.shownPlayer();
  const at = timeline.at();
  const change = series.changes[player].get(at);
  const mistakes = mistakesOf(series, player).filter(({ column }) => column === at);
  if (at >= series.columns || (!change && !mistakes.length)) return null;
  return h(
    "div",
    { class: "timeline-moment" },
    change ? h("p", { class: "small" }, t("timeline.change", { luck: signed(change.luck), loss: signed(-change.loss) })) : null,
    mistakes.map((each, place) => h("p", {}, timeline.drawings.cost(each), " ", button(instead(timeline, each), () => timeline.show(each), { class: "quiet", "data-key": `mistake-${place}` }))),
  );
}

/** Return what the user is looking at, what was tried, and the ways back. */
function situation(timeline, series) {
  const { game } = timeline.view;
  const { record, busy } = game;
  const mistakes = series ? timeline.retriable() : [];
  const retry = mistakes.length && !timeline.retry
    ? button(t("retry", { count: mistakes.length }), () => timeline.startRetry(), { "data-key": "retry", disabled: busy })
    : null;
  if (!record.line || timeline.retry) return retry && h("div", { class: "row" }, retry);
  const tried = hasLeft(record);
  return h(
    "div",
    { class: "row situation" },
    h("p", {}, t(tried ? "timeline.tried" : "timeline.what-if")),
    tried && series && game.turns.length > timeline.reviewed.first ? comparison(timeline) : null,
    button(t("timeline.back"), () => timeline.back(), { class: tried ? "main" : null, "data-key": "timeline-back", disabled: busy }),
    tried ? button(t("timeline.adopt"), () => timeline.adopt(), { class: "quiet", "data-key": "timeline-adopt", disabled: busy }) : retry,
  );
}

/** Return the win share after what was tried, in place of the one in the game as played. */
function comparison(timeline) {
  const { tried } = timeline;
  const series = timeline.triedSeries();
  if (!series) {
    if (tried?.run.running()) return progress(tried.run, timeline.view);
    return button(t("timeline.compare"), () => timeline.compare(), { class: "main", "data-key": "timeline-compare" });
  }
  const player = timeline.shownPlayer();
  const { columns } = series.timeline;
  const [mine, before] = [series.timeline, timeline.series()].map((each) => shareAt(each, player, columns));
  return h("p", { role: "status" }, t("timeline.compared", { player: timeline.kind.name(player), share: percent(mine), before: percent(before) }));
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

/** Move between rounds with the arrow keys; fields have their own use for them. */
function arrow(timeline, event) {
  if (event.target.closest("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
  const column = { ArrowLeft: timeline.at() - 1, ArrowRight: timeline.at() + 1, Home: 0, End: timeline.columns() }[event.key];
  if (column === undefined || column < 0 || column > timeline.columns()) return;
  event.preventDefault();
  timeline.jump(column);
}
