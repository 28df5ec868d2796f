// Who probably stands where: the strategies of a hint as marks on the tree.

import { choicesOf } from "../snow-time/cards.js";

const MIN_CHANCE = 0.05;
const CHAMPION = /^[1-7]$/;
const DANGERS = ["brawl", "struck", "buried"];

/** Return the chance of each seat to play a card, as {seat, place, card, level, chance}; only champions have a level. */
export function likelyCards(hint, seats) {
  if (hint?.hint_level !== "card" || hint.decision !== "card") return [];
  const own = Object.keys(hint.pick);
  const chances = new Map();
  for (const mixture of Object.values(hint.strategies)) {
    for (const { move, probability } of mixture) {
      for (const [seat, { card }] of Object.entries(move)) {
        const key = `${seat} ${card}`;
        if (!own.includes(seat)) chances.set(key, (chances.get(key) ?? 0) + probability);
      }
    }
  }
  return [...chances]
    .map(([key, chance]) => {
      const [seat, card] = key.split(" ");
      return { seat, place: placeOf(seat, seats), card, level: levelOf(card), chance };
    })
    .filter(({ chance }) => chance >= MIN_CHANCE)
    .sort((one, other) => other.chance - one.chance);
}

/**
 * Return where the cards of the user are to land, as {seat, place, card, level, fruit, advised, stays}:
 * by the hint (`advised`), and as they are chosen. `stays` is the chance to come back.
 */
export function landings({ hint, chosen = {}, state, phase, isMine }) {
  const advised = hint?.hint_level === "card" ? Object.entries(hint.pick) : [];
  const taken = phase === "choice" ? Object.entries(chosen).filter(([seat]) => isMine(seat)) : [];
  const all = [...advised.map((each) => [...each, true]), ...taken.map((each) => [...each, false])];
  const landed = all.map(([seat, move, isAdvised]) => {
    const [card] = choicesOf(move).watcher ?? choicesOf(move).card;
    const level = levelOf(card);
    const text = JSON.stringify(move);
    const known = hint?.moves?.find((each) => JSON.stringify(each.move[seat]) === text);
    return { seat, place: placeOf(seat, state.seats), card, level, fruit: state.fruit[level - 1] ?? 0, advised: isAdvised, stays: known?.survival?.[seat] };
  });
  return landed.filter((each, at) => each.card && landed.findIndex(({ seat, card }) => seat === each.seat && card === each.card) === at);
}

function levelOf(card) {
  return CHAMPION.test(card) ? Number(card) : null;
}

function placeOf(seat, seats) {
  return seats.findIndex((each) => each.seat === seat);
}

/** Return how the champions that the hint puts on the tree may fall, as {seat, level, code, chance, text}. */
export function dangers(hint) {
  if (hint?.hint_level !== "card") return [];
  return hint.moves[hint.pick_index].reasons
    .filter(({ code }) => DANGERS.includes(code))
    .map(({ code, params, text }) => ({ seat: params.seat, level: Number(params.own), code, chance: params.chance, text }));
}
