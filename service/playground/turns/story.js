// A stored turn as sentences, for a page without a connection.

import { storedDescription } from "../offline/descriptions.js";
import { isOpponent } from "../records/record.js";
import { withoutHidden } from "./history.js";

/** Return the events of a turn, or its actions if the events are not stored. */
export function turnLines(own, steps, known, about, record) {
  const { start } = record;
  const catalogue = storedDescription("/v1/games/snowcrest/catalogues/default") ?? {};
  const view = (state, player) => ({ about, catalogue, game: { state, decider: () => player } });
  if (known) return withoutHidden(known.result.events, (player) => isOpponent(record, player)).map((event) => own.event(event, view(known.before, known.player)));
  // Without the position, a villager is called by its place.
  const state = { catalogue: start.catalogue, seats: [] };
  return steps.filter(({ action }) => action).map(({ action }) => own.action(action, view(state, null)));
}
