// The figures of a review as a timeline: one column for each round or turn.
//
// A timeline has `columns` (their number), `shares` (by player, points [x, win share], where column
// k reaches from x = k to k + 1), `changes` (by player and column, {luck, loss}), and `decisions`
// (those of the review, each with its `column` and its point `x`, `share`).

const CLASSES = ["inaccuracy", "mistake", "blunder"];
const [EARLY, LATE] = [0.5, 0.75];
/** A change of a share that is worth a word. */
const LEAST = 0.001;

/** Return the timeline of a review; `unit` is round or turn. */
export function timelineOf(unit, review, columns) {
  return (unit === "round" ? ofRounds : ofTurns)(review, columns);
}

/** Return the timeline of a game with rounds, in which everybody decides at once. */
function ofRounds({ decisions, rounds, players }, columns) {
  const names = Object.keys(players);
  const shares = byPlayer(names, (player) => {
    return [...rounds.map(({ round, before }) => [round, before[player]]), [columns, rounds.at(-1).after[player]]];
  });
  const changes = byPlayer(names, () => new Map());
  for (const { round, luck } of rounds) {
    for (const player of names) changes[player].set(round, { luck: luck[player].draws + luck[player].others, loss: 0 });
  }
  for (const { player, round, loss } of decisions) change(changes[player], round).loss += loss;
  return {
    columns,
    shares,
    changes,
    decisions: decisions.map((decision) => {
      const { player, round } = decision;
      const part = decision.decision === "card" ? EARLY : LATE;
      const { before, after } = rounds[round];
      const share = before[player] + part * (after[player] - before[player]);
      return { ...decision, column: round, x: round + part, share };
    }),
  };
}

/** Return the timeline of a game with turns; a player's share is known at its own decisions. */
function ofTurns({ decisions, players, game_over: over }, columns) {
  const names = Object.keys(players);
  const shares = byPlayer(names, () => []);
  const changes = byPlayer(names, () => new Map());
  const actions = new Map();
  for (const { turn, action } of decisions) actions.set(turn, Math.max(actions.get(turn) ?? 0, action));
  const placed = decisions.map((decision) => {
    const { player, turn, action, value, best_value: best, loss } = decision;
    const length = actions.get(turn) + 1;
    const x = turn + (action + 1) / length;
    shares[player].push([turn + action / length, best], [x, value]);
    const here = change(changes[player], turn);
    here.loss += loss;
    const { source, share = 0 } = decision.luck ?? {};
    if (source === "draws" || source === "others") here.luck += share;
    return { ...decision, column: turn, x, share: value };
  });
  if (over) for (const player of names) shares[player].push([columns, players[player].end]);
  return { columns, shares, changes, decisions: placed };
}

/** Return the decisions of a player that cost something, in the order of the game. */
export function mistakesOf({ decisions }, player, classes = CLASSES) {
  return decisions.filter((decision) => decision.player === player && classes.includes(decision.class));
}

/** Return the win share of a player at a point of the timeline, or undefined. */
export function shareAt({ shares }, player, x) {
  const points = shares[player] ?? [];
  const next = points.findIndex(([at]) => at >= x);
  if (next < 0) return points.at(-1)?.[1];
  if (next === 0) return points[0][1];
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
  return x1 > x0 ? y0 + ((x - x0) / (x1 - x0)) * (y1 - y0) : y1;
}

/**
 * Return what stands out among the decisions of a player: the `best`, a good one after which its
 * share rose most until it decided again (by `rise`), the `costliest`, and how many were `good`.
 */
export function highlights(series, player) {
  const own = series.decisions.filter((each) => each.player === player);
  const good = own.filter((each) => !CLASSES.includes(each.class));
  const rises = good.map((each) => {
    const next = own.find(({ column }) => column > each.column)?.column ?? series.columns;
    return { ...each, rise: shareAt(series, player, next) - shareAt(series, player, each.column) };
  });
  const largest = (all, size) => all.filter((each) => each[size] > LEAST).sort((one, other) => other[size] - one[size])[0];
  return { best: largest(rises, "rise"), costliest: largest(own, "loss"), good: good.length, count: own.length };
}

function byPlayer(names, content) {
  return Object.fromEntries(names.map((name) => [name, content(name)]));
}

function change(columns, column) {
  if (!columns.has(column)) columns.set(column, { luck: 0, loss: 0 });
  return columns.get(column);
}
