// A stored round as sentences, for a page without a connection.

import { t } from "../text.js";
import { cardsOf } from "./frames.js";
import { cardsBySeat, sentence } from "./sentences.js";

/** Return the events of a round, or the dice and the cards if the events are not stored. */
export function roundLines(steps, known, about) {
  const texts = steps.filter((step) => step.dice).map(({ dice }) => t("announce.dice", { dice: dice.join(" · ") }));
  if (known) return [...texts, ...known.result.events.map((event) => sentence(event, about))];
  const moves = Object.assign({}, ...steps.map((step) => step.moves ?? step.revealed ?? {}));
  return Object.keys(moves).length ? [...texts, cardsBySeat(cardsOf(moves), about)] : texts;
}
