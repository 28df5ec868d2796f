// Position editor. The service validates the result.

import { button, h, select } from "../dom.js";
import { jsonField } from "../json-field.js";
import { localName, t } from "../text.js";
import { face } from "./cards.js";
import { SEATS } from "./game.js";
import { badge } from "./seats.js";

const MAX_SEATS = 5;

export class Editor {
  /**
   * @param {object} game game with the initial position.
   * @param {object} about description of the game from the service.
   * @param {(position: object) => void} onApply called with the edited position.
   * @param {() => void} close called to close the editor without changes.
   * @param {() => void} redraw called when the set of fields changes.
   */
  constructor(game, about, onApply, close, redraw) {
    Object.assign(this, { about, onApply, close, redraw });
    this.mine = game.mine;
    this.grown = game.grown;
    this.entered = {};
    this.load(game.state);
  }

  load(state) {
    const { seats = [], fruit = [], track } = structuredClone(state);
    this.seats = seats;
    this.fruit = fruit;
    this.track = track ?? null;
  }

  state() {
    const { seats, fruit, track } = this;
    return track ? { seats, fruit, track } : { seats, fruit };
  }

  form() {
    return h(
      "section",
      { class: "panel editor", "aria-labelledby": "editor-title" },
      h("h2", { id: "editor-title", tabindex: "-1", "data-key": "editor-title" }, t("edit.title")),
      this.seats.map((seat, place) => this.seat(seat, place)),
      h(
        "div",
        { class: "row" },
        button(t("edit.add-seat"), () => this.addSeat(), {
          "data-key": "add-seat",
          disabled: this.seats.length >= MAX_SEATS,
        }),
      ),
      this.tree(),
      this.board(),
      h(
        "div",
        { class: "row" },
        button(t("edit.apply"), () => this.onApply({ state: this.state(), grown: this.grown, mine: this.mine }), {
          class: "main",
          "data-key": "apply",
        }),
        button(t("edit.cancel"), this.close, { "data-key": "cancel" }),
      ),
      this.text(),
    );
  }

  addSeat() {
    const seat = SEATS.find((name) => this.seats.every((each) => each.seat !== name));
    this.seats.push({ seat, player: seat, score: 0, hand: Object.keys(this.about.cards) });
    this.redraw();
  }

  seat(seat, place) {
    const legend = h("legend", {}, badge(seat.seat, place), " ", t("edit.seat", { number: place + 1 }));
    return h(
      "fieldset",
      {},
      legend,
      h(
        "div",
        { class: "fields" },
        text(t("edit.name"), seat.seat, `seat-${place}`, (value) => {
          if (seat.player === seat.seat) seat.player = value;
          seat.seat = value;
        }),
        text(t("edit.player"), seat.player ?? seat.seat, `player-${place}`, (value) => {
          seat.player = value;
        }),
        count(t("seats.score"), seat.score, `score-${place}`, (value) => {
          seat.score = value;
        }),
        button(t("edit.remove"), () => this.removeSeat(place), {
          class: "quiet",
          "data-key": `remove-${place}`,
          "aria-label": t("edit.remove-seat", { seat: seat.seat }),
          disabled: this.seats.length <= 1,
        }),
      ),
      h(
        "div",
        { class: "cards small-cards", role: "group", "aria-label": t("edit.hand", { seat: seat.seat }) },
        Object.keys(this.about.cards).map((card) => this.toggle(seat, card, place)),
      ),
    );
  }

  removeSeat(place) {
    this.seats.splice(place, 1);
    this.redraw();
  }

  toggle(seat, card, place) {
    const name = localName(this.about.cards[card], card);
    return h(
      "button",
      {
        type: "button",
        class: "card tiny",
        title: name,
        "aria-label": name,
        "aria-pressed": seat.hand.includes(card) ? "true" : "false",
        "data-key": `toggle-${place}-${card}`,
        onclick: (event) => {
          const cards = new Set(seat.hand);
          if (!cards.delete(card)) cards.add(card);
          seat.hand = Object.keys(this.about.cards).filter((each) => cards.has(each));
          event.currentTarget.setAttribute("aria-pressed", String(cards.has(card)));
        },
      },
      face(card),
    );
  }

  tree() {
    return h(
      "fieldset",
      {},
      h("legend", {}, t("edit.fruit")),
      h(
        "div",
        { class: "fields narrow" },
        Array.from({ length: this.about.fruit.levels }, (_, place) =>
          count(t("edit.level", { level: place + 1 }), this.fruit[place] ?? 0, `fruit-${place}`, (value) => {
            this.fruit[place] = value;
          }),
        ),
      ),
      checkbox(t("edit.grown"), this.grown, "grown", (checked) => {
        this.grown = checked;
      }),
    );
  }

  board() {
    const { track, about } = this;
    return h(
      "fieldset",
      {},
      h("legend", {}, t("track")),
      checkbox(t("edit.own-track"), track !== null, "own-track", (checked) => {
        this.track = checked ? structuredClone(about.default_track) : null;
        this.redraw();
      }),
      track
        ? [
            h(
              "div",
              { class: "fields narrow" },
              count(t("edit.length"), track.length, "length", (value) => {
                track.length = value;
              }),
            ),
            h("ul", { class: "bonuses" }, track.bonuses.map((bonus, place) => this.bonus(bonus, place))),
            button(t("edit.add-bonus"), () => this.addBonus(), { "data-key": "add-bonus" }),
          ]
        : null,
    );
  }

  addBonus() {
    const used = new Set(this.track.bonuses.map((bonus) => bonus.space));
    let space = 1;
    while (used.has(space)) space += 1;
    this.track.bonuses.push({ space, kind: "fight", advance: 1 });
    this.redraw();
  }

  bonus(bonus, place) {
    const { kinds } = this.about;
    const pairs = ["fight", "fruit", "mana"].map((kind) => [kind, localName(kinds[kind], kind)]);
    return h(
      "li",
      { class: "fields narrow" },
      count(t("edit.space"), bonus.space, `space-${place}`, (value) => {
        bonus.space = value;
      }),
      select(t("edit.kind"), bonus.kind, pairs, (value) => {
        bonus.kind = value;
      }, { "data-key": `kind-${place}` }),
      count(t("edit.advance"), bonus.advance, `advance-${place}`, (value) => {
        bonus.advance = value;
      }),
      button(t("edit.remove"), () => {
        this.track.bonuses.splice(place, 1);
        this.redraw();
      }, { class: "quiet", "data-key": `drop-${place}`, "aria-label": t("edit.remove-bonus", { space: bonus.space }) }),
    );
  }

  text() {
    return jsonField({
      heading: t("edit.json"),
      rows: 8,
      state: this.state(),
      entered: this.entered,
      onApply: (state) => this.onApply({ state, grown: this.grown, mine: this.mine }),
    });
  }
}

function text(label, value, key, set) {
  const change = (event) => set(event.target.value);
  return field(label, h("input", { type: "text", value, "data-key": key, maxlength: 32, autocomplete: "off", oninput: change }));
}

function count(label, value, key, set) {
  // The service reports invalid numbers.
  const change = ({ target }) => set(target.value === "" ? null : Number(target.value));
  return field(label, h("input", { type: "number", value: String(value ?? ""), step: 1, "data-key": key, oninput: change }));
}

function checkbox(label, value, key, set) {
  const change = (event) => set(event.target.checked);
  return h("label", { class: "tick" }, h("input", { type: "checkbox", checked: value, "data-key": key, onchange: change }), " ", label);
}

function field(label, input) {
  return h("label", { class: "field" }, h("span", { class: "label" }, label), input);
}
