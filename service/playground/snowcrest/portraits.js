// Drawings of the villagers of Snowcrest: a face from the id of the card, in a house or alone. A
// villager who is exhausted sleeps, and its window is dark.

import { s } from "../dom.js";

const SKINS = ["#f2cfae", "#d9a577", "#b87a4b", "#8a5634"];
const HAIRS = ["#3b2a22", "#6e4a2c", "#a8753a", "#8b8b8f"];
/** The colour of the hood, by the first icon of a card. */
const HOODS = { barley: "#c78a1e", juniper: "#2f7a5c", bell: "#2a639c", bowl: "#b04a34", gold: "#c9a227", farm: "#7d8f3c", forge: "#7a4a3a", temple: "#6c4794" };
const PLAIN = "#6b7d8f";

/** Return the drawing of a card; `definition` is that of the catalogue, if it is known. */
export function portrait(id, definition, { house = false, asleep = false } = {}) {
  const number = [...id].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7);
  const [icon] = Object.keys(definition?.icons ?? definition?.back ?? {});
  const hood = HOODS[icon] ?? PLAIN;
  const face = person(number, hood, asleep);
  return s(
    "svg",
    { class: `portrait${asleep ? " asleep" : ""}`, viewBox: "0 0 40 40", "aria-hidden": "true", focusable: "false" },
    house ? [walls(hood), s("g", { transform: "translate(20 27.500) scale(0.62)" }, face)] : s("g", { transform: "translate(20 22)" }, face),
    asleep ? s("path", { class: "snore", d: house ? "M29 9h5l-5 6h5M35 3h3.500l-3.500 4h3.500" : "M29 8h6l-6 7h6M35 2h4l-4 4.500h4" }) : null,
  );
}

/** Return the drawing of a free cell: a plot in the snow with a fence. */
export function plot() {
  return s("svg", { class: "portrait plot", viewBox: "0 0 40 40", "aria-hidden": "true", focusable: "false" }, s("path", { class: "mound", d: "M3 34Q8 24 17 29T37 34z" }), s("path", { class: "fence", d: "M8 33V22M16 33V21M24 33V22M32 33V21M5 25H35M5 30H35" }));
}

function walls(hood) {
  return [
    s("path", { class: "wall", d: "M6 17H34V38H6z" }),
    s("path", { class: "roof", d: "M2 19L20 4L38 19z", fill: hood }),
    s("path", { class: "roof-snow", d: "M8 14L20 4L32 14Q30 12.500 28 14.500Q25.500 11.500 23 14Q20 10.500 17 14Q14.500 11.500 12 14.500Q10 12.500 8 14z" }),
    s("path", { class: "window", d: "M11 20H29V36H11z" }),
  ];
}

function person(number, hood, asleep) {
  const [skin, hair] = [SKINS[number % 4], HAIRS[(number >> 2) % 4]];
  const look = (number >> 6) % 3;
  const eyes = asleep ? "M-5.500 -1q2 2 4 0M1.500 -1q2 2 4 0" : "M-3.500 -1.500v1.500M3.500 -1.500v1.500";
  return s(
    "g",
    {},
    s("path", { fill: hood, d: "M-13 15Q-12 6 0 6T13 15z" }),
    look === 0 ? s("path", { fill: hood, d: "M-11 3Q-12 -14 0 -14T11 3Q0 10 -11 3z" }) : s("path", { fill: hair, d: "M-9.500 2Q-11 -12 0 -12T9.500 2z" }),
    s("circle", { cy: -0.5, r: 8, fill: skin }),
    look === 1 ? s("path", { fill: hood, d: "M-9 -4Q-9 -15 0 -15T9 -4Q0 -8 -9 -4z" }) : null,
    s("path", { class: "eyes", d: eyes }),
    s("path", { class: "mouth", d: asleep ? "M-1 4.500h2" : "M-2.500 3.500q2.500 2 5 0" }),
  );
}
