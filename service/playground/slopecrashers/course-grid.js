// The course as a grid of buttons, for the editor.

import { button, h, s } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { formatList, localName, t } from "../text.js";
import { fieldSign, snowman, spaceName } from "./course.js";
import { laidPieces } from "./layout.js";
import { FIELDS } from "./pieces.js";

/** Return one button for each kind of field. */
export function fieldBrushes({ kinds }, chosen, choose) {
  return FIELDS.map((field) =>
    button(fieldSign(field), () => choose(field), { class: "brush", "data-key": `tool-${field}`, "aria-label": localName(kinds[field], field), "aria-pressed": String(field === chosen) }),
  );
}

export function snowmanIcon() {
  return s("svg", { class: "brush-icon", viewBox: "-16 -16 32 32", "aria-hidden": "true" }, snowman());
}

/** Return the pieces, numbered in the order of the course; a tap adds or removes one. */
export function pieceButtons(names, course, set) {
  const toggle = (name) => set(course.includes(name) ? course.filter((each) => each !== name) : [...course, name]);
  const piece = (name) => {
    const place = course.indexOf(name);
    return button(place < 0 ? name : `${place + 1} · ${name}`, () => toggle(name), {
      "data-key": `piece-${name}`,
      "aria-pressed": String(place >= 0),
      disabled: place >= 0 && course.length === 1,
    });
  };
  return h(
    "fieldset",
    {},
    h("legend", {}, t("edit.pieces")),
    h("p", { class: "small" }, t("edit.pieces.more")),
    h("div", { class: "row" }, names.map(piece)),
  );
}

/**
 * Return the pieces of a course from the start to the goal, each space a button.
 * @param {(row: number, lane: number) => (() => void)|null} tap returns what a tap on a space does.
 */
export function courseGrid(state, about, tap) {
  return h(
    "div",
    { class: "course-grid" },
    laidPieces(state, about).map(({ name, rows, first }, place, { length }) =>
      h(
        "div",
        { class: "piece-grid", role: "group", "aria-label": name, style: { "--lanes": String(rows[0].length) } },
        h("span", { class: "small" }, `↓ ${place ? place + 1 : t("track.start")}`),
        rows.map((fields, row) => fields.map((field, lane) => (field ? space(state, about, field, first + row, lane, tap) : h("span", { class: "open-lane" })))),
        place + 1 === length ? h("span", { class: "small" }, t("track.goal")) : null,
      ),
    ),
  );
}

function space(state, about, field, row, lane, tap) {
  const here = state.seats.map((seat, place) => ({ ...seat, place })).filter((seat) => seat.row === row && seat.lane === lane);
  const hasSnowman = (state.snowmen ?? []).some((each) => each.row === row && each.lane === lane);
  const parts = [spaceName(row, lane), localName(about.kinds[field], field)];
  if (hasSnowman) parts.push(localName(about.cards.snowman, "snowman"));
  if (here.length) parts.push(formatList(here.map(({ player }) => playerName(player))));
  const press = tap(row, lane);
  return h(
    "button",
    { type: "button", class: "grid-space", "aria-label": parts.join(", "), "data-key": `space-${row}-${lane}`, disabled: !press, onclick: press },
    fieldSign(field),
    hasSnowman ? snowmanIcon() : null,
    here.map(({ player, place }) => badge(player, place)),
  );
}
