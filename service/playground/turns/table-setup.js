// Setup of a turn-based game at a real table: who plays, in which order, and who is the user. The
// browser remembers it for the next game.

import { playerRow } from "../at-table/players.js";
import { roundStrip } from "../at-table/strip.js";
import { button, h } from "../dom.js";
import { boxField } from "../own-box.js";
import { NAMED, translatedId } from "../snow-time/seats.js";
import { recall, remember } from "../storage.js";
import { t } from "../text.js";

const KEY = "table-players:";
const USUAL = 4;

export class TableSetup {
  /**
   * @param {object} view of the game, with its description `about` and its part `own`.
   * @param {object} calls `start(round)` begins a game under way, or a new one without a round, `close` leaves, `redraw` shows the setup again.
   */
  constructor({ about, own }, calls) {
    Object.assign(this, { about, own, ...calls });
    this.ids = NAMED.slice(0, about.players.max);
    Object.assign(this, remembered(about.game, this.ids) ?? { order: this.ids.slice(0, USUAL), me: this.ids[0], names: {} });
    this.board = own.table.board?.(this) ?? null;
  }

  /** Return the seats in the order of play; each has a name, because the service knows no colours. */
  seats() {
    const named = this.order.map((player) => ({ player, name: (this.names[player] ?? "").trim() || translatedId(player) }));
    return this.own.table.withDecks?.(named) ?? named;
  }

  mine() {
    return [this.me];
  }

  set(values) {
    Object.assign(this, values);
    this.redraw();
  }

  form() {
    const legal = this.order.length >= this.about.players.min;
    const start = (round) => {
      const { order, me, names } = this;
      remember(KEY + this.about.game, JSON.stringify({ order, me, names }));
      this.start(round);
    };
    return h(
      "section",
      { class: "panel now table-setup", "aria-busy": "false", "aria-labelledby": "table-title" },
      h("h2", { id: "table-title", tabindex: "-1", "data-key": "table-title" }, t("table.title")),
      h("p", { class: "small" }, t("table.order")),
      h("ul", { class: "table-seats" }, this.ids.map((id) => this.row(id))),
      this.own.table.fields?.(this),
      legal ? roundStrip(undefined, start, { id: "under-way", label: t("table.start-under-way") }) : null,
      boxField(this, { game: this.about.game, ...this.own.table.box(this) }),
      h(
        "div",
        { class: "table-actions" },
        button(t("table.start-new"), () => start(), { class: "main", "data-key": "table-start", disabled: !legal }),
        button(t("edit.cancel"), this.close, { class: "quiet", "data-key": "table-cancel" }),
      ),
    );
  }

  row(id) {
    const { order, names } = this;
    const place = order.indexOf(id);
    const others = order.filter((each) => each !== id);
    const next = place < 0 ? [...order, id] : others;
    return playerRow({
      id,
      plays: place >= 0,
      number: place + 1,
      name: names[id],
      me: this.me === id,
      toggle: () => this.set({ order: next, me: next.includes(this.me) ? this.me : next[0] }),
      choose: () => this.set({ me: id }),
      rename: (name) => (names[id] = name),
    });
  }
}

/** Return the players of the last table, or null. */
function remembered(game, ids) {
  try {
    const { order, me, names } = JSON.parse(recall(KEY + game));
    const legal = Array.isArray(order) && order.length && order.every((id) => ids.includes(id)) && new Set(order).size === order.length;
    return legal && order.includes(me) && Object.values(names).every((name) => typeof name === "string") ? { order, me, names } : null;
  } catch {
    return null;
  }
}
