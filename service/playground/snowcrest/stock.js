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
const USUAL = 8;
const UNKNOWN = "unknown";

/** Return the numbers of the common board; `editor` is a VillageEditor. */
export function commonNumbers(editor) {
  const { state, most } = editor;
  const set = (field) => (value) => editor.change(() => (state[field] = value));
  const entry = guessing(editor, "");
  const solo = state.seats.length === 1;
  return h(
    "details",
    { class: "fold stock", "data-key": "edit-board" },
    h("summary", {}, t("snowcrest.board")),
    entry({ id: "supply", label: t("snowcrest.supply"), high: most.supply, value: state.supply, set: set("supply") }),
    entry({ id: "forest", label: t("snowcrest.juniper"), high: JUNIPER_PER_PLAYER * state.seats.length, value: state.juniper, set: set("juniper") }),
    solo ? entry({ id: "rests", label: t("snowcrest.rests"), high: editor.about.difficulties[state.difficulty].rests - 1, value: state.rests ?? 0, set: set("rests") }) : null,
  );
}

/** Return the numbers of a seat: hidden cards, tokens, scrolls, omen and buildings. */
export function seatNumbers(editor) {
  const seat = editor.seatHere();
  const set = (work) => (value) => editor.change(() => work(value));
  const entry = guessing(editor, seat.player);
  const number = (kind, text, value, put) => entry({ id: kind, label: itemIcon(kind), text, high: Math.max(USUAL, value + 2), value, set: put });
  const tokens = (kind) =>
    number(kind, editor.own.kind(kind, editor), seat.tokens?.[kind] ?? 0, set((value) => {
      seat.tokens = { ...seat.tokens, [kind]: value };
    }));
  const built = Object.values(seat.buildings ?? {}).reduce((sum, { up = 0, spent = 0 }) => sum + up + spent, 0);
  const building = (kind, side) => {
    const { up = 0, spent = 0 } = seat.buildings?.[kind] ?? {};
    const value = { up, spent }[side];
    const words = side === "up" ? editor.own.kind(kind, editor) : t("snowcrest.spent", { amount: editor.own.kind(kind, editor) });
    return entry({
      id: `${kind}-${side}`,
      label: [itemIcon(kind), side === "spent" ? " ✓" : ""],
      text: words,
      high: SLOTS,
      limit: value + SLOTS - built,
      value,
      set: set((count) => {
        seat.buildings = { ...seat.buildings, [kind]: { up, spent, [side]: count } };
      }),
    });
  };
  const hidden = editor.me && seat.player !== editor.me;
  return h(
    "details",
    { class: "fold stock", "data-key": "edit-stock", open: editor.state.phase !== "set-up" },
    h("summary", {}, t("snowcrest.stock")),
    hidden
      ? entry({
          id: "hand",
          label: t("snowcrest.hand"),
          high: USUAL,
          limit: editor.mostHidden(seat),
          value: seat.hand.length,
          set: set((count) => {
            seat.hand = Array(count).fill(UNKNOWN);
          }),
        })
      : null,
    RESOURCES.map(tokens),
    number("scroll", editor.own.kind("scroll", editor), seat.scrolls ?? 0, set((value) => {
      seat.scrolls = value;
    })),
    entry({ id: "omen", label: itemIcon("omen"), text: editor.own.kind("omen", editor), low: -OMEN, high: OMEN, value: seat.omen ?? 0, set: set((value) => {
      seat.omen = value;
    }) }),
    BUILDINGS.flatMap((kind) => [building(kind, "up"), building(kind, "spent")]),
  );
}

/** Return strip() for the numbers of a player or the board, which are guesses until the user enters them. */
function guessing(editor, owner) {
  return ({ id, set, ...others }) => {
    const name = `${owner} ${id}`;
    const enter = (value) => {
      editor.entered.add(name);
      set(value);
    };
    return strip({ id, set: enter, guess: editor.joins() && !editor.entered.has(name), ...others });
  };
}
