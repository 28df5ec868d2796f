// Scoring track: spaces, bonuses and markers.

import { h } from "../dom.js";
import { formatList, localName, t } from "../text.js";
import { badge, seatName } from "./seats.js";
import { kindIcon } from "./cards.js";

/**
 * Return the track.
 * @param {object} options the track, the seats in order, their scores, and the names of kinds.
 */
export function track({ track: { length, bonuses }, seats, scores, kinds }) {
  const bonusAt = new Map(bonuses.map((bonus) => [bonus.space, bonus]));
  const spaces = Array.from({ length: length + 1 }, (_, space) => {
    const here = seats
      .map((seat, place) => ({ name: seat.seat, place }))
      .filter(({ name }) => scores[name] === space);
    return cell(space, length, bonusAt.get(space), here, kinds);
  });
  return h("ol", { class: "track", "aria-label": t("track"), start: "0" }, spaces);
}

function cell(space, length, bonus, here, kinds) {
  const classes = ["space"];
  if (bonus) classes.push("bonus", bonus.kind);
  if (space === length) classes.push("goal");
  if (here.length) classes.push("taken");
  const lines = [h("span", { class: "at" }, space === 0 ? t("track.start") : String(space))];
  if (bonus) {
    const words = t("track.bonus", { kind: localName(kinds[bonus.kind], bonus.kind), count: bonus.advance });
    lines.push(
      h(
        "span",
        { class: "gain", title: words },
        kindIcon(bonus.kind),
        h("span", { "aria-hidden": "true" }, `+${bonus.advance}`),
        h("span", { class: "hidden" }, words),
      ),
    );
  }
  if (space === length) lines.push(h("span", { class: "gain" }, t("track.goal")));
  if (here.length) {
    lines.push(
      h(
        "span",
        { class: "markers" },
        here.map(({ name, place }) => h("span", { "data-glide": name }, badge(name, place))),
        h("span", { class: "hidden" }, formatList(here.map(({ name }) => seatName(name)))),
      ),
    );
  }
  return h("li", { class: classes.join(" ") }, lines);
}
