// A game at a real table: its setup, and its board with the coach.

import { focusOn, h } from "../dom.js";
import { inputProblem, requestProblem } from "../problems.js";
import { steps } from "../records/game-bar.js";
import { t } from "../text.js";
import { history } from "../snow-time/history.js";
import { toolbar } from "../snow-time/toolbar.js";
import { reviewButton, timelinePanel } from "../timeline/panel.js";
import { standings, tableRound } from "./round.js";
import { TableSetup } from "./setup.js";

/** Return the board, the coach and the entries of a round. */
export function tableBoard(view) {
  return [
    inputProblem(view.game),
    h("div", { class: "table-bar" }, standings(view), steps(view)),
    timelinePanel(view.timeline),
    h(
      "div",
      { class: "board" },
      h("div", { class: "scene" }, view.tree()),
      h("div", { class: "side" }, requestProblem(view.game), view.timeline.retry?.panel() ?? [view.coach(), tableRound(view)]),
    ),
    history(view),
    view.game.phase === "over" ? null : reviewButton(view.timeline),
    h("details", { class: "fold", "data-key": "table-more" }, h("summary", {}, t("table.more")), toolbar(view)),
  ];
}

/** Open the setup of a game at a real table. */
export function openTable(view) {
  const close = () => {
    view.table = null;
    view.game.problem = null;
    view.draw();
  };
  view.pause();
  view.editor = null;
  view.table = new TableSetup(view.about, { start: (setup) => start(view, setup), close, redraw: () => view.draw() });
  view.draw();
  focusOn(view.place, "#table-title");
}

/** Start the game; with the fruit of this round on the tree, its hint comes at once. */
async function start(view, { seats, track, state, mine, grown, round }) {
  const { game } = view;
  const parts = { mine, mode: "table", ...(round > 1 ? { round } : {}) };
  const work = () => (state ? game.load({ state, grown, ...parts }) : game.start(seats, mine, parts, track));
  await game.run(work, async () => {
    view.table = null;
    view.draw();
    window.scrollTo({ top: 0 });
    if (grown) await view.ask(game.mine[0], "card");
    else view.focusNext();
  });
}
