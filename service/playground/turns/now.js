// The panel of a turn-based game: whose decision it is, and the choices of it.

import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { t } from "../text.js";
import { ending } from "../timeline/ending.js";
import { chapters, roundNumber } from "../records/record.js";
import { amendButton } from "./history.js";

export function now(view) {
  const { game, own, about } = view;
  return h(
    "section",
    { class: "panel now", "aria-busy": game.busy ? "true" : "false", "aria-labelledby": "now-title" },
    heading(view),
    own.aside?.(view),
    game.over() ? ending(view, game.last && own.outcome(game.last, about)) : acting(view),
    soFar(view),
  );
}

function heading({ game, own, placeOf }) {
  const { legal, state } = game;
  const decider = game.decider();
  const who = decider ?? state.turn;
  let title = t(`turn.${legal.decision}`);
  const over = game.over();
  if (over) title = t("now.over");
  else if (decider) title = t("turn.decides", { player: playerName(decider), what: own.decision(legal.decision) });
  return [
    over ? null : h("p", { class: "eyebrow" }, game.atTable() && roundNumber(game.record) ? `${t("round", { round: roundNumber(game.record) })} · ` : null, t("turn.of", { player: playerName(state.turn) })),
    game.dropped ? h("p", { class: "problem", role: "status" }, t("table.dropped", { count: game.dropped })) : null,
    h("h2", { id: "now-title", tabindex: "-1" }, over ? null : badge(who, placeOf(who)), " ", title),
  ];
}

function soFar(view) {
  const { game, own } = view;
  const seen = game.hides(game.state.turn) ? game.soFar.filter(({ type }) => type !== "draw") : game.soFar;
  if (!seen.length) return null;
  const first = chapters(game.record).done.flat().length;
  const line = (action, at) => (game.atTable() ? amendButton(view, first + at, own.action(action, view)) : own.action(action, view));
  const lines = seen.map((action, at) => h("li", {}, line(action, at)));
  return [h("h3", {}, t("turn.so-far")), h("ol", { class: "so-far" }, lines)];
}

function acting(view) {
  // While the service plays, its choices would show its cards.
  if (!view.game.waits() && view.game.hides(view.game.decider() ?? view.game.state.turn)) return closing(view);
  const drawn = view.game.legal.decision === "draw" ? drawing(view) : null;
  return [drawn ?? view.own.panel?.(view) ?? choosing(view), closing(view)];
}

/** Return the button that plays the complete turn, or lets the service play on. */
function closing(view) {
  const { game } = view;
  const play = (label, work, attributes) => h("div", { class: "row" }, button(label, () => view.playOn(work), { ...attributes, disabled: game.busy }));
  if (game.complete()) return play(t("turn.play"), () => game.resolve(), { class: "main", "data-key": "play-turn", "data-next": true });
  return game.atTable() ? null : play(t("turn.finish"), () => game.finish(), { "data-key": "finish" });
}

/** Return buttons for all legal choices, in groups. */
function choosing(view) {
  return h("div", { class: "choices" }, choiceGroups(view, view.game.choices()));
}

/** Return buttons for some of the legal choices, in groups. */
export function choiceGroups(view, choices, order = 0) {
  const groups = new Map();
  for (const action of choices) {
    const { group, label } = view.own.choice(action, view);
    groups.set(group, [...(groups.get(group) ?? []), [action, label]]);
  }
  return [...groups].map(([group, actions]) =>
    h(
      "div",
      { class: "choice-group", role: "group", "aria-label": group || t("turn.choices") },
      group ? h("h3", {}, group) : null,
      h("div", { class: "row" }, actions.map(([action, label]) => choice(view, action, label, group, order++))),
    ),
  );
}

function choice(view, action, label, group, order) {
  return button(label, () => view.choose(action), {
    "data-key": `choice-${order}`,
    "data-next": order === 0,
    "aria-label": group && typeof label === "string" ? t("list.entry", { name: group, text: label }) : null,
    disabled: view.game.busy,
  });
}

function drawing(view) {
  const { game, own } = view;
  const random = button(t("turn.draw-random"), () => view.playOn(() => game.draw()), { class: "main", "data-key": "draw-random", "data-next": true, disabled: game.busy });
  return [game.atTable() ? null : h("div", { class: "row" }, random), own.drawn(view)];
}
