// The games that this browser has stored, one record each. They do not leave the browser.

import { continues, readRecord, storedPart } from "./record.js";
import { STORED } from "../offline/descriptions.js";
import { recall, recallDocument, remember, storedNames } from "../storage.js";

const GAME = "game:";
const CURRENT = "current:";
const CACHE = "positions:";

/**
 * Store a game and make it the current one of its kind in this tab.
 * @param {object} record the game.
 * @param {object} draft what the user has entered but not yet played.
 * @param {boolean} over whether the game as played has ended.
 * @returns {boolean} whether the browser has room for it.
 */
export function saveGame(record, draft = {}, over = false) {
  remember(CURRENT + record.game, record.id, "sessionStorage");
  return remember(GAME + record.id, JSON.stringify({ ...storedPart(record), draft, over, saved: Date.now() }));
}

/** Return a stored game as `record`, `draft`, `over` and `saved` (a time in ms), or null. */
export function savedGame(id) {
  try {
    const document = JSON.parse(recall(GAME + id));
    // Earlier versions did not store whether a game had ended; the service says it when it is opened.
    const { game, draft = {}, over = true, saved = 0 } = document;
    return { record: readRecord(document, game, id), draft, over, saved };
  } catch {
    return null;
  }
}

/** Return all stored games, the newest first. */
export function savedGames() {
  return storedNames(GAME)
    .map((name) => savedGame(name.slice(GAME.length)))
    .filter(Boolean)
    .sort((one, other) => other.saved - one.saved);
}

/** Return the game of a kind to continue: the current one of this tab, or the newest. */
export function currentGame(game) {
  const here = savedGame(recall(CURRENT + game, "sessionStorage"));
  return here ?? savedGames().find(({ record }) => record.game === game) ?? null;
}

/**
 * Return the record to open for one from a link. If one of it and the stored record of the same
 * game continues the other, no step is lost; otherwise it gets another id.
 */
export function imported(linked, id) {
  const own = savedGame(linked.id)?.record;
  if (!own || continues(linked, own)) return linked;
  return continues(own, linked) ? { ...own, at: linked.at } : { ...linked, id };
}

/** Make a stored game the current one of its kind in this tab. */
export function selectGame({ game, id }) {
  remember(CURRENT + game, id, "sessionStorage");
}

export function forgetGame({ game, id }) {
  remember(GAME + id, null);
  if (recall(CURRENT + game, "sessionStorage") === id) remember(CURRENT + game, null, "sessionStorage");
  if (recallDocument(CACHE + game)?.id === id) remember(CACHE + game, null);
}

/** Remove all stored games of all kinds, their descriptions, and the board and the players at the table. */
export function forgetGames() {
  for (const name of [GAME, CACHE, STORED, "table-", "practice:"].flatMap((prefix) => storedNames(prefix))) remember(name, null);
  for (const name of storedNames(CURRENT, "sessionStorage")) remember(name, null, "sessionStorage");
}

/** Store the positions of the current game of a kind, so that it opens without a replay. */
export function cachePositions({ game, id }, version, known) {
  if (!remember(CACHE + game, JSON.stringify({ id, version, known }))) remember(CACHE + game, null);
}

/** Return the cached positions of a game, if they are of these rules. */
export function cachedPositions({ game, id }, version) {
  const cached = recallDocument(CACHE + game);
  return cached?.id === id && cached.version === version && Array.isArray(cached.known) ? cached.known : [];
}
