// Descriptions of the games from the service. The last ones are stored, so that stored games stay
// readable without a connection; a page with a connection does not use the stored ones.

import { get } from "../api.js";
import { recallDocument, remember } from "../storage.js";

/** The beginning of the names in the browser storage. */
export const STORED = "description:";

/** Request a description and store it. */
export async function description(path) {
  const document = await get(path);
  remember(STORED + path, JSON.stringify(document));
  return document;
}

/** Return the description that was requested last, or null. */
export function storedDescription(path) {
  return recallDocument(STORED + path);
}
