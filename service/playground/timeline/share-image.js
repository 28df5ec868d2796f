// An image of a finished game, drawn in the browser: standings and, after a review, the win shares.

import { s } from "../dom.js";
import { t } from "../text.js";

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 64];
const [PAPER, INK, SOFT, LINE] = ["#f2f7fa", "#16283a", "#4c6075", "#c9d7e2"];
const FONT = "Georgia, 'Noto Serif CJK SC', serif";
const TONES = { berry: "#a63450", lake: "#2a639c", pine: "#2c7150", amber: "#94630b", plum: "#6c4794", slate: "#4d5f73" };
const MAX_ROWS = 6;
const MAX_LETTERS = 26;

/** Save the image as a file. */
export async function saveImage(view) {
  const file = await pngOf(imageOf(view));
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: `${view.game.about.game}.png` });
  link.click();
  URL.revokeObjectURL(address);
}

/** Return the image as SVG; it has its colours in attributes, because it leaves the page. */
export function imageOf(view) {
  const { game, page, timeline } = view;
  const rows = view.ranking().slice(0, MAX_ROWS);
  const colours = timeline.kind.colours(game);
  const series = timeline.shown() ? timeline.series() : null;
  const text = (content, x, y, size, attributes = {}) => s("text", { x, y, "font-family": FONT, "font-size": size, fill: INK, ...attributes }, content);
  const right = series ? 560 : WIDTH - MARGIN;
  return s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT },
    s("rect", { width: WIDTH, height: HEIGHT, fill: PAPER }),
    s("path", { d: `M0 560Q300 510 620 556T${WIDTH} 540V${HEIGHT}H0z`, fill: "#ffffff" }),
    text(page.title(game.about.game), MARGIN, 118, 62, { "font-weight": 600 }),
    text(t("standings"), MARGIN, 180, 30, { fill: SOFT }),
    rows.map(({ player, text: result }, place) => {
      const y = 240 + place * 54;
      return [
        s("circle", { cx: MARGIN + 14, cy: y - 11, r: 14, fill: TONES[colours[player]] }),
        text(shortened(timeline.kind.name(player)), MARGIN + 46, y, 34, { "font-weight": place ? 400 : 700 }),
        text(result, right, y, 28, { "text-anchor": "end", fill: SOFT }),
      ];
    }),
    series ? curves(series, colours) : null,
    text(t("title"), MARGIN, 604, 24, { fill: SOFT }),
  );
}

function curves({ shares, columns }, colours) {
  const [left, top, width, height] = [640, 170, WIDTH - MARGIN - 640, 330];
  const x = (column) => left + (column / columns) * width;
  const y = (share) => top + (1 - share) * height;
  const path = (points) => points.map(([column, share], place) => `${place ? "L" : "M"}${x(column).toFixed(1)} ${y(share).toFixed(1)}`).join("");
  return [
    [0, 0.5, 1].map((share) => s("line", { x1: left, x2: left + width, y1: y(share), y2: y(share), stroke: LINE, "stroke-width": 2 })),
    Object.entries(shares).map(([player, points]) =>
      s("path", { d: path(points), fill: "none", stroke: TONES[colours[player]], "stroke-width": 5, "stroke-linejoin": "round" }),
    ),
    s("text", { x: left, y: top - 20, "font-family": FONT, "font-size": 26, fill: SOFT }, t("hint.win-shares")),
  ];
}

function shortened(name) {
  const letters = [...name];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS - 1).join("")}…` : name;
}

/** Draw an SVG element as a PNG file. */
async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d").drawImage(image, 0, 0, WIDTH, HEIGHT);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
