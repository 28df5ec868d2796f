// Editor of a position of Slopecrashers: the course, the players and the cards by taps. The service
// checks the result.

import { roundFold } from "../at-table/strip.js";
import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { localName, t } from "../text.js";
import { spaceName } from "./course.js";
import { courseGrid, fieldBrushes, pieceButtons, snowmanIcon } from "./course-grid.js";
import { giftButton, giftIcons, giftName, UNKNOWN } from "./gifts.js";
import { courseRows, emptyLanes, layoutFields, layoutOf, paintSpace } from "./layout.js";
import { rememberLayout, rememberPieces } from "./pieces.js";

const FLAGS = ["misses_turn", "stung"];
const LAPS = [1, 2];
const BARRED = ["abyss", "obstacle"];

export class CourseEditor {
  /**
   * @param {object} view has the game with the first position.
   * @param {object} calls `apply` gets the position and the `round`, `close` closes the editor without changes,
   *     `redraw` shows it again.
   * @param {object} state the first position.
   * @param {string|null} me the user at a real table.
   */
  constructor({ game, about }, calls, state = game.state, me = null) {
    Object.assign(this, { game, about, me, ...calls });
    this.state = structuredClone(state);
    this.state.pieces ??= structuredClone(about.default_pieces);
    this.tool = { seat: 0 };
  }

  /** Change the position and show it. */
  change(work) {
    work(this.state);
    this.redraw();
  }

  set(values) {
    Object.assign(this, values);
    this.redraw();
  }

  choose(tool) {
    this.set({ tool });
  }

  form() {
    const { state, about, me } = this;
    return h(
      "section",
      { class: "panel now editor course-editor", "aria-busy": String(this.game.busy), "aria-labelledby": "editor-title" },
      h("h2", { id: "editor-title", tabindex: "-1", "data-key": "editor-title" }, t(me ? "table.see" : "edit.title")),
      me ? roundFold(this.round, (round) => this.set({ round })) : this.pieces(),
      h("div", { class: "course-board" }, this.tools(), courseGrid(state, about, (row, lane) => (this.takes(row, lane) ? () => this.tap(row, lane) : null))),
      h("div", { class: "seat-fields" }, state.seats.map((seat, place) => this.seat(seat, place))),
      h(
        "details",
        { class: "fold", "data-key": "edit-discards" },
        h("summary", {}, t("edit.discards")),
        this.stack(t("edit.discards"), state.discards ?? [], "discards", (cards) => (state.discards = cards)),
      ),
      h(
        "div",
        { class: me ? "table-actions" : "row" },
        button(t(!me ? "edit.apply" : state.turn === me ? "table.hint-now" : "table.start"), () => this.finish(), { class: "main", "data-key": "apply" }),
        button(t("edit.cancel"), this.close, { "data-key": "cancel" }),
      ),
    );
  }

  finish() {
    const same = JSON.stringify(this.state.pieces) === JSON.stringify(this.about.default_pieces);
    const { pieces, reversed, offsets, ...others } = this.state;
    const layout = layoutOf(this.state.course, { reversed, offsets });
    const empty = emptyLanes(this.state.course, { offsets });
    for (const each of [...this.state.seats, ...(this.state.snowmen ?? [])]) if (each.lane !== undefined) each.lane -= empty;
    rememberPieces(same ? null : pieces);
    rememberLayout(layout);
    this.apply({ ...others, ...layout, ...(same ? {} : { pieces }) }, this.round);
  }

  pieces() {
    const { course, pieces } = this.state;
    const change = (work) =>
      this.change((state) => {
        work(state);
        this.keepOnCourse();
      });
    const set = (changed) =>
      change((state) => (state.course = changed));
    return [pieceButtons(Object.keys(pieces), course, set), layoutFields(this.state, change, true)];
  }

  /** Take players and snowmen off the course where nobody can stand any more. */
  keepOnCourse() {
    const { state } = this;
    const rows = courseRows(state, this.about);
    const stays = ({ row, lane }) => isOpen(rows[row]?.[lane]);
    for (const seat of state.seats) if (seat.lap !== undefined && !stays(seat)) lift(seat);
    state.snowmen = (state.snowmen ?? []).filter(stays);
  }

  tools() {
    const { state, tool } = this;
    return h(
      "fieldset",
      { class: "tools" },
      h("legend", {}, t("edit.tool")),
      h("p", { class: "small" }, t("edit.tool.more")),
      h(
        "div",
        { class: "row brushes" },
        state.seats.map(({ player }, place) =>
          button([badge(player, place), " ", playerName(player)], () => this.choose({ seat: place }), { "data-key": `tool-${player}`, "aria-pressed": String(tool.seat === place) }),
        ),
        button(snowmanIcon(), () => this.choose({ snowman: true }), { "data-key": "tool-snowman", "aria-label": localName(this.about.cards.snowman, "snowman"), "aria-pressed": String(Boolean(tool.snowman)) }),
        fieldBrushes(this.about, tool.field, (field) => this.choose({ field })),
      ),
    );
  }

  /** Return whether a tap on a space leads to a legal position. */
  takes(row, lane) {
    const { state, tool } = this;
    if (tool.field) return true;
    const isHere = (each) => each.row === row && each.lane === lane;
    if (!isOpen(courseRows(state, this.about)[row][lane])) return false;
    const own = state.seats[tool.seat];
    if ((own && isHere(own)) || (tool.snowman && (state.snowmen ?? []).some(isHere))) return true;
    return ![...state.seats, ...(state.snowmen ?? [])].some(isHere) && (!tool.snowman || this.left("snowman") > 0);
  }

  /** Return how many copies of a card are nowhere yet; hidden gifts are any cards. */
  left(card) {
    const { state } = this;
    const { seats, discards = [], snowmen = [] } = state;
    const deck = state.deck ?? this.about.default_deck;
    const known = [...seats.flatMap(({ gifts = [] }) => gifts), ...discards, ...snowmen.map((each) => each.card ?? "snowman")];
    const total = Object.values(deck).reduce((sum, count) => sum + count, 0);
    const free = total - known.length;
    return card === UNKNOWN ? free : Math.min(free, (deck[card] ?? 0) - known.filter((each) => each === card).length);
  }

  /** Put what is chosen onto a space, or take it away. */
  tap(row, lane) {
    const { tool } = this;
    this.change((state) => {
      if (tool.seat !== undefined) {
        const seat = state.seats[tool.seat];
        if (seat.row === row && seat.lane === lane) lift(seat);
        else {
          Object.assign(seat, { lap: seat.lap ?? 1, row, lane });
          this.tool = { seat: (tool.seat + 1) % state.seats.length };
        }
      } else if (tool.snowman) {
        const others = (state.snowmen ?? []).filter((each) => each.row !== row || each.lane !== lane);
        state.snowmen = others.length === (state.snowmen ?? []).length ? [...others, { row, lane, card: "snowman" }] : others;
      } else this.paint(row, lane, tool.field);
    });
  }

  paint(row, lane, field) {
    const { state } = this;
    paintSpace(state, this.about, row, lane, field);
    if (isOpen(field)) return;
    const isHere = (each) => each.row === row && each.lane === lane;
    state.seats.filter(isHere).forEach(lift);
    state.snowmen = (state.snowmen ?? []).filter((each) => !isHere(each));
  }

  seat(seat, place) {
    const { state } = this;
    const { player, lap } = seat;
    const where = lap === undefined ? t("slopecrashers.beside") : spaceName(seat.row, seat.lane);
    const toggle = (label, pressed, key, work) => button(label, () => this.change(work), { "data-key": `${key}-${player}`, "aria-pressed": String(pressed) });
    return h(
      "fieldset",
      {},
      h("legend", {}, badge(player, place), " ", playerName(player), " · ", where),
      h(
        "div",
        { class: "row" },
        toggle(t("slopecrashers.turn"), state.turn === player, "turn", () => (state.turn = player)),
        lap === undefined
          ? null
          : LAPS.map((number) =>
              toggle(t("edit.lap", { number }), lap === number, `lap-${number}`, () => (seat.lap = number)),
            ),
        FLAGS.map((flag) =>
          toggle(t(`slopecrashers.${flag}`), seat[flag] === true, flag, () => (seat[flag] = !seat[flag])),
        ),
        button(t("edit.hidden-gift"), () => this.change(() => (seat.gifts = [UNKNOWN, ...(seat.gifts ?? [])])), { "data-key": `hidden-${player}`, disabled: !this.left(UNKNOWN) }),
      ),
      this.stack(t("slopecrashers.stack"), seat.gifts ?? [], player, (cards) => (seat.gifts = cards), [UNKNOWN]),
    );
  }

  /** Return a stack of cards, the top one first: a tap removes a card, another one puts one on top. */
  stack(label, cards, key, set, extra = []) {
    const { about } = this;
    const known = [...Object.keys(about.cards), ...extra];
    const remove = (at) => this.change(() => set(cards.filter((_, place) => place !== at)));
    return h(
      "div",
      { class: "stack-editor", role: "group", "aria-label": label },
      cards.length
        ? h(
            "div",
            { class: "gift-cards" },
            cards.map((card, at) => giftButton(card, about, () => remove(at), { "data-key": `remove-${key}-${at}`, "aria-label": `${t("edit.remove")}: ${giftName(card, about)}` }, "✕")),
          )
        : h("p", { class: "small" }, t("slopecrashers.no-gifts")),
      h(
        "details",
        { class: "fold", "data-key": `add-${key}`, open: key === this.me },
        h("summary", {}, t("edit.add-card")),
        h(
          "div",
          { class: "gift-cards" },
          known.map((card) =>
            h(
              "button",
              { type: "button", class: "gift-card small-card", title: giftName(card, about), "data-key": `add-${key}-${card}`, disabled: !this.left(card), onclick: () => this.change(() => set([card, ...cards])) },
              giftIcons(card),
              h("span", {}, giftName(card, about)),
            ),
          ),
        ),
      ),
    );
  }
}

/** Return whether somebody can stand on such a field; there is none where a lane is open. */
function isOpen(field) {
  return Boolean(field) && !BARRED.includes(field);
}

function lift(seat) {
  for (const field of ["lap", "row", "lane"]) delete seat[field];
}
