// A game of Snow Time: its record, and the decisions of the present round. This module contains no
// rules: legal moves, growth and resolution come from the service.

import { nonce, post, seed } from "../api.js";
import { hasLeft } from "../records/line.js";
import { chapters, playedBefore } from "../records/record.js";
import { RecordedGame } from "../records/recorded-game.js";
import { choicesOf } from "./cards.js";
import { Evidence } from "./evidence.js";
import { framesOf } from "./frames.js";

export const SEATS = ["red", "blue", "green", "yellow", "violet"];

/** Strength of the service as an opponent: the temperature of its picks, in shares of the win. */
export const TEMPERATURES = { strong: null, human: 0.02, easy: 0.1 };

/**
 * Phases: `growth` (roll), `choice` (players decide), `playback` (the page shows the round), `over`.
 * `decision` is the kind of decision: card, watcher or healer.
 */
export class Game extends RecordedGame {
  strength = "strong";
  evidence = new Evidence();

  /** Return the seats of a new game: two players have two seats each. */
  static seating(players) {
    if (players !== 2) return SEATS.slice(0, players).map((seat) => ({ seat }));
    return SEATS.slice(0, 4).map((seat, place) => ({ seat, player: place < 2 ? "one" : "two" }));
  }

  /** Start a new game; `options` can have the `track`. */
  async start(seats, mine, parts = {}, options = {}) {
    const { state } = await post(`${this.base}/new`, { seats, ...options });
    await this.load({ state, mine, fresh: true, ...parts });
  }

  /** Begin a new record at a position. */
  async load({ state, ...parts }) {
    await this.begin(state, { ...parts, profiles: Evidence.profilesOf(state.seats) });
  }

  // The record -------------------------------------------------------------------------------------

  async resolveChapter(before, steps) {
    const dice = steps.find((step) => step.dice)?.dice ?? null;
    const { moves } = steps.at(-1);
    const grown = dice ? (await this.ask("grow", { state: before, dice })).state : before;
    const result = await post(`${this.base}/resolve`, { state: grown, moves });
    return { before, dice, grown, moves, result };
  }

  async derive(turns, open, record) {
    const before = turns.at(-1)?.result.state ?? record.start;
    const dice = open.find((step) => step.dice)?.dice ?? null;
    const state = dice ? (await this.ask("grow", { state: before, dice })).state : before;
    const grown = dice !== null || (record.grown && !turns.length);
    const revealed = Object.assign({}, ...open.map((step) => step.revealed ?? {}));
    const legal = await this.ask("legal-moves", { state, ...revealedField(revealed) });
    return { state, dice, grown, revealed, legal };
  }

  show(position) {
    this.position = position;
    const { state, dice, grown, revealed, legal } = position;
    Object.assign(this, { state, dice, grown, revealed });
    const players = new Set(this.players());
    this.mine = this.record.mine.filter((player) => players.has(player));
    this.round = playedBefore(this.record) + (legal.game_over ? Math.max(1, this.turns.length) : this.turns.length + 1);
    this.result = this.turns.at(-1)?.result ?? null;
    this.evidence.read(this.record, this.turns);
    this.winners = legal.game_over ? (this.result?.winners ?? this.leaders()) : [];
    this.offer(legal);
    if (legal.game_over) this.phase = "over";
    else if (!grown) this.phase = "growth";
  }

  over() {
    return this.position.legal.game_over;
  }

  /** Show the events of the last round before the next one begins. */
  playBack({ grown, moves, result }) {
    Object.assign(this, { state: grown, revealed: moves, phase: "playback", options: {}, at: 0 });
    this.round = playedBefore(this.record) + this.turns.length;
    this.frames = framesOf(grown, result);
  }

  offer(legal) {
    this.phase = "choice";
    this.decision = legal.decision;
    const due = this.due();
    this.options = due ? this.only(due.revealed ?? due.moves, legal) : legal.moves;
    Object.assign(this, { chosen: {}, rolled: [], taken: {}, hint: null });
  }

  /** Return the choices of a lesson: the one that is due for each seat. */
  only(moves = {}, { moves: legal, decision }) {
    return Object.fromEntries(Object.entries(legal).map(([seat, all]) => [seat, moves[seat] ? all.filter((each) => begins(moves[seat], each, decision)) : all]));
  }

  /** Go back one step; what was chosen there is chosen again. */
  async undo() {
    await super.undo();
    const { moves, revealed } = this.record.steps[this.record.at];
    this.restore({ chosen: moves ?? revealed });
    this.save();
  }

  /** Go back to a played round, to enter what was wrong; all its cards are chosen again. */
  async amendRound(place) {
    const { done } = chapters(this.record);
    const [start, length] = [done.slice(0, place).flat().length, done[place].length];
    await this.amend(start + (done[place][0].dice ? 1 : 0), start + length);
    this.restore({ chosen: done[place].at(-1).moves });
    this.save();
  }

  draft() {
    const { chosen, rolled } = this;
    return { chosen, rolled };
  }

  restore({ chosen = this.playedHere(), rolled = [] }) {
    this.rolled = Array.isArray(rolled) ? rolled : [];
    const legal = Object.entries(this.legalChoices(chosen));
    this.chosen = Object.fromEntries(legal.filter(([seat]) => this.deciding().includes(seat)));
  }

  /** Return the legal choices with which moves by seat begin. */
  legalChoices(moves) {
    const choice = (seat) => moves[seat] && this.options[seat].find((each) => begins(moves[seat], each, this.decision));
    const entries = Object.keys(this.options).map((seat) => [seat, choice(seat)]);
    return Object.fromEntries(entries.filter(([, move]) => move));
  }

  /** Return what a review needs: the rounds since the last one whose dice are unknown; `first` is its index. */
  played() {
    const first = this.turns.findLastIndex(({ dice }) => !dice) + 1;
    const rounds = this.turns.slice(first).map(({ dice, moves }) => ({ dice, moves }));
    return { first, state: this.turns[first]?.before ?? this.position.state, rounds };
  }

  // Players and seats ------------------------------------------------------------------------------

  players() {
    return [...new Set(this.state.seats.map((seat) => seat.player ?? seat.seat))];
  }

  /** Return the players with the highest score, for a finished position without a result. */
  leaders() {
    const highest = Math.max(...this.state.seats.map((seat) => seat.score));
    const leading = this.state.seats.filter((seat) => seat.score === highest);
    return [...new Set(leading.map((seat) => seat.player ?? seat.seat))];
  }

  /** Return whether this is a seat of the user; without own players all of them are. */
  isMine(seat) {
    const { player } = this.seat(seat);
    return this.mine.length === 0 || this.mine.includes(player ?? seat);
  }

  seat(name) {
    return this.state.seats.find((seat) => seat.seat === name);
  }

  /** Return the seats for which the user decides now. */
  deciding() {
    if (this.phase !== "choice") return [];
    return Object.keys(this.options).filter((seat) => this.atTable() || this.isMine(seat));
  }

  // Decisions --------------------------------------------------------------------------------------

  choose(moves) {
    this.chosen = { ...this.chosen, ...moves };
    this.save();
    this.changed();
  }

  /** Take over an entry that is not a complete move yet. */
  enter(values) {
    Object.assign(this, values);
    this.save();
    this.changed();
  }

  ready() {
    return this.phase === "choice" && this.deciding().every((seat) => this.chosen[seat]);
  }

  /** Roll the dice; the step has their numbers. */
  async grow() {
    const { state } = this;
    if (this.due()) return this.add({ dice: this.due().dice });
    const growth = await post(`${this.base}/grow`, { state, seed: seed() });
    this.learn("grow", { state, dice: growth.dice }, growth);
    await this.add({ dice: growth.dice });
  }

  /** Close the decision: get the other players' choices from the service, then reveal all. */
  async reveal() {
    const moves = { ...this.chosen, ...(await this.opponentMoves()) };
    const revealed = { ...this.revealed, ...moves };
    const legal = await this.ask("legal-moves", { state: this.state, revealed });
    if (legal.decision === "none") {
      await this.add({ moves: revealed });
      if (!this.atTable()) this.playBack(this.turns.at(-1));
      return;
    }
    await this.add({ revealed: moves });
    if (!this.deciding().length) await this.reveal();
  }

  /** Return the moves of the other players: as they played here before, or as the service picks. */
  async opponentMoves() {
    const decided = this.deciding();
    const due = this.due();
    if (due) return due.revealed ?? due.moves;
    const before = this.playedHere();
    const open = Object.keys(this.options).filter((seat) => !decided.includes(seat) && !before[seat]);
    const players = new Set(open.map((seat) => this.seat(seat).player ?? seat));
    const temperature = TEMPERATURES[this.strength];
    const options = { detail: "brief", ...(temperature === null ? {} : { temperature }) };
    const picks = await Promise.all(
      [...players].map((player) => post(`${this.base}/suggest`, this.question(player, options))),
    );
    const others = Object.entries(before).filter(([seat]) => !decided.includes(seat));
    return Object.assign(Object.fromEntries(others), ...picks.map((hint) => hint.pick));
  }

  /** Return the moves of this decision in the game as played, if the user looks back at it. */
  playedHere() {
    const { record } = this;
    if (!record.line || hasLeft(record)) return {};
    const { moves, revealed } = record.line[record.at] ?? {};
    return this.legalChoices(revealed ?? moves ?? {});
  }

  /** Return a question; the steps of one hint have the same nonce, so that they agree about the drawn card. */
  question(player, options = {}) {
    const asked = { state: this.state, player, ...revealedField(this.revealed) };
    const key = JSON.stringify(asked);
    if (this.asked?.key !== key) this.asked = { key, nonce: nonce() };
    return { ...asked, nonce: this.asked.nonce, ...options };
  }

  /** Request a hint; under the model `learned` it uses the evidence of this game and earlier ones. */
  async suggest(player, { opponents, ...options }) {
    const { evidence } = this;
    const learned = opponents.model === "learned";
    const ask = () => {
      const known = learned ? evidence.fields(player) : {};
      return post(`${this.base}/suggest`, this.question(player, { ...options, opponents: { ...opponents, ...known } }));
    };
    try {
      this.hint = await ask();
    } catch (problem) {
      // Another version of the service rejects the profiles of this one.
      if (!learned || !evidence.dropRejected(problem)) throw problem;
      this.keepProfiles();
      this.hint = await ask();
    }
    evidence.store(this.hint);
  }

  /** Forget how the players play, in this game and in later ones. */
  forgetProfiles() {
    this.evidence.forget();
    this.keepProfiles();
  }

  keepProfiles() {
    this.record = { ...this.record, profiles: Object.fromEntries(this.evidence.profiles) };
    this.save();
  }

  // Playback of a round ----------------------------------------------------------------------------

  frame() {
    return this.phase === "playback" ? this.frames[this.at] : null;
  }

  /** Show another frame of the round. */
  showFrame(at) {
    this.at = Math.max(0, Math.min(at, this.frames.length - 1));
    this.changed();
  }

  /** Continue with the next round. */
  next() {
    this.show(this.position);
    this.changed();
  }
}

export function sameMove(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Return whether a complete move begins with the choice at a decision. */
function begins(move, choice, decision) {
  return sameMove(choicesOf(move)[decision], choicesOf(choice)[decision]);
}

function revealedField(revealed) {
  return Object.keys(revealed).length ? { revealed } : {};
}
