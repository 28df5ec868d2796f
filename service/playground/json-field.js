// Text field that shows and edits a position as JSON.

import { button, h } from "./dom.js";
import { t } from "./text.js";

/**
 * Return a foldable text field with the state.
 * @param {object} options `entered` has the edited text as `json` until the caller removes it;
 *     `onApply` receives the edited state.
 */
export function jsonField({ heading, rows, state, entered, onApply }) {
  const area = h("textarea", {
    rows,
    spellcheck: "false",
    "data-key": "json",
    value: entered.json ?? JSON.stringify(state, null, 1),
    oninput: () => {
      entered.json = area.value;
      message.textContent = "";
    },
  });
  const message = h("p", { class: "small", role: "status" });
  return h(
    "details",
    { class: "fold", "data-key": "json-fold", open: entered.json !== undefined },
    h("summary", {}, heading),
    h("label", { class: "field" }, h("span", { class: "label" }, t("edit.json.label")), area),
    message,
    button(t("edit.json.apply"), () => {
      let edited;
      try {
        edited = JSON.parse(area.value);
      } catch (fault) {
        message.textContent = t("edit.json.broken", { fault: fault.message });
        return;
      }
      if (edited === null || typeof edited !== "object" || Array.isArray(edited)) message.textContent = t("edit.json.object");
      else onApply(edited);
    }, { "data-key": "json-apply" }),
  );
}
