// A game of Snow Time at this page: what has been decided, and what the service says to it.
// It knows no rules: who may do what, what grows and what comes of a round is asked for.

import { nonce, post, seed } from "../api.js";
import { run } from "../working.js";
import { framesOf } from "./frames.js";

const BASE = "/v1/games/snow-time";
export const SEATS = ["red", "blue", "green", "yellow", "violet"];

/** How much the service errs where it plays: the temperature of its picks, in shares of the win. */
export const ERRORS = { strong: null, human: 0.02, easy: 0.1 };

/**
 * Phases: `growth` (roll), `choice` (somebody decides), `playback` (the round is shown), `over`.
 * `decision` says what is chosen: card, watcher or healer.
 */
export class Game {
  constructor(changed) {
    this.changed = changed;
    this.busy = false;
    this.problem = null;
    this.round = 1;
    this.strength = "strong";
  }

  /** Seats of a new game: two players have two each. */
  static seating(players) {
    if (players !== 2) return SEATS.slice(0, players).map((seat) => ({ seat }));
    return SEATS.slice(0, 4).map((seat, place) => ({ seat, player: place < 2 ? "one" : "two" }));
  }

  async start(seats, mine) {
    const { state } = await post(`${BASE}/new`, { seats });
    this.round = 1;
    await this.lay({ state, grown: false, mine });
  }

  /** Takes a position, from anywhere, if the service does. */
  async lay(laid) {
    await this.take(laid);
    this.played = { state: laid.state, rounds: [] };
    this.review = null;
  }

  async take({ state, grown = false, mine = [] }) {
    const legal = await post(`${BASE}/legal-moves`, { state });
    this.state = state;
    this.grown = grown === true;
    const players = new Set(this.players());
    this.mine = (Array.isArray(mine) ? mine : []).filter((player) => players.has(player));
    this.winners = [];
    this.result = null;
    this.dice = null;
    this.table = state;
    this.begin(legal);
    if (legal.game_over) this.phase = "over";
    else if (!this.grown) this.phase = "growth";
    if (legal.game_over) this.winners = this.leaders();
  }

  players() {
    return [...new Set(this.state.seats.map((seat) => seat.player ?? seat.seat))];
  }

  /** Players with a seat on the last space, where a finished position came by itself. */
  leaders() {
    const highest = Math.max(...this.state.seats.map((seat) => seat.score));
    const leading = this.state.seats.filter((seat) => seat.score === highest);
    return [...new Set(leading.map((seat) => seat.player ?? seat.seat))];
  }

  /** Whether a person decides for this seat: who plays nobody decides for all. */
  isMine(seat) {
    const { player } = this.seat(seat);
    return this.mine.length === 0 || this.mine.includes(player ?? seat);
  }

  seat(name) {
    return this.state.seats.find((seat) => seat.seat === name);
  }

  begin(legal) {
    this.revealed = {};
    this.open(legal);
  }

  open(legal) {
    this.phase = "choice";
    this.decision = legal.decision;
    this.options = legal.moves;
    this.chosen = {};
    this.hint = null;
  }

  /** Whoever a person may ask a hint for, or decide for, now. */
  deciding() {
    if (this.phase !== "choice") return [];
    return Object.keys(this.options).filter((seat) => this.isMine(seat));
  }

  choose(seat, move) {
    this.chosen = { ...this.chosen, [seat]: move };
    this.changed();
  }

  ready() {
    return this.phase === "choice" && this.deciding().every((seat) => this.chosen[seat]);
  }

  async grow() {
    const grown = await post(`${BASE}/grow`, { state: this.state, seed: seed() });
    this.state = this.table = grown.state;
    this.dice = grown.dice;
    this.grown = true;
    await this.ask();
  }

  async ask() {
    this.open(await post(`${BASE}/legal-moves`, { state: this.state, ...this.told() }));
  }

  told() {
    return Object.keys(this.revealed).length ? { revealed: this.revealed } : {};
  }

  /** Closes the decision: the others' choices come from the service, then all are revealed. */
  async reveal() {
    const moves = { ...this.chosen, ...(await this.answers()) };
    const revealed = { ...this.revealed, ...moves };
    const legal = await post(`${BASE}/legal-moves`, { state: this.state, revealed });
    this.revealed = revealed;
    if (legal.decision === "none") return this.resolve();
    this.open(legal);
    if (!this.deciding().length) return this.reveal();
  }

  /** What the service chooses for everybody whom no person decides for. */
  async answers() {
    const open = Object.keys(this.options).filter((seat) => !this.isMine(seat));
    const players = new Set(open.map((seat) => this.seat(seat).player ?? seat));
    const temperature = ERRORS[this.strength];
    const asked = temperature === null ? {} : { temperature };
    const picks = await Promise.all(
      [...players].map((player) => post(`${BASE}/suggest`, this.question(player, asked))),
    );
    return Object.assign({}, ...picks.map((hint) => hint.pick));
  }

  question(player, asked = {}) {
    return { state: this.state, player, ...this.told(), nonce: nonce(), ...asked };
  }

  async suggest(player, asked) {
    this.hint = await post(`${BASE}/suggest`, this.question(player, asked));
  }

  async resolve() {
    const body = { state: this.state, moves: this.revealed };
    this.result = await post(`${BASE}/resolve`, body);
    this.frames = framesOf(this.state, this.result);
    this.phase = "playback";
    this.options = {};
    this.hint = null;
    this.at = 0;
  }

  /** A review of all that was played; asked again, it goes on where time had ended. */
  async judge() {
    this.review = await post(`${BASE}/review`, { ...this.played, tier: "standard" });
  }

  frame() {
    return this.phase === "playback" ? this.frames[this.at] : null;
  }

  /** Shows another moment of the round. */
  show(at) {
    this.at = Math.max(0, Math.min(at, this.frames.length - 1));
    this.changed();
  }

  /** Goes on with what came of the round. */
  async next() {
    const { result, mine, dice, revealed } = this;
    await this.take({ state: result.state, grown: false, mine });
    this.round += 1;
    this.review = null;
    // A round that was not seen to grow cannot be told from its beginning.
    if (dice) this.played.rounds.push({ dice, moves: revealed });
    else this.played = { state: result.state, rounds: [] };
    if (result.game_over) {
      this.phase = "over";
      this.winners = result.winners;
    }
  }

  /** Does something that takes the service, and shows what it has against it. */
  run(work) {
    return run(this, work);
  }
}
