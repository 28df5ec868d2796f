// The spaces of the course that choices lead to, so that a tap on a space is a choice.

const SIDES = { left: -1, right: 1 };
const STEP = 1;
const JUMP = 2;

/** Return the choices that lead to a space, as {row, lane, action, kind}. */
export function targets(choices, seat, rows) {
  return choices.map((action) => ({ action, ...spaceOf(action, seat, rows) })).filter(({ row }) => row !== undefined);
}

/** Return where an action of a player leads, as {row, lane, kind}; across the last line without a row. */
export function spaceOf({ type, direction, lane, row }, seat, rows) {
  if (type === "place") return { row: 0, lane, kind: "step" };
  if (type === "step") return { ...moved(seat, direction, lane, STEP, rows), kind: "step" };
  if (type !== "play") return {};
  if (row !== undefined) return { row, lane, kind: "snowman" };
  return direction ? { ...moved(seat, direction, lane, JUMP, rows), kind: "jump" } : {};
}

/** Return the space so far in a direction; across the line, the choice names the lane. */
function moved(seat, direction, lane, distance, rows) {
  if (SIDES[direction]) return { row: seat.row, lane: seat.lane + distance * SIDES[direction] };
  const row = seat.row + distance;
  if (row < rows) return { row, lane: seat.lane };
  return lane === undefined ? {} : { row: row - rows, lane };
}
