// Any position as text, as the API takes it.

import { button, h } from "./dom.js";
import { t } from "./text.js";

/** A field with a state in it, under a heading; `lay` takes what was made of it. */
export function jsonField({ heading, rows, state, lay }) {
  const area = h("textarea", { rows, spellcheck: "false", "data-key": "json", value: JSON.stringify(state, null, 1) });
  const said = h("p", { class: "small", role: "status" });
  return h(
    "details",
    { class: "fold", "data-key": "json-fold" },
    h("summary", {}, heading),
    h("label", { class: "field" }, h("span", { class: "label" }, t("edit.json.label")), area),
    said,
    button(t("edit.json.apply"), () => {
      let told;
      try {
        told = JSON.parse(area.value);
      } catch (fault) {
        said.textContent = t("edit.json.broken", { fault: fault.message });
        return;
      }
      lay(told);
    }, { "data-key": "json-apply" }),
  );
}
