// Bars that show numbers, with the number as text.

import { h } from "./dom.js";

/** Return a bar of the length `share` (0 to 1); null draws an empty bar. */
export function bar(label, share, text, tone = "") {
  const width = `${(100 * Math.max(0, Math.min(1, share ?? 0))).toFixed(1)}%`;
  return h(
    "div",
    { class: `bar ${tone}` },
    h("dt", {}, label),
    h(
      "dd",
      {},
      h("span", { class: "groove", "aria-hidden": "true" }, h("span", { class: "fill", style: { width } })),
      h("span", { class: "amount" }, text),
    ),
  );
}

/** Return a function that maps a value to a share from 0 to 1; the range always includes 0. */
export function scale(values) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  return (value) => (high > low ? (value - low) / (high - low) : 0);
}
