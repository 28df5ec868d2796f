// Editor of a position of Snowcrest by taps: choose a place, then the card for it. Only cards that are
// nowhere else are offered; the service checks the result.

import { roundFold } from "../at-table/strip.js";
import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { t } from "../text.js";
import { challengeButtons } from "./challenges.js";
import { palette } from "./palette.js";
import { portrait } from "./portraits.js";
import { commonNumbers, seatNumbers } from "./stock.js";
import { cellName, nameOf } from "./village.js";

const UNKNOWN = "unknown";
const ROW = 5;
const CELLS = 9;
const CENTRE = 4;
const CELLS_IN_ORDER = Array.from({ length: CELLS }, (_, cell) => cell);

export class VillageEditor {
  /**
   * @param {object} view has the game with the first position, and the catalogue.
   * @param {object} calls `apply` gets the position, `close` closes the editor without changes,
   *     `redraw` shows it again.
   * @param {object} state the first position.
   * @param {string|null} me the user at a real table.
   */
  constructor({ game, about, own, catalogue }, calls, state = game.state, me = null) {
    Object.assign(this, { game, about, own, me, ...calls });
    this.state = structuredClone(state);
    this.catalogue = this.state.catalogue ?? catalogue;
    this.seat = Math.max(0, state.seats.findIndex(({ player }) => player === me));
    this.most = { supply: state.supply };
    this.round = 1;
    this.at = this.state.row.length < ROW ? { place: "row" } : null;
    /** Whether a table is asked for its common villagers only, until they are complete. */
    this.first = me !== null && this.at !== null;
    /** The numbers that the user has entered, as "player id". */
    this.entered = new Set();
  }

  name = (card) => this.own.cardName(card, { about: this.about, catalogue: this.catalogue, game: { state: this.state } });

  picture = (card, look) => portrait(card, this.own.card(card, { catalogue: this.catalogue, game: { state: this.state } }), look);

  change(work) {
    work(this.state);
    this.redraw();
  }

  set(values) {
    Object.assign(this, values);
    this.redraw();
  }

  show(at) {
    this.set({ at });
  }

  seatHere() {
    return this.state.seats[this.seat];
  }

  // Cards --------------------------------------------------------------------------------------------

  /** Return how many copies of a card have no place yet; own cards are those of one seat. */
  left(card, seat = this.seatHere()) {
    const { state, catalogue } = this;
    const { id, copies = 1 } = card;
    const inVillage = (each) => (each.village ?? []).map((resident) => resident.card);
    const places = catalogue.commons.includes(card)
      ? [state.row, state.below?.commons ?? [], ...state.seats.map(inVillage)]
      : [seat.hand, seat.discards ?? [], inVillage(seat)];
    const solo = state.seats.length === 1 && card.in_solo === false;
    return solo ? 0 : copies - places.flat().filter((each) => each === id).length;
  }

  commons() {
    return this.catalogue.commons.filter((card) => this.left(card) > 0).map(({ id }) => id);
  }

  /** Return the cards of the deck of a seat. */
  deck(seat = this.seatHere()) {
    const ids = this.catalogue.decks?.[seat.deck];
    return [...this.catalogue.starters, ...this.catalogue.villagers].filter(({ id }) => !ids || ids.includes(id));
  }

  ownCards() {
    return this.deck().filter((card) => this.left(card) > 0).map(({ id }) => id);
  }

  /** Return how many hidden cards a seat can have at most. */
  mostHidden(seat) {
    return this.deck(seat).reduce((sum, card) => sum + Math.max(0, this.left(card, seat)), 0);
  }

  complete() {
    const { state } = this;
    const full = state.row.length === ROW || !this.commons().length;
    const ready = (seat) => seat.hand.length && !seat.village.some(({ cell }) => cell === CENTRE);
    if (state.phase === "set-up") return full && state.seats.every(ready);
    return full && (state.supply > 0 || state.turn !== state.seats[0].player);
  }

  // Form ---------------------------------------------------------------------------------------------

  form() {
    const { state, me } = this;
    return h(
      "section",
      { class: "panel now editor village-editor", "aria-busy": String(this.game.busy), "aria-labelledby": "editor-title" },
      h("h2", { id: "editor-title", tabindex: "-1", "data-key": "editor-title" }, t(me ? "table.see" : "edit.title")),
      this.joins() ? roundFold(this.round, (round) => this.set({ round })) : null,
      this.row(),
      this.first ? null : this.rest(),
      h(
        "div",
        { class: me ? "table-actions" : "row" },
        button(t(!me ? "edit.apply" : state.turn === me ? "table.hint-now" : "table.start"), () => this.apply(this.state, this.round), { class: "main", "data-key": "apply", disabled: !this.complete() }),
        button(t("edit.cancel"), () => (!me || window.confirm(t("edit.discard"))) && this.close(), { "data-key": "cancel" }),
      ),
    );
  }

  /** Return whether a table enters a game under way. */
  joins() {
    return this.me !== null && this.state.phase !== "set-up";
  }

  /** Return everything but the common villagers. */
  rest() {
    return [
      this.joins() ? h("p", { class: "guess-note" }, t("snowcrest.guess")) : null,
      challengeButtons(this),
      commonNumbers(this),
      h("div", { class: "row", role: "group", "aria-label": t("turn.player") }, this.state.seats.map((seat, place) => this.tab(seat, place))),
      this.village(),
      this.hand(),
      this.cards("discards", t("snowcrest.discards")),
      seatNumbers(this),
    ];
  }

  row() {
    const { row } = this.state;
    const add = (card) => {
      this.state.row = [...row, card];
      this.first &&= row.length + 1 < ROW;
      // The next thing to enter is the user's hand.
      this.show(row.length + 1 < ROW ? { place: "row" } : { place: this.seatHere().hand.length ? null : "hand" });
    };
    return this.list({
      place: "row",
      label: t("snowcrest.row"),
      cards: row,
      add: row.length < ROW ? add : null,
      offered: () => this.commons(),
      remove: (at) => this.change((state) => (state.row = row.filter((_, place) => place !== at))),
    });
  }

  tab({ player }, place) {
    const choose = () => {
      this.seat = place;
      this.show(null);
    };
    return button([badge(player, place), " ", playerName(player)], choose, { "data-key": `tab-${player}`, "aria-pressed": String(place === this.seat) });
  }

  village() {
    const { state } = this;
    const seat = this.seatHere();
    const isTurn = state.turn === seat.player;
    const take = () => this.change(() => (state.turn = seat.player));
    return h(
      "fieldset",
      {},
      h("legend", {}, t("snowcrest.village")),
      state.phase === "set-up" ? null : button(t("slopecrashers.turn"), take, { "data-key": "turn", "aria-pressed": String(isTurn) }),
      h("div", { class: "cell-grid" }, Array.from({ length: CELLS }, (_, cell) => this.cell(seat, cell))),
      this.at?.place === "cell" ? this.choices(seat, this.at.cell) : null,
    );
  }

  cell({ player, village }, cell) {
    const name = `${player} cell-${cell}`;
    const resident = village.find((each) => each.cell === cell);
    const chosen = this.at?.place === "cell" && this.at.cell === cell;
    // Tapped again, a villager is exhausted, or ready again; at a table with the first tap.
    const tap = () => {
      const was = resident?.exhausted;
      this.entered.add(name);
      if ((chosen || this.me) && resident) resident.exhausted = !was;
      this.show(chosen && !resident ? null : { place: "cell", cell, was });
    };
    return h(
      "button",
      { type: "button", class: `${resident?.exhausted ? "exhausted" : ""} ${this.joins() && resident && !this.entered.has(name) ? "guess" : ""}`, "data-key": `cell-${cell}`, "aria-pressed": String(chosen), onclick: tap },
      h("span", { class: "at" }, cellName(cell)),
      resident ? [this.picture(resident.card, { house: true, asleep: resident.exhausted }), nameOf(this.name(resident.card))] : null,
      resident?.exhausted ? h("span", { class: "hidden" }, ` (${t("snowcrest.exhausted")})`) : null,
    );
  }

  /** Return the villagers for a cell: one of the own village moves there, and leaves its cell or swaps. */
  choices(seat, cell) {
    const here = seat.village.find((each) => each.cell === cell);
    const put = (card) => {
      // The tap that chose the cell was not about its villager.
      if (here && this.at.was !== undefined) here.exhausted = this.at.was;
      const before = seat.village.find((each) => each.card === card && !this.catalogue.commons.some(({ id }) => id === card));
      const others = seat.village.filter((each) => each !== here && each !== before);
      const moved = before ? [{ ...before, cell }, ...(here ? [{ ...here, cell: before.cell }] : [])] : [{ cell, card, exhausted: false }];
      seat.village = [...others, ...moved];
      // At a table, one villager after the other is entered: the next free cell is next.
      const next = this.me && !before ? CELLS_IN_ORDER.find((each) => each > cell && !seat.village.some((other) => other.cell === each)) : cell;
      this.show({ place: "cell", cell: next ?? cell });
    };
    const empty = () => {
      seat.village = seat.village.filter((each) => each !== here);
      this.redraw();
    };
    const tire = () => this.change(() => (here.exhausted = !here.exhausted));
    const own = this.deck(seat).map(({ id }) => id);
    const movable = seat.village.map(({ card }) => card).filter((card) => own.includes(card) && card !== here?.card);
    return [
      h(
        "div",
        { class: "row" },
        here ? button(t("snowcrest.exhausted"), tire, { "data-key": "exhausted", "aria-pressed": String(here.exhausted) }) : null,
        here ? button(t("edit.remove"), empty, { "data-key": "empty" }) : null,
      ),
      palette({ label: cellName(cell), cards: [...movable, ...this.ownCards(), ...this.commons()], name: this.name, picture: this.picture, press: put }),
    ];
  }

  /** Return the hand: the own cards by name, those of others as a number. */
  hand() {
    return this.me && this.seatHere().player !== this.me ? null : this.cards("hand", t("snowcrest.hand"), this.me ? [] : [UNKNOWN]);
  }

  cards(place, label, extra = []) {
    const seat = this.seatHere();
    const cards = seat[place] ?? [];
    return this.list({
      place,
      label,
      cards,
      add: (card) => this.change(() => (seat[place] = [...cards, card])),
      offered: () => [...this.ownCards(), ...extra],
      remove: (at) => this.change(() => (seat[place] = cards.filter((_, index) => index !== at))),
    });
  }

  /** Return cards of a place, which a tap removes, and what can be added, once the place is chosen. */
  list({ place, label, cards, add, offered, remove }) {
    const open = this.at?.place === place;
    return h(
      "fieldset",
      {},
      h("legend", {}, label),
      h(
        "div",
        { class: "palette" },
        cards.map((card, at) => button([nameOf(this.name(card)), " ✕"], () => remove(at), { "data-key": `${place}-${at}`, "aria-label": `${t("edit.remove")}: ${this.name(card)}` })),
        add ? button("+", () => this.show(open ? null : { place }), { "data-key": `add-${place}`, "aria-label": t("edit.add", { what: label }), "aria-pressed": String(open) }) : null,
      ),
      open && add ? palette({ label, cards: offered(), name: this.name, picture: this.picture, press: add }) : null,
    );
  }
}
