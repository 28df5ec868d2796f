// Keyboard shortcuts of all games, and what the page says about them. All of them need a modifier
// key or the focus in the timeline (timeline/panel.js), so that they disturb nobody who dictates.

import { h } from "./dom.js";
import { t } from "./text.js";

const TEXT_FIELDS = "input:not([type=range], [type=checkbox]), textarea, select";
const SHORTCUTS = { undo: "Ctrl Z", redo: "Ctrl Y", rounds: "← →", ends: "Home End" };

/** Let Ctrl+Z and Ctrl+Y (on a Mac with Command) go back and forward in the game. */
export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest(TEXT_FIELDS)) return;
    const letter = event.key.toLowerCase();
    const redo = letter === "y" || (letter === "z" && event.shiftKey);
    if (letter !== "z" && !redo) return;
    const button = document.querySelector(`[data-key="${redo ? "redo" : "undo"}"]:enabled`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });
}

/** Return the foldable list of the shortcuts. */
export function shortcuts() {
  return h(
    "details",
    { class: "fold", "data-key": "keys" },
    h("summary", {}, t("keys")),
    h("ul", { class: "keys" }, Object.entries(SHORTCUTS).map(([what, keys]) => h("li", {}, keys.split(" ").map((name) => [h("kbd", {}, name), " "]), t(`keys.${what}`)))),
  );
}
