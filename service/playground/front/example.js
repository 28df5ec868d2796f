// An example of a hint on a small tree. A test compares it with what the service advises there.

import { h, s } from "../dom.js";
import { initial } from "../snow-time/seats.js";
import { percent, t } from "../text.js";
import { disc, figure, line } from "./figure.js";
import { fir } from "./pictures.js";

/** The position, its hint, and where the others probably stand, as {seat, level, chance}. */
export const EXAMPLE = {
  state: {
    seats: [
      { seat: "red", player: "red", score: 13, hand: ["2", "3", "5", "healer"] },
      { seat: "blue", player: "blue", score: 20, hand: ["1", "3", "7", "healer"] },
      { seat: "green", player: "green", score: 17, hand: ["1", "2", "7", "healer", "watcher"] },
    ],
    fruit: [2, 0, 3, 1, 2, 0],
  },
  level: 5,
  chances: [["blue", 3, 0.53], ["blue", 1, 0.47], ["green", 1, 0.76]],
};
const TONES = { red: "berry", blue: "lake", green: "pine" };
const [ROW, LOWEST, TRUNK, SIDE] = [27, 196, 92, 168];

/** Return the figure, with a link to the position. */
export function example() {
  const record = { start: EXAMPLE.state, grown: true, mine: ["red"], steps: [] };
  return h(
    "figure",
    { class: "panel example" },
    s("svg", { viewBox: "0 0 300 224", "aria-hidden": "true", focusable: "false" }, board()),
    h(
      "figcaption",
      {},
      h("p", { class: "eyebrow" }, t("front.example")),
      h("p", { class: "pick" }, t("front.example.move")),
      h("p", {}, t("front.example.why")),
      h("a", { href: `#snow-time/${btoa(JSON.stringify(record)).replaceAll("/", "_")}`, "data-key": "example" }, t("front.example.try")),
    ),
  );
}

function y(level) {
  return LOWEST - (level - 1) * ROW;
}

function board() {
  const { state, level, chances } = EXAMPLE;
  const levels = [7, 6, 5, 4, 3, 2, 1];
  const others = chances.map(([seat, each, chance], order) => {
    const before = chances.slice(0, order).filter(([, other]) => other === each).length;
    return probable(seat, each, chance, SIDE + 10 + before * 64);
  });
  return [
    levels.map((each) => [line("far", `M22 ${y(each) + 12}H292`, 0.8), s("text", { class: "number", x: 12, y: y(each) + 5 }, String(each))]),
    s("g", { transform: `translate(${TRUNK} 220)` }, fir(7, ROW, 18, 8)),
    levels.flatMap((each) => hanging(each, state.fruit[each - 1] ?? 0)),
    others,
    s("g", { class: "climber", transform: `translate(${SIDE + 10} ${y(level) + 10})` }, s("g", { class: "climbing" }, s("circle", { class: "halo", cy: -15, r: 24 }), figure(TONES.red))),
  ];
}

function hanging(level, count) {
  return Array.from({ length: count }, (_, place) => {
    const x = TRUNK + (place - (count - 1) / 2) * 17;
    return [disc("red", x, y(level), 6.5), disc("shine", x - 2, y(level) - 2, 1.7)];
  });
}

function probable(seat, level, chance, x) {
  return s(
    "g",
    { class: "likely", transform: `translate(${x} ${y(level) + 2})` },
    disc(TONES[seat], 0, -3, 10),
    s("text", { class: "initial", y: 1 }, initial(seat)),
    s("text", { class: "chance", x: 14, y: 1 }, percent(chance, 0)),
  );
}
