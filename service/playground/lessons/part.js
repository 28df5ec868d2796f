// A lesson: the first rounds or turns of a real game, in which only the right choice is offered, and
// three questions at the end. Its position and its steps are in documents.js.

import { announce, button, h, showTogether } from "../dom.js";
import { t } from "../text.js";
import { DOCUMENTS } from "./documents.js";

const QUESTIONS = [1, 2, 3];
/** For each text but the last one, after how many steps the next text comes; a chosen card is half a step, as are the questions. */
const NEXT = { "snow-time": [1, 1.5, 2, 3, 4, 5, 6, 7, 7.5], slopecrashers: [1, 4, 13, 15, 16, 23, 26, 34, 35, 37, 39], snowcrest: [1, 4, 5, 6, 11, 12, 14] };

export class Lesson {
  /** @param {object} view has the `game`, which is the one of the lesson `id`, `draw`, `place` and `focusNext`. */
  constructor(id, view) {
    Object.assign(this, { id, view, answers: [], document: DOCUMENTS[id] });
  }

  close = () => {
    this.view.lesson = this.view.game.script = null;
    this.view.draw();
    this.view.focusNext();
  };

  /** Return the panel for the present step, or the questions after the last one, which hide the game. */
  panel(game) {
    const ended = game.script && !game.due() && game.phase !== "playback";
    const at = game.record.at + (ended || Object.keys(game.chosen ?? {}).length ? 0.5 : 0);
    const step = NEXT[this.id].filter((each) => each <= at).length + 1;
    const steps = NEXT[this.id].length + 1;
    const answered = this.answers.length === QUESTIONS.length;
    return h(
      "section",
      { class: ended ? "panel lesson ended" : "panel lesson", "aria-labelledby": "lesson-title" },
      h("h2", { id: "lesson-title", class: "eyebrow" }, t("lesson.title", { step, steps })),
      h("p", { class: "sentence", role: "status" }, t(`lesson.${this.id}.${step}`)),
      ended ? this.questions() : null,
      h("div", { class: "row" }, button(t(answered ? "lesson.on" : "lesson.close"), this.close, { class: answered ? "main" : "quiet", "data-key": "lesson-close", "data-next": answered })),
    );
  }

  /** Bring into view what the text of the step is about: the course or the tree, and what is to be tapped. */
  look() {
    const { place } = this.view;
    const lit = [...place.querySelectorAll(".lit, .lesson.ended")].map((each) => each.closest(".pieces") ?? each);
    const parts = [...place.querySelectorAll(".pieces, .scene"), place.querySelector("[data-next]:not(:disabled)"), ...lit];
    showTogether(...parts.filter((each) => each?.offsetParent));
  }

  /** Return the next question, or how many answers were right. */
  questions() {
    const number = QUESTIONS.find((each) => this.answers[each - 1] === undefined);
    const last = this.answers.length;
    const before = last ? h("p", { class: "small", role: "status" }, this.comment(last)) : null;
    if (!number) return [before, h("p", { class: "sentence" }, t("lesson.score", { count: this.answers.filter(Boolean).length, total: QUESTIONS.length }))];
    // The right answer stands first in every second question.
    const ways = number % 2 ? ["wrong", "right"] : ["right", "wrong"];
    const answer = (way) => () => {
      this.answers[number - 1] = way === "right";
      announce(this.comment(number));
      this.view.draw();
    };
    const choice = (way, place) => button(t(`lesson.${this.id}.q${number}.${way}`), answer(way), { "data-key": `answer-${number}-${way}`, "data-next": place === 0 });
    return [before, h("p", { class: "sentence" }, t(`lesson.${this.id}.q${number}`)), h("div", { class: "row" }, ways.map(choice))];
  }

  comment(number) {
    return this.answers[number - 1] ? t("lesson.right") : t("lesson.wrong", { answer: t(`lesson.${this.id}.q${number}.right`) });
  }
}
