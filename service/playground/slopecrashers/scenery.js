// What surrounds the course: snow, trees, the start, the finish, and the small map of both laps.

import { h, s } from "../dom.js";
import { t } from "../text.js";
import { seatMark } from "../snow-time/seats.js";

const SHORE = 9;
const LAPS = [1, 2];
const [MAP_WIDTH, MAP_HEIGHT, MAP_TOP] = [70, 330, 26];

/** Return the drawing below the spaces. */
export function scenery(shape, laid) {
  const { rows, width, height, top, bottom } = shape;
  const sides = rows.map((_, row) => [top(row), bottom(row)].map((y) => shape.edges(row, y)));
  const left = sides.flatMap((each) => each.map(([{ x, y }]) => `${x - SHORE} ${y}`));
  const right = sides.flatMap((each) => each.map(([, { x, y }]) => `${x + SHORE} ${y}`));
  const [start, end] = [shape.edges(0, top(0)), shape.edges(rows.length - 1, bottom(rows.length - 1))];
  return s(
    "g",
    { class: "scenery", "aria-hidden": "true" },
    s("rect", { class: "snowfield", width, height }),
    s("path", { class: "piste", d: `M${left[0].split(" ")[0]} 0L${[...left, ...right.reverse()].join("L")}V0z` }),
    s("path", { class: "piste", d: `M${end[0].x - SHORE} ${end[0].y - 4}H${end[1].x + SHORE}L${end[1].x + 24} ${height}H${end[0].x - 24}z` }),
    laid.flatMap(({ rows: own, first }) => own.map((_, row) => tree(first + row, shape))),
    gate(start, top(0)),
    finish(end, height),
  );
}

/** Return a fir beside a row, or none: always the same ones. */
function tree(row, shape) {
  const turn = (row * 7) % 5;
  if (turn > 2) return null;
  const [{ x: left }, { x: right }] = shape.edges(row, shape.top(row));
  const size = 0.75 + ((row * 13) % 7) / 14;
  const x = row % 2 ? Math.max(11, left - 34 - 3 * turn) : Math.min(shape.width - 11, right + 27 + 6 * turn);
  return s(
    "g",
    { class: "fir", transform: `translate(${x} ${shape.top(row) + 30}) scale(${size})` },
    s("path", { class: "stem", d: "M-2 0h4v6h-4z" }),
    s("path", { d: "M0 -30L8 -16H4L11 -4H-11L-4 -16H-8z" }),
    s("path", { class: "snow", d: "M0 -30L5 -21Q2 -23 0 -20Q-2 -23 -5 -21zM-7 -9Q-3 -12 0 -8T8 -9L4 -16Q0 -12 -4 -16z" }),
  );
}

function gate([{ x: left }, { x: right }], y) {
  const middle = (left + right) / 2;
  return [
    s("path", { class: "pole", d: `M${left - 4} ${y + 2}V8M${right + 4} ${y + 2}V8` }),
    s("path", { class: "banner", d: `M${left - 4} 10H${right + 4}V28Q${middle} 34 ${left - 4} 28z` }),
    s("text", { class: "banner-text", x: middle, y: 25 }, t("track.start")),
  ];
}

/** Return the chequered finish line. */
function finish([{ x: left, y }, { x: right }], height) {
  const squares = Math.round((right - left) / 10);
  const side = (right - left) / squares;
  const square = (place) => [0, 1].map((row) => ((place + row) % 2 ? s("rect", { class: "square", x: left + place * side, y: y + 6 + row * 8, width: side, height: 8 }) : null));
  return [
    s("rect", { class: "line", x: left, y: y + 6, width: right - left, height: 16 }),
    Array.from({ length: squares }, (_, place) => square(place)),
    s("text", { class: "axis", x: (left + right) / 2, y: height - 7 }, t("track.goal")),
  ];
}

/** Return the small map: both laps, and how far everybody has come. */
export function overview({ seats }, shape, label) {
  const y = (row) => MAP_TOP + ((row + 0.5) / shape.rows.length) * (MAP_HEIGHT - MAP_TOP - 10);
  const x = (lap, row) => 20 + (lap - 1) * 36 + (shape.left(row) - shape.left(0)) * 0.12;
  const way = (lap) => shape.rows.map((_, row) => `${row ? "L" : "M"}${x(lap, row).toFixed(1)} ${y(row).toFixed(1)}`).join("");
  const placed = seats.map((seat, place) => ({ ...seat, place })).filter(({ lap }) => lap);
  const before = ({ lap, row, place }) => placed.filter((each) => each.lap === lap && Math.abs(each.row - row) < 2 && each.place < place).length;
  return h(
    "div",
    { class: "overview" },
    s(
      "svg",
      { viewBox: `0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`, role: "img", "aria-label": `${t("slopecrashers.map")}. ${label}.` },
      LAPS.map((lap) => [s("path", { class: "map-way", d: way(lap) }), s("text", { class: "axis", x: x(lap, 0), y: 14 }, String(lap))]),
      placed.map((each) => s("g", { class: "token", transform: `translate(${x(each.lap, each.row) + 9 * before(each)} ${y(each.row)})` }, seatMark(each.player, each.place, 9))),
    ),
  );
}
