// Editor of a position of Slopecrashers: the course, the players and the cards by taps. The service
// checks the result.

import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { localName, t } from "../text.js";
import { courseLength, spaceName } from "./course.js";
import { courseGrid, fieldBrushes, snowmanIcon } from "./course-grid.js";
import { giftButton, giftIcons, giftName, UNKNOWN } from "./gifts.js";
import { rememberPieces } from "./pieces.js";

const FLAGS = ["misses_turn", "stung"];
const LAPS = [1, 2];

export class CourseEditor {
  /**
   * @param {object} view has the game with the first position.
   * @param {object} calls `apply` gets the position, `close` closes the editor without changes,
   *     `redraw` shows it again.
   */
  constructor({ game, about }, calls) {
    Object.assign(this, { game, about, ...calls });
    this.state = structuredClone(game.state);
    this.state.pieces ??= structuredClone(about.default_pieces);
    this.tool = { seat: 0 };
  }

  /** Change the position and show it. */
  change(work) {
    work(this.state);
    this.redraw();
  }

  choose(tool) {
    this.tool = tool;
    this.redraw();
  }

  form() {
    const { state, about } = this;
    return h(
      "section",
      { class: "panel now editor course-editor", "aria-busy": String(this.game.busy), "aria-labelledby": "editor-title" },
      h("h2", { id: "editor-title", tabindex: "-1", "data-key": "editor-title" }, t("edit.title")),
      this.pieces(),
      this.tools(),
      courseGrid(state, about, (row, lane) => this.tap(row, lane)),
      h("div", { class: "seat-fields" }, state.seats.map((seat, place) => this.seat(seat, place))),
      h(
        "details",
        { class: "fold", "data-key": "edit-discards" },
        h("summary", {}, t("edit.discards")),
        this.stack(t("edit.discards"), state.discards ?? [], "discards", (cards) => {
          state.discards = cards;
        }),
      ),
      h(
        "div",
        { class: "row" },
        button(t("edit.apply"), () => this.finish(), { class: "main", "data-key": "apply" }),
        button(t("edit.cancel"), this.close, { "data-key": "cancel" }),
      ),
    );
  }

  finish() {
    const same = JSON.stringify(this.state.pieces) === JSON.stringify(this.about.default_pieces);
    const { pieces, ...others } = this.state;
    rememberPieces(same ? null : pieces);
    this.apply(same ? others : this.state);
  }

  /** Return the pieces, numbered in the order of the course; a tap adds or removes one. */
  pieces() {
    const { course, pieces } = this.state;
    const toggle = (name) =>
      this.change((state) => {
        state.course = course.includes(name) ? course.filter((each) => each !== name) : [...course, name];
        this.keepOnCourse();
      });
    return h(
      "fieldset",
      {},
      h("legend", {}, t("edit.pieces")),
      h("p", { class: "small" }, t("edit.pieces.more")),
      h(
        "div",
        { class: "row" },
        Object.keys(pieces).map((name) => {
          const place = course.indexOf(name);
          return button(place < 0 ? name : `${place + 1} · ${name}`, () => toggle(name), {
            "data-key": `piece-${name}`,
            "aria-pressed": String(place >= 0),
            disabled: place >= 0 && course.length === 1,
          });
        }),
      ),
    );
  }

  /** Take players and snowmen that are beyond the end of the course off it. */
  keepOnCourse() {
    const { state } = this;
    const rows = courseLength(state, this.about);
    for (const seat of state.seats) if (seat.row >= rows) lift(seat);
    state.snowmen = (state.snowmen ?? []).filter(({ row }) => row < rows);
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

  /** Put what is chosen onto a space, or take it away. */
  tap(row, lane) {
    const { tool } = this;
    this.change((state) => {
      if (tool.seat !== undefined) {
        const seat = state.seats[tool.seat];
        if (seat.row === row && seat.lane === lane) lift(seat);
        else Object.assign(seat, { lap: seat.lap ?? 1, row, lane });
      } else if (tool.snowman) {
        const others = (state.snowmen ?? []).filter((each) => each.row !== row || each.lane !== lane);
        state.snowmen = others.length === (state.snowmen ?? []).length ? [...others, { row, lane, card: "snowman" }] : others;
      } else this.paint(row, lane, tool.field);
    });
  }

  paint(row, lane, field) {
    let first = 0;
    for (const name of this.state.course) {
      const rows = this.state.pieces[name];
      if (row < first + rows.length) {
        rows[row - first][lane] = field;
        return;
      }
      first += rows.length;
    }
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
        toggle(t("slopecrashers.turn"), state.turn === player, "turn", () => {
          state.turn = player;
        }),
        lap === undefined
          ? null
          : LAPS.map((number) =>
              toggle(t("edit.lap", { number }), lap === number, `lap-${number}`, () => {
                seat.lap = number;
              }),
            ),
        FLAGS.map((flag) =>
          toggle(t(`slopecrashers.${flag}`), seat[flag] === true, flag, () => {
            seat[flag] = !seat[flag];
          }),
        ),
      ),
      this.stack(t("slopecrashers.stack"), seat.gifts ?? [], player, (cards) => {
        seat.gifts = cards;
      }, [UNKNOWN]),
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
        { class: "fold", "data-key": `add-${key}` },
        h("summary", {}, t("edit.add-card")),
        h(
          "div",
          { class: "gift-cards" },
          known.map((card) =>
            h(
              "button",
              { type: "button", class: "gift-card small-card", title: giftName(card, about), "data-key": `add-${key}-${card}`, onclick: () => this.change(() => set([card, ...cards])) },
              giftIcons(card),
              h("span", {}, giftName(card, about)),
            ),
          ),
        ),
      ),
    );
  }
}

function lift(seat) {
  for (const field of ["lap", "row", "lane"]) delete seat[field];
}
