// Numbers as bars, with the number beside them.

import { h } from "./dom.js";

/** A bar of a share (0 to 1) of its length; null draws none and says why. */
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

/** Where a value lies between the worst and the best, no end of the bar being hidden from view. */
export function scale(values) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  return (value) => (high > low ? (value - low) / (high - low) : 0);
}
