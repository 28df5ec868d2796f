// The course as a grid of buttons, for the editor.

import { h, s } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { formatList, localName } from "../text.js";
import { fieldSign, snowman, spaceName } from "./course.js";

const FIELDS = ["plain", "gift", "boost", "abyss", "obstacle"];

/** Return one button for each kind of field. */
export function fieldBrushes({ kinds }, chosen, choose) {
  return FIELDS.map((field) =>
    h(
      "button",
      { type: "button", class: "brush", "data-key": `tool-${field}`, "aria-label": localName(kinds[field], field), "aria-pressed": String(field === chosen), onclick: () => choose(field) },
      fieldSign(field),
    ),
  );
}

export function snowmanIcon() {
  return s("svg", { class: "brush-icon", viewBox: "-16 -16 32 32", "aria-hidden": "true" }, snowman());
}

/** Return the pieces of a course, each space a button. */
export function courseGrid(state, about, tap) {
  let first = 0;
  return h(
    "div",
    { class: "course-grid" },
    state.course.map((name) => {
      const rows = state.pieces[name];
      const start = first;
      first += rows.length;
      return h(
        "div",
        { class: "piece-grid", role: "group", "aria-label": name, style: { "--rows": String(rows.length) } },
        rows[0].map((_, lane) => rows.map((fields, row) => space(state, about, fields[lane], start + row, lane, tap))),
      );
    }),
  );
}

function space(state, about, field, row, lane, tap) {
  const here = state.seats.map((seat, place) => ({ ...seat, place })).filter((seat) => seat.row === row && seat.lane === lane);
  const hasSnowman = (state.snowmen ?? []).some((each) => each.row === row && each.lane === lane);
  const parts = [spaceName(row, lane), localName(about.kinds[field], field)];
  if (hasSnowman) parts.push(localName(about.cards.snowman, "snowman"));
  if (here.length) parts.push(formatList(here.map(({ player }) => playerName(player))));
  return h(
    "button",
    { type: "button", class: "grid-space", "aria-label": parts.join(", "), "data-key": `space-${row}-${lane}`, onclick: () => tap(row, lane) },
    fieldSign(field),
    hasSnowman ? snowmanIcon() : null,
    here.map(({ player, place }) => badge(player, place)),
  );
}
