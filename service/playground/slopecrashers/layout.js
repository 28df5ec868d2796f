// How the pieces of a course lie: their order, their direction, and the lane where each begins.

import { button, h } from "../dom.js";
import { t } from "../text.js";

const MAX_LANES = 8;
const MAX_ROWS = 12;
const MIN_LANES = 2;

/**
 * Return the pieces of a course as they lie, as {name, first, rows}. The rows have all lanes of the
 * course; a lane that a piece leaves open has null.
 */
export function laidPieces({ course, pieces, reversed = [], offsets = {} }, about) {
  const known = pieces ?? about.default_pieces;
  const laid = course.filter((name) => known[name]).map((name) => ({ name, offset: offsets[name] ?? 0, printed: known[name] }));
  const lanes = Math.max(...laid.map(({ offset, printed }) => offset + printed[0].length));
  let first = 0;
  return laid.map(({ name, offset, printed }) => {
    const turned = reversed.includes(name) ? printed.map((fields) => [...fields].reverse()).reverse() : printed;
    const open = (count) => Array(count).fill(null);
    const rows = turned.map((fields) => [...open(offset), ...fields, ...open(lanes - offset - fields.length)]);
    const piece = { name, first, rows };
    first += rows.length;
    return piece;
  });
}

/** Return all rows of a course, see laidPieces. */
export function courseRows(state, about) {
  return laidPieces(state, about).flatMap(({ rows }) => rows);
}

/** Set the field of a space of the course in the set of the state. */
export function paintSpace(state, about, row, lane, field) {
  const { name, first, rows } = laidPieces(state, about).find((piece) => row < piece.first + piece.rows.length);
  const printed = state.pieces[name];
  const [down, right] = [row - first, lane - (state.offsets?.[name] ?? 0)];
  if (state.reversed?.includes(name)) printed[rows.length - 1 - down][printed[0].length - 1 - right] = field;
  else printed[down][right] = field;
}

/** Return how many lanes no piece of a course has, from the left. */
export function emptyLanes(course, { offsets = {} }) {
  return Math.min(...course.map((name) => offsets[name] ?? 0));
}

/** Return how the pieces of a course lie, from lane A and without those that are not on it. */
export function layoutOf(course, { reversed = [], offsets = {} }) {
  const turned = reversed.filter((name) => course.includes(name));
  const empty = emptyLanes(course, { offsets });
  const moved = course.map((name) => [name, (offsets[name] ?? 0) - empty]).filter(([, offset]) => offset);
  return { ...(turned.length ? { reversed: turned } : {}), ...(moved.length ? { offsets: Object.fromEntries(moved) } : {}) };
}

/**
 * Return for each piece of a course how it lies and, if the set can be changed, its size.
 * @param {object} board has `course`, `pieces`, `reversed` and `offsets`.
 * @param {(work: (board: object) => void) => void} change changes the board and shows it again.
 */
export function layoutFields(board, change, resize = false) {
  return h(
    "details",
    { class: "fold", "data-key": "edit-layout" },
    h("summary", {}, t("edit.layout")),
    h("ul", { class: "piece-layout" }, board.course.map((name) => h("li", {}, h("strong", {}, name), controls(name, board, change, resize)))),
  );
}

function controls(name, board, change, resize) {
  const printed = board.pieces[name];
  const [rows, lanes, offset] = [printed.length, printed[0].length, board.offsets?.[name] ?? 0];
  const isReversed = (board.reversed ?? []).includes(name);
  const total = board.course.reduce((sum, each) => sum + board.pieces[each].length, 0);
  const turn = (next) => (next.reversed = isReversed ? next.reversed.filter((each) => each !== name) : [...(next.reversed ?? []), name]);
  const move = (by) => (next) => (next.offsets = { ...next.offsets, [name]: offset + by });
  const widen = (by) => (next) => (next.pieces[name] = printed.map((fields) => (by < 0 ? fields.slice(0, -1) : [...fields, "plain"])));
  const lengthen = (by) => (next) => (next.pieces[name] = by < 0 ? printed.slice(0, -1) : [...printed, printed[0].map(() => "plain")]);
  const stepper = (key, label, value, by, less, more) =>
    h(
      "div",
      { class: "stepper" },
      h("span", {}, label),
      button("−", () => change(by(-1)), { "data-key": `${key}-less-${name}`, "aria-label": t("edit.less", { what: `${label}, ${name}` }), disabled: !less }),
      h("output", {}, String(value)),
      button("+", () => change(by(1)), { "data-key": `${key}-more-${name}`, "aria-label": t("edit.more", { what: `${label}, ${name}` }), disabled: !more }),
    );
  return [
    button(t("edit.reversed"), () => change(turn), { "data-key": `reversed-${name}`, "aria-pressed": String(isReversed) }),
    stepper("offset", t("edit.from-lane"), String.fromCharCode(65 + offset), move, offset > 0, offset + lanes < MAX_LANES),
    resize ? stepper("lanes", t("edit.lanes"), lanes, widen, lanes > MIN_LANES, offset + lanes < MAX_LANES) : null,
    resize ? stepper("rows", t("edit.rows"), rows, lengthen, rows > 1 && total > 4, rows < MAX_ROWS) : null,
  ];
}
