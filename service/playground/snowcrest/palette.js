// Cards of Snowcrest as small buttons, to choose one by a tap.

import { h } from "../dom.js";
import { nameOf } from "./village.js";

/**
 * Return the buttons.
 * @param {object} options `label` of the group, the ids of the `cards`, `name`, which returns the
 *     name of one, `press`, called with an id, and optionally `pressed`, `picture`, which returns the
 *     drawing of one, and `key`, the beginning of the keys.
 */
export function palette({ label, cards, name, press, pressed = null, picture = null, key = "pick" }) {
  return h(
    "div",
    { class: "palette", role: "group", "aria-label": label },
    cards.map((card, place) =>
      h(
        "button",
        { type: "button", "aria-pressed": pressed ? String(pressed(card)) : null, "data-key": `${key}-${card}`, "data-next": place === 0, disabled: !press, onclick: press && (() => press(card)) },
        picture?.(card),
        nameOf(name(card)),
      ),
    ),
  );
}
