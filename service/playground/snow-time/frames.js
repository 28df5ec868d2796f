// The moments of a round, from its event log: what is on the table after each event.

/**
 * One frame for every event: `event`, and the `scores`, the `fruit`, the `cards` that lie by each
 * seat and the `fallen` seats after it.
 */
export function framesOf(state, result) {
  let now = {
    scores: Object.fromEntries(state.seats.map((seat) => [seat.seat, seat.score])),
    fruit: [...state.fruit],
    cards: {},
    fallen: [],
  };
  return result.events.map((event) => {
    now = { ...after(now, event), event };
    return now;
  });
}

function after(now, event) {
  const next = { ...now, scores: { ...now.scores } };
  for (const award of event.awards ?? []) next.scores[award.seat] = award.end;
  if (event.fallen) next.fallen = [...now.fallen, ...event.fallen];
  if (event.type === "reveal" || event.type === "add") next.cards = joined(now.cards, event.cards);
  if (event.type === "fruit") {
    const taken = event.awards.reduce((sum, award) => sum + award.points, 0);
    next.fruit = now.fruit.map((count, place) => (place + 1 === event.level ? count - taken : count));
  }
  return next;
}

function joined(lying, added) {
  const cards = { ...lying };
  for (const [seat, more] of Object.entries(added)) cards[seat] = [...(cards[seat] ?? []), ...more];
  return cards;
}

/** The cards that moves show, before anything came of them. */
export function cardsOf(moves) {
  const shown = {};
  for (const [seat, move] of Object.entries(moves)) {
    shown[seat] = [move.card, ...(move.then ? [move.then.card] : [])];
  }
  return shown;
}
