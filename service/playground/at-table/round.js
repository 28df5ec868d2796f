// A round at a real table: the dice, a hint, what everybody played. Legal entries come from the
// service.

import { announce, button, h } from "../dom.js";
import { formatList, localName, t } from "../text.js";
import { ending } from "../timeline/ending.js";
import { choicesOf } from "../snow-time/cards.js";
import { sameMove } from "../snow-time/game.js";
import { badge, seatName } from "../snow-time/seats.js";
import { sentence } from "../snow-time/sentences.js";
import { cardGrid } from "./cards.js";

const FACES = [1, 2, 3, 4, 5, 6];
const CHAMPIONS = ["1", "2", "3", "4", "5", "6", "7"];

/** Return the panel of the present step: roll, play, or the end. */
export function tableRound(view) {
  const { game } = view;
  const panel = { growth, choice: played, over }[game.phase];
  return h(
    "section",
    { class: "panel now at-table", "aria-busy": String(game.busy), "aria-labelledby": "now-title" },
    game.dropped ? h("p", { class: "problem", role: "status" }, t("table.dropped", { count: game.dropped })) : null,
    panel(view),
  );
}

/** Return the scores of all seats in one line. */
export function standings({ game }) {
  return h(
    "ul",
    { class: "standings-line", "aria-label": t("track") },
    game.state.seats.map(({ seat, score }) => h("li", {}, badge(seat), h("span", { class: "hidden" }, seatName(seat)), " ", String(score))),
  );
}

function decisionTitle({ decision }) {
  return decision === "healer" ? t("table.healer") : t(`table.played.${decision}`);
}

function heading(game, text) {
  return h("h2", { id: "now-title" }, h("span", { class: "eyebrow" }, t("round", { round: game.round })), " ", text);
}

// Dice ---------------------------------------------------------------------------------------------

/** Return how many dice are rolled: two, or fewer if fewer fruit tokens are left. */
function diceDue({ game, about }) {
  const { tokens, dice } = about.fruit;
  return Math.min(dice, tokens - game.state.fruit.reduce((sum, count) => sum + count, 0));
}

function growth(view) {
  const { game } = view;
  const due = diceDue(view);
  const die = (face) =>
    button(String(face), () => roll(view, face, due), {
      class: "die",
      "data-key": `die-${face}`,
      "data-next": face === 1,
      "aria-label": t("table.die", { number: face }),
      disabled: game.busy,
    });
  return [
    heading(game, due ? t("table.dice", { count: due }) : t("announce.no-dice")),
    due
      ? h("div", { class: "dice" }, FACES.map(die))
      : button(t("table.go-on"), () => enterDice(view, []), { class: "main", "data-key": "no-dice", "data-next": true, disabled: game.busy }),
    game.rolled.length ? h("p", { role: "status" }, t("now.grown", { dice: formatList(game.rolled.map(String)) })) : null,
    lastRound(view),
  ];
}

/** Return what a tap on a level of the tree does: it counts as a die with its number. */
export function levelTap(view) {
  const { game, about } = view;
  if (!game.atTable() || game.phase !== "growth" || game.busy) return null;
  return (level) => {
    const due = diceDue(view);
    if (due && level <= about.fruit.levels) roll(view, level, due);
  };
}

function roll(view, face, due) {
  const dice = [...view.game.rolled, face];
  if (dice.length === due) enterDice(view, dice);
  else view.game.enter({ rolled: dice });
}

async function enterDice(view, dice) {
  await view.game.run(() => view.game.add({ dice }), () => {
    announce(t(`now.${view.game.decision}`));
    view.focusNext();
  });
}

/** Return what the last round brought, in short. */
function lastRound({ game, about }) {
  const events = (game.result?.events ?? []).filter((event) => event.awards?.length || event.fallen?.length);
  if (!events.length) return null;
  return h("ul", { class: "small last-round" }, events.map((event) => h("li", {}, sentence(event, about))));
}

// Cards --------------------------------------------------------------------------------------------

function played(view) {
  const { game, about } = view;
  const seats = game.state.seats.filter(({ seat }) => game.options[seat]);
  const healing = game.decision === "healer";
  const cell = healing ? takenBack : laid;
  return [
    heading(game, decisionTitle(game)),
    cardGrid({ label: t("table.played.card"), seats, cards: about.cards, cell: (seat, card) => cell(view, seat.seat, card, seat) }),
    seats.map(({ seat }) => (healing ? recovery : withoutCard)(view, seat)),
    // Entries that a lost connection or a reload has left complete.
    game.ready() && !game.busy ? button(t("table.go-on"), () => enterMoves(view, {}), { "data-key": "go-on" }) : null,
  ];
}

/** Return the state of a card that a seat may have played. */
function laid(view, seat, card, { hand }) {
  const { game } = view;
  const move = game.options[seat].find((each) => choicesOf(each)[game.decision][0] === card);
  const pressed = sameMove(game.chosen[seat], move);
  const advised = (game.hint?.pick?.[seat] && choicesOf(game.hint.pick[seat])[game.decision][0]) === card;
  const gone = hand.includes(card) ? "" : "gone";
  if (!move) return { state: gone || "played", note: t(gone ? "seats.gone" : "seats.played") };
  return { state: advised ? "advised" : "", note: advised ? t("hint.pick") : null, pressed, press: game.busy ? null : () => enterMoves(view, { [seat]: move }) };
}

/** Return the state of a card that a healer may take back. */
function takenBack(view, seat, card, { hand }) {
  const { game } = view;
  const taken = game.taken[seat] ?? [];
  const next = taken.includes(card) ? taken.filter((each) => each !== card) : [...taken, card];
  if (hand.includes(card) || !CHAMPIONS.includes(card)) return { state: hand.includes(card) ? "" : "gone" };
  const possible = game.options[seat].some((move) => next.every((each) => choicesOf(move).healer.includes(each)));
  const press = () => {
    const move = setOf(game, seat, next);
    const final = move && game.options[seat].every((each) => choicesOf(each)["healer"].length <= next.length);
    game.enter({ taken: { ...game.taken, [seat]: next } });
    if (final) enterMoves(view, { [seat]: move });
  };
  return { state: "gone", pressed: taken.includes(card), press: possible && !game.busy ? press : null };
}

/** Return the move that takes back exactly these cards. */
function setOf(game, seat, cards) {
  return game.options[seat].find((move) => {
    const set = choicesOf(move).healer;
    return set.length === cards.length && cards.every((card) => set.includes(card));
  });
}

function recovery(view, seat) {
  const { game } = view;
  const move = setOf(game, seat, game.taken[seat] ?? []);
  return entry(view, seat, move, t("table.recovered", { player: seatName(seat) }), `recovered-${seat}`);
}

/** Return the button of a watcher that adds no card, or null if each has to add one. */
function withoutCard(view, seat) {
  const { game } = view;
  const move = game.options[seat].find((each) => !choicesOf(each)[game.decision].length);
  return move ? entry(view, seat, move, t("table.without-card", { player: seatName(seat) }), `without-card-${seat}`) : null;
}

function entry(view, seat, move, text, name) {
  const { game } = view;
  return button(text, () => enterMoves(view, { [seat]: move }), {
    "data-key": name,
    "aria-pressed": String(Boolean(move) && sameMove(game.chosen[seat], move)),
    disabled: game.busy || !move,
  });
}

/** Enter moves by seat; the last one of the decision closes it. */
export async function enterMoves(view, moves) {
  const { game } = view;
  const rounds = game.turns.length;
  game.choose(moves);
  if (!game.ready()) return;
  await game.run(() => game.reveal(), () => {
    if (game.turns.length > rounds) announce(game.result.events.map((event) => sentence(event, view.about)).join(" "));
    else announce(decisionTitle(game));
    view.focusNext();
  });
}

// End ----------------------------------------------------------------------------------------------

function over(view) {
  return [heading(view.game, t("now.over")), ending(view), lastRound(view)];
}
