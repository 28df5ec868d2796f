// A stored turn as sentences, for a page without a connection.

import { storedDescription } from "../offline/descriptions.js";

/** Return the events of a turn, or its actions if the events are not stored. */
export function turnLines(own, steps, known, about, { start }) {
  const catalogue = storedDescription("/v1/games/snowcrest/catalogues/default") ?? {};
  const view = (state, player) => ({ about, catalogue, game: { state, decider: () => player } });
  if (known) return known.result.events.map((event) => own.event(event, view(known.before, known.player)));
  // Without the position, a villager is called by its place.
  const state = { catalogue: start.catalogue, seats: [] };
  return steps.filter(({ action }) => action).map(({ action }) => own.action(action, view(state, null)));
}
