// A turn-based game at a real table: its setup, and its board with the coach.

import { focusOn, h } from "../dom.js";
import { inputProblem, requestProblem } from "../problems.js";
import { steps } from "../records/game-bar.js";
import { reviewButton, timelinePanel } from "../timeline/panel.js";
import { t } from "../text.js";
import { history } from "./history.js";
import { now } from "./now.js";
import { TableSetup } from "./table-setup.js";

/** Return the board, the coach and the entries of a turn. */
export function tableBoard(view) {
  const { game, own, about, timeline } = view;
  return [
    inputProblem(game),
    timelinePanel(timeline),
    h(
      "div",
      { class: `arena ${about.game}${game.hint ? " hinted" : ""}` },
      h("div", { class: "position" }, own.position(view)),
      h("div", { class: "side" }, requestProblem(game), timeline.retry?.panel() ?? [view.coach(), now(view)], h("div", { class: "table-bar" }, steps(view))),
    ),
    history(view),
    game.over() ? null : reviewButton(timeline),
    h("details", { class: "fold", "data-key": "table-more" }, h("summary", {}, t("table.more")), view.toolbar()),
  ];
}

/** Open the setup of a game at a real table. */
export function openTable(view) {
  const close = () => {
    view.table = null;
    view.game.problem = null;
    // Without a game there is nothing to go back to.
    if (!view.game.state) return view.open();
    view.draw();
  };
  view.editor = null;
  view.table = new TableSetup(view, { start: (round) => start(view, round), close, redraw: () => view.draw() });
  view.draw();
  focusOn(view.place, "#table-title");
}

/** Prepare a new game, or one that is under way in a round. */
async function start(view, round) {
  const { game, own, table } = view;
  let state = null;
  const prepare = async () => {
    state = await game.newState(table.seats(), own.table.options(table));
  };
  await game.run(prepare, () => enter(view, state, round));
}

/** Begin a new game, or open the form for what lies on the table. */
function enter(view, state, round) {
  const { own, table } = view;
  const mine = table.mine();
  if (!round && !own.table.dealt) return begin(view, state, mine);
  const calls = {
    apply: (entered, joined) => begin(view, entered, mine, joined),
    close: () => {
      view.editor = null;
      view.draw();
    },
    redraw: () => view.draw(),
    round: round ?? 1,
  };
  // In a new game there is nothing to enter for the others.
  view.entries = round ? new Set() : null;
  view.editor = own.editor(view, calls, own.table.position?.(state, mine, round) ?? state, mine[0]);
  view.draw();
  window.scrollTo({ top: 0 });
  focusOn(view.place, "#editor-title");
}

/** Begin the game at a position; if it is the user's turn, the hint comes at once. */
async function begin(view, state, mine, round = 1) {
  const { game } = view;
  const known = view.editor !== null;
  await game.run(() => game.begin(state, { mine, mode: "table", ...(round > 1 ? { round } : {}) }), async () => {
    Object.assign(view, { table: null, editor: null });
    view.draw();
    window.scrollTo({ top: 0 });
    if (known && game.mine.includes(game.decider())) await view.ask("card");
    else view.focusNext();
  });
}
