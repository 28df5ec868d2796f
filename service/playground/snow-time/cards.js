// Faces of cards and icons of the kinds of points.

import { h, s } from "../dom.js";
import { localName, t } from "../text.js";

const ICONS = {
  healer: "M12 20.500C5 15.500 3 12 3 8.800A4.600 4.600 0 0 1 12 7a4.600 4.600 0 0 1 9 1.800C21 12 19 15.500 12 20.500zM12 9.500v6M9 12.500h6",
  watcher: "M2.500 12S6 6 12 6s9.500 6 9.500 6-3.500 6-9.500 6-9.500-6-9.500-6zM12 9.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600z",
  blizzard: "M12 2.500v19M3.800 7.200l16.400 9.600M3.800 16.800l16.400-9.600M9.500 4l2.500 2.300L14.500 4M9.500 20l2.500-2.300 2.500 2.300M4.200 10.600l3.300-.9-.8-3.300M19.800 13.400l-3.300.9.8 3.300M4.200 13.400l3.300.9-.8 3.300M19.800 10.600l-3.300-.9.8-3.300",
  fight: "M15 4.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 0 0 0-11zM9 13l-6 4M11.500 16.500l-5 4M7.500 9l-4 2",
  fruit: "M12 8c-4-3-8-.5-8 4s3.500 8.500 6 8.500c1 0 1.300-.5 2-.5s1 .5 2 .5c2.500 0 6-4 6-8.500s-4-7-8-4zM12 8c0-2.500 1.500-4.500 4-5",
  mana: "M12 2.500c3.500 4.500 6 7.700 6 11a6 6 0 0 1-12 0c0-3.300 2.500-6.500 6-11z",
};

/** Return the icon of a special card or of a kind of points. */
export function kindIcon(kind) {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("path", { d: ICONS[kind] ?? "" }),
  );
}

/** Return the face of a card: a number or an icon. */
export function face(card) {
  return ICONS[card]
    ? kindIcon(card)
    : h("span", { class: "digit", "aria-hidden": "true" }, card);
}

/** Return a small card that is not a button, with its name for screen readers. */
export function chip(card, cards, state = "") {
  const name = localName(cards[card], card);
  return h(
    "span",
    { class: `chip ${state}`, title: name },
    face(card),
    h("span", { class: "hidden" }, name),
  );
}

/** Return the cards that a move chooses at each decision: played, added, taken back; null where it decides nothing. */
export function choicesOf({ card, then, recover }) {
  return { card: [card], watcher: then ? [then.card].filter((added) => added !== "none") : null, healer: (then ?? { recover }).recover ?? null };
}

/** Return the name of the latest decision of a move. */
export function moveName(move, decision, cards) {
  const names = choicesOf(move)[decision].map((card) => localName(cards[card], card));
  if (!names.length) return t(decision === "healer" ? "move.nothing" : "move.add-nothing");
  if (decision === "healer") return t("move.recover", { cards: names.join(" + ") });
  return names.join(" + ");
}

/** Return a button with a card, or with the cards to take back. */
export function choice(move, decision, cards, attributes) {
  const name = moveName(move, decision, cards);
  const shown = choicesOf(move)[decision];
  const several = decision === "healer";
  return h(
    "button",
    { type: "button", class: several ? "card set" : "card", title: name, ...attributes },
    shown.length ? shown.map((card) => face(card)) : h("span", { class: "digit", "aria-hidden": "true" }, "–"),
    h("span", { class: several ? "hidden" : "caption" }, name),
  );
}
