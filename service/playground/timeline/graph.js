// The graph of a timeline: the win shares of all players above, and below what changed the share
// of one of them in each round or turn: luck up or down, mistakes down.

import { s } from "../dom.js";
import { initial } from "../snow-time/seats.js";
import { percent } from "../text.js";
import { mistakesOf } from "./series.js";

const NARROW = "(max-width: 40rem)";
const [LEFT, RIGHT, TOP, MIDDLE, BOTTOM] = [36, 22, 8, 14, 20];
const [HIGH, LOW] = [132, 48];
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const MAX_LABELS = 12;
const LINE = 13;

/**
 * Return the drawing.
 * @param {object} options `timeline`, `player` (the one to stress), `colours` (class by player),
 *     `at` (the present column), `other` ({from, timeline}: what was tried instead), `label` for
 *     screen readers, and `onColumn` and `onMistake`, which take taps.
 */
export function graph({ timeline, player, colours, at, other, label, onColumn, onMistake }) {
  const width = window.matchMedia(NARROW).matches ? 350 : 700;
  const height = TOP + HIGH + MIDDLE + LOW + BOTTOM;
  const { columns, shares } = timeline;
  const x = (column) => LEFT + (column / columns) * (width - LEFT - RIGHT);
  const y = (share) => TOP + (1 - share) * HIGH;
  const ends = spread(Object.entries(shares).map(([each, points]) => [each, y(points.at(-1)?.[1] ?? 0)]));
  const others = Object.keys(shares).filter((each) => each !== player);
  const tapped = (event) => {
    const { left, width: shown } = event.currentTarget.getBoundingClientRect();
    const column = ((event.clientX - left) / shown) * columns;
    onColumn(Math.max(0, Math.min(columns - 1, Math.floor(column))));
  };
  return s(
    "svg",
    { class: "timeline-graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    TICKS.map((tick) => [
      s("line", { class: "tick", x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }),
      s("text", { class: "axis end", x: LEFT - 5, y: y(tick) + 4 }, percent(tick, 0)),
    ]),
    numbers(columns, x, height),
    s("rect", { class: "cursor", x: x(Math.min(at, columns - 0.2)) + 1, y: TOP, width: Math.max(4, x(1) - x(0) - 2), height: HIGH + MIDDLE + LOW, rx: 3 }),
    changes(timeline, player, x, TOP + HIGH + MIDDLE),
    [...others, player].map((each) => [
      s("path", { class: `curve ${colours[each]}${each === player ? " stressed" : ""}`, d: path(shares[each] ?? [], x, y) }),
      s("text", { class: "axis", x: width - RIGHT / 2, y: ends.get(each) + 4 }, initial(each)),
    ]),
    other ? s("path", { class: `curve tried ${colours[player]} stressed`, d: path(triedPoints(other, player), x, y) }) : null,
    s("rect", { class: "touch", x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: HIGH + MIDDLE + LOW, onclick: tapped }),
    mistakesOf(timeline, player).map((mistake) =>
      s(
        "g",
        { class: `dot ${mistake.class}`, transform: `translate(${x(mistake.x)} ${y(mistake.share)})`, onclick: () => onMistake(mistake) },
        s("circle", { class: "target", r: 11 }),
        s("circle", { r: mistake.class === "blunder" ? 6.5 : mistake.class === "mistake" ? 5 : 3.5 }),
      ),
    ),
  );
}

/** Return heights by player at least a line apart, and none below the lowest tick. */
function spread(heights) {
  const sorted = heights.toSorted(([, one], [, other]) => one - other);
  sorted.forEach((each, place) => (each[1] = Math.max(each[1], place ? sorted[place - 1][1] + LINE : 0)));
  let lowest = TOP + HIGH;
  for (const each of sorted.toReversed()) {
    each[1] = Math.min(each[1], lowest);
    lowest = each[1] - LINE;
  }
  return new Map(sorted);
}

/** Return the points of what was tried, from the column where it left the game. */
function triedPoints({ from, timeline }, player) {
  return (timeline.shares[player] ?? []).filter(([x]) => x >= from && x <= timeline.columns);
}

function path(points, x, y) {
  return points.map(([column, share], place) => `${place ? "L" : "M"}${x(column).toFixed(1)} ${y(share).toFixed(1)}`).join("");
}

function numbers(columns, x, height) {
  const step = Math.ceil(columns / MAX_LABELS);
  return Array.from({ length: columns }, (_, column) => column)
    .filter((column) => column % step === 0)
    .map((column) => s("text", { class: "axis", x: x(column + 0.5), y: height - 5 }, String(column + 1)));
}

function changes({ changes: all, columns }, player, x, top) {
  const known = [...(all[player] ?? [])];
  const highest = Math.max(0.02, ...known.flatMap(([, { luck, loss }]) => [Math.abs(luck), loss]));
  const middle = top + LOW / 2;
  const width = Math.max(2, ((x(columns) - x(0)) / columns) * 0.36);
  const bar = (kind, at, value) => {
    const size = (Math.abs(value) / highest) * (LOW / 2);
    return s("rect", { class: kind, x: at, y: value > 0 ? middle - size : middle, width, height: size });
  };
  return [
    s("line", { class: "tick", x1: x(0), x2: x(columns), y1: middle, y2: middle }),
    known.map(([column, { luck, loss }]) => [bar("luck", x(column + 0.5) - width, luck), bar("loss", x(column + 0.5), -loss)]),
  ];
}
