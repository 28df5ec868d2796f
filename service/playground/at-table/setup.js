// Setup of a game at a real table: who plays, and what lies on the table if it is under way. Only
// legal positions can be entered.

import { button, h } from "../dom.js";
import { t } from "../text.js";
import { SEATS } from "../snow-time/game.js";
import { badge, seatName } from "../snow-time/seats.js";
import { boxField } from "../own-box.js";
import { boardTrack, rememberTrack, rememberedTrack } from "./board-track.js";
import { cardGrid } from "./cards.js";
import { playerRow } from "./players.js";
import { roundStrip, strip } from "./strip.js";

const [MIN_SEATS, PAIRS] = [3, 4];
const HEALER = "healer";
const MAX_ON_LEVEL = 6;

export class TableSetup {
  /**
   * @param {object} about description of the game from the service.
   * @param {object} calls `start` gets the setup, `close` leaves it, `redraw` shows it again.
   */
  constructor(about, calls) {
    Object.assign(this, { about, ...calls });
    this.colours = SEATS.slice(0, PAIRS);
    this.pairs = false;
    this.me = SEATS[0];
    this.names = {};
    this.scores = {};
    this.gone = {};
    this.fruit = Array(about.fruit.levels).fill(0);
    this.marking = SEATS[0];
    this.board = rememberedTrack();
    this.round = 1;
    this.brush = null;
  }

  /** Return the seats; with `pairs`, two players have two colours each. */
  seats() {
    return this.colours.map((seat, place) => {
      const name = (this.names[seat] ?? "").trim();
      const player = this.pairs ? this.colours[place - (place % 2)] : seat;
      return { seat, player, ...(name && player === seat ? { name } : {}) };
    });
  }

  /** Return the position, or null if the game is yet to begin. */
  state() {
    if (!this.underWay()) return null;
    const cards = Object.keys(this.about.cards);
    const seats = this.seats().map((seat) => ({
      ...seat,
      score: this.scores[seat.seat] ?? 0,
      hand: cards.filter((card) => !this.gone[seat.seat]?.has(card)),
    }));
    return { seats, fruit: this.fruit, ...this.ownTrack() };
  }

  /** Return the field for the track, if it is not the default one. */
  ownTrack() {
    return this.board ? { track: this.board } : {};
  }

  /** Take over another track; markers stay before its end. */
  setBoard(board) {
    const usual = JSON.stringify(board) === JSON.stringify(this.about.default_track);
    rememberTrack(usual ? null : board);
    const scores = Object.entries(this.scores).map(([seat, score]) => [seat, Math.min(score, board.length - 1)]);
    this.set({ board: usual ? null : board, scores: Object.fromEntries(scores) });
  }

  /** Return the field for a file with the track of the own board. */
  box() {
    return boxField(this, {
      game: this.about.game,
      parts: ["track"],
      body: () => ({ seats: SEATS.slice(0, MIN_SEATS).map((seat) => ({ seat })) }),
      use: ({ track }) => this.setBoard(track ?? this.about.default_track),
    });
  }

  underWay() {
    const entered = this.colours.some((seat) => this.scores[seat] || this.gone[seat]?.size);
    return entered || this.round > 1 || this.fruit.some(Boolean);
  }

  form() {
    const legal = this.colours.length >= MIN_SEATS;
    const start = (grown) => this.start({ seats: this.seats(), track: this.ownTrack(), state: this.state(), mine: [this.me], grown, round: this.round });
    const underWay = this.underWay();
    return h(
      "section",
      { class: "panel table-setup", "aria-labelledby": "table-title" },
      h("h2", { id: "table-title", tabindex: "-1", "data-key": "table-title" }, t("table.title")),
      h("p", { class: "small" }, t("table.who")),
      h("ul", { class: "table-seats" }, SEATS.map((seat) => this.seat(seat))),
      this.colours.length === PAIRS ? this.pairing() : null,
      boardTrack(this),
      this.box(),
      h("h3", {}, t("table.under-way")),
      roundStrip(this.round, (round) => this.set({ round })),
      this.track(),
      this.cards(),
      this.tree(),
      h(
        "div",
        { class: "table-actions" },
        underWay
          ? button(t("table.grown"), () => start(true), { class: "main", "data-key": "table-grown", disabled: !legal })
          : null,
        button(t(underWay ? "table.dice-next" : "table.start"), () => start(false), {
          class: underWay ? null : "main",
          "data-key": "table-start",
          disabled: !legal,
        }),
        button(t("edit.cancel"), this.close, { class: "quiet", "data-key": "table-cancel" }),
      ),
    );
  }

  // Who plays --------------------------------------------------------------------------------------

  seat(seat) {
    const plays = this.colours.includes(seat);
    return playerRow({
      id: seat,
      plays,
      named: plays && this.seats().some((each) => each.player === seat),
      name: this.names[seat],
      me: this.me === seat,
      toggle: () => this.toggle(seat),
      choose: () => this.set({ me: seat }),
      rename: (name) => (this.names[seat] = name),
    });
  }

  toggle(seat) {
    const rest = this.colours.filter((each) => each !== seat);
    const colours = rest.length < this.colours.length ? rest : SEATS.filter((each) => each === seat || rest.includes(each));
    this.set({ colours, pairs: this.pairs && colours.length === PAIRS });
    this.correct();
  }

  pairing() {
    const set = ({ target }) => {
      this.set({ pairs: target.checked });
      this.correct();
    };
    return h("label", { class: "tick" }, h("input", { type: "checkbox", checked: this.pairs, "data-key": "table-pairs", onchange: set }), " ", t("table.pairs"));
  }

  /** Choose other seats where those that were chosen are no longer in the game. */
  correct() {
    const players = this.seats().map(({ player }) => player);
    if (!players.includes(this.me)) this.me = players[0];
    if (!this.colours.includes(this.marking)) [this.marking] = this.colours;
    this.redraw();
  }

  set(values) {
    Object.assign(this, values);
    this.redraw();
  }

  // What lies on the table -------------------------------------------------------------------------

  track() {
    const { length } = this.board ?? this.about.default_track;
    const space = (at) => {
      const here = this.colours.filter((seat) => (this.scores[seat] ?? 0) === at);
      const names = here.map((seat) => seatName(seat)).join(t("list.between"));
      const label = here.length ? [h("span", { class: "hidden" }, t("list.entry", { name: at, text: names })), here.map((seat) => badge(seat))] : String(at);
      return button(label, () => this.mark(at), { class: "space-button", "data-key": `space-${at}` });
    };
    return h(
      "div",
      { class: "table-track", role: "group", "aria-label": t("track") },
      h(
        "div",
        { class: "row" },
        h("span", { class: "small" }, t("table.marker")),
        this.colours.map((seat) =>
          button(badge(seat), () => this.set({ marking: seat }), { class: "colour", "aria-pressed": String(seat === this.marking), "aria-label": seatName(seat), "data-key": `marking-${seat}` }),
        ),
      ),
      h("div", { class: "spaces" }, Array.from({ length }, (_, at) => space(at))),
    );
  }

  /** Put the marker of a seat on a space, and go on with the next seat. */
  mark(at) {
    const next = this.colours[(this.colours.indexOf(this.marking) + 1) % this.colours.length];
    this.set({ scores: { ...this.scores, [this.marking]: at }, marking: next });
  }

  cards() {
    const cell = ({ seat }, card) => {
      const gone = this.gone[seat]?.has(card) ?? false;
      return {
        state: gone ? "gone" : "",
        pressed: card === HEALER ? undefined : gone,
        press: card === HEALER ? null : () => this.discard(seat, card),
      };
    };
    return [
      h("p", { class: "small" }, t("table.gone")),
      cardGrid({ label: t("table.gone"), seats: this.seats(), cards: this.about.cards, cell }),
    ];
  }

  discard(seat, card) {
    const cards = new Set(this.gone[seat]);
    if (!cards.delete(card)) cards.add(card);
    this.set({ gone: { ...this.gone, [seat]: cards } });
  }

  tree() {
    const left = this.about.fruit.tokens - this.fruit.reduce((sum, count) => sum + count, 0);
    const levels = this.fruit.map((count, place) => ({ count, place })).reverse();
    const level = ({ count, place }) =>
      strip({
        id: `fruit-${place + 1}`,
        label: t("edit.level", { level: place + 1 }),
        name: (each) => t("table.fruit-on", { level: place + 1, count: each }),
        high: Math.min(Math.max(MAX_ON_LEVEL, count + 1), this.about.fruit.tokens),
        value: count,
        limit: count + left,
        set: (each) => this.set({ fruit: this.fruit.with(place, each) }),
      });
    return [
      h("p", { class: "small" }, t("table.fruit")),
      h("div", { class: "table-fruit" }, levels.map(level)),
    ];
  }
}
