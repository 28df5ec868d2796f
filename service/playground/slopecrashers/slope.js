// The shape of the slope: where a space of the course lies in the drawing.

const [WIDE, HIGH] = [46, 40];
/** How far the slope swings to each side, and how many rows a whole swing has. */
const [SWING, SWING_ROWS] = [26, 15];
const [MARGIN, TOP, BOTTOM, GAP] = [50, 52, 44, 14];
const INSET = 4;

/** Return the shape of the `laid` pieces of a course (layout.js): its `width` and `height`, and where things are. */
export function slopeShape(laid) {
  const rows = laid.flatMap((piece) => piece.rows);
  const order = laid.flatMap((piece, place) => piece.rows.map(() => place));
  const lanes = rows[0]?.length ?? 0;
  const top = (row) => TOP + row * HIGH + (order[Math.min(row, rows.length - 1)] ?? 0) * GAP;
  const bend = (y) => MARGIN + SWING * (1 + Math.sin(((y - TOP) / (HIGH * SWING_ROWS)) * 2 * Math.PI));
  const point = (y, lane) => ({ x: bend(y) + lane * WIDE, y });
  const first = (row) => Math.max(0, rows[row].findIndex(Boolean));
  return {
    laid,
    rows,
    width: 2 * MARGIN + 2 * SWING + lanes * WIDE,
    height: top(rows.length - 1) + HIGH + BOTTOM,
    top,
    /** Return the edges of the slope at a height: of the spaces of a row that are on the course. */
    edges: (row, y) => [point(y, first(row)), point(y, rows[row].findLastIndex(Boolean) + 1)],
    left: (row) => point(top(row) + HIGH / 2, first(row)).x,
    bottom: (row) => top(row) + HIGH,
    centre: (row, lane) => point(top(row) + HIGH / 2, lane + 0.5),
    /** Return the outline of a space, which leans as the slope does. */
    outline(row, lane) {
      const [high, low] = [top(row) + INSET, top(row) + HIGH - INSET];
      const [a, b, c, d] = [point(high, lane), point(high, lane + 1), point(low, lane + 1), point(low, lane)];
      return `M${a.x + INSET} ${a.y}L${b.x - INSET} ${b.y}L${c.x - INSET} ${c.y}L${d.x + INSET} ${d.y}z`;
    },
  };
}
