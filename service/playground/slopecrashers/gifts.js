// Gift cards of Slopecrashers, with their icons.

import { h, s } from "../dom.js";
import { cardText } from "../front/card-texts.js";
import { localName, t } from "../text.js";

export const UNKNOWN = "unknown";

const ICONS = {
  spring: "M8 21h8M8 17.500l8-3M8 14l8-3M8 10.500l8-3M8 7l8-3M8 21v-3.500M16 14.500V11M8 14v-3.500M16 7.500V4",
  chili: "M15 6c0-2 1-3.500 3-3.500M15 6c4 2 4 9-1 12.500-4 2.500-9 2-10 .5 6 0 7-3.500 7.500-7S13 6 15 6z",
  rocket: "M12 2.500c4 3 5 8 4 12.500H8c-1-4.500 0-9.500 4-12.500zM8 11.500l-4 4.500v3l4-3M16 11.500l4 4.500v3l-4-3M10 18l2 3.500 2-3.500M12 7.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z",
  magnet: "M5 3v9a7 7 0 0 0 14 0V3h-4.500v9a2.500 2.500 0 0 1-5 0V3zM5 7.500h4.500M14.500 7.500H19",
  "black-ice": "M3 18c2.500-3 6-2 9-2s7-1 9 2c-3 3-15 3-18 0zM9 4l3 4-2 3.500M14.500 6l2 2.500-1 2.500M8 18h4",
  "bee-sting": "M12 8.500c4 0 6 2.700 6 5.700s-3 5.800-6 5.800-6-2.800-6-5.800 2-5.700 6-5.700zM7 12.500h10M6.500 16h11M10.500 8.500C6.500 3 3 6 6.500 10M13.500 8.500c4-5.500 7.500-2.500 4 1.500M12 20v2",
  "carrier-pigeon": "M3 11c4 .5 5-5 9-5 3 0 4 2 4 4l5 1-5 1.500c-1 4-4 6-7 6-4 0-5.500-4-6-7.500zM10 18.500l-1 3M13 17.500v3.500M8 11c1.500 2.500 4 3 6 2",
  snowman: "M12 3a3.400 3.400 0 1 1 0 6.800a3.400 3.400 0 1 1 0-6.800zM12 9.800a5.600 5.600 0 1 1 0 11.200a5.600 5.600 0 1 1 0-11.200zM12 6.500l4 .8M12 13.500v.01M12 17v.01",
};
const BETWEEN = "-or-";

/** Return the icons of a card: one, or two for a card with two uses. */
export function giftIcons(card) {
  if (card === UNKNOWN) return h("span", { class: "gift-icons unknown", "aria-hidden": "true" }, "?");
  return h(
    "span",
    { class: "gift-icons", "aria-hidden": "true" },
    card.split(BETWEEN).map((gift) => s("svg", { class: "icon", viewBox: "0 0 24 24", focusable: "false" }, s("path", { d: ICONS[gift] ?? "" }))),
  );
}

/** Return the icon of a gift as part of a drawing, in a square of 24. */
export function giftDrawing(gift) {
  return s("path", { class: "icon", d: ICONS[gift] ?? "" });
}

export function giftName(card, about) {
  return card === UNKNOWN ? t("unknown") : localName(about.cards[card], card);
}

/** Return a card, which says on tap what it does. */
export function giftCard(card, about) {
  const text = cardText(card);
  const face = [giftIcons(card), h("span", {}, giftName(card, about))];
  return text ? h("details", { class: "gift-card" }, h("summary", {}, face), h("p", { class: "small" }, text)) : h("span", { class: "gift-card" }, face);
}

/** Return a card as a button; `note` stands below its name. */
export function giftButton(card, about, onclick, attributes = {}, note = null) {
  return h(
    "button",
    { type: "button", class: "gift-card", onclick, ...attributes },
    giftIcons(card),
    h("span", {}, giftName(card, about)),
    note ? h("span", { class: "small" }, note) : null,
  );
}
