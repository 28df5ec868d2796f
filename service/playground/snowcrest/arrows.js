// Arrows of the planned turn on the board of Snowcrest: from the card to its cell, and from the cell to
// what pays for it.

import { s } from "../dom.js";

/**
 * Return the ways of a plan, as pairs of names of places (see the attribute data-at in village.js).
 * @param {object[]} plan the actions of one player.
 */
export function waysOf(plan, player) {
  const ways = [];
  let here = null;
  for (const { type, card, cell, owner = player, payment } of plan) {
    if (cell !== undefined && type !== "pay") {
      const there = `cell-${owner}-${cell}`;
      if (card) ways.push([`card-${card}`, there]);
      here = there;
    }
    if (payment && here) ways.push(...sources(payment, player).map((source) => [here, source]));
  }
  return ways;
}

function sources({ tokens = {}, buildings = {}, hand = [], village = [] }, player) {
  return [...Object.keys({ ...tokens, ...buildings }).map((kind) => `item-${player}-${kind}`), ...hand.map((card) => `card-${card}`), ...village.map((cell) => `cell-${player}-${cell}`)];
}

/** Return the layer with the arrows, which follows the size of the board. */
export function arrows(ways) {
  const layer = s("svg", { class: "arrows", "aria-hidden": "true" });
  const draw = async () => {
    const board = layer.closest(".arena");
    if (!board) return;
    // Cards that glide are not yet where they belong; CSS animations have a name, and may never end.
    const gliding = board.getAnimations({ subtree: true }).filter(({ animationName }) => !animationName);
    await Promise.allSettled(gliding.map(({ finished }) => finished));
    const lines = ways.map((way) => way.map((name) => [...board.querySelectorAll(`[data-at="${CSS.escape(name)}"]`)].find((each) => each.offsetParent)));
    const starts = [...new Set(ways.map(([from]) => from))];
    const drawn = lines.map(([from, to], place) => (from && to ? arrow(from, to, layer, starts.indexOf(ways[place][0]) + 1) : null));
    layer.replaceChildren(...drawn.filter(Boolean));
  };
  new ResizeObserver(draw).observe(layer);
  return layer;
}

function arrow(from, to, layer, number) {
  const origin = layer.getBoundingClientRect();
  const [a, b] = [from, to].map((element) => {
    const isCard = element.dataset.at.startsWith("card");
    // Names stay readable: an arrow points at the house in a cell, and at the edge of a card.
    const { left, top, width, height } = ((!isCard && element.querySelector(".portrait")) || element).getBoundingClientRect();
    return { x: left - origin.left + width * (isCard ? 0.85 : 0.5), y: top - origin.top + height / 2, half: isCard ? height / 2 + 7 : Math.min(height / 2, 12) };
  });
  const down = Math.sign(b.y - a.y);
  const [y0, y1] = [a.y + down * a.half, b.y - down * b.half];
  const bow = Math.min(60, Math.abs(b.x - a.x) / 3 + 16);
  const angle = Math.atan2(y1 - y0, b.x - (a.x + b.x) / 2 - bow);
  const wing = (turn) => `${b.x - 11 * Math.cos(angle + turn)} ${y1 - 11 * Math.sin(angle + turn)}`;
  const way = `M${a.x} ${y0}Q${(a.x + b.x) / 2 + bow} ${(y0 + y1) / 2} ${b.x} ${y1}`;
  return s(
    "g",
    {},
    s("path", { class: "halo", d: way }),
    s("path", { d: way }),
    s("path", { d: `M${wing(0.45)}L${b.x} ${y1}L${wing(-0.45)}` }),
    s("circle", { cx: a.x, cy: y0, r: 8 }),
    s("text", { x: a.x, y: y0 + 4 }, String(number)),
  );
}
