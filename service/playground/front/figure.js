// Shapes in the colours of the pictures, which are CSS variables, and the figure with a bobble hat.

import { s } from "../dom.js";

/** Return a shape in a colour of the pictures. */
export function shape(tone, d, more = {}) {
  return s("path", { fill: `var(--${tone})`, d, ...more });
}

/** Return a line in a colour of the pictures. */
export function line(tone, d, width = 2) {
  return shape("none", d, { fill: "none", stroke: `var(--${tone})`, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
}

export function disc(tone, cx, cy, r) {
  return s("circle", { fill: `var(--${tone})`, cx, cy, r });
}

/** Return a small figure with a bobble hat that stands at (0, 0). */
export function figure(tone) {
  return [
    shape(tone, "M-9.5 0Q-11 -13 0 -14Q11 -13 9.5 0Q0 2.5 -9.5 0z"),
    disc("skin", 0, -18, 8),
    disc("ink-dot", -2.8, -18.5, 1.1), disc("ink-dot", 2.8, -18.5, 1.1), disc("blush", -5, -15.8, 1.5), disc("blush", 5, -15.8, 1.5),
    line("ink-dot", "M-1.6 -14.8Q0 -13.5 1.6 -14.8", 0.9),
    line("gold-lit", "M-6.5 -9.8Q0 -7 6.5 -9.8M4 -8.6L5.5 -2.5", 3.2),
    shape(tone, "M-8.5 -21Q-8 -33 0 -33Q8 -33 8.5 -21z"),
    line("snow-lit", "M-8 -21.5Q0 -23.5 8 -21.5", 3.8),
    disc("snow-lit", 0, -34, 3.2),
  ];
}
