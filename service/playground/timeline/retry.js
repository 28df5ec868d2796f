// Retry my mistakes: the positions before them, one after the other, with the moves to choose from.

import { announce, button, focusOn, h } from "../dom.js";
import { percent, t } from "../text.js";

/** The largest loss of a good decision as a part of the best value, and its least value; see grade_class of the service. */
const [GOOD, LEAST_STAKE] = [0.04, 0.1];
/** All other choices of a puzzle lose at least this share of the win; see MISTAKES of the service. */
const CLEAR = 0.02;

export class Retry {
  /**
   * @param {object} timeline shows the positions.
   * @param {object[]} mistakes decisions of the review, or one puzzle, whose `mark` says what became of it.
   */
  constructor(timeline, mistakes) {
    Object.assign(this, { timeline, mistakes, place: -1, solved: 0, moves: null, unclear: false, tried: new Map(), seen: false });
  }

  mistake() {
    return this.mistakes[this.place];
  }

  /** Show the next mistake, or the end. */
  async next() {
    const { timeline } = this;
    const { view, kind } = timeline;
    Object.assign(this, { place: this.place + 1, moves: null, unclear: false, tried: new Map(), seen: false });
    const mistake = this.mistake();
    if (mistake) {
      await timeline.show(mistake);
      await view.game.run(async () => {
        const { moves, advice } = await kind.candidates(view, mistake.player);
        this.unclear = mistake.mark && !(advice.code === "clear" && advice.params.margin >= CLEAR);
        if (!this.unclear) this.moves = moves;
      });
    }
    view.draw();
    focusOn(view.place, "#retry-title");
  }

  /** Take a try; the first good one counts. */
  attempt(each) {
    const first = this.tried.size === 0 && !this.seen;
    const good = each.loss <= GOOD * Math.max(each.value + each.loss, LEAST_STAKE);
    this.tried.set(each, good);
    if (first && good) this.solved += 1;
    if (good) this.mistake().mark?.("solved");
    announce(this.result());
    this.timeline.view.draw();
  }

  showAnswer() {
    this.seen = true;
    announce(this.answer());
    this.timeline.view.draw();
  }

  done() {
    return this.seen || [...this.tried.values()].includes(true);
  }

  result() {
    const [last, good] = [...this.tried].at(-1) ?? [];
    if (!last) return "";
    return t(good ? "retry.good" : "retry.bad", { move: last.label, share: percent(last.loss) });
  }

  answer() {
    const best = this.moves.find(({ loss }) => loss <= 0) ?? this.moves[0];
    return t("retry.answer", { move: best.label });
  }

  /** Return the panel, which takes the place of the decision. */
  panel() {
    const { timeline, place, mistakes } = this;
    const { view } = timeline;
    const mistake = this.mistake();
    const stop = button(t("retry.stop"), () => timeline.back(), { class: mistake ? "quiet" : "main", "data-key": "retry-stop" });
    const title = this.mistakes[0].mark ? t("practice") : mistake ? t("retry.title", { number: place + 1, total: mistakes.length }) : t("retry.done");
    return h(
      "section",
      { class: "panel now retry", "aria-busy": String(view.game.busy), "aria-labelledby": "retry-title" },
      h("h2", { id: "retry-title", tabindex: "-1", "data-key": "retry-title" }, title),
      mistake ? this.task(mistake, stop) : [h("p", { class: "sentence" }, t("retry.solved", { count: this.solved, total: mistakes.length })), h("div", { class: "row" }, stop)],
    );
  }

  task(mistake, stop) {
    const { timeline } = this;
    const { view, kind, reviewed } = timeline;
    const task =
      mistake.mark
        ? t("practice.task", { player: kind.name(mistake.player) })
        : t("retry.task", { when: timeline.nameOf(mistake.column), player: kind.name(mistake.player), move: kind.move(view, mistake, mistake.move, reviewed.turns.slice(reviewed.first)), share: percent(mistake.loss) });
    const on = () => (mistake.mark ? timeline.back().then(() => (window.location.hash = "#practice")) : this.next());
    const more = this.place + 1 < this.mistakes.length;
    return [
      h("p", { class: "sentence" }, task),
      h("div", { class: "row retry-moves", role: "group", "aria-label": t("turn.choices") }, this.moves?.map((each, order) => this.choice(each, order))),
      this.tried.size || this.seen ? h("p", { role: "status" }, this.seen ? this.answer() : this.result()) : null,
      h(
        "div",
        { class: "row" },
        this.done()
          ? button(t(mistake.mark ? "practice.on" : more ? "retry.next" : "retry.finish"), on, { class: "main", "data-key": "retry-next" })
          : button(t("retry.show"), () => this.showAnswer(), { "data-key": "retry-show", disabled: !this.moves }),
        stop,
      ),
    ];
  }

  choice(each, order) {
    const good = this.tried.get(each);
    const mark = { true: "✓ ", false: "✗ " }[good] ?? "";
    return button(mark + each.label, () => this.attempt(each), {
      class: good === undefined ? null : good ? "right" : "wrong",
      "data-key": `retry-${order}`,
      disabled: good !== undefined || this.done(),
    });
  }
}
