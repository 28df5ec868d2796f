// What the timeline needs to know about turn-based games.

import { post } from "../api.js";
import { playerName } from "../names.js";
import { colour } from "../snow-time/seats.js";
import { asOf } from "./history.js";

export const turns = {
  unit: "turn",
  name: playerName,

  /** Return the colour class of each player. */
  colours({ state }) {
    return Object.fromEntries(state.seats.map(({ player }, place) => [player, colour(place)]));
  },

  /** Return the request for a review, with the effort of the hints on the page. */
  request({ game, effort }) {
    const played = game.turns.map(({ moves }) => moves);
    return { first: 0, body: { state: game.record.start, turns: played, effort } };
  },

  reviewable: (game) => Boolean(game.record.line) || game.turns.length > 0,

  move: (view, { turn, player }, move, played) => view.own.action(move, asOf(view, played[turn].before, player)),

  cause: (view, text) => text,

  /** Return a small board with the turn as it was played from a decision on, or with the better one. */
  sketch(view, { turn, action, player, move, best, plan = [move], best_plan: better = [best] }, which, played) {
    const { before, moves } = played[turn];
    const actions = which === "better" ? better : plan;
    return view.own.sketch?.({ before, soFar: moves.slice(0, action), actions, player }, view) ?? null;
  },

  columnStep: () => 0,

  decisionStep: (steps, { action }) => action,

  /** Return the `moves` of a player in the order of the legal choices, each with its label and its loss, and the `advice`. */
  async candidates(view, player) {
    const { game, effort } = view;
    const { state, soFar } = game;
    const hint = await post(`${game.base}/suggest`, { state, so_far: soFar, player, effort });
    const texts = game.choices().map((each) => JSON.stringify(each));
    const best = Math.max(...hint.moves.map(({ value }) => value));
    const moves = hint.moves
      .map(({ move, value }) => ({ move, value, loss: best - value, label: view.own.action(move, view), order: texts.indexOf(JSON.stringify(move)) }))
      .sort((one, other) => one.order - other.order);
    return { moves, advice: hint.advice };
  },
};
