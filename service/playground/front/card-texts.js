// What the cards of a game do, in one sentence each.

import { h } from "../dom.js";
import { has, t } from "../text.js";

const CHAMPION = /^[1-7]$/;
const EXAMPLE = "5";
/** What the cards of a game name with a word or an icon. */
const TERMS = { snowcrest: ["worth", "build", "meditate", "worship", "recruit", "copy", "settle", "omen"] };

/** Return what a card does, or null; the cards of Snowcrest say it themselves. */
export function cardText(card) {
  if (CHAMPION.test(card)) return t("card.champion", { level: card });
  return has(`card.${card}`) ? t(`card.${card}`) : null;
}

/** Return the list of what all cards of a game do; one champion stands for all. */
export function cardTexts({ game, cards }) {
  const ids = Object.keys(cards).filter((card) => !CHAMPION.test(card) || card === EXAMPLE);
  const texts = [...ids.map(cardText).filter(Boolean), ...(TERMS[game] ?? []).map((term) => t(`card.term.${term}`))];
  return h("ul", { class: "card-texts" }, texts.map((text) => h("li", {}, text)));
}
