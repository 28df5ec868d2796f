// Motion: what moves on the board glides to its new place, at a speed that the user chooses.

import { recall, remember } from "./storage.js";

/** The speeds, as factors of all durations. */
export const SPEEDS = { slow: 2, normal: 1, fast: 0.45 };

const KEY = "speed";
const GLIDE_MS = 450;
const STAGES = ".slope, .along, .village, .common";

export function speed() {
  const chosen = recall(KEY);
  return Object.hasOwn(SPEEDS, chosen) ? chosen : "normal";
}

export function chooseSpeed(chosen) {
  remember(KEY, chosen === "normal" ? null : chosen);
}

/** Return the duration of something at the chosen speed, in ms. */
export function duration(normal) {
  return normal * SPEEDS[speed()];
}

/** Return where the elements with a data-glide are, relative to their part of the board. */
export function positions(place) {
  const found = new Map();
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return found;
  for (const element of place.querySelectorAll("[data-glide]")) {
    const stage = element.closest(STAGES);
    if (!stage) continue;
    const [{ left, top }, origin] = [element, stage].map((each) => each.getBoundingClientRect());
    const key = `${stage.getAttribute("aria-labelledby") ?? ""} ${element.dataset.glide}`;
    // Two equal cards cannot be told apart.
    found.set(key, found.has(key) ? null : { element, x: left - origin.left, y: top - origin.top });
  }
  return found;
}

/** Let the elements glide from their earlier positions. */
export function glide(place, before) {
  if (!before.size) return;
  for (const [key, now] of positions(place)) {
    const then = before.get(key);
    if (!now || !then || (then.x === now.x && then.y === now.y)) continue;
    // A drawing has its own unit of length.
    const scale = now.element.ownerSVGElement?.getScreenCTM()?.a ?? 1;
    const start = `${(then.x - now.x) / scale}px ${(then.y - now.y) / scale}px`;
    now.element.animate({ translate: [start, "0px 0px"] }, { duration: duration(GLIDE_MS), easing: "ease-in-out" });
  }
}
