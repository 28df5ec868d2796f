// Drawing of the tree: seven levels with fruit and champions.

import { h, s } from "../dom.js";
import { formatList, percent, t } from "../text.js";
import { kindIcon } from "./cards.js";
import { climber, seatName } from "./seats.js";

const LEVELS = 7;
const [WIDTH, ROW, TOP, CENTRE] = [480, 62, 16, 156];
const MAX_FRUIT_DRAWN = 6;
const STANDING = 308;
const FLAKES = 90;
const [GROUND, RING] = [50, 20];
/** The most expected cards of others on the ground; the likeliest are shown. */
const MAX_MARKS = 6;
const MARK_WIDTH = 76;

/**
 * Return the drawing, with a description for screen readers.
 * @param {object} options the table, and of a hint the `chances` of seats to play a card, where the
 *     user has `landed` and the `dangers` there (coach/predictions.js). `event` is the one of the
 *     playback. `onLevel` takes taps; there are buttons for the same elsewhere.
 */
export function tree({ seats, fruit, cards, fallen, level, event, chances = [], landed = [], dangers = [], onLevel = null, cardName = String }) {
  const standing = Array.from({ length: LEVELS + 1 }, () => []);
  seats.forEach((seat, place) => {
    const champion = (cards[seat.seat] ?? []).find((card) => /^[1-7]$/.test(card));
    if (champion) {
      const down = fallen.includes(seat.seat);
      standing[Number(champion)].push({ name: seat.seat, place, down });
    }
  });
  const rows = Array.from({ length: LEVELS }, (_, row) => LEVELS - row);
  const height = TOP + LEVELS * ROW + GROUND;
  const threats = dangers.map(({ text }) => ` ${text}`).join("");
  const below = onGround({ cards, seats, landed, chances });
  const expected = (level) => {
    const all = [...landed, ...chances].filter((each) => each.level === level);
    return all.map((each, order) => ({ ...each, x: STANDING - 10 + order * Math.min(60, (WIDTH - STANDING - 16) / Math.max(1, all.length - 1)) }));
  };
  const label = `${description(rows, fruit, standing, chances, landed)}${belowText(below, cardName)}${threats}`;
  return h(
    "figure",
    { class: "tree" },
    s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label },
      ground(height),
      rows.map((each) => band(each, each === level)),
      s("rect", { class: "trunk", x: CENTRE - 13, y: y(1) + ROW - 12, width: 26, height: 30, rx: 4 }),
      [...rows].reverse().map((each) => branches(each)),
      rows.map((each) => hanging(each, fruit[each - 1] ?? 0)),
      rows.map((each) => champions(each, standing[each], event)),
      event?.type === "fruit" ? flying(event, standing[event.level]) : null,
      event?.type === "blizzard" ? storm(height) : null,
      landed.filter(({ fruit }) => fruit).map(gain),
      rows.map((each) => probable(each, expected(each))),
      below.map((each, order) => mark(each, 34 + order * Math.min(MARK_WIDTH, (WIDTH - 34) / below.length), height)),
      dangers.map((each) => threat(each, expected(each.level))),
      onLevel ? rows.map((each) => s("rect", { class: "touch", x: 0, y: y(each), width: WIDTH, height: ROW, onclick: () => onLevel(each) })) : null,
    ),
  );
}

function y(level) {
  return TOP + (LEVELS - level) * ROW;
}

function description(rows, fruit, standing, chances, landed) {
  const lines = rows.map((level) => {
    const names = standing[level].map(({ name, down }) =>
      down ? t("tree.down", { seat: seatName(name) }) : seatName(name),
    );
    const parts = [];
    if (fruit[level - 1]) parts.push(t("tree.fruit", { count: fruit[level - 1] }));
    if (names.length) parts.push(formatList(names));
    const likely = chances.filter((each) => each.level === level);
    for (const { seat, chance } of likely) parts.push(t("tree.chance", { seat: seatName(seat), chance: percent(chance, 0) }));
    for (const { seat, stays } of landed.filter((each) => each.level === level)) {
      parts.push(t(stays === undefined ? "tree.landing" : "tree.landing-stays", { seat: seatName(seat), chance: percent(stays ?? 0, 0) }));
    }
    return parts.length ? t("tree.level", { level, what: parts.join(t("list.between-entries")) }) : "";
  });
  const occupied = lines.filter(Boolean);
  return occupied.length ? `${t("tree")}. ${occupied.join(" ")}` : t("tree.empty");
}

function ground(height) {
  const low = height - GROUND + 4;
  const drift = `M${-WIDTH} ${low + 14}H0C70 ${low - 6} 130 ${low + 4} ${CENTRE} ${low}S330 ${low + 12} ${WIDTH} ${low + 4}H${2 * WIDTH}V${height}H${-WIDTH}Z`;
  return s("path", { class: "drift", d: drift });
}

function band(level, lit) {
  const top = y(level);
  return s(
    "g",
    { class: lit ? "band lit" : "band" },
    s("rect", { class: "light", x: 0, y: top + 2, width: WIDTH, height: ROW - 4, rx: 10 }),
    s("line", { x1: 34, x2: WIDTH - 8, y1: top + ROW - 1, y2: top + ROW - 1 }),
    s("text", { class: "number", x: 16, y: top + ROW / 2 + 7 }, String(level)),
  );
}

/** Return one layer of branches; lower layers are wider. */
function branches(level) {
  const row = LEVELS - level;
  const [high, low] = [y(level) - (row ? 12 : 0), y(level) + ROW - 6];
  const reach = 38 + row * 13.5;
  const waist = row ? reach * 0.34 : 2;
  const [left, right] = [CENTRE - reach, CENTRE + reach];
  const sides = `M${CENTRE - waist} ${high}Q${CENTRE - reach * 0.45} ${low - 22} ${left} ${low - 4}`;
  const edge = scallops(left, right, low - 4, 3 + row);
  const back = `Q${CENTRE + reach * 0.45} ${low - 22} ${CENTRE + waist} ${high}Z`;
  return s(
    "g",
    { class: "effort" },
    s("path", { class: row % 2 ? "needles even" : "needles", d: `${sides}${edge}${back}` }),
    s("path", { class: "snow", d: `M${left} ${low - 4}${edge}` }),
    row ? null : s("path", { class: "cap", d: `M${CENTRE - 2} ${high}l-9 19q6 -5 11 0q6 5 11 -1l-9 -18z` }),
  );
}

function scallops(left, right, base, count) {
  const width = (right - left) / count;
  return Array.from({ length: count }, () => `q${width / 2} 13 ${width} 0`).join("");
}

function hanging(level, count) {
  if (!count) return null;
  const centre = y(level) + ROW - 22;
  const drawn = count > MAX_FRUIT_DRAWN ? 1 : count;
  const gap = 21;
  const start = CENTRE - ((drawn - 1) * gap) / 2 - (count > MAX_FRUIT_DRAWN ? 12 : 0);
  const fruit = Array.from({ length: drawn }, (_, place) =>
    s(
      "g",
      { class: "fruit", transform: `translate(${start + place * gap} ${centre})` },
      s("path", { class: "stalk", d: "M0 -7q1 -5 4 -6" }),
      s("circle", { r: 8 }),
      s("circle", { class: "shine", cx: -2.5, cy: -2.5, r: 2.2 }),
    ),
  );
  if (count > MAX_FRUIT_DRAWN) {
    fruit.push(s("text", { class: "many", x: start + 14, y: centre + 6 }, `×${count}`));
  }
  return s("g", {}, fruit);
}

/** Return the fruit on its way to those who take it; only motion shows it. */
function flying({ level, awards = [] }, standing) {
  return standing
    .map(({ name }, order) => ({ order, award: awards.find(({ seat }) => seat === name) }))
    .filter(({ award }) => award)
    .map(({ order }) => {
      const [from, to] = [CENTRE, STANDING + order * 36];
      const at = `translate(${to} ${y(level) + ROW / 2 - 1})`;
      return s("g", { class: "flying", transform: at, "aria-hidden": "true" }, s("circle", { class: "flight", r: 8, style: { "--from": `${from - to}px` } }));
    });
}

/** Return the flakes of a blizzard; only motion shows them. */
function storm(height) {
  const flake = (place) => s("circle", { cx: (place * 97) % WIDTH, cy: (place * 61) % height, r: 2 + (place % 3), style: { "--late": `${(place % 7) * 60}ms` } });
  return s("g", { class: "storm", "aria-hidden": "true" }, Array.from({ length: FLAKES }, (_, place) => flake(place)));
}

function champions(level, standing, event) {
  return standing.map(({ name, place, down }, order) => {
    const at = `translate(${STANDING + order * 36} ${y(level) + ROW / 2 - 1})`;
    const turned = ["token"];
    if (event?.fallen?.includes(name)) turned.push("falls");
    if (event?.cards?.[name]) turned.push("turns");
    if (down) turned.push("down");
    return s(
      "g",
      { class: turned.join(" "), transform: at },
      s("g", { class: "figure" }, climber(name, place, 15), down ? s("path", { class: "strike", d: "M-14 14L14 -14" }) : null),
    );
  });
}

/** Return the cards that are not on the tree, played, own or expected, as {seat, place, card, chance}. */
function onGround({ cards, seats, landed, chances }) {
  const played = seats.flatMap(({ seat }, place) => (cards[seat] ?? []).filter((card) => !/^[1-7]$/.test(card)).map((card) => ({ seat, place, card })));
  const own = landed.filter(({ level }) => !level);
  // The chances come in descending order.
  return [...played, ...own, ...chances.filter(({ level }) => !level).slice(0, MAX_MARKS)];
}

function belowText(below, cardName) {
  if (!below.length) return "";
  const entries = below.map(({ seat, card, chance }) => {
    const name = chance === undefined ? seatName(seat) : t("tree.chance", { seat: seatName(seat), chance: percent(chance, 0) });
    return t("list.entry", { name, text: cardName(card) });
  });
  return ` ${t("tree.ground", { what: entries.join(t("list.between-entries")) })}`;
}

/** Return the mark of a healer, watcher or blizzard in the snow below the tree. */
function mark({ seat, place, card, chance }, x, height) {
  const likely = chance === undefined ? "" : " ghost";
  return s(
    "g",
    { class: `token mark ${card}${likely}`, transform: `translate(${x} ${height - 22})` },
    s("g", { class: "figure", transform: `scale(${chance === undefined ? 1 : size(chance)})` }, climber(seat, place, 13)),
    s("g", { transform: "translate(14 -12) scale(0.9)" }, kindIcon(card).firstChild),
    chance === undefined ? null : s("text", { class: "chance", x: 25, y: 19 }, percent(chance, 0)),
  );
}

function size(chance) {
  return 0.6 + 0.45 * Math.sqrt(chance);
}

/** Return the champions that probably stand on a level, faded and sized by chance, and where the user lands. */
function probable(level, figures) {
  // Four percentages would run together.
  const isLegible = (order) => order % 2 === 0 || figures.length < 4;
  return figures.map(({ seat, place, chance, advised, stays, x }, order) =>
    s(
      "g",
      { class: ["token", "ghost", chance === undefined ? "landing" : "", advised ? "advised" : ""].join(" "), transform: `translate(${x} ${y(level) + ROW / 2 - 5})` },
      s("g", { class: "figure", transform: `scale(${chance === undefined ? 1 : size(chance)})` }, climber(seat, place, 15)),
      stays === undefined ? null : ring(stays),
      isLegible(order) && (chance ?? stays) ? s("text", { class: "chance", y: 31 }, percent(chance ?? stays, 0)) : null,
    ),
  );
}

/** Return a ring around a champion, closed as far as it is likely to come back. */
function ring(share) {
  const around = 2 * Math.PI * RING;
  return [s("circle", { class: "ring", r: RING }), s("circle", { class: "ring stays", r: RING, "stroke-dasharray": `${around * share} ${around}`, transform: "rotate(-90)" })];
}

/** Return the way of the fruit to where the user lands alone. */
function gain({ level, fruit }) {
  const [from, to, high] = [CENTRE + 12 + 10 * Math.min(fruit, MAX_FRUIT_DRAWN), STANDING - 60, y(level) + ROW / 2];
  const way = `M${from} ${high + 8}Q${(from + to) / 2} ${high - 18} ${to} ${high - 4}`;
  return s("g", { class: "gain" }, s("path", { class: "halo", d: way }), s("path", { d: way }), s("text", { x: (from + to) / 2 + 6, y: high - 11 }, `+${fruit}`));
}

const THREATS = {
  struck: "M-40 -34L-19 -15M-30 -14L-18 -14V-26",
  brawl: "M-40 -9L-24 9M-40 9L-24 -9",
  buried: "M-32 -12V12M-42 -6L-22 6M-42 6L-22 -6",
};

/** Return the mark of a danger and its chance: an arrow from above, crossed strokes, or a flake. */
function threat({ seat, level, code, chance }, figures) {
  const { x } = figures.find((each) => each.seat === seat) ?? { x: STANDING - 10 };
  const at = `translate(${x} ${y(level) + ROW / 2 - 7})`;
  return s("g", { class: `danger ${code}`, transform: at }, s("path", { d: THREATS[code] }), s("text", { x: -33, y: 27 }, percent(chance, 0)));
}
