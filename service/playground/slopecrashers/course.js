// The course of Slopecrashers, piece by piece, from left to right.

import { h, s } from "../dom.js";
import { playerName } from "../names.js";
import { formatList, localName, t } from "../text.js";
import { colour, initial } from "../snow-time/seats.js";
import { courseRows, laidPieces } from "./layout.js";
import { FIELDS } from "./pieces.js";

const CELL = 40;
const HEAD = 18;

/** Return the name of a space: the lane as a letter from the left, and the row from the start. */
export function spaceName(row, lane) {
  return `${String.fromCharCode(65 + lane)}${row}`;
}

/** Return the number of rows of a course. */
export function courseLength(state, about) {
  return courseRows(state, about).length;
}

/** Return the panel of the course; for `touch` see pieces. */
export function course(state, about, touch) {
  return h("section", { class: "panel course", "aria-label": t("slopecrashers.course") }, pieces(state, about, touch), legend(state, about));
}

/**
 * Return the pieces of the course.
 * @param {(row: number, lane: number) => {press: () => void, kind: string}|null} touch returns for
 *     a space what a tap does; there are buttons for the same elsewhere.
 */
export function pieces(state, about, touch = () => null) {
  const blocks = laidPieces(state, about).map(({ name, rows, first }) => piece(name, rows, first, state, about, touch));
  return h("div", { class: "pieces" }, blocks);
}

function piece(name, rows, first, state, about, touch) {
  const lanes = rows[0]?.length ?? 0;
  const [width, height] = [rows.length * CELL, HEAD + lanes * CELL];
  const here = state.seats
    .map((seat, place) => ({ ...seat, place }))
    .filter((seat) => seat.row >= first && seat.row < first + rows.length);
  const snowmen = (state.snowmen ?? []).filter(({ row }) => row >= first && row < first + rows.length);
  return s(
    "svg",
    { class: "piece", viewBox: `-16 0 ${width + 18} ${height + 2}`, width: (width + 18) * 1.4, role: "img", "aria-label": description(name, first, rows, here, snowmen) },
    rows.map((_, row) => s("text", { class: "axis", x: row * CELL + CELL / 2, y: 12 }, String(first + row))),
    Array.from({ length: lanes }, (_, lane) => s("text", { class: "axis", x: -8, y: HEAD + lane * CELL + 25 }, spaceName("", lane))),
    rows.map((fields, row) => fields.map((field, lane) => (field ? cell(field, row, lane, about) : null))),
    snowmen.map(({ row, lane }) => at(row - first, lane, snowman())),
    here.map((seat) => {
      const together = here.filter((each) => each.row === seat.row && each.lane === seat.lane);
      const shift = (together.indexOf(seat) - (together.length - 1) / 2) * 11;
      return at(seat.row - first, seat.lane, racer(seat, shift));
    }),
    rows.map((fields, row) => fields.map((_, lane) => touchable(touch(first + row, lane), row, lane))),
  );
}

function description(name, first, rows, here, snowmen) {
  const parts = [t("slopecrashers.piece", { name, first, last: first + rows.length - 1 })];
  const standing = here.map((seat) => `${playerName(seat.player)} ${spaceName(seat.row, seat.lane)}`);
  if (standing.length) parts.push(formatList(standing));
  if (snowmen.length) parts.push(t("slopecrashers.snowmen", { spaces: snowmen.map(({ row, lane }) => spaceName(row, lane)).join(", ") }));
  return `${parts.join(". ")}.`;
}

/** Return what lights a space and takes its taps. */
function touchable(what, row, lane) {
  if (!what) return null;
  return at(row, lane, s("rect", { class: `touch ${what.kind}`, x: -18, y: -18, width: 36, height: 36, rx: 7, onclick: what.press }));
}

function at(row, lane, drawing) {
  return s("g", { transform: `translate(${row * CELL + CELL / 2} ${HEAD + lane * CELL + CELL / 2})` }, drawing);
}

function cell(field, row, lane, about) {
  return at(
    row,
    lane,
    s(
      "g",
      { class: `field-${field}` },
      s("title", {}, localName(about.kinds[field], field)),
      s("rect", { class: "ground", x: -19, y: -19, width: 38, height: 38, rx: 7 }),
      sign(field),
    ),
  );
}

/** Return the drawing of a kind of field. */
export function fieldSign(field) {
  return s("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" }, s("g", { class: `field-${field}` }, s("rect", { class: "ground", x: -19, y: -19, width: 38, height: 38, rx: 7 }), sign(field)));
}

function sign(field) {
  if (field === "gift") {
    return [
      s("rect", { class: "box", x: -9, y: -5, width: 18, height: 14, rx: 2 }),
      s("path", { class: "ribbon", d: "M0 -5V9M-9 -1H9M0 -5C-8 -14 -10 -5 0 -5C10 -5 8 -14 0 -5" }),
    ];
  }
  if (field === "gift-boost") return [half("gift", -9), half("boost", 9)];
  if (field === "boost") return s("path", { class: "arrow", d: "M-9 -8L-1 0L-9 8M1 -8L9 0L1 8" });
  if (field === "abyss") return s("path", { class: "hole", d: "M-13 -3Q-10 -13 1 -11Q13 -12 13 1Q12 12 0 11Q-14 13 -13 -3z" });
  if (field === "obstacle") return s("path", { class: "rock", d: "M-12 10L-6 -6L0 -1L5 -11L12 10z" });
  return null;
}

function half(field, y) {
  return s("g", { class: `field-${field}`, transform: `translate(0 ${y}) scale(0.75)` }, sign(field));
}

/** Return the drawing of a snowman. */
export function snowman() {
  return s(
    "g",
    { class: "snowman" },
    s("circle", { cy: 7, r: 9 }),
    s("circle", { cy: -6, r: 6 }),
    s("path", { d: "M0 -6l7 1.500l-7 1.200z" }),
  );
}

function racer(seat, shift) {
  return s(
    "g",
    { class: "token", transform: `translate(${shift} 0)`, "data-glide": seat.player },
    s("circle", { class: `seat ${colour(seat.place)}`, r: 14 }),
    s("text", { y: 6 }, initial(seat.player)),
  );
}

function legend(state, about) {
  const used = courseRows(state, about).flat();
  const kinds = FIELDS.filter((kind) => kind !== "plain" && (kind !== "gift-boost" || used.includes(kind)));
  return h(
    "ul",
    { class: "legend" },
    kinds.map((kind) =>
      h(
        "li",
        {},
        fieldSign(kind),
        localName(about.kinds[kind], kind),
      ),
    ),
  );
}
