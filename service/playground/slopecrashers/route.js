// A way over the course: the planned turn as one path with numbered stops, or the tracks of the
// turn so far.

import { s } from "../dom.js";
import { giftDrawing } from "./gifts.js";
import { spaceOf } from "./targets.js";

const OUT = 26;

/**
 * Return the stops of a list of actions.
 * @param {object[]} actions of one player, draws included.
 * @param {object} seat where the player begins, or beside the course.
 * @param {(string|null)[][]} rows of the course.
 */
export function routeOf(actions, seat, rows, kind) {
  let here = seat.row === undefined ? null : { row: seat.row, lane: seat.lane };
  const stops = here ? [{ ...here, start: true }] : [];
  const thrown = [];
  for (const action of actions) {
    const space = spaceOf(action, here, rows.length);
    const { gift } = action;
    if (space.kind === "snowman") thrown.push(space);
    else if (space.row !== undefined) {
      stops.push({ ...space, over: Boolean(here) && space.row < here.row, gift });
      here = space;
    } else if (space.kind) stops.push({ ...here, goal: true, gift });
    else if (action.type === "play" && stops.length) stops.at(-1).gift ??= gift;
  }
  return { kind, stops, thrown };
}

/** Return the drawing of a way. */
export function route({ kind, stops, thrown }, shape) {
  const [last] = stops.slice(-1);
  if (!last || last.start) return null;
  const lines = stops.slice(1).map((stop, place) => line(stops[place], stop, shape)).join("");
  if (kind === "tracks") return s("g", { class: "tracks", "aria-hidden": "true" }, s("path", { d: lines }), s("path", { class: "between", d: lines }));
  return s(
    "g",
    { class: "plan", "aria-hidden": "true" },
    s("path", { class: "halo", d: lines }),
    s("path", { class: "way", d: lines }),
    last.goal ? null : [s("path", { class: "end", d: shape.outline(last.row, last.lane) }), flag(shape.centre(last.row, last.lane))],
    thrown.map(({ row, lane }) => s("path", { class: "end", d: shape.outline(row, lane) })),
    stops.map((stop, place) => mark(stop, stops[0].start ? place : place + 1, shape)),
  );
}

/** Return the line from stop to stop; a leap is a bow, and the line at the end leads to the start. */
function line(from, to, shape) {
  const [a, b] = [shape.centre(from.row, from.lane), shape.centre(to.row, to.lane)];
  const down = `V${shape.height - 16}`;
  if (to.goal) return `M${a.x} ${a.y}${down}`;
  if (to.over) return `M${a.x} ${a.y}${down}M${b.x} 8L${b.x} ${b.y}`;
  if (to.kind === "jump") return `M${a.x} ${a.y}Q${(a.x + b.x) / 2 + OUT} ${(a.y + b.y) / 2 - OUT / 2} ${b.x} ${b.y}`;
  return `M${a.x} ${a.y}L${b.x} ${b.y}`;
}

/** Return the flag on the space where the turn ends. */
function flag({ x, y }) {
  return s("path", { class: "flag", d: "M0 0V-17L12 -13L0 -9", transform: `translate(${x + 8} ${y + 9})` });
}

/** Return the number of a stop, with the gift that is used there; the start has no number. */
function mark({ row, lane, start, goal, gift }, count, shape) {
  const { x, y } = shape.centre(row, lane);
  const place = goal ? `translate(${x} ${shape.height - 16})` : `translate(${x - 14} ${y - 12})`;
  return s(
    "g",
    { class: "stop", transform: place },
    start ? null : [s("circle", { r: 8 }), s("text", { y: 4 }, String(count))],
    gift ? s("g", { class: "used", transform: "translate(18 -9) scale(0.8)" }, s("circle", { cx: 12, cy: 12, r: 14 }), giftDrawing(gift)) : null,
  );
}
