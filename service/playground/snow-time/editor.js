// Position editor. The service validates the result.

import { button, h, select } from "../dom.js";
import { FieldFaults } from "../faults.js";
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
   * @param {object} calls `onApply` gets the edited position, `close` closes the editor without
   *     changes, `redraw` shows another set of fields, `mended` removes the message about faults.
   */
  constructor(game, about, calls) {
    Object.assign(this, { about, ...calls });
    this.faults = new FieldFaults();
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
    this.faults.placed.clear();
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
        button(t("edit.apply"), () => this.onApply({ state: this.state(), grown: this.grown, mine: this.mine }, true), {
          class: "main",
          "data-key": "apply",
        }),
        button(t("edit.cancel"), this.close, { "data-key": "cancel" }),
      ),
      this.asText(),
    );
  }

  addSeat() {
    const seat = SEATS.find((name) => this.seats.every((each) => each.seat !== name));
    this.seats.push({ seat, player: seat, score: 0, hand: Object.keys(this.about.cards) });
    this.redraw();
  }

  seat(seat, place) {
    const at = `/state/seats/${place}`;
    const legend = h("legend", {}, badge(seat.seat, place), " ", t("edit.seat", { number: place + 1 }));
    return h(
      "fieldset",
      {},
      legend,
      h(
        "div",
        { class: "fields" },
        this.text(t("edit.name"), seat.seat, `seat-${place}`, `${at}/seat`, (value) => {
          if (seat.player === seat.seat) seat.player = value;
          seat.seat = value;
        }),
        this.text(t("edit.player"), seat.player ?? seat.seat, `player-${place}`, `${at}/player`, (value) => (seat.player = value)),
        this.count(t("seats.score"), seat.score, `score-${place}`, `${at}/score`, (value) => (seat.score = value)),
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
      this.faults.at(at),
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
          this.mend(`/state/seats/${place}/hand`, event.currentTarget.closest("fieldset"));
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
          this.count(t("edit.level", { level: place + 1 }), this.fruit[place] ?? 0, `fruit-${place}`, `/state/fruit/${place}`, (value) => (this.fruit[place] = value)),
        ),
      ),
      this.faults.at("/state/fruit"),
      checkbox(t("edit.grown"), this.grown, "grown", (checked) => (this.grown = checked)),
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
              this.count(t("edit.length"), track.length, "length", "/state/track/length", (value) => (track.length = value)),
            ),
            h("ul", { class: "bonuses" }, track.bonuses.map((bonus, place) => this.bonus(bonus, place))),
            button(t("edit.add-bonus"), () => this.addBonus(), { "data-key": "add-bonus" }),
            this.faults.at("/state/track"),
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
      this.count(t("edit.space"), bonus.space, `space-${place}`, `/state/track/bonuses/${place}/space`, (value) => (bonus.space = value)),
      select(t("edit.kind"), bonus.kind, pairs, (value) => (bonus.kind = value), { "data-key": `kind-${place}` }),
      this.count(t("edit.advance"), bonus.advance, `advance-${place}`, `/state/track/bonuses/${place}/advance`, (value) => (bonus.advance = value)),
      button(t("edit.remove"), () => {
        this.track.bonuses.splice(place, 1);
        this.redraw();
      }, { class: "quiet", "data-key": `drop-${place}`, "aria-label": t("edit.remove-bonus", { space: bonus.space }) }),
    );
  }

  asText() {
    return jsonField({
      heading: t("edit.json"),
      rows: 8,
      state: this.state(),
      entered: this.entered,
      onApply: (state) => this.onApply({ state, grown: this.grown, mine: this.mine }, false),
    });
  }

  // Fields -----------------------------------------------------------------------------------------

  text(label, value, key, path, set) {
    return this.field(label, key, path, { type: "text", value, maxlength: 32, autocomplete: "off" }, set);
  }

  count(label, value, key, path, set) {
    const number = (text) => set(text === "" ? null : Number(text));
    return this.field(label, key, path, { type: "number", value: String(value ?? ""), step: 1 }, number);
  }

  /** Return a field with the fault of its value, which goes as soon as the value changes. */
  field(label, key, path, attributes, set) {
    const id = `fault-${key}`;
    const fault = this.faults.at(path, id);
    const input = h("input", {
      ...attributes,
      "data-key": key,
      "aria-invalid": fault ? "true" : null,
      "aria-describedby": fault ? id : null,
      oninput: ({ target }) => {
        set(target.value);
        this.mend(path, target.closest("fieldset"));
      },
    });
    return h("label", { class: "field" }, h("span", { class: "label" }, label), input, fault);
  }

  /** Remove the faults of a changed field and those of its group, which may be about it too. */
  mend(path, group) {
    if (!this.faults.errors.length) return;
    for (const message of group.querySelectorAll(`[data-fault="${path}"], fieldset > [data-fault]`)) {
      this.faults.mend(message.dataset.fault);
      const input = message.parentElement.querySelector("[aria-invalid]");
      for (const name of ["aria-invalid", "aria-describedby"]) input?.removeAttribute(name);
      message.remove();
    }
    if (this.faults.mend(path)) this.mended();
  }
}

function checkbox(label, value, key, set) {
  const change = (event) => set(event.target.checked);
  return h("label", { class: "tick" }, h("input", { type: "checkbox", checked: value, "data-key": key, onchange: change }), " ", label);
}
