// What takes the service: one thing at a time, and what it has against it is kept to be shown.

/**
 * Does something for a game, and shows what the service has against it.
 * @param {object} game with `busy`, `problem` and `changed`, which is called when they have changed.
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether it was done.
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
    if (!problem.told) throw problem;
    game.problem = problem.told;
    return false;
  } finally {
    game.busy = false;
    game.changed();
  }
}
