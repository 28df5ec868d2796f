// Requests of a game: one at a time, with their problem stored for display.

/**
 * Run a request for a game and store its problem, if any, with the work that failed.
 * @param {object} game `busy`, `problem` and `failed` are set; `changed` is called after each change,
 *     and `onproblem`, if there is one, once a problem is shown.
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether the request succeeded.
 */
export async function run(game, work) {
  if (game.busy) return false;
  Object.assign(game, { busy: true, problem: null, failed: null });
  game.changed();
  try {
    await work();
    return true;
  } catch (problem) {
    if (!problem.document) throw problem;
    Object.assign(game, { problem: problem.document, failed: work });
    return false;
  } finally {
    game.busy = false;
    game.changed();
    if (game.problem) game.onproblem?.();
  }
}
