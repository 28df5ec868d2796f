// Names and colours of seats.

import { h } from "../dom.js";
import { displayName } from "../names.js";
import { has, t } from "../text.js";

const COLOURS = ["berry", "lake", "pine", "amber", "plum", "slate"];
/** The ids that name a colour, in the order of the colours. */
export const NAMED = ["red", "blue", "green", "yellow", "violet", "grey"];

/** Return the colour class of a seat: that of its name, or of its index. */
export function colour(place, name) {
  const named = NAMED.indexOf(name);
  return COLOURS[(named < 0 ? (place ?? 0) : named) % COLOURS.length];
}

/** Return the name of a seat or player: the display name, or the id; default ids are translated. */
export function seatName(id) {
  return displayName(id) ?? translatedId(id);
}

/** Return the id of a seat or player; default ids are translated. */
export function translatedId(id) {
  return has(`seat.${id}`) ? t(`seat.${id}`) : id;
}

/** Return the initial of a seat; default ids can have two letters to be unique. */
export function initial(id) {
  const name = displayName(id);
  if (!name && has(`initial.${id}`)) return t(`initial.${id}`);
  return [...(name ?? id)][0].toUpperCase();
}

/** Return a coloured disc with the initial of a seat; screen readers skip it. */
export function badge(name, place) {
  return h("span", { class: `badge ${colour(place, name)}`, "aria-hidden": "true" }, initial(name));
}
