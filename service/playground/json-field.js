// Text field that shows and edits a position as JSON.

import { button, h } from "./dom.js";
import { t } from "./text.js";

/** Return a foldable text field with the state; `onApply` receives the edited state. */
export function jsonField({ heading, rows, state, onApply }) {
  const area = h("textarea", { rows, spellcheck: "false", "data-key": "json", value: JSON.stringify(state, null, 1) });
  const message = h("p", { class: "small", role: "status" });
  return h(
    "details",
    { class: "fold", "data-key": "json-fold" },
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
      onApply(edited);
    }, { "data-key": "json-apply" }),
  );
}
