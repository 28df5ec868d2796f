// The pieces of the course at the table. The browser remembers them for the next game.

import { recall, remember } from "../storage.js";

const KEY = "course-pieces";
const FIELDS = ["plain", "gift", "boost", "abyss", "obstacle"];

/** Return the remembered pieces, or null if the course has the default ones. */
export function rememberedPieces() {
  try {
    const pieces = JSON.parse(recall(KEY));
    const legal = (rows) => rows.length > 0 && rows.every((fields) => fields.length > 1 && fields.every((field) => FIELDS.includes(field)));
    return Object.values(pieces).length && Object.values(pieces).every(legal) ? pieces : null;
  } catch {
    return null;
  }
}

export function rememberPieces(pieces) {
  remember(KEY, pieces ? JSON.stringify(pieces) : null);
}
