// Display names of players: entered before a game starts, shown in place of ids.

import { h } from "./dom.js";
import { t } from "./text.js";

const MAX_LENGTH = 40;

let names = new Map();
let ids = [];

/** Use the display names in a position; call this before the position is drawn. */
export function useNames(seats) {
  names = new Map();
  ids = seats.map(({ seat, player }) => seat ?? player);
  const own = (player) => seats.filter((seat) => (seat.player ?? seat.seat) === player);
  for (const { seat, player = seat, name } of seats) {
    if (!name) continue;
    names.set(player, name);
    // The two seats of one player need two labels: they keep their own.
    if (seat && own(player).length === 1) names.set(seat, name);
  }
}

/** Return the display name of a player or a seat, or undefined. */
export function displayName(id) {
  return names.get(id);
}

/** Return the ids of the seats in the position. */
export function drawnIds() {
  return ids;
}

/** Return what a player is called: the display name or the id. */
export function playerName(id) {
  return displayName(id) ?? id;
}

/** Return text fields for the names of players; `entered` has them by id and is changed. */
export function nameFields(players, entered, label) {
  return players.map((player) =>
    h(
      "label",
      { class: "field" },
      h("span", { class: "label" }, t("setup.name", { player: label(player) })),
      h("input", {
        type: "text",
        value: entered[player] ?? "",
        dir: "auto",
        // A name has up to 40 code points; this counts UTF-16 units. The service checks the name.
        maxlength: 2 * MAX_LENGTH,
        autocomplete: "off",
        "data-key": `setup-name-${player}`,
        oninput: (event) => (entered[player] = event.target.value),
      }),
    ),
  );
}

/** Return a seat of a new game with the entered name of its player, if there is one. */
export function withName(seat, entered) {
  const name = (entered[seat.player ?? seat.seat] ?? "").trim();
  return name ? { ...seat, name } : seat;
}
