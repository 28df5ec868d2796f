// A picture of a finished game to share: the board, the date and the standings. The page draws it.

import { s } from "../dom.js";
import { current, t } from "../text.js";

const [WIDTH, HEIGHT, MARGIN, RIGHT] = [1200, 630, 56, 560];
const BOARD = { x: 620, y: 56, width: 524, height: 500, gap: 14 };
const FONT = "Georgia, 'Noto Serif CJK SC', serif";
/** What the style sheets decide about a shape. */
const STYLED = ["display", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];
const SIDE = 3;

/** Share the picture, with a headline, where the device can, or save it; return whether it was shared. */
export async function sharePicture(view, headline) {
  const name = `${view.game.about.game}.png`;
  const file = new File([await pngOf(pictureOf(view, headline))], name, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    // Who closes the menu of the device has decided not to share.
    await navigator.share({ files: [file], title: t("title") }).catch(() => {});
    return true;
  }
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
  return false;
}

/** Return the picture as SVG; it has its colours in attributes, because it leaves the page. */
function pictureOf(view, headline) {
  const { game, page, timeline, place } = view;
  const [{ backgroundColor: paper, color: ink }, { backgroundColor: surface }] = [document.body, place.querySelector(".now")].map((each) => getComputedStyle(each));
  const tones = Object.fromEntries(Object.entries(timeline.kind.colours(game)).map(([player, tone]) => [player, getComputedStyle(place).getPropertyValue(`--${tone}`)]));
  const text = (content, x, y, size, more = {}) => s("text", { x, y, "font-family": FONT, "font-size": size, fill: ink, ...more }, content);
  const date = new Intl.DateTimeFormat(current(), { dateStyle: "long" }).format(new Date());
  return s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT },
    s("rect", { width: WIDTH, height: HEIGHT, fill: paper }),
    s("rect", { x: BOARD.x - 20, y: BOARD.y - 20, width: BOARD.width + 40, height: BOARD.height + 40, rx: 24, fill: surface }),
    text(page.title(game.about.game), MARGIN, 104, 56, { "font-weight": 600 }),
    text(`${t("title")} · ${date}`, MARGIN, 146, 24, { opacity: 0.75 }),
    placed(inlined(place.querySelector(".podium")), { x: MARGIN - 8, y: 160, width: 190, height: 132 }),
    text(fitting(headline, 34, RIGHT - MARGIN - 190), MARGIN + 196, 250, 34, { "font-weight": 700 }),
    view.ranking().map(({ player, text: result }, order) => {
      const y = 344 + order * 46;
      const room = RIGHT - MARGIN - 60 - widthOf(result, 24);
      return [
        s("circle", { cx: MARGIN + 12, cy: y - 10, r: 12, fill: tones[player] }),
        text(fitting(timeline.kind.name(player), 30, room), MARGIN + 40, y, 30, { "font-weight": order ? 400 : 700 }),
        text(result, RIGHT, y, 24, { "text-anchor": "end", opacity: 0.75 }),
      ];
    }),
    board(view, tones, text),
  );
}

/** Return the drawings of the board on the page, or the villages of Snowcrest, which are no drawings. */
function board({ place, game, timeline }, tones, text) {
  const drawings = [...place.querySelectorAll(".tree svg, .pieces svg")].map(inlined);
  const { x, y, width, height, gap } = BOARD;
  const cells = drawings.length || game.state.seats.length;
  const columns = cells === 1 ? 1 : 2;
  const cell = { width: (width - gap * (columns - 1)) / columns, height: height / Math.ceil(cells / columns) - gap };
  const at = (order) => ({ x: x + (order % columns) * (cell.width + gap), y: y + Math.floor(order / columns) * (cell.height + gap), ...cell });
  if (drawings.length) return drawings.map((drawing, order) => placed(drawing, at(order)));
  return game.state.seats.map(({ player, village = [] }, order) => {
    const from = at(order);
    const size = Math.min(cell.width, cell.height - 40) / SIDE;
    return [
      text(fitting(timeline.kind.name(player), 24, cell.width), from.x, from.y + 24, 24, { "font-weight": 600 }),
      Array.from({ length: SIDE * SIDE }, (_, each) => {
        const resident = village.find(({ cell: own }) => own === each);
        const opacity = resident ? (resident.exhausted ? 0.55 : 1) : 0.15;
        return s("rect", { x: from.x + (each % SIDE) * size, y: from.y + 40 + Math.floor(each / SIDE) * size, width: size - 8, height: size - 8, rx: 10, fill: tones[player], opacity });
      }),
    ];
  });
}

function placed(drawing, box) {
  for (const [name, value] of Object.entries(box)) drawing.setAttribute(name, value);
  return drawing;
}

/** Return a copy of a drawing of the page with its styles as attributes. */
function inlined(drawing) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((each) => [each, ...each.querySelectorAll("*")]);
  from.forEach((each, order) => {
    const style = getComputedStyle(each);
    for (const name of STYLED) to[order].setAttribute(name, style.getPropertyValue(name));
  });
  return copy;
}

const pen = document.createElement("canvas").getContext("2d");

function widthOf(text, size) {
  pen.font = `${size}px ${FONT}`;
  return pen.measureText(text).width;
}

/** Return a text, shortened if it is wider than the room for it. */
function fitting(text, size, room) {
  const letters = [...text];
  while (letters.length > 1 && widthOf(`${letters.join("")}…`, size) > room) letters.pop();
  return letters.length < [...text].length && widthOf(text, size) > room ? `${letters.join("")}…` : text;
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
