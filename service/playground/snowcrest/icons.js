// Icons of resources, buildings and cards of Snowcrest. They never stand alone: screen readers and
// tooltips have the words.

import { h, s } from "../dom.js";
import { t } from "../text.js";

const CARD = "M6.500 3.500h11v17h-11z";
const ICONS = {
  barley: "M12 21V8M12 8c-2-1-3-3-3-5 2 1 3 3 3 5zM12 8c2-1 3-3 3-5-2 1-3 3-3 5zM12 13c-2.500 0-4-1.500-4.500-4 2.500 0 4 1.500 4.500 4zM12 13c2.500 0 4-1.500 4.500-4-2.500 0-4 1.500-4.500 4zM12 18c-2.500 0-4-1.500-4.500-4 2.500 0 4 1.500 4.500 4zM12 18c2.500 0 4-1.500 4.500-4-2.500 0-4 1.500-4.500 4z",
  juniper: "M12 3l4.500 6H14l4 5h-3l4 5H5l4-5H6l4-5H7.500zM12 19v3",
  bell: "M12 3v2M6 17c1.500-2 1.500-4 1.500-6a4.500 4.500 0 0 1 9 0c0 2 0 4 1.500 6zM4.500 17h15M10.500 20a1.500 1.500 0 0 0 3 0",
  bowl: "M3.500 11h17c0 5-3.500 8-8.500 8s-8.500-3-8.500-8zM9 21.500h6M9 7.500c0-2 2-2 2-4M13.500 7.500c0-2 2-2 2-4",
  gold: "M4.500 14.500l2-6h5l2 6zM12.500 20l2-6h5l2 6zM2.500 20l2-6M10 8.500l4.500 5.500M2.500 20h19",
  scroll: "M7 4h11v13.500a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V16h9v1.500a3 3 0 0 0 3 3M7 4a2.500 2.500 0 0 0-2.500 2.500V16M8.500 8.500h6M8.500 12h6",
  farm: "M4 20V11l8-6 8 6v9zM9.500 20v-6h5v6",
  forge: "M4 8h16v3c-4 0-6 2-6 5h2v3H8v-3h2c0-3-2-5-6-5z",
  temple: "M12 3L4 8h16zM6 8v10M10 8v10M14 8v10M18 8v10M4 20.500h16V18H4z",
  omen: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  any: "M12 4.500l2.300 5 5.200.5-4 3.600 1.200 5.400-4.700-2.800L7.300 19l1.200-5.400-4-3.600 5.200-.5z",
  building: "M4 20V9l8-5 8 5v11zM9 20v-5h6v5",
  card: `${CARD}M9.500 3.500v-2h10v16h-2`,
  villager: `${CARD}M12 7.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM8.500 17c0-4 7-4 7 0`,
};
const SAME = { "less-omen": "omen", starter: "villager", common: "villager", exhausted: "villager" };

export function itemIcon(kind) {
  const name = SAME[kind] ?? kind;
  return s("svg", { class: `icon item item-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: ICONS[name] ?? CARD }));
}

/** Return a number of resources, tokens, buildings or cards of a kind in words. */
export function amount(kind, count) {
  return t(`snowcrest.amount.${kind}`, { count });
}

/** Return a number of something as icons and number; its words are for screen readers and tooltips. */
export function amountIcons(kind, count) {
  const words = amount(kind, count);
  const sign = { omen: "↓", "less-omen": "↑" }[kind] ?? "";
  return h("span", { class: "amount-icons", title: words }, h("span", { class: "hidden" }, words), h("span", { "aria-hidden": "true" }, `${sign}${count}`), itemIcon(kind));
}
