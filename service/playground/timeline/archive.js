// What the browser remembers of a review: the figures of the user, and mistakes that become puzzles.

import { recallDocument, remember } from "../storage.js";
import { mistakesOf } from "./series.js";

/** Store what a review says about the user; a game without a user is not stored. */
export function archive(timeline) {
  const { kind, run, view } = timeline;
  const { game } = view;
  const [player] = game.mine;
  const account = run.review?.players[player];
  if (!account) return;
  const mistakes = mistakesOf(timeline.series(), player);
  const over = game.over();
  const winners = game.winners ?? game.last?.winners ?? [];
  const name = `practice:${game.record.id}`;
  const before = recallDocument(name)?.puzzles ?? [];
  /** Return a puzzle, with what became of it. */
  const puzzle = (step) => ({ ...before.find((each) => each.player === player && each.step === step), player, step });
  const document = {
    id: game.record.id,
    game: game.about.game,
    player,
    chance: 1 / new Set(game.state.seats.map(({ seat, player: owner = seat }) => owner)).size,
    won: over ? Number(winners.includes(player)) : null,
    loss: account.loss,
    luck: account.luck.draws + account.luck.others,
    errors: mistakes.flatMap(({ reasons = [] }) => reasons.slice(0, 1).map(({ code, text }) => ({ code, text }))),
    puzzles: mistakes.filter((each) => each.class !== "inaccuracy").map((each) => puzzle(timeline.stepOf(each.column, (steps) => kind.decisionStep(steps, each)))),
  };
  remember(name, JSON.stringify(document));
}
