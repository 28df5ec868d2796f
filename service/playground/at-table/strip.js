// A number as a strip of buttons: one tap sets it.

import { button, h } from "../dom.js";
import { t } from "../text.js";

const MAX_ROUND = 12;

/**
 * Return the strip.
 * @param {object} options `id` for the keys of its elements, `label`, what to call a number
 *     (`name`, optional), the numbers `low` to `high`, the present `value`, `set`, the largest number
 *     that can be pressed (`limit`, optional), whether nobody has entered the value (`guess`), and
 *     whether a tap on the last number shows larger ones (`more`). Without a `value`, a number begins
 *     something.
 */
export function strip({ id, label, text = null, name = null, low = 0, high, value, limit = high, set, guess = false, more = false }) {
  const numbers = Array.from({ length: high - low + 1 }, (_, place) => low + place);
  const number = (each) =>
    button(more && each === high ? `${each}+` : String(each), () => set(each), {
      "aria-pressed": value === undefined ? null : String(each === value),
      "aria-label": name ? name(each) : t("list.entry", { name: text ?? label, text: each }),
      "data-key": `${id}-${each}`,
      disabled: each > limit,
    });
  return h("div", { class: guess ? "level guess" : "level", role: "group", "aria-label": text ?? null }, h("span", { class: "small" }, label), h("div", { class: "numbers-strip" }, numbers.map(number)));
}

/** Return the strip for the round in which a game is joined. */
export function roundStrip(round, set, { id = "round", label = t("table.round") } = {}) {
  return strip({ id, label, name: (each) => t("round", { round: each }), low: 1, high: MAX_ROUND, value: round, set });
}

/** Return the round that was entered, which unfolds to change it. */
export function roundFold(round, set) {
  return h("details", { class: "fold", "data-key": "edit-round" }, h("summary", {}, t("round", { round })), roundStrip(round, set));
}
