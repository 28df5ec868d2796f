// The pieces and the course at the table. The browser remembers them for the next game.

import { recall, remember } from "../storage.js";

const KEY = "course-pieces";
const COURSE = "table-course";
const LAYOUT = "course-layout";

/** The kinds of fields of a piece. */
export const FIELDS = ["plain", "gift", "boost", "gift-boost", "abyss", "obstacle"];

/** Return the remembered pieces, or null if the course has the default ones. */
export function rememberedPieces() {
  try {
    const pieces = JSON.parse(recall(KEY));
    const legal = (rows) => rows.length > 0 && rows.every((fields) => fields.length > 1 && fields.length === rows[0].length && fields.every((field) => FIELDS.includes(field)));
    return Object.values(pieces).length && Object.values(pieces).every(legal) ? pieces : null;
  } catch {
    return null;
  }
}

/** Return the order of the pieces at the last table, or all pieces. */
export function rememberedCourse(pieces) {
  const names = Object.keys(pieces);
  try {
    const course = JSON.parse(recall(COURSE));
    return course.length && course.every((name) => names.includes(name)) ? [...new Set(course)] : names;
  } catch {
    return names;
  }
}

export function rememberCourse(course) {
  remember(COURSE, JSON.stringify(course));
}

/** Return how the pieces lay at the last table, as {reversed, offsets}. */
export function rememberedLayout() {
  try {
    const { reversed = [], offsets = {} } = JSON.parse(recall(LAYOUT));
    return { reversed: reversed.map(String), offsets: Object.fromEntries(Object.entries(offsets).filter(([, offset]) => Number.isInteger(offset))) };
  } catch {
    return { reversed: [], offsets: {} };
  }
}

export function rememberLayout({ reversed = [], offsets = {} }) {
  remember(LAYOUT, JSON.stringify({ reversed, offsets }));
}

export function rememberPieces(pieces) {
  remember(KEY, pieces ? JSON.stringify(pieces) : null);
}
