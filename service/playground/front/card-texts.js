// What the cards of a game do, in one sentence each.

import { h } from "../dom.js";
import { has, t } from "../text.js";

const CHAMPION = /^[1-7]$/;
const EXAMPLE = "5";

/** Return what a card does, or null; the cards of Snowcrest say it themselves. */
export function cardText(card) {
  if (CHAMPION.test(card)) return t("card.champion", { level: card });
  return has(`card.${card}`) ? t(`card.${card}`) : null;
}

/** Return the list of what all cards of a game do, or null; one champion stands for all. */
export function cardTexts(cards) {
  const ids = Object.keys(cards).filter((card) => !CHAMPION.test(card) || card === EXAMPLE);
  const texts = ids.map(cardText).filter(Boolean);
  return texts.length ? h("ul", { class: "card-texts" }, texts.map((text) => h("li", {}, text))) : null;
}
