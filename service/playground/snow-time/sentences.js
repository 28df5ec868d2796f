// What happened in a round, in words.

import { listed, named, t } from "../text.js";
import { seatName } from "./seats.js";

/** One event of the log as a sentence or two. */
export function sentence(event, about) {
  const parameters = {
    level: event.level,
    seats: listed((event.seats ?? []).map(seatName)),
    fallen: listed((event.fallen ?? []).map(seatName)),
    dice: listed((event.dice ?? []).map(String)),
    cards: cardsBySeat(event.cards ?? {}, about),
  };
  const key = event.type === "strike" && !event.fallen?.length ? "strike-none" : event.type;
  const happened = t(`event.${key}`, parameters);
  if (!event.awards?.length) return happened;
  return t("awards", { happened, awards: awards(event.awards, about) });
}

function cardsBySeat(cards, about) {
  return Object.entries(cards)
    .map(([seat, held]) => {
      const names = held.map((card) => named(about.cards[card], card));
      return `${seatName(seat)}: ${names.length ? names.join(", ") : t("nothing")}`;
    })
    .join("; ");
}

function awards(told, about) {
  const each = told.map(({ seat, kind, points, start, end }) =>
    t("award", {
      seat: seatName(seat),
      points,
      kind: named(about.kinds[kind], kind),
      start,
      end,
    }),
  );
  return each.join("; ");
}
