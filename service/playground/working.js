// Requests of a game: one at a time, with their problem stored for display.

/**
 * Run a request for a game and store its problem, if any.
 * @param {object} game `busy` and `problem` are set; `changed` is called after each change.
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether the request succeeded.
 */
export async function run(game, work) {
  if (game.busy) return false;
  game.busy = true;
  game.problem = null;
  game.changed();
  try {
    await work();
    return true;
  } catch (problem) {
    if (!problem.document) throw problem;
    game.problem = problem.document;
    return false;
  } finally {
    game.busy = false;
    game.changed();
  }
}
