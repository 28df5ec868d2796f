// What the timeline needs to know about Snow Time.

import { post } from "../api.js";
import { jointName, replaceSeatNames } from "../coach/moves.js";
import { cardsOf } from "../snow-time/frames.js";
import { colour, seatName } from "../snow-time/seats.js";
import { tree } from "../snow-time/tree.js";

export const rounds = {
  unit: "round",
  name: seatName,

  /** Return the colour class of each player. */
  colours({ state }) {
    const entries = state.seats.map(({ seat, player = seat }, place) => [player, colour(place, seat)]);
    return Object.fromEntries(entries.reverse());
  },

  /** Return the request for a review with the effort of the hints on the page, and the `first` round that it can contain. */
  request({ game, effort }) {
    const { first, ...played } = game.played();
    return { first, body: { ...played, effort } };
  },

  reviewable: (game) => Boolean(game.record.line) || game.played().rounds.length > 0,

  move: ({ about }, { decision }, move) => jointName(move, decision, about),

  cause: ({ game }, text) => replaceSeatNames(text, game),

  /** Return the tree with the cards of the round, as they were played or with the better one. */
  sketch(view, { round, move, best }, which, played) {
    const { grown, moves } = played[round];
    const cards = cardsOf({ ...moves, ...(which === "better" ? best : move) });
    return tree({ seats: grown.seats, fruit: grown.fruit, cards, fallen: [] });
  },

  /** Return how many steps of a round come before its first decision: the dice. */
  columnStep: ([first]) => (first.dice ? 1 : 0),

  /** Return how many steps of a round come before a decision. */
  decisionStep(steps, { decision }) {
    const before = this.columnStep(steps);
    if (decision === "card") return before;
    return decision === "watcher" && steps[before].revealed ? before + 1 : steps.length - 1;
  },

  /** Return the `moves` of a player in the order of its cards, each with its label and its loss, and the `advice`. */
  async candidates({ game, about, effort }, player) {
    const hint = await post(`${game.base}/suggest`, game.question(player, { effort }));
    const order = ({ move }) => Object.entries(move).map(([seat, each]) => place(game.options[seat], each));
    const moves = hint.moves
      .map((each) => ({ move: each.move, value: each.value, loss: each.loss, label: jointName(each.move, hint.decision, about), order: order(each) }))
      .sort((one, other) => one.order[0] - other.order[0] || (one.order[1] ?? 0) - (other.order[1] ?? 0));
    return { moves, advice: hint.advice };
  },
};

function place(moves, move) {
  const text = JSON.stringify(move);
  return moves.findIndex((each) => JSON.stringify(each) === text);
}
