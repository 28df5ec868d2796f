// Names and colours of seats.

import { h, s } from "../dom.js";
import { displayName, drawnIds } from "../names.js";
import { has, t } from "../text.js";

const COLOURS = ["berry", "lake", "pine", "amber", "plum", "slate"];
/** The outline of each colour, so that nobody has to tell colours apart; controls.css has the same for badges. */
const OUTLINES = {
  berry: "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0z",
  lake: "M-.6 -.9H.6Q.9 -.9 .9 -.6V.6Q.9 .9 .6 .9H-.6Q-.9 .9 -.9 .6V-.6Q-.9 -.9 -.6 -.9z",
  pine: "M0 -1.100L.98 -.55V.55L0 1.100L-.98 .55V-.55z",
  amber: "M-1 1V0A1 1 0 1 1 0 1z",
  plum: "M-.95 -.95H.95V.15L0 1.150L-.95 .15z",
  slate: "M0 -1.150L.95 -.15V.95H-.95V-.15z",
};
const MAX_LETTERS = 3;
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

/**
 * Return the first letter of a seat, or as many as tell it from the other seats; default ids can
 * have two letters to be unique.
 */
export function initial(id) {
  const own = [...label(id)];
  const others = drawnIds().map(label).filter((each) => each !== own.join(""));
  for (let count = 1; count <= MAX_LETTERS; count += 1) {
    const start = own.slice(0, count).join("");
    if (!others.some((each) => each.startsWith(start))) return start;
  }
  return own[0] + own.at(-1);
}

function label(id) {
  const name = displayName(id);
  const [first, ...others] = !name && has(`initial.${id}`) ? t(`initial.${id}`) : (name ?? id);
  return [first.toUpperCase(), ...others].join("");
}

/** Return the mark of a seat in a drawing: an outline and a colour, with the initial. */
export function seatMark(id, place, radius) {
  const tone = colour(place, id);
  const text = initial(id);
  const size = radius * [1.15, 0.9, 0.72][[...text].length - 1];
  return [
    s("path", { class: `seat ${tone}`, d: OUTLINES[tone], transform: `scale(${radius})`, "vector-effect": "non-scaling-stroke" }),
    s("text", { y: size * 0.36, "font-size": size }, text),
  ];
}

/** Return a seat as a figure with a woollen cap. */
export function climber(id, place, radius) {
  const cap = s("g", { transform: `scale(${radius / 13})` }, s("path", { class: "beanie", d: "M-8 -9Q-7 -19 0 -19T8 -9Q0 -12 -8 -9z" }), s("circle", { class: "pompom", cy: -20, r: 3 }));
  return [seatMark(id, place, radius), cap];
}

/** Return the badge of a seat: an outline and a colour, with the initial; screen readers skip it. */
export function badge(name, place) {
  const text = initial(name);
  return h("span", { class: `badge ${colour(place, name)}${[...text].length > 1 ? " long" : ""}`, "aria-hidden": "true" }, text);
}
