// The panel of the timeline: the progress of the review, and the ways on. What a finished review
// shows is drawn by course.js.

import { button, h } from "../dom.js";
import { problemBox } from "../problems.js";
import { hasLeft } from "../records/line.js";
import { percent, t } from "../text.js";

/** Return the panel of a timeline; without a review, the banner of a game that the user looks back at, or null. */
export function timelinePanel(timeline) {
  if (!timeline.shown()) return lookingBack(timeline);
  const { run, view, drawings } = timeline;
  const series = timeline.series();
  return h(
    "section",
    { class: "panel timeline", "aria-labelledby": "review-title", onkeydown: (event) => arrow(timeline, event) },
    h("h2", { id: "review-title", class: "hidden", tabindex: "-1", "data-key": "review-title" }, t("review.title")),
    progress(run, view),
    series ? drawings.course(timeline, series) : null,
    h("div", { class: "timeline-side" }, series ? drawings.moment(timeline, series) : null, situation(timeline, series)),
    series ? drawings.decisions(timeline, series) : null,
  );
}

/** Return the button that requests a review, or null. */
export function reviewButton(timeline, style = null) {
  if (!timeline.possible() || (timeline.shown() && !timeline.stale())) return null;
  return h("div", { class: "row" }, button(t("review"), () => open(timeline), { class: style, "data-key": "review", disabled: timeline.view.game.busy }));
}

/** Return the banner of a record that is not at its end, while there is no puzzle on the page. */
function lookingBack(timeline) {
  if (timeline.retry || !timeline.view.game.record.line) return null;
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
  const [mine, before] = [series.timeline, timeline.series()].map((each) => timeline.drawings.shareAt(each, player, columns));
  return h("p", { role: "status" }, t("timeline.compared", { player: timeline.kind.name(player), share: percent(mine), before: percent(before) }));
}

/** Move between rounds with the arrow keys; fields have their own use for them. */
function arrow(timeline, event) {
  if (event.target.closest("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
  const column = { ArrowLeft: timeline.at() - 1, ArrowRight: timeline.at() + 1, Home: 0, End: timeline.columns() }[event.key];
  if (column === undefined || column < 0 || column > timeline.columns()) return;
  event.preventDefault();
  timeline.jump(column);
}
