// Snowcrest at a real table: the first position as far as the user sees it, what others play from a
// hidden hand, and cards that are drawn.

import { button, h, select } from "../dom.js";
import { ownBox } from "../own-box.js";
import { byName, sentences, t } from "../text.js";
import { choiceGroups } from "../turns/now.js";
import { lacking } from "./challenges.js";
import { palette } from "./palette.js";
import { touches } from "./touch.js";
import { cellName } from "./village.js";

const UNKNOWN = "unknown";
const START_HAND = 3;
const SIDE = 3;

export const table = { dealt: true, fields, options, position, box, withDecks };

/** Return what a file of the own box can have: a catalogue. */
function box() {
  return {
    parts: ["catalogue"],
    body: ({ catalogue }) => ({ seats: decked([{ player: "a" }, { player: "b" }], catalogue), seed: 1 }),
    use: () => {},
  };
}

function withDecks(seats) {
  return decked(seats, ownBox("snowcrest").catalogue);
}

/** Give each seat a deck, if the catalogue has several: the one of its colour, else the next. */
function decked(seats, catalogue) {
  const names = Object.keys(catalogue?.decks ?? {});
  if (!names.length) return seats;
  const all = seats.every(({ player }) => names.includes(player));
  return seats.map((seat, place) => ({ ...seat, deck: all ? seat.player : names[place % names.length] }));
}

/** Return the field for the difficulty of a solo game. */
function fields(setup) {
  if (setup.order.length !== 1) return null;
  const levels = Object.keys(setup.about.difficulties).map((level) => [level, level]);
  return select(t("snowcrest.difficulty"), setup.difficulty ?? 1, levels, (value) => (setup.difficulty = Number(value)), { "data-key": "table-difficulty" });
}

function options({ order, difficulty = 1 }) {
  return { ...ownBox("snowcrest"), ...(order.length === 1 ? { difficulty } : {}) };
}

/** Return a new game without the cards that the table decides, or what is usual in a round at the user's turn; the hands of others are hidden. */
function position(state, [me], round) {
  const scrolls = Math.max(0, round - 3);
  const usual = round > 1 ? { scrolls, tokens: { barley: 2, juniper: round > 4 ? 2 : 0 }, buildings: { farm: { up: 0, spent: 1 } } } : {};
  const seats = state.seats.map((seat) => ({ ...seat, ...usual, hand: seat.player === me ? [] : Array(START_HAND).fill(UNKNOWN) }));
  const started = round ? { turn: me, phase: "turns", supply: Math.max(1, state.supply - (usual.scrolls ?? 0) * seats.length) } : { phase: "set-up" };
  return { ...state, seats, row: [], challenges: [], ...started };
}

/** Return the choices of a turn: first the villager, then the cell, then all others; or null. */
export function playPanel(view) {
  const { game, own } = view;
  const plays = game.choices().filter(({ type, payment }) => type === "play" && !payment);
  if (!game.atTable() || !plays.length) return null;
  const touch = touches(view);
  const cards = [...new Set(plays.map(({ card }) => card))];
  const picked = cards.includes(view.picked) ? view.picked : null;
  return h(
    "div",
    { class: "choices" },
    h("h3", {}, t("snowcrest.which-card")),
    palette({
      label: t("snowcrest.which-card"),
      cards,
      name: (card) => own.cardName(card, view),
      pressed: (card) => card === picked,
      press: game.busy ? null : (card) => touch.card(card).press(),
      key: "play",
    }),
    picked ? [h("h3", {}, t("snowcrest.which-cell")), cells(view, touch)] : null,
    choiceGroups(view, game.choices().filter((each) => !plays.includes(each))),
  );
}

/** Return the cells of the village as buttons, in their places. */
function cells(view, touch) {
  const { game, own } = view;
  const seat = game.position().seats.find(({ player }) => player === game.decider());
  const resident = (cell) => seat.village.find((each) => each.cell === cell);
  return h(
    "div",
    { class: "cell-grid" },
    Array.from({ length: SIDE * SIDE }, (_, cell) => {
      const press = touch.cell(cell)?.press;
      const text = resident(cell) ? ` ${own.cardName(resident(cell).card, view)}` : "";
      return button([h("span", { class: "at" }, cellName(cell)), text], press, { "data-key": `put-${cell}`, disabled: !press });
    }),
  );
}

/** Return the cards that can be drawn now as buttons. */
export function drawn(view) {
  const { game, own } = view;
  const { draw, pile } = game.legal;
  const name = (card) => own.cardName(card, view);
  const known = byName(draw.map(({ card }) => card).filter((card) => card !== UNKNOWN), name);
  const hidden = pile === "card" && game.atTable() ? [UNKNOWN] : [];
  // Nobody sees what the others draw from their own decks.
  const cards = game.isMine(game.legal.player) ? [...known, ...hidden] : [...hidden, ...known];
  // A row that nobody has entered is asked for now.
  const short = pile === "common" && game.atTable() && lacking(game.position()).find(({ place }) => place === "row");
  const press = game.busy ? null : (card) => view.choose({ type: "draw", card });
  return h(
    "div",
    { class: "draws" },
    pile ? h("p", {}, short ? sentences(t("snowcrest.pile.row"), `${short.text}.`) : t(`snowcrest.pile.${pile}`)) : null,
    palette({ label: t("turn.card"), cards, name, press, key: "draw" }),
  );
}
