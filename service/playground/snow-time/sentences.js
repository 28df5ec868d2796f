// Events of a round as sentences.

import { formatList, localName, t } from "../text.js";
import { seatName } from "./seats.js";

/** Return one event of the log as text. */
export function sentence(event, about) {
  const parameters = {
    level: event.level,
    count: (event.seats ?? event.dice)?.length,
    seats: formatList((event.seats ?? []).map(seatName)),
    fallen: formatList((event.fallen ?? []).map(seatName)),
    dice: formatList((event.dice ?? []).map(String)),
    cards: cardsBySeat(event.cards ?? {}, about),
  };
  const key = event.type === "strike" && !event.fallen?.length ? "strike-none" : event.type;
  const happened = t(`event.${key}`, parameters);
  if (!event.awards?.length) return happened;
  return t("awards", { happened, awards: awardTexts(event.awards, about) });
}

/** Return the cards of each seat as text. */
export function cardsBySeat(cards, about) {
  return Object.entries(cards)
    .map(([seat, list]) => {
      const names = list.map((card) => localName(about.cards[card], card));
      return t("list.entry", { name: seatName(seat), text: names.join(t("list.between")) || t("nothing") });
    })
    .join(t("list.between-entries"));
}

function awardTexts(awards, about) {
  const texts = awards.map(({ seat, kind, points, start, end }) =>
    t("award", {
      seat: seatName(seat),
      points,
      kind: localName(about.kinds[kind], kind),
      start,
      end,
    }),
  );
  return texts.join(t("list.between-entries"));
}
