// Parts of the toolbars: back and forward in the game, the link, the stored games, and rare tools.

import { announce, button, h } from "../dom.js";
import { savedList } from "./saved-list.js";
import { t } from "../text.js";

/** Return the buttons back and forward of a view with its `game` and its `page`. */
export function steps(view) {
  const { game } = view;
  const go = async (way) => {
    view.pause?.();
    await game.run(() => game[way](), () => announce(t(`announce.${way}`)));
    view.focusNext();
  };
  return [
    button(t("bar.undo"), () => go("undo"), { "data-key": "undo", disabled: game.busy || !game.canUndo() }),
    button(t("bar.redo"), () => go("redo"), { "data-key": "redo", disabled: game.busy || !game.canRedo() }),
  ];
}

/** Return the button for a link, the rules, and the list of stored games. */
export function sharing(view) {
  const { game, page } = view;
  return [
    button(t("share"), () => page.share(game.record), { "data-key": "share" }),
    h("a", { class: "door", href: `#${game.record.game}/rules`, "data-key": "rules" }, t("front.rules")),
    game.full ? h("p", { class: "problem", role: "alert" }, t("saved.full")) : null,
    savedList({ shown: game.record, open: page.open, title: page.title, changed: () => view.draw() }),
  ];
}

/** Return the foldable part of the toolbar for what few players need. */
export function tools(...content) {
  return h("details", { class: "fold", "data-key": "tools" }, h("summary", {}, t("bar.tools")), h("div", { class: "row" }, content));
}
