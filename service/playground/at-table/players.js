// Who plays at a real table: one row for each colour.

import { button, h } from "../dom.js";
import { badge, translatedId } from "../snow-time/seats.js";
import { t } from "../text.js";

const MAX_LENGTH = 40;

/**
 * Return the row of a colour.
 * @param {object} row `id` of the colour, whether it `plays`, and `toggle`. If it has an own player
 *     (`named`): its `name`, whether it is the user (`me`), `rename` and `choose`. With a `number`,
 *     the row has the place in the order of play.
 */
export function playerRow({ id, plays, toggle, named = plays, name, me, rename, choose, number }) {
  const colour = translatedId(id);
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "colour", "aria-pressed": String(plays), "data-key": `table-colour-${id}`, onclick: toggle },
      badge(id),
      h("span", { class: "hidden" }, number ? t("list.entry", { name: colour, text: number }) : colour),
      number ? h("span", { class: "order", "aria-hidden": "true" }, String(number)) : null,
    ),
    named
      ? h("input", {
          type: "text",
          value: name ?? "",
          placeholder: colour,
          "aria-label": t("setup.name", { player: colour }),
          dir: "auto",
          maxlength: MAX_LENGTH,
          autocomplete: "off",
          "data-key": `table-name-${id}`,
          oninput: ({ target }) => rename(target.value),
        })
      : h("span", { class: "small" }, colour),
    named
      ? button(t("seats.you"), choose, {
          "aria-pressed": String(me),
          "aria-label": t("list.entry", { name: colour, text: t("seats.you") }),
          "data-key": `table-me-${id}`,
        })
      : null,
  );
}
