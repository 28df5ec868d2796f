// A game that is played as a record: every change replaces the record, and the position follows
// from it with the answers of the service. A request that fails changes nothing.

import { nonce, post } from "../api.js";
import { returned, visited } from "./line.js";
import { canRedo, canUndo, chapters, newRecord, redone, stepsOf, storedPart, undone, withStep } from "./record.js";
import { cachePositions, cachedPositions, currentGame, forgetGame, imported, saveGame, savedGame } from "./saved-games.js";
import { run } from "../working.js";

const MAX_ANSWERS = 100;

/**
 * Subclasses have `resolveChapter(before, steps)`, which returns a completed round or turn as
 * {before, result, ...}, `derive(turns, open, record)`, which returns the position after the open
 * steps, `show(position)`, which takes it over, and `over()`, whether the game has ended there.
 */
export class RecordedGame {
  /**
   * @param {object} about description of the game from the service.
   * @param {() => void} changed called after each change.
   */
  constructor(about, changed) {
    Object.assign(this, { about, changed, busy: false, problem: null, record: null, state: null });
    this.base = `/v1/games/${about.game}`;
    this.known = [];
    this.answers = new Map();
    this.full = false;
    this.amended = null;
    this.dropped = 0;
    this.script = null;
  }

  /**
   * Begin a record at a position. A `fresh` one is a new game, which the next one replaces if no
   * step was made; an `automatic` one is stored with its first step.
   */
  async begin(start, parts = {}) {
    this.script = null;
    const before = this.record ?? currentGame(this.about.game)?.record;
    await this.open(newRecord({ id: nonce(), game: this.about.game, start, ...parts }));
    if (before?.fresh && !before.steps.length) forgetGame(before);
  }

  /**
   * Open the record of a link, or else the current stored game, or else start a new game.
   * @returns {Promise<object|null>} the record that the service refused.
   */
  async resume(linked, start) {
    const own = currentGame(this.about.game);
    const ways = [linked && [imported(linked, nonce()), {}], own && [own.record, own.draft]].filter(Boolean);
    let refused = null;
    for (const [record, draft] of ways) {
      if (await this.run(() => this.open(record, draft))) break;
      // Without an answer of the service, the user can try again.
      if (!this.problem.errors) return null;
      refused ??= { record, problem: this.problem };
    }
    if (!this.state && !(await this.run(start))) return null;
    if (refused) this.problem = refused.problem;
    return refused?.record ?? null;
  }

  /** Take over what another tab of the browser has stored of this game. */
  async reread() {
    const stored = savedGame(this.record?.id);
    const same = (one, other) => JSON.stringify(storedPart(one)) === JSON.stringify(storedPart(other));
    if (!stored || same(stored.record, this.record)) return;
    await this.run(() => this.open(stored.record, stored.draft));
  }

  /** Open a record and store it; the record before it stays stored. */
  async open(record, draft = {}) {
    const known = cachedPositions(record, this.about.rules_version);
    await this.goTo(record, known, draft);
  }

  /** Return the step that a lesson has next, or null; `script` has its steps. */
  due() {
    return this.script?.[this.record?.at] ?? null;
  }

  /** Begin a lesson: its first position, and the only steps that can follow. */
  async teach(start, mine, steps) {
    await this.begin(start, { mine, mode: "play" });
    this.script = steps;
  }

  /** Return whether the user enters what everybody at a real table does. */
  atTable() {
    return this.record?.mode === "table";
  }

  async add(step) {
    const { amended, record } = this;
    const next = withStep(record, step);
    this.amended = null;
    this.dropped = 0;
    if (record.at !== amended?.at) return this.goTo(next);
    const { rest, within } = amended;
    const again = (more) => {
      this.amended = { at: next.at, rest: more, within: false };
    };
    if (!within && !isEnd(step)) {
      await this.goTo(next);
      return again(rest);
    }
    try {
      await this.goTo({ ...next, steps: [...next.steps, ...rest], at: next.at + rest.length });
    } catch (problem) {
      if (!problem.document?.errors) throw problem;
      await this.goTo(next);
      // The turn goes on in another way; the later ones follow once it is complete.
      if (within && !isEnd(step)) again(rest.slice(rest.findIndex(isEnd) + 1));
      else this.dropped = rest.length;
    }
  }

  /**
   * Go back to enter some steps again, from `at` and before `end`. What followed them stays, if the
   * rules still allow it; otherwise `dropped` is the number of these steps.
   */
  async amend(at, end) {
    const steps = stepsOf(this.record);
    await this.goTo({ ...this.record, at });
    this.amended = { at, rest: steps.slice(end), within: !isEnd(steps[end - 1]) };
  }

  async undo() {
    await this.goTo(undone(this.record));
  }

  async redo() {
    await this.goTo(redone(this.record));
  }

  /** Look at an earlier point of the game as played; `known` has its rounds or turns. */
  async visit(at, known) {
    await this.goTo(visited(this.record, at), known);
  }

  /** Return to the end of the game as played. */
  async comeBack(known) {
    await this.goTo(returned(this.record), known);
  }

  canUndo() {
    return canUndo(this.record);
  }

  canRedo() {
    return canRedo(this.record);
  }

  async goTo(record, known = this.known, draft = {}) {
    const { done, open } = chapters(record);
    const [turns, position] = await this.replay(record, done, open, known);
    const before = this.known;
    Object.assign(this, { record, turns, known: continued(turns, known) });
    this.show(position);
    this.restore(draft);
    this.save();
    if (!sameItems(this.known, before)) cachePositions(record, this.about.rules_version, this.known);
  }

  async replay(record, done, open, known) {
    const turns = await this.follow(record, done, known);
    return [turns, await this.derive(turns, open, record)];
  }

  /** Return the completed rounds or turns; known ones need no request. */
  async follow({ start }, done, known) {
    const turns = [];
    let before = start;
    for (const [place, steps] of done.entries()) {
      const key = JSON.stringify(steps);
      const same = place === 0 || turns[place - 1] === known[place - 1];
      const turn = same && known[place]?.key === key ? known[place] : { key, ...(await this.resolveChapter(before, steps)) };
      turns.push(turn);
      before = turn.result.state;
    }
    return turns;
  }

  /** Request an answer that depends on its body only; earlier answers are used again. */
  async ask(endpoint, body) {
    const key = answerKey(endpoint, body);
    if (!this.answers.has(key)) this.learn(endpoint, body, await post(`${this.base}/${endpoint}`, body));
    return this.answers.get(key);
  }

  /** Store an answer that another request contained. */
  learn(endpoint, body, answer) {
    this.answers.set(answerKey(endpoint, body), answer);
    if (this.answers.size > MAX_ANSWERS) this.answers.delete(this.answers.keys().next().value);
  }

  /** Store the record with what the user has entered. */
  save() {
    if (this.record.automatic && !this.record.steps.length) return;
    // A look back at a finished game does not open it again.
    const { id, line } = this.record;
    const over = this.over() || Boolean(line && savedGame(id)?.over);
    this.full = !saveGame(this.record, this.draft(), over);
  }

  /** Return what the user has entered but not yet played; `restore` takes it back. */
  draft() {
    return {};
  }

  restore() {}

  /** Run a request; see working.js. */
  run(work, done) {
    return run(this, work, done);
  }
}

function isEnd(step) {
  return Boolean(step.moves ?? step.end);
}

/** Return the turns with those that the user has gone back from. */
function continued(turns, known) {
  return known.length > turns.length && sameItems(turns, known.slice(0, turns.length)) ? known : turns;
}

function sameItems(one, other) {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}

function answerKey(endpoint, body) {
  return `${endpoint} ${JSON.stringify(body)}`;
}
