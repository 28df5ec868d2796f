// A lesson: the first rounds or turns of a real game, in which only the right choice is offered, and
// three questions at the end. Its position and its steps are in documents.js.

import { announce, button, h } from "../dom.js";
import { t } from "../text.js";
import { DOCUMENTS } from "./documents.js";

const QUESTIONS = [1, 2, 3];
/** For each text but the last one, after how many steps the next text comes; a chosen card is half a step. */
const NEXT = { "snow-time": [1, 1.5, 2, 3, 4], slopecrashers: [2, 3, 4, 27], snowcrest: [1, 4, 8, 13] };

export class Lesson {
  /** @param {string} id the game; `redraw` is called after a change, `close` to leave the lesson. */
  constructor(id, redraw, close) {
    Object.assign(this, { id, redraw, close, answers: [], document: DOCUMENTS[id] });
  }

  /** Return the panel for the present step, or the questions after the last one. */
  panel(game) {
    const ended = game.script && !game.due();
    const at = game.record.at + (Object.keys(game.chosen ?? {}).length ? 0.5 : 0);
    const step = NEXT[this.id].filter((each) => each <= at).length + 1;
    const steps = NEXT[this.id].length + 1;
    return h(
      "section",
      { class: ended ? "panel lesson ended" : "panel lesson", "aria-labelledby": "lesson-title" },
      h("h2", { id: "lesson-title", class: "eyebrow" }, t("lesson.title", { step, steps })),
      h("p", { class: "sentence", role: "status" }, t(`lesson.${this.id}.${step}`)),
      ended && game.phase !== "playback" ? this.questions() : null,
      h("div", { class: "row" }, button(t("lesson.close"), this.close, { class: "quiet", "data-key": "lesson-close" })),
    );
  }

  /** Return the next question, or how many answers were right. */
  questions() {
    const number = QUESTIONS.find((each) => this.answers[each - 1] === undefined);
    const last = this.answers.length;
    const before = last ? h("p", { class: "small", role: "status" }, this.comment(last)) : null;
    if (!number) return [before, h("p", { class: "sentence" }, t("lesson.score", { count: this.answers.filter(Boolean).length, total: QUESTIONS.length }))];
    // The right answer stands first in every second question.
    const ways = number % 2 ? ["wrong", "right"] : ["right", "wrong"];
    return [before, h("p", { class: "sentence" }, t(`lesson.${this.id}.q${number}`)), h("div", { class: "row" }, ways.map((way) => this.answer(number, way)))];
  }

  answer(number, way) {
    const press = () => {
      this.answers[number - 1] = way === "right";
      announce(this.comment(number));
      this.redraw();
    };
    return button(t(`lesson.${this.id}.q${number}.${way}`), press, { "data-key": `answer-${number}-${way}` });
  }

  comment(number) {
    return this.answers[number - 1] ? t("lesson.right") : t("lesson.wrong", { answer: t(`lesson.${this.id}.q${number}.right`) });
  }
}
