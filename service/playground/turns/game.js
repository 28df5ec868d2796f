// State of a turn-based game: a turn is a list of actions that the service allows.

import { drawWeighted, post, seed } from "../api.js";
import { run } from "../working.js";

/** `soFar` contains the actions of this turn; `legal` is the answer of legal-moves after them. */
export class Turns {
  /**
   * @param {string} base path of the game's endpoints.
   * @param {() => void} changed called after each change.
   */
  constructor(base, changed) {
    Object.assign(this, { base, changed, busy: false, problem: null, state: null });
  }

  async start(seats, options, mine) {
    const { state } = await post(`${this.base}/new`, { seats, seed: seed(), ...options });
    await this.load({ state, mine });
  }

  /** Load a position and the actions of a turn, if the service accepts them. */
  async load({ state, soFar = [], mine = [] }) {
    const legal = await post(`${this.base}/legal-moves`, { state, so_far: soFar });
    this.state = state;
    this.soFar = soFar;
    const players = new Set(state.seats.map((seat) => seat.player));
    this.mine = (Array.isArray(mine) ? mine : []).filter((player) => players.has(player));
    this.last = null;
    this.hint = null;
    this.legal = legal;
  }

  /** Return the player who decides, or null before a draw. */
  decider() {
    return Object.keys(this.legal.moves)[0] ?? null;
  }

  choices() {
    return this.legal.moves[this.decider()] ?? [];
  }

  /** Return whether the turn is complete; the turn that ends the game is resolved like any other. */
  complete() {
    return this.legal.decision === "none" && !this.over();
  }

  over() {
    return this.legal.game_over && !this.soFar.length;
  }

  isMine(player) {
    return this.mine.length === 0 || this.mine.includes(player);
  }

  async choose(action) {
    await this.goTo([...this.soFar, action]);
  }

  async undo() {
    await this.goTo(this.soFar.slice(0, -1));
  }

  async goTo(soFar) {
    this.legal = await post(`${this.base}/legal-moves`, { state: this.state, so_far: soFar });
    this.soFar = soFar;
    this.hint = null;
  }

  /** Return the position after the actions of this turn. */
  position() {
    return this.soFar.length ? this.legal.position : this.state;
  }

  /** Draw a card by the probabilities of the service. */
  async draw() {
    const { card } = drawWeighted(this.legal.draw, (each) => each.probability);
    await this.choose({ type: "draw", card });
  }

  async suggest(effort) {
    const { state, soFar } = this;
    const body = { state, so_far: soFar, player: this.decider(), effort };
    this.hint = await post(`${this.base}/suggest`, body);
  }

  /** Make one decision with a quick hint, or one draw. */
  async step() {
    if (this.legal.decision === "draw") return this.draw();
    await this.suggest("quick");
    return this.choose(this.hint.pick);
  }

  /** Play on until a person at this page must decide. */
  async advance() {
    while (this.mine.length && !this.over()) {
      if (this.complete()) {
        if (this.isMine(this.state.turn)) return;
        await this.resolve();
      } else if (this.legal.decision === "draw" || !this.isMine(this.decider())) await this.step();
      else return;
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
    const body = { state: this.state, moves: this.soFar };
    const result = await post(`${this.base}/resolve`, body);
    const turn = { player: this.state.turn, ...result, before: this.state };
    await this.load({ state: result.state, mine: this.mine });
    this.last = turn;
    this.onresolved(turn);
  }

  /** Run a request; see working.js. */
  run(work) {
    return run(this, work);
  }
}
