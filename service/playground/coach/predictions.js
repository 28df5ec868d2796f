// Who probably stands where: the strategies of a hint as marks on the tree.

import { choicesOf } from "../snow-time/cards.js";

const MIN_CHANCE = 0.05;
const CHAMPION = /^[1-7]$/;
const DANGERS = ["brawl", "struck", "buried"];

/** Return the chance of each seat to stand on each level, as {seat, place, level, chance}. */
export function standingChances(hint, seats) {
  if (hint?.hint_level !== "card" || hint.decision !== "card") return [];
  const own = Object.keys(hint.pick);
  const chances = new Map();
  for (const mixture of Object.values(hint.strategies)) {
    for (const { move, probability } of mixture) {
      for (const [seat, { card }] of Object.entries(move)) {
        const key = `${seat} ${card}`;
        if (CHAMPION.test(card) && !own.includes(seat)) chances.set(key, (chances.get(key) ?? 0) + probability);
      }
    }
  }
  return [...chances]
    .map(([key, chance]) => {
      const [seat, card] = key.split(" ");
      return { seat, place: seats.findIndex((each) => each.seat === seat), level: Number(card), chance };
    })
    .filter(({ chance }) => chance >= MIN_CHANCE)
    .sort((one, other) => other.chance - one.chance);
}

/** Return the levels on which the hint puts the champions of the player, by seat. */
export function advisedLevels(hint) {
  if (hint?.hint_level !== "card") return [];
  return Object.entries(hint.pick)
    .map(([seat, move]) => [seat, (choicesOf(move).watcher ?? choicesOf(move).card)[0]])
    .filter(([, card]) => CHAMPION.test(card))
    .map(([seat, card]) => ({ seat, level: Number(card) }));
}

/** Return how the champions that the hint puts on the tree may fall, as {seat, level, code, chance, text}. */
export function dangers(hint) {
  if (hint?.hint_level !== "card") return [];
  return hint.moves[hint.pick_index].reasons
    .filter(({ code }) => DANGERS.includes(code))
    .map(({ code, params, text }) => ({ seat: params.seat, level: Number(params.own), code, chance: params.chance, text }));
}
