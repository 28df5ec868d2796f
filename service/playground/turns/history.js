// What happened in the turns so far.

import { h } from "../dom.js";
import { playerName } from "../names.js";
import { ruling } from "../problems.js";
import { t } from "../text.js";

/** Return the log of all turns, the latest one first. */
export function history(view) {
  const { turns } = view.game;
  if (!turns.length) return null;
  const [latest, ...earlier] = turns.map((turn) => entry(view, turn)).reverse();
  return h(
    "section",
    { class: "panel log", "aria-labelledby": "log-title" },
    h("h2", { id: "log-title" }, t("log")),
    latest,
    earlier.length
      ? h("details", { class: "fold", "data-key": "earlier" }, h("summary", {}, t("log.earlier")), earlier)
      : null,
  );
}

/** Return the events of a turn as sentences; what the user cannot see stays hidden. */
export function eventTexts(view, { before, player, result }) {
  const events = withoutHidden(result.events, (each) => view.game.hides(each));
  return events.map((event) => view.own.event(event, asOf(view, before, player)));
}

/** Return events without the cards that players draw whose cards are hidden. */
export function withoutHidden(events, hides) {
  return events.map((event) => (event.type === "draw" && hides(event.player) ? { ...event, card: undefined } : event));
}

function entry(view, turn) {
  const { events } = turn.result;
  const texts = eventTexts(view, turn);
  return h(
    "section",
    {},
    h("h3", {}, t("turn.of", { player: playerName(turn.player) })),
    h("ol", {}, events.map(({ rule }, place) => h("li", {}, texts[place], rule ? ruling(rule, view.about) : null))),
  );
}

/** Return a view of the position before a turn, which names its actions and events. */
export function asOf({ about, catalogue }, before, player) {
  return { about, catalogue, game: { state: before, decider: () => player } };
}
