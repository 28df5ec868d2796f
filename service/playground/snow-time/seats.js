// How seats are called and coloured.

import { h } from "../dom.js";
import { has, t } from "../text.js";

const COLOURS = ["berry", "lake", "pine", "amber", "plum", "slate"];

/** A colour class by the seat's place at the table. */
export function colour(place) {
  return COLOURS[place % COLOURS.length];
}

/** What a seat or player is called: our own names in the page's language, others as they are. */
export function seatName(name) {
  return has(`seat.${name}`) ? t(`seat.${name}`) : name;
}

/** One letter, or two where our own names in this language begin alike. */
export function initial(name) {
  return has(`initial.${name}`) ? t(`initial.${name}`) : [...name][0].toUpperCase();
}

/** A coloured disc with the seat's initial, for eyes; the name stands beside it. */
export function badge(name, place) {
  return h("span", { class: `badge ${colour(place)}`, "aria-hidden": "true" }, initial(name));
}
