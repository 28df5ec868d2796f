// Names and colours of seats.

import { h } from "../dom.js";
import { has, t } from "../text.js";

const COLOURS = ["berry", "lake", "pine", "amber", "plum", "slate"];

/** Return the colour class for the index of a seat. */
export function colour(place) {
  return COLOURS[place % COLOURS.length];
}

/** Return the name of a seat or player; default names are translated. */
export function seatName(name) {
  return has(`seat.${name}`) ? t(`seat.${name}`) : name;
}

/** Return the initial of a seat; default names can have two letters to be unique. */
export function initial(name) {
  return has(`initial.${name}`) ? t(`initial.${name}`) : [...name][0].toUpperCase();
}

/** Return a coloured disc with the initial of a seat; screen readers skip it. */
export function badge(name, place) {
  return h("span", { class: `badge ${colour(place)}`, "aria-hidden": "true" }, initial(name));
}
