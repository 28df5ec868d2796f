// Editor of a position of Snowcrest by taps: choose a place, then the cards for it. Cards keep their
// places while they are chosen; the service checks the result.

import { roundFold } from "../at-table/strip.js";
import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { byName, t } from "../text.js";
import { challengeButtons, entered, lacking } from "./challenges.js";
import { palette } from "./palette.js";
import { portrait } from "./portraits.js";
import { commonNumbers, seatNumbers } from "./stock.js";
import { cellName, nameOf } from "./village.js";

const UNKNOWN = "unknown";
const ROW = 5;
const START_HAND = 3;
const CELLS = 9;
const CENTRE = 4;
/** The first villager comes into the centre. */
const CELLS_IN_ORDER = [CENTRE, 0, 1, 2, 3, 5, 6, 7, 8];

export class VillageEditor {
  /**
   * @param {object} view has the game with the first position, the catalogue, and `entries`: what the
   *     user has entered at a table, as "player id"; without them, nothing is a guess.
   * @param {object} calls `apply` gets the position and the `round`, `close` closes the editor without changes,
   *     `redraw` shows it again. With `correcting`, a replaced entry is applied at once.
   * @param {object} state the first position.
   * @param {string|null} me the user at a real table.
   * @param {string|null} player whose side is shown first.
   */
  constructor({ game, about, own, catalogue, entries = null }, calls, state = game.state, me = null, player = me) {
    Object.assign(this, { game, about, own, me, entries, ...calls });
    this.state = structuredClone(state);
    this.catalogue = this.state.catalogue ?? catalogue;
    this.seat = Math.max(0, state.seats.findIndex((each) => each.player === player));
    this.most = { supply: state.seats.reduce((sum, { scrolls = 0 }) => sum + scrolls, state.supply) };
    this.at = me === null || this.correcting ? null : { place: "hand" };
    /** Whether the user has removed something, which the next entry replaces. */
    this.removed = false;
  }

  name = (card) => this.own.cardName(card, { about: this.about, catalogue: this.catalogue, game: { state: this.state } });

  card = (id) => this.own.card(id, { catalogue: this.catalogue, game: { state: this.state } });

  picture = (id, look) => (id === UNKNOWN ? null : portrait(id, this.card(id), look));

  /** Return whether a card can be put somewhere. */
  isLeft = (id) => id === UNKNOWN || this.left(this.card(id)) > 0;

  change(work) {
    work(this.state);
    this.redraw();
  }

  /** Make an entry. A correction ends with the first one that replaces another one. */
  enter(work, replaces = this.removed) {
    work(this.state);
    if (this.correcting && replaces && !this.fault()) this.apply(this.state, this.round);
    else this.redraw();
  }

  set(values) {
    Object.assign(this, values);
    this.redraw();
  }

  /** Go on to the next place, whose cards come into view. */
  goOn(at) {
    this.set({ at });
    document.querySelector(".editor .open")?.scrollIntoView();
  }

  seatHere() {
    return this.state.seats[this.seat];
  }

  /** Return whether nobody has entered something of a player or the board. */
  guesses(name) {
    return this.joins() && this.entries !== null && !this.entries.has(name);
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
    return copies - places.flat().filter((each) => each === id).length;
  }

  /** Return the common villagers of this game, by name. */
  commons() {
    const solo = this.state.seats.length === 1;
    return byName(this.catalogue.commons.filter((card) => !solo || card.in_solo !== false).map(({ id }) => id), this.name);
  }

  /** Return the cards of the deck of a seat, by name. */
  deck(seat = this.seatHere()) {
    const ids = [...this.catalogue.starters, ...this.catalogue.villagers].map(({ id }) => id);
    const own = this.catalogue.decks?.[seat.deck] ?? ids;
    return byName(ids.filter((id) => own.includes(id)), this.name);
  }

  /** Return how many hidden cards a seat can have at most. */
  mostHidden(seat) {
    return this.deck(seat).reduce((sum, id) => sum + Math.max(0, this.left(this.card(id), seat)), 0);
  }

  /** Return why the position cannot be used, or null. */
  fault() {
    const { state } = this;
    const ready = (seat) => seat.hand.length && !seat.village.some(({ cell }) => cell === CENTRE);
    const turn = state.seats.findIndex(({ player }) => player === state.turn);
    if (state.phase === "set-up") return state.seats.slice(turn).every(ready) ? null : t("snowcrest.fault.set-up");
    return state.supply > 0 || state.turn !== state.seats[0].player ? null : t("snowcrest.fault.supply");
  }

  // Form ---------------------------------------------------------------------------------------------

  form() {
    const { state, me, correcting } = this;
    const fault = this.fault();
    const title = !me ? "edit.title" : correcting ? "table.correct" : "table.see";
    return h(
      "section",
      { class: "panel now editor village-editor", "aria-busy": String(this.game.busy), "aria-labelledby": "editor-title" },
      h("h2", { id: "editor-title", tabindex: "-1", "data-key": "editor-title" }, t(title)),
      correcting || this.joins() ? h("p", { class: "guess-note" }, t(correcting ? "table.correct.more" : "snowcrest.guess")) : null,
      h("div", { class: "seat-tabs", role: "group", "aria-label": t("turn.player") }, state.seats.map((seat, place) => this.tab(seat, place))),
      seatNumbers(this),
      this.hand(),
      this.village(),
      this.cards("discards", t("snowcrest.discards")),
      this.row(),
      challengeButtons(this),
      commonNumbers(this),
      this.joins() ? roundFold(this.round, (round) => this.enter(() => (this.round = round), true)) : null,
      h(
        "div",
        { class: me ? "table-actions" : "row" },
        h("p", { class: "small" }, fault ?? lacking(state).map(({ place, text }) => button(text, () => this.goOn({ place }), { class: "quiet", "data-key": `go-${place}` }))),
        button(t(!me ? "edit.apply" : state.turn === me ? "table.hint-now" : "table.start"), () => this.apply(state, this.round), { class: "main", "data-key": "apply", disabled: Boolean(fault) }),
        button(t("edit.cancel"), () => (!me || correcting || window.confirm(t("edit.discard"))) && this.close(), { "data-key": "cancel" }),
      ),
    );
  }

  /** Return whether a table enters a game under way. */
  joins() {
    return this.me !== null && this.state.phase !== "set-up";
  }

  tab({ player }, place) {
    const choose = () => this.set({ seat: place, at: null });
    return button([badge(player, place), h("span", {}, playerName(player))], choose, { "data-key": `tab-${player}`, "aria-pressed": String(place === this.seat) });
  }

  row() {
    const { state } = this;
    const put = (cards) => (state.row = cards);
    return this.list({ place: "row", label: t("snowcrest.row"), cards: state.row, of: ROW, offered: () => this.commons(), put, next: () => lacking(state)[0] ?? null });
  }

  village() {
    const { state } = this;
    const seat = this.seatHere();
    const open = this.at?.place === "cell";
    const take = () => this.change(() => (state.turn = seat.player));
    return h(
      "fieldset",
      { class: open ? "open" : null },
      h("legend", {}, t("snowcrest.village")),
      h(
        "div",
        { class: "row" },
        state.phase === "set-up" ? null : button(t("slopecrashers.turn"), take, { "data-key": "turn", "aria-pressed": String(state.turn === seat.player) }),
        open ? this.ofChosen(seat, this.at.cell) : null,
      ),
      h("div", { class: "cell-grid" }, Array.from({ length: CELLS }, (_, cell) => this.cell(seat, cell))),
      open ? this.choices(seat, this.at.cell) : null,
    );
  }

  cell({ player, village }, cell) {
    const name = `${player} cell-${cell}`;
    const resident = village.find((each) => each.cell === cell);
    const chosen = this.at?.place === "cell" && this.at.cell === cell;
    // Tapped again, a villager is exhausted, or ready again; at a table with the first tap.
    const tap = () => {
      const was = resident?.exhausted;
      this.entries?.add(name);
      if ((chosen || this.me) && resident) resident.exhausted = !was;
      this.set({ at: chosen && !resident ? null : { place: "cell", cell, was } });
    };
    const { card, exhausted } = resident ?? {};
    const label = [
      h("span", { class: resident ? "hidden" : "at" }, cellName(cell)),
      resident ? [this.picture(card, { house: true, asleep: exhausted }), nameOf(this.name(card))] : null,
      exhausted ? h("span", { class: "hidden" }, ` (${t("snowcrest.exhausted")})`) : null,
    ];
    return button(label, tap, { class: `${exhausted ? "exhausted" : ""} ${resident && this.guesses(name) ? "guess" : ""}`, "data-key": `cell-${cell}`, "aria-pressed": String(chosen) });
  }

  /** Return what can be done to the villager of the chosen cell. */
  ofChosen(seat, cell) {
    const here = seat.village.find((each) => each.cell === cell);
    const empty = () => this.enter(() => (seat.village = seat.village.filter((each) => each !== here)), true);
    const tire = () => this.change(() => (here.exhausted = !here.exhausted));
    return here && [
      button(t("snowcrest.exhausted"), tire, { "data-key": "exhausted", "aria-pressed": String(here.exhausted) }),
      button(t("edit.remove"), empty, { "data-key": "empty" }),
    ];
  }

  /** Return the next free cell of a village, from one on, or undefined. */
  freeCell({ village }, cell) {
    return CELLS_IN_ORDER.slice(CELLS_IN_ORDER.indexOf(cell)).find((each) => !village.some((other) => other.cell === each));
  }

  /** Return the villagers for a cell: one of the own village moves there, and leaves its cell or swaps. */
  choices(seat, cell) {
    const here = seat.village.find((each) => each.cell === cell);
    const put = (id) => {
      // The tap that chose the cell was not about its villager.
      if (here && this.at.was !== undefined) here.exhausted = this.at.was;
      const before = this.isLeft(id) ? undefined : seat.village.find((each) => each.card === id && each !== here);
      const others = seat.village.filter((each) => each !== here && each !== before);
      const moved = before ? [{ ...before, cell }, ...(here ? [{ ...here, cell: before.cell }] : [])] : [{ cell, card: id, exhausted: false }];
      seat.village = [...others, ...moved];
      this.entries?.add(`${seat.player} cell-${cell}`);
      // At a table, one villager after the other is entered.
      this.at = { place: "cell", cell: (this.me && !here && !before && this.freeCell(seat, cell)) || cell };
      this.enter(() => {}, Boolean(here ?? before ?? (seat.player === this.me)));
    };
    const disabled = (id) => !this.isLeft(id) && !seat.village.some((each) => each.card === id);
    const cards = (label, offered) => palette({ label, cards: offered, name: this.name, picture: this.picture, press: put, disabled });
    return [
      cards(cellName(cell), this.deck(seat)),
      h("p", { class: "small" }, t("snowcrest.row")),
      cards(t("snowcrest.row"), this.commons()),
    ];
  }

  /** Return the hand: the own cards by name, those of others as a number. */
  hand() {
    const { me, state } = this;
    const seat = this.seatHere();
    if (me && seat.player !== me) return null;
    const next = () => (this.joins() ? { place: "cell", cell: this.freeCell(seat, CENTRE) } : { place: "row" });
    return this.cards("hand", t("snowcrest.hand"), { extra: me ? [] : [UNKNOWN], of: state.phase === "set-up" ? START_HAND : null, stop: START_HAND, next });
  }

  cards(place, label, { extra = [], ...others } = {}) {
    const seat = this.seatHere();
    return this.list({ place, label, cards: seat[place] ?? [], offered: () => [...this.deck(), ...extra], put: (cards) => (seat[place] = cards), returns: seat.player === this.me, ...others });
  }

  /**
   * Return the cards of a place, which a tap removes. Once the place is chosen, all cards follow that
   * can be there; with `stop` cards the user goes on to the `next` place. A correction `returns` after
   * one card, because the own side has been entered before.
   */
  list({ place, label, cards, offered, put, of = null, stop = of, next = () => null, returns = false }) {
    const open = this.at?.place === place;
    const drop = (rest) => {
      put(rest);
      this.set({ at: { place }, removed: true });
    };
    const press = (id) => {
      if (cards.includes(id) && !this.isLeft(id)) return drop(cards.filter((each) => each !== id));
      const back = this.correcting && (this.removed || returns);
      put([...cards, id]);
      if (cards.length + 1 === stop && !back) this.goOn(next());
      else this.enter(() => {}, back);
    };
    const without = (at) => cards.filter((_, index) => index !== at);
    const slot = (id, at) => button([this.picture(id), nameOf(this.name(id))], () => drop(without(at)), { "data-key": `${place}-${at}`, "aria-label": `${t("edit.remove")}: ${this.name(id)}` });
    return h(
      "fieldset",
      { class: open ? "open" : null },
      h("legend", {}, of ? entered(label, cards.length, of) : label),
      h(
        "div",
        { class: "palette slots" },
        cards.map(slot),
        cards.length === of ? null : button("+", () => this.set({ at: open ? null : { place } }), { "data-key": `add-${place}`, "aria-label": t("edit.add", { what: label }), "aria-pressed": String(open) }),
      ),
      open && cards.length !== of
        ? palette({ label, cards: offered(), name: this.name, picture: this.picture, press, pressed: (id) => cards.includes(id), disabled: (id) => !this.isLeft(id) && !cards.includes(id) })
        : null,
    );
  }
}
