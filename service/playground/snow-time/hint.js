// A hint as bars: how often a move is to be played, what it is worth, whether its champion returns.

import { bar, scale } from "../bars.js";
import { button, h, select } from "../dom.js";
import { number, percent, t } from "../text.js";
import { badge, seatName } from "./seats.js";
import { face, moveName, newest } from "./cards.js";

const SHOWN = 10;

export const DEFAULTS = { objective: "win", model: "equilibrium", tier: "standard", depth: "1", level: "card" };

/** The questions that may be asked of a hint. */
export function asking(asked, about, onchange) {
  const { objectives, models, tiers, hint_levels: levels } = about.suggest;
  const field = (name, words, say) =>
    select(t(`ask.${name}`), asked[name], words.map((word) => [word, say(word)]), (value) => onchange(name, value), {
      "data-key": `ask-${name}`,
    });
  return h(
    "details",
    { class: "fold", "data-key": "asking" },
    h("summary", {}, t("ask.more")),
    h(
      "div",
      { class: "fields" },
      field("objective", objectives, (word) => t(`objective.${word}`)),
      field("model", models, (word) => t(`model.${word}`)),
      field("tier", tiers, (word) => t(`tier.${word}`)),
      field("depth", ["1", "2", "3"], String),
      field("level", levels, (word) => t(`level.${word}`)),
    ),
  );
}

export function question({ objective, model, tier, depth, level }, decision) {
  const next = level === "card" && decision === "card" && depth === "1";
  return {
    objective,
    opponents: { model },
    tier,
    depth: Number(depth),
    hint_level: level,
    ...(next ? { include: ["next"] } : {}),
  };
}

/** The hint; `take` chooses a move for the asker's seats. */
export function hintPanel({ hint, objective, game, about, all, showAll, take }) {
  if (hint.hint_level) return lesserPanel(hint, about);
  const worth = (value) => (objective === "win" ? percent(value) : number(value, 2));
  const across = scale(hint.moves.map((each) => each.value));
  const row = (told, place) => move(told, place, { hint, about, game, objective, worth, across, take });
  const shown = all ? hint.moves : hint.moves.slice(0, SHOWN);
  return h(
    "section",
    { class: "panel hint", "aria-labelledby": "hint-title" },
    h("h2", { id: "hint-title", tabindex: "-1", "data-key": "hint-title" }, t("hint.title", { player: seatName(hint.player) })),
    h("p", { class: "small" }, t(`hint.${objective}`)),
    h("ol", { class: "moves" }, shown.map(row)),
    shown.length < hint.moves.length
      ? button(t("hint.all", { count: hint.moves.length }), showAll, { class: "quiet", "data-key": "hint-all" })
      : null,
    following(hint, about),
    outlook(hint, game),
    h("p", { class: "small search" }, searched(hint, worth)),
  );
}

/** What to think of, and perhaps which moves, without a number. */
function lesserPanel(hint, about) {
  return h(
    "section",
    { class: "panel hint", "aria-labelledby": "hint-title" },
    h("h2", { id: "hint-title", tabindex: "-1", "data-key": "hint-title" }, t("hint.title", { player: seatName(hint.player) })),
    h("ul", { class: "nudges" }, hint.nudges.map((nudge) => h("li", {}, nudge.text))),
    hint.shortlist
      ? [
          h("h3", {}, t("hint.shortlist")),
          h("ul", { class: "shortlist" }, hint.shortlist.map((each) => h("li", {}, jointName(each, hint.decision, about)))),
        ]
      : null,
  );
}

/** What to do next, if it is revealed so. */
function following(hint, about) {
  if (!hint.next?.length) return null;
  return h(
    "div",
    { class: "next" },
    h("h3", {}, t("hint.next")),
    h(
      "ul",
      {},
      hint.next.map((told) => {
        const decision = Object.values(told.next).some((each) => (each.then ?? each).recover) ? "healer" : "watcher";
        return h(
          "li",
          {},
          t("hint.next-if", {
            chance: percent(told.probability),
            revealed: jointName(told.revealed, "card", about, true),
            next: jointName(told.next, decision, about),
          }),
        );
      }),
    ),
  );
}

/** The moves of several seats in words. */
export function jointName(moves, decision, about, named = Object.keys(moves).length > 1) {
  return Object.entries(moves)
    .map(([seat, each]) => (named ? `${seatName(seat)}: ` : "") + moveName(each, decision, about.cards))
    .join(t("list.between"));
}

function move(told, place, { hint, about, game, objective, worth, across, take }) {
  const seats = Object.entries(told.move);
  const drawn = JSON.stringify(told.move) === JSON.stringify(hint.pick);
  const name = jointName(told.move, hint.decision, about);
  const survivals = Object.entries(told.survival).filter(([, chance]) => chance !== null);
  return h(
    "li",
    { class: drawn ? "move drawn" : "move", "data-move": JSON.stringify(told.move) },
    h(
      "h3",
      {},
      h("span", { class: "faces", "aria-hidden": "true" }, seats.map(([seat, each]) => faces(seat, each, hint.decision, game, seats.length > 1))),
      h("span", {}, name),
      place === 0 ? h("span", { class: "tag" }, t("hint.best")) : null,
      drawn ? h("span", { class: "tag strong" }, t("hint.pick")) : null,
    ),
    h(
      "dl",
      { class: "bars" },
      bar(t("hint.probability"), told.probability, percent(told.probability), "mixture"),
      bar(objective === "win" ? t("hint.value") : t("hint.spaces"), across(told.value), worth(told.value), "value"),
      survivals.map(([seat, chance]) =>
        bar(
          survivals.length > 1 ? t("hint.survival-of", { seat: seatName(seat) }) : t("hint.survival"),
          chance,
          percent(chance),
          "survival",
        ),
      ),
    ),
    told.reasons?.length
      ? h("ul", { class: "reasons" }, told.reasons.filter((reason) => reason.text).map((reason) => h("li", {}, inNames(reason.text, game))))
      : null,
    button(t("hint.take"), () => take(told.move), {
      class: "quiet",
      "data-key": `take-${place}`,
      "aria-label": `${t("hint.take")}: ${name}`,
    }),
  );
}

/** A sentence of the service with the seats called as they are on the page. */
function inNames(text, game) {
  return game.state.seats.reduce(
    (told, { seat }) => told.replace(new RegExp(`(?<![\\w-])${seat}(?![\\w-])`, "g"), () => seatName(seat)),
    text,
  );
}

function faces(seat, told, decision, game, several) {
  const place = game.state.seats.findIndex((each) => each.seat === seat);
  const shown = newest(told, decision);
  return [
    several ? badge(seat, place) : null,
    (shown.length ? shown : ["–"]).map((card) => h("span", { class: "chip" }, face(card))),
  ];
}

function outlook(hint, game) {
  const places = new Map(
    game.state.seats.map((seat, place) => [seat.player ?? seat.seat, place]).reverse(),
  );
  return h(
    "div",
    { class: "outlook" },
    h("h3", {}, t("hint.outlook")),
    h(
      "dl",
      { class: "bars" },
      Object.entries(hint.outlook).map(([player, share]) =>
        bar([badge(player, places.get(player) ?? 0), " ", seatName(player)], share, percent(share), "value"),
      ),
    ),
  );
}

function searched({ search }, worth) {
  const told = [t("hint.searched", { depth: search.depth, tier: t(`tier.${search.tier}`) })];
  if (search.exact) told.push(t("hint.exact"));
  if (search.gap !== null) told.push(t("hint.gap", { gap: worth(search.gap) }));
  return told.join(" ");
}
