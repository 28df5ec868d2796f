// A game in turns at this page: a turn is built atom by atom, each of which the service allows.

import { drawn, post, seed } from "../api.js";
import { run } from "../working.js";

/** `legal` is what may be done now; `soFar` the atoms of the turn until then. */
export class Turns {
  /**
   * @param {string} base path of the game's verbs.
   * @param {() => void} changed called whenever there is something else to be seen.
   */
  constructor(base, changed) {
    Object.assign(this, { base, changed, busy: false, problem: null, state: null });
  }

  async start(players, options, mine) {
    const seats = players.map((player) => ({ player }));
    const { state } = await post(`${this.base}/new`, { seats, seed: seed(), ...options });
    await this.lay({ state, mine });
  }

  /** Takes a position and the atoms of a turn, from anywhere, if the service does. */
  async lay({ state, soFar = [], mine = [] }) {
    const legal = await post(`${this.base}/legal-moves`, { state, so_far: soFar });
    this.state = state;
    this.soFar = soFar;
    const players = new Set(state.seats.map((seat) => seat.player));
    this.mine = (Array.isArray(mine) ? mine : []).filter((player) => players.has(player));
    this.last = null;
    this.hint = null;
    this.preview = null;
    this.legal = legal;
  }

  /** Who has to decide, and what they may do; nobody, where something is to be drawn. */
  decider() {
    return Object.keys(this.legal.moves)[0] ?? null;
  }

  choices() {
    return this.legal.moves[this.decider()] ?? [];
  }

  complete() {
    return this.legal.decision === "none" && !this.legal.game_over;
  }

  isMine(player) {
    return this.mine.length === 0 || this.mine.includes(player);
  }

  async choose(atom) {
    await this.goTo([...this.soFar, atom]);
  }

  async undo() {
    await this.goTo(this.soFar.slice(0, -1));
  }

  async goTo(soFar) {
    this.legal = await post(`${this.base}/legal-moves`, { state: this.state, so_far: soFar });
    this.soFar = soFar;
    this.hint = null;
    await this.look();
  }

  /** The table as it is within the turn, wherever the turn could end here. */
  async look() {
    if (this.soFar.length === 0) this.preview = null;
    const end = this.choices().find((atom) => atom.type === "end");
    if (!end || this.soFar.length === 0) return;
    const moves = [...this.soFar, end];
    this.preview = (await post(`${this.base}/resolve`, { state: this.state, moves })).state;
  }

  /** What the service says chance might bring. */
  async draw() {
    const { card } = drawn(this.legal.draw, (each) => each.probability);
    await this.choose({ type: "draw", card });
  }

  async suggest(tier) {
    const { state, soFar } = this;
    const body = { state, so_far: soFar, player: this.decider(), tier };
    this.hint = await post(`${this.base}/suggest`, body);
  }

  /** The service decides once, or chance does. */
  async step() {
    if (this.legal.decision === "draw") return this.draw();
    await this.suggest("quick");
    return this.choose(this.hint.pick);
  }

  /** Everything that nobody here decides: others' choices, and what is drawn for them. */
  async advance() {
    while (this.mine.length && !this.legal.game_over) {
      if (this.complete()) {
        if (this.isMine(this.state.turn)) return;
        await this.resolve();
      } else if (this.legal.decision === "draw" || !this.isMine(this.decider())) await this.step();
      else return;
      this.changed();
    }
  }

  /** The service plays this turn to its end. */
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
    const told = { player: this.state.turn, ...result, before: this.state };
    await this.lay({ state: result.state, mine: this.mine });
    this.last = told;
    this.onresolved(told);
  }

  /** Does something that takes the service, and shows what it has against it. */
  run(work) {
    return run(this, work);
  }
}
