// A game as one record: its first position, and every roll, draw and move since then, in order.
// Pure functions. The positions in between follow by the rules, which only the service has.

/** The kinds of steps; a step is an object with one of these fields, whose value has this shape. */
const STEPS = {
  dice: Array.isArray, // Snow Time: the numbers rolled
  revealed: isObject, // Snow Time: moves by seat after which watchers or healers decide
  moves: isObject, // Snow Time: the complete moves by seat, which end the round
  action: isObject, // other games: an action, an answer or a draw of the turn
  end: (value) => value === true, // other games: the turn is played
};
const MAX_STEPS = 5000;

/**
 * Return the record of a new game.
 * @param {object} parts `id`, `game`, the first position `start`, and optionally: `grown` if the
 *     fruit of the first round has grown, `mine` (players of the user), `mode`, the `round` in which
 *     the game was joined, and `profiles` of the players from earlier games. The field `line` is for line.js.
 */
export function newRecord(parts) {
  return { grown: false, mine: [], mode: "play", profiles: {}, fresh: false, ...parts, steps: [], at: 0 };
}

/** Return the steps up to the point that the user has gone back to. */
export function stepsOf(record) {
  return record.steps.slice(0, record.at);
}

/** Return the record with one more step; steps after the present point are replaced. */
export function withStep(record, step) {
  return { ...record, steps: [...stepsOf(record), step], at: record.at + 1 };
}

export function canUndo(record) {
  return record.at > 0;
}

export function canRedo(record) {
  return record.at < record.steps.length;
}

export function undone(record) {
  return { ...record, at: Math.max(0, record.at - 1) };
}

export function redone(record) {
  return { ...record, at: Math.min(record.steps.length, record.at + 1) };
}

/** Return the steps of each completed round or turn, `done`, and those of the open one. */
export function chapters(record) {
  const done = [];
  let open = [];
  for (const step of stepsOf(record)) {
    open.push(step);
    if (step.moves || step.end) {
      done.push(open);
      open = [];
    }
  }
  return { done, open };
}

/** Return how many rounds or turns were played before a record that joins a game in a later `round`. */
export function playedBefore({ game, start, round }) {
  if (!round) return 0;
  if (game === "snow-time") return round - 1;
  return (round - 1) * start.seats.length + Math.max(0, start.seats.findIndex(({ player }) => player === start.turn));
}

/** Return the number of the round or turn that is open. */
export function openNumber(record) {
  return playedBefore(record) + chapters(record).done.length + 1;
}

/** Return the round of a game with turns: all players have one turn in each, and the set-up is none. */
export function roundNumber(record) {
  const { seats, phase } = record.start;
  return Math.ceil(openNumber(record) / seats.length) - (phase === "set-up" ? 1 : 0);
}

/** Return whether the user plays against a player of the service, whose cards stay hidden. */
export function isOpponent({ mode, mine }, player) {
  return mode === "play" && mine.length > 0 && !mine.includes(player);
}

/** Return what a link contains: all but the profiles of the players. */
export function sharedPart({ id, game, start, grown, mine, mode, round, steps, at, line }) {
  return { id, game, start, grown, mine, mode, steps, at, ...(round ? { round } : {}), ...(line ? { line } : {}) };
}

/** Return what the browser stores. */
export function storedPart(record) {
  return { ...sharedPart(record), profiles: record.profiles, fresh: record.fresh };
}

/**
 * Read a record from a link or from storage; throws a TypeError if it is none. The service checks
 * the positions and the moves. Links of earlier versions contain one position.
 */
export function readRecord(document, game, id) {
  if (!isObject(document)) throw new TypeError("no record");
  const { state, soFar = [], start = state, steps = soFar.map((action) => ({ action })) } = document;
  const { at = steps.length, grown, mine, mode, profiles, round, line } = document;
  if (!isObject(start) || !areSteps(steps) || (line && !areSteps(line))) throw new TypeError("no record");
  const between = Number.isInteger(at) ? Math.max(0, Math.min(at, steps.length)) : steps.length;
  return {
    id: /^[0-9a-f]{32}$/.test(document.id) ? document.id : id,
    game,
    start,
    grown: grown === true,
    mine: Array.isArray(mine) ? mine.filter((player) => typeof player === "string") : [],
    mode: mode === "table" ? "table" : "play",
    ...(Number.isInteger(round) && round > 1 && round <= MAX_STEPS ? { round } : {}),
    profiles: isObject(profiles) ? profiles : {},
    fresh: document.fresh === true,
    steps,
    at: between,
    ...(line ? { line } : {}),
  };
}

/** Return whether the steps of one record begin with all steps of another. */
export function continues(record, other) {
  const text = (each) => JSON.stringify(each);
  return text(record.start) === text(other.start) && other.steps.every((step, place) => text(step) === text(record.steps[place]));
}

function areSteps(steps) {
  return Array.isArray(steps) && steps.length <= MAX_STEPS && steps.every(isStep);
}

function isStep(step) {
  if (!isObject(step)) return false;
  const [kind, ...others] = Object.keys(step);
  return !others.length && Object.hasOwn(STEPS, kind) && STEPS[kind](step[kind]);
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
