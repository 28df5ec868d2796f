// Frames of a round from its event log: the table after each event.

import { choicesOf } from "./cards.js";

/**
 * Return one frame for every event: the `event`, and after it the `scores`, the `fruit`, the played
 * `cards` of each seat and the `fallen` seats.
 */
export function framesOf(state, result) {
  let frame = {
    scores: Object.fromEntries(state.seats.map((seat) => [seat.seat, seat.score])),
    fruit: [...state.fruit],
    cards: {},
    fallen: [],
  };
  return result.events.map((event) => {
    frame = { ...after(frame, event), event };
    return frame;
  });
}

function after(frame, event) {
  const next = { ...frame, scores: { ...frame.scores } };
  for (const award of event.awards ?? []) next.scores[award.seat] = award.end;
  if (event.fallen) next.fallen = [...frame.fallen, ...event.fallen];
  if (event.type === "reveal" || event.type === "add") next.cards = mergeCards(frame.cards, event.cards);
  if (event.type === "fruit") {
    const taken = event.awards.reduce((sum, award) => sum + award.points, 0);
    next.fruit = frame.fruit.map((count, place) => (place + 1 === event.level ? count - taken : count));
  }
  return next;
}

function mergeCards(played, added) {
  const cards = { ...played };
  for (const [seat, more] of Object.entries(added)) cards[seat] = [...(cards[seat] ?? []), ...more];
  return cards;
}

/** Return the played cards of each seat. */
export function cardsOf(moves) {
  const shown = {};
  for (const [seat, move] of Object.entries(moves)) {
    shown[seat] = [...choicesOf(move).card, ...(choicesOf(move).watcher ?? [])];
  }
  return shown;
}
