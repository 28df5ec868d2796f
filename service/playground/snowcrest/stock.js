// Numbers of a position of Snowcrest as strips: supply, forest, tokens, scrolls, omen and buildings.

import { strip } from "../at-table/strip.js";
import { h } from "../dom.js";
import { t } from "../text.js";
import { itemIcon } from "./icons.js";

const JUNIPER_PER_PLAYER = 3;
const RESOURCES = ["barley", "juniper", "bell", "bowl", "gold"];
const BUILDINGS = ["farm", "forge", "temple"];
const SLOTS = 8;
const OMEN = 5;
const USUAL = 5;
const UNKNOWN = "unknown";

/** Return the numbers of the common board; `editor` is a VillageEditor. */
export function commonNumbers(editor) {
  const { state, most } = editor;
  const entry = entries(editor, "");
  const field = (name) => (value) => (state[name] = value);
  const solo = state.seats.length === 1;
  return h(
    "details",
    { class: "fold stock", "data-key": "edit-board" },
    h("summary", {}, t("snowcrest.board")),
    entry({ id: "supply", label: t("snowcrest.supply"), high: most.supply, value: state.supply, set: field("supply") }),
    entry({ id: "forest", label: t("snowcrest.juniper"), high: JUNIPER_PER_PLAYER * state.seats.length, value: state.juniper, set: field("juniper") }),
    solo ? entry({ id: "rests", label: t("snowcrest.rests"), high: editor.about.difficulties[state.difficulty].rests - 1, value: state.rests ?? 0, set: field("rests") }) : null,
  );
}

/** Return the numbers of a seat: hidden cards, tokens, scrolls, omen and buildings. */
export function seatNumbers(editor) {
  const seat = editor.seatHere();
  const entry = entries(editor, seat.player);
  const word = (kind) => editor.own.kind(kind, editor);
  const number = (kind, value, set, { text = word(kind), ...others } = {}) =>
    entry({ id: kind, label: [itemIcon(kind), h("span", {}, text)], text, value, set, ...others });
  const stocks = BUILDINGS.map((kind) => ({ kind, up: 0, spent: 0, ...seat.buildings?.[kind] }));
  const free = SLOTS - stocks.reduce((sum, { up, spent }) => sum + up + spent, 0);
  // All buildings of a kind, and how many of them are spent.
  const building = ({ kind, up, spent }) => {
    const all = up + spent;
    const set = (total, used) => (seat.buildings = { ...seat.buildings, [kind]: { up: total - used, spent: used } });
    return [
      number(kind, all, (total) => set(total, Math.min(total, spent)), { most: all + free }),
      all ? number(kind, spent, (used) => set(all, used), { id: `${kind}-spent`, text: t("snowcrest.spent", { amount: word(kind) }), most: all }) : null,
    ];
  };
  const hidden = editor.me && seat.player !== editor.me;
  return h(
    "details",
    { class: "fold stock", "data-key": "edit-stock", open: editor.state.phase !== "set-up" },
    h("summary", {}, t("snowcrest.stock")),
    hidden ? entry({ id: "hand", label: t("snowcrest.hand"), most: editor.mostHidden(seat), value: seat.hand.length, set: (count) => (seat.hand = Array(count).fill(UNKNOWN)) }) : null,
    RESOURCES.map((kind) => number(kind, seat.tokens?.[kind] ?? 0, (value) => (seat.tokens = { ...seat.tokens, [kind]: value }))),
    number("scroll", seat.scrolls ?? 0, (value) => (seat.scrolls = value)),
    number("omen", seat.omen ?? 0, (value) => (seat.omen = value), { low: -OMEN, high: OMEN }),
    stocks.map(building),
  );
}

/** Return strip() for the numbers of a player or the board, which are guesses until the user enters them. */
function entries(editor, owner) {
  return ({ id, set, value, most = Infinity, high = null, ...others }) => {
    const last = high ?? Math.min(most, value < USUAL ? USUAL : value + USUAL);
    const name = `${owner} ${id}`;
    const guess = editor.guesses(name);
    const enter = (next) => {
      editor.entries?.add(name);
      editor.enter(() => set(next), !guess);
    };
    return strip({ id, set: enter, value, high: last, guess, more: high === null && last < most, ...others });
  };
}
