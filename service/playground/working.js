// Requests of a game: one at a time, with their problem stored for display.

import { visibly } from "./waiting.js";

/**
 * Run a request for a game and store its problem, if any, with what tries it again.
 * @param {object} game `busy`, `problem` and `failed` are set; `changed` is called after each change,
 *     and `onproblem`, if there is one, once a problem is shown.
 * @param {() => Promise<void>} work
 * @param {() => void} done what follows once it has succeeded, at once or when it is tried again.
 * @returns {Promise<boolean>} whether the request succeeded at once.
 */
export async function run(game, work, done = null) {
  if (game.busy) return false;
  Object.assign(game, { busy: true, problem: null, failed: null });
  game.changed();
  try {
    await visibly(work);
  } catch (problem) {
    if (!problem.document) throw problem;
    Object.assign(game, { problem: problem.document, failed: () => run(game, work, done) });
    return false;
  } finally {
    game.busy = false;
    game.changed();
    if (game.problem) game.onproblem?.();
  }
  await done?.();
  return true;
}
