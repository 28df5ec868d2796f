// The timeline of a game: its review, the point of the game on the page, and what was tried
// instead. The game as played stays in the record (records/line.js).

import { announce } from "../dom.js";
import { chapters, isOpponent, playedBefore } from "../records/record.js";
import { adopted, hasLeft, lineOf, returned, sharedChapters } from "../records/line.js";
import { percent, t } from "../text.js";
import { ReviewRun } from "./review-run.js";

const RETRIED = ["mistake", "blunder"];
let drawings = null;

/** Load what only reviews and images need. */
export async function loadDrawings() {
  drawings ??= (await import("./part.js")).reviewing;
  return drawings;
}

export class Timeline {
  /**
   * @param {object} view has `game`, `draw` and, for names of moves, what `kind` needs.
   * @param {object} kind rounds.js or turns.js.
   */
  constructor(view, kind) {
    Object.assign(this, { view, kind, reviewed: null, run: null, tried: null, player: null, retry: null, wanted: null, drawings: null });
  }

  // Reviews ----------------------------------------------------------------------------------------

  /** Request the review of the game as played, or continue it. */
  async start() {
    const { game } = this.view;
    if (this.stale() || !this.run) {
      if (game.record.line && !(await game.run(() => game.comeBack(this.reviewed?.turns)))) return;
      const { first, body } = this.kind.request(this.view);
      const played = chapters(game.record).done.map((steps) => JSON.stringify(steps));
      this.stop();
      this.reviewed = { id: game.record.id, first, turns: game.turns, played };
      this.run = this.reviewRun(body);
      this.tried = null;
    }
    this.player ??= game.mine[0] ?? null;
    await Promise.all([this.run.start(), this.load()]);
    if (this.series()) this.drawings.archive(this);
  }

  /** Show a puzzle, a position of a reviewed game as {step, player, mark}; return false if no choice is clearly best. */
  async practise(puzzle) {
    await this.load();
    if (!this.drawings) return true;
    this.retry = new this.drawings.Retry(this, [puzzle]);
    await this.retry.next();
    if (!this.retry.unclear) return true;
    puzzle.mark("unclear");
    await this.back();
    return false;
  }

  /** Load what shows a review. */
  async load() {
    try {
      this.drawings = await loadDrawings();
    } catch {
      // Without a connection, the button for the review is offered again.
      if (this.run) this.stop();
      this.run = null;
    }
    this.view.draw();
  }

  /** Request the review of what the user has tried, to compare it. */
  async compare() {
    const { game } = this.view;
    const from = sharedChapters(game.record) - this.reviewed.first;
    const { body } = this.kind.request(this.view);
    this.tried = { from, columns: game.turns.length - this.reviewed.first, run: this.reviewRun(body), steps: JSON.stringify(game.record.steps) };
    await this.tried.run.start();
  }

  reviewRun(body) {
    return new ReviewRun(`${this.view.game.base}/review`, body, () => this.view.draw());
  }

  stop() {
    for (const run of [this.run, this.tried?.run]) run?.stop();
    this.view.draw();
  }

  /** Return whether there is a review of the game on the page. */
  shown() {
    const { record } = this.view.game;
    if (!this.run || this.reviewed.id !== record.id) return false;
    const line = chapters(atEnd(record)).done;
    return this.reviewed.played.every((steps, place) => steps === JSON.stringify(line[place]));
  }

  /** Return whether the game was played on after its review. */
  stale() {
    return !this.shown() || chapters(atEnd(this.view.game.record)).done.length > this.reviewed.played.length;
  }

  /** Return whether there is a round or turn to review. */
  possible() {
    const { game } = this.view;
    return game.about.operations.includes("review") && this.kind.reviewable(game);
  }

  /** Return the timeline of the review, or null. */
  series() {
    const review = this.drawings && this.run?.review;
    return review ? this.drawings.timelineOf(this.kind.unit, review, this.columns()) : null;
  }

  /** Return what was tried as a timeline, if its review is about the present steps. */
  triedSeries() {
    const { game } = this.view;
    const { run, from, columns, steps } = this.tried ?? {};
    if (!run?.review || !hasLeft(game.record) || steps !== JSON.stringify(game.record.steps)) return null;
    return { from, timeline: this.drawings.timelineOf(this.kind.unit, run.review, columns) };
  }

  columns() {
    return this.reviewed.played.length - this.reviewed.first;
  }

  /** Return the player whose decisions are shown. */
  shownPlayer() {
    const players = Object.keys(this.run.review.players);
    return players.includes(this.player) ? this.player : players[0];
  }

  choosePlayer(player) {
    this.player = player;
    this.view.draw();
  }

  // Moving in the game -----------------------------------------------------------------------------

  /** Return the column of the point on the page; the number of columns is the end of the game. */
  at() {
    const { record } = this.view.game;
    const done = record.line ? sharedChapters(record) : chapters(record).done.length;
    return Math.max(0, Math.min(this.columns(), done - this.reviewed.first));
  }

  /** Go to the beginning of a round or turn, or to the end; the latest wish counts. */
  async jump(column) {
    await this.goTo(this.stepOf(column, (steps) => this.kind.columnStep(steps)));
    const series = this.series();
    const share = series && this.drawings.shareAt(series, this.shownPlayer(), this.at());
    announce([this.nameOf(this.at()), share === null ? "" : percent(share)].join(" "));
  }

  /** Go to a decision of the review. */
  async show(decision) {
    this.player = decision.player;
    if (decision.step !== undefined) return this.goTo(decision.step);
    await this.goTo(this.stepOf(decision.column, (steps) => this.kind.decisionStep(steps, decision)));
    announce(this.nameOf(decision.column));
  }

  async goTo(step) {
    const moving = this.wanted !== null;
    this.wanted = step;
    if (moving) return;
    const { game } = this.view;
    this.view.pause?.();
    for (let done = null; done !== this.wanted;) {
      done = this.wanted;
      const visit = () => (done === null ? null : game.visit(done, this.reviewed?.turns));
      if (!(await game.run(visit))) break;
    }
    this.wanted = null;
  }

  /** Return to the end of the game as played. */
  async back() {
    const { game } = this.view;
    this.retry = null;
    if (await game.run(() => game.comeBack(this.reviewed?.turns))) this.view.focusNext();
  }

  /** Continue with what was tried. */
  async adopt() {
    const { game } = this.view;
    await game.run(() => game.goTo(adopted(game.record)));
    this.view.focusNext();
  }

  stepOf(column, within) {
    const line = lineOf(this.view.game.record);
    if (column >= this.columns()) return line.length;
    const { done } = chapters({ steps: line, at: line.length });
    const place = this.reviewed.first + column;
    return done.slice(0, place).flat().length + within(done[place]);
  }

  /** Return the name of a column: "Round 5", or the end. */
  nameOf(column) {
    if (column >= this.columns()) return t("timeline.end");
    return t(`review.when.${this.kind.unit}`, { number: playedBefore(this.view.game.record) + this.reviewed.first + column + 1 });
  }

  // Mistakes ---------------------------------------------------------------------------------------

  /** Return the mistakes of the shown player that can be tried again; the service needs no lesson. */
  retriable() {
    if (isOpponent(this.view.game.record, this.shownPlayer())) return [];
    return this.drawings.mistakesOf(this.series(), this.shownPlayer(), RETRIED);
  }

  async startRetry() {
    this.retry = new this.drawings.Retry(this, this.retriable());
    await this.retry.next();
  }
}

function atEnd(record) {
  return returned({ ...record, steps: lineOf(record), at: lineOf(record).length });
}
