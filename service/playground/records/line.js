// The line of a game as played, kept in its record while the user looks at earlier points of it or
// tries something else from there. Pure functions.

import { chapters, stepsOf } from "./record.js";

/** Return the steps of the game as played. */
export function lineOf(record) {
  return record.line ?? record.steps;
}

/** Return the record at an earlier point of the line; steps that were only tried are dropped. */
export function visited(record, at) {
  const line = lineOf(record);
  return at < line.length ? { ...record, line, steps: line, at } : returned(record);
}

/** Return the record at the end of the line. */
export function returned({ line, ...record }) {
  return line ? { ...record, steps: line, at: line.length } : record;
}

/** Return the record with the steps that were tried in place of the line. */
export function adopted({ line, ...record }) {
  return line ? record : { ...record, at: record.steps.length };
}

/** Return whether the user has tried something else than was played. */
export function hasLeft(record) {
  return Boolean(record.line) && sharedSteps(record) < record.at;
}

/** Return how many completed rounds or turns the present steps and the line have in common. */
export function sharedChapters(record) {
  const at = sharedSteps(record);
  return chapters({ steps: lineOf(record), at }).done.length;
}

function sharedSteps(record) {
  const line = lineOf(record);
  const place = stepsOf(record).findIndex((step, index) => JSON.stringify(step) !== JSON.stringify(line[index]));
  return place < 0 ? record.at : place;
}
