// Cards of Snowcrest as small buttons, to choose one by a tap.

import { button, h } from "../dom.js";
import { nameOf } from "./village.js";

/**
 * Return the buttons.
 * @param {object} options `label` of the group, the ids of the `cards`, `name`, which returns the
 *     name of one, `press`, called with an id, and optionally `pressed`, `disabled`, `picture`, which
 *     returns the drawing of one, and `key`, the beginning of the keys.
 */
export function palette({ label, cards, name, press, pressed = null, disabled = () => !press, picture = null, key = "pick" }) {
  const one = (card) =>
    button([picture?.(card), nameOf(name(card))], () => press(card), { "aria-pressed": pressed ? String(pressed(card)) : null, "data-key": `${key}-${card}`, "data-next": true, disabled: disabled(card) });
  return h("div", { class: "palette", role: "group", "aria-label": label }, cards.map(one));
}
