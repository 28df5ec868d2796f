// A lesson: the first steps of a real game with a guide.

import { button, h } from "../dom.js";
import { stepsOf } from "../records/record.js";
import { t } from "../text.js";

/** For each step but the last one, whether the learner has done it. */
const DONE = {
  "snow-time": [
    (game) => game.phase !== "growth",
    (game) => game.turns.length > 0 || Object.keys(game.chosen).length > 0,
    (game) => game.turns.length > 0,
    (game) => game.turns.length > 0 && game.phase !== "playback",
  ],
  slopecrashers: [
    (game) => choicesIn(game) >= 1,
    (game) => choicesIn(game) >= 2,
    (game) => game.turns.length > 0,
    () => false,
  ],
  snowcrest: [
    (game) => choicesIn(game) >= 1,
    (game) => game.turns.length > 0,
    (game) => game.turns.some(({ player }, place) => place > 1 && player === game.mine[0]),
    () => false,
  ],
};

/** Return the number of decisions so far; the page makes the draws. */
function choicesIn(game) {
  return stepsOf(game.record).filter(({ action }) => action && action.type !== "draw").length;
}

export class Lesson {
  /** @param {string} id the game; `redraw` is called after a change, `close` to leave the lesson. */
  constructor(id, redraw, close) {
    Object.assign(this, { id, redraw, close, at: 0 });
  }

  /** Return the panel for the present step; a step that is done leads to the next one. */
  panel(game) {
    const done = DONE[this.id];
    while (this.at < done.length && done[this.at](game)) this.at += 1;
    const next = () => {
      this.at += 1;
      this.redraw();
    };
    const step = this.at + 1;
    return h(
      "section",
      { class: "panel lesson", "aria-labelledby": "lesson-title" },
      h("h2", { id: "lesson-title", class: "eyebrow" }, t("lesson.title", { step, steps: done.length + 1 })),
      h("p", { class: "sentence", role: "status" }, t(`lesson.${this.id}.${step}`)),
      h(
        "div",
        { class: "row" },
        this.at < done.length ? button(t("lesson.next"), next, { "data-key": "lesson-next" }) : null,
        button(t("lesson.close"), this.close, { class: "quiet", "data-key": "lesson-close" }),
      ),
    );
  }
}
