// The pictures of the front door: the tree, the slope and the village, from simple shapes. Their
// colours are variables of front.css, which has them for light and dark.

import { s } from "../dom.js";
import { disc, figure, line, shape } from "./figure.js";

const PICTURES = { "snow-time": treePicture, slopecrashers: slopePicture, snowcrest: villagePicture };
const FLAKES = [[22, 30], [52, 14], [78, 44], [30, 66], [172, 20], [206, 38], [224, 12], [190, 62], [140, 12], [216, 84], [14, 98], [100, 22]];

/** Return the picture of a game, which screen readers skip. */
export function picture(game) {
  return s("svg", { class: "picture", viewBox: "0 0 240 160", "aria-hidden": "true", focusable: "false" }, PICTURES[game]());
}

function at(x, y, scale, ...content) {
  return s("g", { transform: `translate(${x} ${y}) scale(${scale})` }, content);
}

/** Return a fir of several layers with snow on them; its trunk ends at y = 0. */
export function fir(layers, layer, reach, step) {
  const rows = Array.from({ length: layers }, (_, row) => row);
  return [
    shape("trunk", `M-4 ${-0.6 * layer}h8V0h-8z`),
    rows.map((row) => {
      const half = reach + (layers - 1 - row) * step;
      const low = -0.4 * layer - row * layer;
      const high = low - layer * 1.25;
      const bows = 3 + (layers - 1 - row);
      const edge = Array.from({ length: bows }, () => `q${half / bows} ${layer / 4} ${(2 * half) / bows} 0`).join("");
      return [
        shape(row % 2 ? "pine-lit" : "pine-deep", `M0 ${high}Q${-half * 0.35} ${low - layer * 0.4} ${-half} ${low}${edge}Q${half * 0.35} ${low - layer * 0.4} 0 ${high}z`),
        line("snow", `M${-half} ${low}${edge}`, layer / 9),
      ];
    }),
    shape("snow", `M0 ${-layers * layer - layer * 0.7}l${-reach * 0.32} ${layer * 0.42}q${reach * 0.2} -3 ${reach * 0.32} 1q${reach * 0.16} 3 ${reach * 0.32} -1z`),
  ];
}

function fruit(x, y, r = 4.5) {
  return [line("trunk", `M${x} ${y - r}q0 -3 2.5 -4`, 1.3), disc("red", x, y, r), disc("shine", x - r / 3, y - r / 3, r / 4)];
}

function flakes() {
  return FLAKES.map(([x, y], place) => disc("snow", x, y, 1 + (place % 3) * 0.5));
}

function treePicture() {
  return [
    disc("sun", 198, 34, 15),
    shape("far", "M0 118Q60 84 120 112T240 100V160H0z"),
    at(30, 128, 0.6, fir(3, 20, 12, 9)),
    at(214, 126, 0.72, fir(3, 20, 12, 9)),
    shape("hill", "M0 132Q70 116 130 126T240 124V160H0z"),
    shape("drift", "M0 146Q60 134 120 140T240 138V160H0z"),
    at(120, 144, 1, fir(5, 24, 16, 9.5)),
    [[104, 118], [138, 119], [121, 94], [110, 71], [130, 71], [122, 48]].map(([x, y]) => fruit(x, y)),
    at(78, 112, 0.72, figure("berry")),
    at(154, 90, 0.72, figure("lake")),
    at(48, 150, 0.9, figure("amber")),
    at(188, 150, 0.9, figure("pine")),
    flakes(),
  ];
}

function rider(tone) {
  return [
    shape("trunk", "M-17 4H13Q20 4 20 -3L16 -1Q14 1 10 1H-17z"),
    line("trunk", "M-11 1v4M8 1v4", 2),
    line("gold-lit", "M-6 -8Q-13 -13 -19 -8T-29 -10", 3.2),
    at(-2, 2, 1, figure(tone)),
  ];
}

function slopePicture() {
  return [
    disc("sun", 44, 34, 15),
    shape("far", "M0 96L44 58L74 82L124 30L166 74L196 50L240 86V160H0z"),
    shape("snow", "M124 30L107 48L117 46L124 54L131 45L142 48zM44 58L33 68L41 66L46 72L51 65z"),
    shape("hill", "M0 62Q70 84 130 116T240 140V160H0z"),
    line("far", "M0 74Q70 96 128 128T200 152", 1.6),
    line("far", "M22 66Q86 90 140 122T216 150", 1.6),
    shape("drift", "M0 92Q60 112 110 138T200 160H0z"),
    at(196, 130, 0.66, fir(3, 20, 12, 9)),
    at(222, 138, 0.85, fir(3, 20, 12, 9)),
    at(18, 72, 0.6, fir(3, 20, 12, 9)),
    shape("rock", "M162 134l5 -15l7 5l5 -9l9 22z"),
    at(136, 117, 1, disc("snow-lit", 0, -4, 9), disc("snow-lit", 0, -17, 6.5), shape("red", "M0 -17l8 1.5l-8 1.700z"), disc("ink-dot", -2.5, -19, 0.9), disc("ink-dot", 2, -19, 0.9), shape("ink-dot", "M-5 -22h10v-1.5h-2v-5h-6v5h-2z")),
    at(132, 155, 1, shape("gift", "M-9 -12h18v13h-18z"), line("snow", "M0 -12V1M-9 -6H9", 2.2), line("red", "M0 -12C-8 -21 -9 -12 0 -12C9 -12 8 -21 0 -12", 2.2)),
    s("g", { transform: "translate(62 84) rotate(21)" }, rider("berry")),
    s("g", { transform: "translate(90 128) rotate(24)" }, rider("lake")),
    flakes(),
  ];
}

/** Return a house with its foot at (0, 0); the window is lit. */
function house(wall, width, height) {
  const half = width / 2;
  return [
    shape(wall, `M${-half} 0V${-height}H${half}V0z`),
    shape("roof", `M${-half - 6} ${-height}L${-half * 0.4} ${-height - 13}H${half * 0.4}L${half + 6} ${-height}z`),
    shape("snow", `M${-half - 2} ${-height - 4}L${-half * 0.4} ${-height - 14}H${half * 0.4}L${half + 2} ${-height - 4}q${-half / 2} -4 ${-half} 0t${-half} 0z`),
    shape("gold-lit", `M${-half + 5} ${-height + 7}h7v8h-7zM${half - 12} ${-height + 7}h7v8h-7z`),
    shape("trunk", "M-4 0v-11q4 -4 8 0V0z"),
  ];
}

const FLAGS = ["berry", "gold-lit", "pine-lit", "snow", "lake"];

function villagePicture() {
  return [
    disc("sun", 198, 34, 15),
    shape("far", "M0 120L40 66L70 98L116 14L166 90L196 62L240 108V160H0z"),
    shape("snow", "M116 14L92 58L103 52L112 64L121 51L134 58L141 52zM40 66L27 84L36 80L42 88L50 77zM196 62L184 74L194 72L200 79L208 72z"),
    shape("hill", "M0 122Q64 100 122 112T240 112V160H0z"),
    at(74, 122, 0.92, house("wall", 46, 30)),
    at(122, 114, 1, house("wall", 32, 44), shape("roof", "M-24 -44Q-12 -47 -9 -58H9Q12 -47 24 -44z"), shape("roof", "M-15 -56Q-6 -60 0 -72Q6 -60 15 -56z"), line("gold-lit", "M0 -72v-7", 2.6), disc("gold-lit", 0, -81, 2.2)),
    at(172, 126, 0.96, house("wall", 50, 30)),
    shape("drift", "M0 142Q60 122 116 130T240 126V160H0z"),
    at(24, 140, 0.72, fir(3, 20, 12, 9)),
    at(218, 138, 0.8, fir(3, 20, 12, 9)),
    line("trunk", "M52 92Q88 80 122 34M122 34Q156 84 198 94", 1),
    [[66, 87], [82, 78], [97, 66], [110, 52], [134, 53], [147, 68], [163, 81], [180, 89]].map(([x, y], place) => shape(FLAGS[place % FLAGS.length], `M${x - 4} ${y}h8v8l-4 -2.5l-4 2.5z`)),
    at(96, 150, 0.86, figure("berry")),
    at(146, 151, 0.86, figure("pine")),
    at(120, 153, 0.7, figure("amber")),
    flakes().slice(0, 9),
  ];
}
