// A turn-based game: its record, and the open turn, which is a list of actions that the service
// allows.

import { drawWeighted, post, seed } from "../api.js";
import { isOpponent } from "../records/record.js";
import { RecordedGame } from "../records/recorded-game.js";

/** `soFar` contains the actions of this turn; `legal` is the answer of legal-moves after them. */
export class Turns extends RecordedGame {
  async start(seats, options, mine, parts = {}) {
    const state = await this.newState(seats, options);
    await this.begin(state, { mine, fresh: true, ...parts });
  }

  /** Return the first position of a new game; `course` takes the place of the seed. */
  async newState(seats, options) {
    const { state } = await post(`${this.base}/new`, { seats, ...(options.course ? {} : { seed: seed() }), ...options });
    return state;
  }

  // The record -------------------------------------------------------------------------------------

  async resolveChapter(before, steps) {
    const moves = actionsOf(steps);
    const result = await post(`${this.base}/resolve`, { state: before, moves });
    return { before, player: before.turn, moves, result };
  }

  async derive(turns, open, record) {
    const state = turns.at(-1)?.result.state ?? record.start;
    const soFar = actionsOf(open);
    return { state, soFar, legal: await this.legalMoves(state, soFar) };
  }

  legalMoves(state, soFar) {
    return this.ask("legal-moves", { state, so_far: soFar });
  }

  show({ state, soFar, legal }) {
    Object.assign(this, { state, soFar, legal, hint: null });
    const players = new Set(state.seats.map((seat) => seat.player));
    this.mine = this.record.mine.filter((player) => players.has(player));
    this.last = this.turns.at(-1)?.result ?? null;
  }

  // The open turn ----------------------------------------------------------------------------------

  /** Return the player who decides, or null before a draw. */
  decider() {
    return Object.keys(this.legal.moves)[0] ?? null;
  }

  choices() {
    const all = this.legal.moves[this.decider()] ?? [];
    const { action } = this.due() ?? {};
    return action ? all.filter((each) => JSON.stringify(each) === JSON.stringify(action)) : all;
  }

  /** Return whether the turn is complete; the turn that ends the game is resolved like any other. */
  complete() {
    return this.legal.decision === "none" && !this.over();
  }

  over() {
    return this.legal.game_over && !this.soFar.length;
  }

  isTurnOf(player) {
    return this.state.turn === player && !this.over();
  }

  /** Return whether the user, who plays against the service, does not see the cards of a player. */
  hides(player) {
    const ended = this.over() || this.known.at(-1)?.result.game_over;
    return !ended && isOpponent(this.record, player);
  }

  isMine(player) {
    return this.mine.length === 0 || this.mine.includes(player);
  }

  /** Return whether the player who decides has only one choice; in a lesson the user makes it. */
  forced() {
    return this.decider() !== null && !this.due() && this.choices().length === 1;
  }

  /** Return whether the user, and not the page or the service, is to act now. */
  waits() {
    if (this.over()) return true;
    if (this.complete()) return this.isMine(this.state.turn) && !this.atTable();
    if (this.legal.decision === "draw") return !this.mine.length || this.atTable();
    return !this.forced() && (this.atTable() || this.isMine(this.decider()));
  }

  async choose(action) {
    await this.add({ action });
  }

  /** Make steps of a turn that the rules may no longer allow; otherwise `dropped` is their number. */
  async goOn(steps) {
    try {
      await this.goTo({ ...this.record, steps, at: steps.length });
    } catch (problem) {
      if (!problem.document?.errors) throw problem;
      this.dropped = steps.length;
    }
  }

  /** Go back to the last decision of the user. */
  async undo() {
    do await super.undo();
    while (!this.waits() && this.canUndo());
  }

  /** Go forward to the next decision of the user. */
  async redo() {
    do await super.redo();
    while (!this.waits() && this.canRedo());
  }

  /** Return the position after the actions of this turn. */
  position() {
    return this.soFar.length ? this.legal.position : this.state;
  }

  /** Draw a card by the probabilities of the service. */
  async draw() {
    if (this.due()) return this.choose(this.due().action);
    const { card } = drawWeighted(this.legal.draw, (each) => each.probability);
    await this.choose({ type: "draw", card });
  }

  /** Request a hint: `brief` is what to do and why, `full` also the value of every choice. */
  async suggest(effort, detail = "brief") {
    const { state, soFar } = this;
    const body = { state, so_far: soFar, player: this.decider(), effort, detail };
    this.hint = { ...(await post(`${this.base}/suggest`, body)), detail };
  }

  /** Make one decision with a quick hint, or one draw; an only choice needs no hint. */
  async step() {
    if (this.legal.decision === "draw" || this.due()) return this.draw();
    if (this.forced()) return this.choose(this.choices()[0]);
    await this.suggest("quick");
    return this.choose(this.hint.pick);
  }

  /** Make the choices of a plan as long as they are legal, then all that needs no choice of the user. */
  async carryOut(plan) {
    for (const action of plan) {
      const text = JSON.stringify(action);
      if (!this.choices().some((each) => JSON.stringify(each) === text)) break;
      await this.choose(action);
      this.changed();
    }
    while (!this.complete() && !this.waits()) await this.step();
    if (this.complete() && !this.atTable()) await this.resolve();
  }

  /** Play on until a person at this page must decide. */
  async advance() {
    while (!this.waits()) {
      if (this.complete()) await this.resolve();
      else await this.step();
      this.changed();
    }
  }

  /** Let the service play this turn to its end. */
  async finish() {
    while (!this.complete()) {
      await this.step();
      this.changed();
    }
    await this.resolve();
  }

  async resolve() {
    await this.add({ end: true });
    this.onresolved(this.turns.at(-1));
  }
}

function actionsOf(steps) {
  return steps.filter(({ action }) => action).map(({ action }) => action);
}
