// State of a game of Snow Time: the decisions so far and the answers of the service. This module
// contains no rules: legal moves, growth and resolution come from the service.

import { nonce, post, seed } from "../api.js";
import { run } from "../working.js";
import { Evidence } from "./evidence.js";
import { framesOf } from "./frames.js";

const BASE = "/v1/games/snow-time";
export const SEATS = ["red", "blue", "green", "yellow", "violet"];

/** Strength of the service as an opponent: the temperature of its picks, in shares of the win. */
export const TEMPERATURES = { strong: null, human: 0.02, easy: 0.1 };

/**
 * Phases: `growth` (roll), `choice` (players decide), `playback` (the page shows the round), `over`.
 * `decision` is the kind of decision: card, watcher or healer.
 */
export class Game {
  constructor(changed) {
    this.changed = changed;
    this.busy = false;
    this.problem = null;
    this.round = 1;
    this.strength = "strong";
  }

  /** Return the seats of a new game: two players have two seats each. */
  static seating(players) {
    if (players !== 2) return SEATS.slice(0, players).map((seat) => ({ seat }));
    return SEATS.slice(0, 4).map((seat, place) => ({ seat, player: place < 2 ? "one" : "two" }));
  }

  async start(seats, mine) {
    const { state } = await post(`${BASE}/new`, { seats });
    this.round = 1;
    await this.load({ state, grown: false, mine });
  }

  /** Load a position, if the service accepts it, and start a new history. */
  async load(position) {
    await this.setPosition(position);
    this.played = { state: position.state, rounds: [] };
    this.evidence = new Evidence(position.state.seats);
    this.review = null;
  }

  async setPosition({ state, grown = false, mine = [] }) {
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

  /** Return the players with the highest score, for a finished position without a result. */
  leaders() {
    const highest = Math.max(...this.state.seats.map((seat) => seat.score));
    const leading = this.state.seats.filter((seat) => seat.score === highest);
    return [...new Set(leading.map((seat) => seat.player ?? seat.seat))];
  }

  /** Return whether the user decides for this seat; without own players the user decides for all. */
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

  /** Return the seats for which the user decides now. */
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
    const growth = await post(`${BASE}/grow`, { state: this.state, seed: seed() });
    this.state = this.table = growth.state;
    this.dice = growth.dice;
    this.grown = true;
    await this.ask();
  }

  async ask() {
    this.open(await post(`${BASE}/legal-moves`, { state: this.state, ...this.revealedCards() }));
  }

  revealedCards() {
    return Object.keys(this.revealed).length ? { revealed: this.revealed } : {};
  }

  /** Close the decision: get the other players' choices from the service, then reveal all. */
  async reveal() {
    const moves = { ...this.chosen, ...(await this.opponentMoves()) };
    const revealed = { ...this.revealed, ...moves };
    const legal = await post(`${BASE}/legal-moves`, { state: this.state, revealed });
    this.revealed = revealed;
    if (legal.decision === "none") return this.resolve();
    this.open(legal);
    if (!this.deciding().length) return this.reveal();
  }

  /** Return the moves that the service picks for the other players. */
  async opponentMoves() {
    const open = Object.keys(this.options).filter((seat) => !this.isMine(seat));
    const players = new Set(open.map((seat) => this.seat(seat).player ?? seat));
    const temperature = TEMPERATURES[this.strength];
    const options = temperature === null ? {} : { temperature };
    const picks = await Promise.all(
      [...players].map((player) => post(`${BASE}/suggest`, this.question(player, options))),
    );
    return Object.assign({}, ...picks.map((hint) => hint.pick));
  }

  question(player, options = {}) {
    return { state: this.state, player, ...this.revealedCards(), nonce: nonce(), ...options };
  }

  /** Request a hint; under the model `learned` it uses the evidence of this game and earlier ones. */
  async suggest(player, { opponents, ...options }) {
    const { evidence } = this;
    const learned = opponents.model === "learned";
    const ask = () => {
      const known = learned ? evidence.fields(player) : {};
      return post(`${BASE}/suggest`, this.question(player, { ...options, opponents: { ...opponents, ...known } }));
    };
    try {
      this.hint = await ask();
    } catch (problem) {
      // Another version of the service rejects the profiles of this one.
      if (!learned || !evidence.dropRejected(problem)) throw problem;
      this.hint = await ask();
    }
    evidence.store(this.hint);
  }

  async resolve() {
    const body = { state: this.state, moves: this.revealed };
    this.result = await post(`${BASE}/resolve`, body);
    this.evidence.add(this.state, this.revealed);
    this.frames = framesOf(this.state, this.result);
    this.phase = "playback";
    this.options = {};
    this.hint = null;
    this.at = 0;
  }

  /** Request a review of the played rounds; a second request continues an incomplete review. */
  async requestReview() {
    this.review = await post(`${BASE}/review`, { ...this.played, effort: "standard" });
  }

  frame() {
    return this.phase === "playback" ? this.frames[this.at] : null;
  }

  /** Show another frame of the round. */
  show(at) {
    this.at = Math.max(0, Math.min(at, this.frames.length - 1));
    this.changed();
  }

  /** Continue with the next round. */
  async next() {
    const { result, mine, dice, revealed } = this;
    await this.setPosition({ state: result.state, grown: false, mine });
    this.round += 1;
    this.review = null;
    // A review needs the dice of every round.
    if (dice) this.played.rounds.push({ dice, moves: revealed });
    else this.played = { state: result.state, rounds: [] };
    if (result.game_over) {
      this.phase = "over";
      this.winners = result.winners;
    }
  }

  /** Run a request; see working.js. */
  run(work) {
    return run(this, work);
  }
}
