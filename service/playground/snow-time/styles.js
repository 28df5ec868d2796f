// How the other players play, where their earlier rounds make it clear.

import { h } from "../dom.js";
import { t } from "../text.js";
import { badge, seatName } from "./seats.js";

const MIN_ROUNDS = 3;
const CLEAR = 0.6;
const ABOUT_PREDICTIONS = ["hard-to-predict", "predictable"];

/** Return one line for each opponent with a clear style in a hint, or null if there is none. */
export function styles(hint, places) {
  const lines = Object.entries(hint.opponents ?? {}).flatMap(([player, profile]) => {
    const clear = profile.styles.find(
      ({ code, probability }) => probability >= CLEAR && !ABOUT_PREDICTIONS.includes(code),
    );
    if (!clear || profile.evidence.rounds < MIN_ROUNDS) return [];
    return [line(player, clear.text, profile.evidence.rounds, places.get(player) ?? 0)];
  });
  return lines.length ? h("div", { class: "styles" }, h("h3", {}, t("styles")), h("ul", {}, lines)) : null;
}

function line(player, text, rounds, place) {
  return h(
    "li",
    {},
    badge(player, place),
    h(
      "div",
      {},
      h("strong", {}, seatName(player)),
      h("p", {}, text),
      h("p", { class: "small" }, t("styles.rounds", { count: rounds })),
    ),
  );
}
