// Toolbar of Snow Time: a new game, visible hands, the editor, and what all games have.

import { announce, button, h, select } from "../dom.js";
import { nameFields } from "../names.js";
import { sharing, steps, tools } from "../records/game-bar.js";
import { t } from "../text.js";
import { hasProfiles } from "./evidence.js";
import { Game, TEMPERATURES } from "./game.js";
import { seatName, translatedId } from "./seats.js";

/** Return the toolbar; at a real table the buttons back and forward are elsewhere. */
export function toolbar(view) {
  const { setup, game } = view;
  const counts = [2, 3, 4, 5].map((count) => [count, t(`setup.players.${count}`)]);
  const players = [...new Set(Game.seating(setup.players).map(({ seat, player }) => player ?? seat))];
  const mine = [...players.map((name, place) => [place, translatedId(name)]), [-1, t("setup.nobody")]];
  return h(
    "div",
    { class: "toolbar" },
    h(
      "details",
      { class: "fold", "data-key": "setup" },
      h("summary", {}, t("setup")),
      h(
        "div",
        { class: "fields" },
        select(t("setup.players"), setup.players, counts, (value) => {
          view.setup = { players: Number(value), mine: 0 };
          view.draw();
        }, { "data-key": "setup-players" }),
        select(t("setup.mine"), setup.mine, mine, (value) => (view.setup.mine = Number(value)), { "data-key": "setup-mine" }),
        nameFields(players, view.names, translatedId),
        select(t("setup.strength"), game.strength, Object.keys(TEMPERATURES).map((word) => [word, t(`strength.${word}`)]), (value) => (game.strength = value), { "data-key": "setup-strength" }),
        button(t("setup.start"), () => view.start(players), { class: "main", "data-key": "setup-start" }),
      ),
      remembered(view),
    ),
    game.atTable() ? null : steps(view),
    button(t("table"), () => view.openTable(), { "data-key": "table" }),
    sharing(view),
    game.atTable() ? null : tools(ownBoard(view)),
  );
}

/** Return what belongs to the board of this page only: visible hands and the editor. */
function ownBoard(view) {
  const visible = [["all", t("visible.all")], ...view.game.players().map((name) => [name, seatName(name)])];
  return [
    select(t("visible"), view.visible, visible, (value) => {
      view.visible = value;
      view.draw();
    }, { "data-key": "visible" }),
    button(t("edit"), () => view.edit(), { "data-key": "edit", "aria-pressed": view.editor ? "true" : "false" }),
  ];
}

/** Return the note about stored profiles, with the button that removes them. */
function remembered(view) {
  const forget = () => {
    view.game.forgetProfiles();
    view.draw();
    announce(t("announce.forgotten"));
  };
  return h(
    "div",
    { class: "row remembered" },
    h("p", { class: "small" }, t("profiles.note")),
    hasProfiles() ? button(t("profiles.forget"), forget, { class: "quiet", "data-key": "forget" }) : null,
  );
}
