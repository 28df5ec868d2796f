// The course of Slopecrashers: one slope that winds down the page, so that left is on the left.

import { h, s } from "../dom.js";
import { playerName } from "../names.js";
import { formatList, gap, localName, t } from "../text.js";
import { climber } from "../snow-time/seats.js";
import { courseRows, laidPieces } from "./layout.js";
import { FIELDS } from "./pieces.js";
import { route } from "./route.js";
import { overview, scenery } from "./scenery.js";
import { slopeShape } from "./slope.js";

/** The least height above the focus that stays in view, as a part of the window. */
const ABOVE = 0.3;
/** What a small picture leaves out on both sides. */
const EDGE = 28;

/** Return the name of a space: the lane as a letter from the left, and the row from the start. */
export function spaceName(row, lane) {
  return `${String.fromCharCode(65 + lane)}${row}`;
}

/** Return the number of rows of a course. */
export function courseLength(state, about) {
  return courseRows(state, about).length;
}

/**
 * Return the panel of the course.
 * @param {object} state the position.
 * @param {object} about description of the game.
 * @param {object} options `touch(row, lane)` returns for a space what a tap does, {press, kind}, or
 *     null; there are buttons for the same elsewhere. `routes` are ways over the course, see
 *     route.js; `focus` is the row to bring into view, and `seen` what the user has scrolled to.
 */
export function course(state, about, { touch = () => null, routes = [], focus = 0, seen = {} } = {}) {
  const shape = slopeShape(laidPieces(state, about));
  const slope = drawing(shape, state, about, { touch, routes });
  // A drawing that has been replaced reports 0.
  const onscroll = ({ target }) => target.isConnected && (seen.top = target.scrollTop);
  const view = h("div", { class: "pieces", tabindex: "0", role: "group", "aria-label": t("slopecrashers.course"), onscroll }, slope);
  requestAnimationFrame(() => {
    // A later drawing may have taken its place before it had a size.
    if (!view.isConnected) return;
    const scale = slope.clientHeight / shape.height;
    // A row that comes into focus is shown; otherwise the slope stays where the user scrolled to.
    if (seen.focus !== focus) Object.assign(seen, { focus, top: shape.centre(focus, 0).y * scale - ABOVE * view.clientHeight });
    view.scrollTop = seen.top;
  });
  return h("section", { class: "panel course", "aria-label": t("slopecrashers.course") }, h("div", { class: "slope-frame" }, view, overview(state, shape, standings(state))), legend(state, about));
}

/** Return the part of the course around some routes, as a small picture. */
export function excerpt(state, about, routes) {
  const shape = slopeShape(laidPieces(state, about));
  const rows = routes.flatMap(({ stops }) => stops.map(({ row }) => row));
  const [first, last] = [Math.max(0, Math.min(...rows) - 1), Math.min(shape.rows.length - 1, Math.max(...rows) + 1)];
  const [top, bottom] = [shape.top(first) - 16, last < shape.rows.length - 1 ? shape.bottom(last) + 4 : shape.height];
  const slope = drawing(shape, state, about, { touch: () => null, routes });
  slope.setAttribute("viewBox", `${EDGE} ${top} ${shape.width - 2 * EDGE} ${bottom - top}`);
  slope.setAttribute("aria-hidden", "true");
  return rows.length ? slope : null;
}

function drawing(shape, state, about, { touch, routes }) {
  const { laid } = shape;
  return s(
    "svg",
    { class: "slope", viewBox: `0 0 ${shape.width} ${shape.height}` },
    scenery(shape, laid),
    laid.map((each) => piece(each, shape, state, about)),
    laid.map(({ rows, first }) => rows.map((fields, row) => fields.map((_, lane) => touchable(touch(first + row, lane), first + row, lane, shape)))),
    routes.map((each) => route(each, shape)),
    state.seats.map((seat, place) => (seat.row === undefined ? null : racer(seat, place, state, shape))),
  );
}

/** Return where everybody is, in words. */
function standings({ seats }) {
  const where = ({ player, lap, row, lane }) => t("list.entry", { name: playerName(player), text: lap ? t("slopecrashers.where", { lap, space: spaceName(row, lane) }) : t("slopecrashers.beside") });
  return seats.map(where).join(t("list.between-entries"));
}

function piece({ name, rows, first }, shape, state, about) {
  const last = first + rows.length - 1;
  const isHere = ({ row }) => row >= first && row <= last;
  const snowmen = (state.snowmen ?? []).filter(isHere);
  return s(
    "g",
    { class: "piece", role: "img", "aria-label": description(name, first, last, state.seats.filter(isHere), snowmen) },
    rows.map((fields, row) => [
      s("text", { class: "axis", x: shape.left(first + row) - 13, y: shape.centre(first + row, 0).y + 4 }, String(first + row)),
      fields.map((field, lane) => (field ? cell(field, first + row, lane, shape, about) : null)),
    ]),
    rows[0].map((_, lane) => s("text", { class: "axis", x: shape.centre(first, lane).x, y: shape.top(first) - 4 }, spaceName("", lane))),
    snowmen.map(({ row, lane }) => at(shape.centre(row, lane), snowman())),
  );
}

function description(name, first, last, here, snowmen) {
  const parts = [t("slopecrashers.piece", { name, first, last })];
  const standing = here.map((seat) => `${playerName(seat.player)} ${spaceName(seat.row, seat.lane)}`);
  if (standing.length) parts.push(formatList(standing));
  if (snowmen.length) parts.push(t("slopecrashers.snowmen", { spaces: snowmen.map(({ row, lane }) => spaceName(row, lane)).join(t("list.between")) }));
  return parts.map((part) => t("list.end", { text: part })).join(gap());
}

/** Return what lights a space and takes its taps. */
function touchable(what, row, lane, shape) {
  return what ? s("path", { class: `touch ${what.kind}`, d: shape.outline(row, lane), onclick: what.press }) : null;
}

function at({ x, y }, ...drawing) {
  return s("g", { transform: `translate(${x} ${y})` }, drawing);
}

function cell(field, row, lane, shape, about) {
  return s(
    "g",
    { class: `field-${field}` },
    s("title", {}, localName(about.kinds[field], field)),
    s("path", { class: "ground", d: shape.outline(row, lane) }),
    at(shape.centre(row, lane), sign(field)),
  );
}

/** Return the drawing of a kind of field. */
export function fieldSign(field) {
  return s("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" }, s("g", { class: `field-${field}` }, s("rect", { class: "ground", x: -17, y: -17, width: 34, height: 34 }), sign(field)));
}

function sign(field) {
  if (field === "gift") {
    return [
      s("rect", { class: "box", x: -9, y: -5, width: 18, height: 14, rx: 2 }),
      s("path", { class: "ribbon", d: "M0 -5V9M-9 -1H9M0 -5C-8 -14 -10 -5 0 -5C10 -5 8 -14 0 -5" }),
    ];
  }
  if (field === "gift-boost") return [half("gift", -9), half("boost", 9)];
  if (field === "boost") return s("path", { class: "arrow", d: "M-8 -9L0 -1L8 -9M-8 1L0 9L8 1" });
  if (field === "abyss") return [s("path", { class: "hole", d: "M-15 -2Q-11 -13 1 -11Q14 -12 15 1Q13 12 0 11Q-15 13 -15 -2z" }), s("path", { class: "rim", d: "M-13 -4Q-9 -11 2 -9Q11 -10 13 -2Q6 -6 -2 -5T-13 -4z" })];
  if (field === "obstacle") return [s("path", { class: "rock", d: "M-14 10L-7 -7L-1 -2L5 -12L14 10z" }), s("path", { class: "peak", d: "M5 -12L1 -5L4 -6L6 -3L9 -4z" })];
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

/** Return a player on skis; several on one space stand side by side. */
function racer(seat, place, { seats }, shape) {
  const together = seats.filter((each) => each.row === seat.row && each.lane === seat.lane);
  const { x, y } = shape.centre(seat.row, seat.lane);
  const shift = (together.indexOf(seat) - (together.length - 1) / 2) * 16;
  return s(
    "g",
    { class: "token", transform: `translate(${x + shift} ${y})`, "data-glide": seat.player },
    s("path", { class: "skis", d: "M-6 6V17Q-6 20 -3.500 20M6 6V17Q6 20 8.500 20" }),
    climber(seat.player, place, 13),
  );
}

function legend(state, about) {
  const used = courseRows(state, about).flat();
  const kinds = FIELDS.filter((kind) => kind !== "plain" && (kind !== "gift-boost" || used.includes(kind)));
  return h("ul", { class: "legend" }, kinds.map((kind) => h("li", {}, fieldSign(kind), localName(about.kinds[kind], kind))));
}
