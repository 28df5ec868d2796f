// Hint panel: probability, value and survival of each move as bars.

import { bar, scale } from "../bars.js";
import { button, h, select } from "../dom.js";
import { displayName } from "../names.js";
import { number, percent, t } from "../text.js";
import { badge, seatName, translatedId } from "./seats.js";
import { face, moveName, newest } from "./cards.js";
import { styles } from "./styles.js";

const MAX_MOVES = 10;

export const DEFAULTS = { objective: "win", model: "learned", effort: "standard", depth: "1", level: "card" };

/** Return the options in effect: without evidence, nothing can be learned about the others. */
export function effective(options, evidence) {
  return options.model === "learned" && !evidence.some() ? { ...options, model: "equilibrium" } : options;
}

/** Return the fields for the options of a hint. */
export function optionFields(chosen, about, evidence, onchange) {
  const { objectives, models, efforts, hint_levels: levels } = about.suggest;
  const options = effective(chosen, evidence);
  const choosable = models.filter((word) => word !== "learned" || evidence.some());
  const field = (name, words, label) =>
    select(t(`ask.${name}`), options[name], words.map((word) => [word, label(word)]), (value) => onchange(name, value), {
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
      field("model", choosable, (word) => t(`model.${word}`)),
      field("effort", efforts, (word) => t(`effort.${word}`)),
      field("depth", ["1", "2", "3"], String),
      field("level", levels, (word) => t(`level.${word}`)),
    ),
  );
}

/** Return the fields of a suggest request from the chosen options. */
export function suggestFields({ objective, model, effort, depth, level }, decision) {
  const next = level === "card" && decision === "card" && depth === "1";
  return {
    objective,
    opponents: { model },
    effort,
    depth: Number(depth),
    hint_level: level,
    ...(next ? { include: ["next"] } : {}),
  };
}

/** Return the panel of a hint; `take` chooses a move for the player's seats. */
export function hintPanel({ hint, objective, game, about, all, showAll, take }) {
  if (hint.hint_level !== "card") return reducedPanel(hint, about);
  const worth = (value) => (objective === "win" ? percent(value) : number(value, 2));
  const across = scale(hint.moves.map((each) => each.value));
  const row = (each, place) => move(each, place, { hint, about, game, objective, worth, across, take });
  const shown = all ? hint.moves : hint.moves.slice(0, MAX_MOVES);
  return h(
    "section",
    { class: "panel hint", "aria-labelledby": "hint-title" },
    h("h2", { id: "hint-title", tabindex: "-1", "data-key": "hint-title" }, t("hint.title", { player: seatName(hint.player) })),
    hint.advice ? h("p", { class: "advice" }, replaceSeatNames(hint.advice.text, game)) : null,
    h("p", { class: "small" }, t(`hint.${objective}`)),
    h("ol", { class: "moves" }, shown.map(row)),
    shown.length < hint.moves.length
      ? button(t("hint.all", { count: hint.moves.length }), showAll, { class: "quiet", "data-key": "hint-all" })
      : null,
    following(hint, about),
    winShares(hint, game),
    styles(hint, placesOf(game)),
    h("p", { class: "small search" }, searchSummary(hint, worth)),
  );
}

/** Return the panel of a hint level below `card`: nudges and perhaps a shortlist. */
function reducedPanel(hint, about) {
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

/** Return the recommendations after the most likely reveals. */
function following(hint, about) {
  if (!hint.next?.length) return null;
  return h(
    "div",
    { class: "next" },
    h("h3", {}, t("hint.next")),
    h(
      "ul",
      {},
      hint.next.map((item) => {
        const decision = Object.values(item.next).some((each) => (each.then ?? each).recover) ? "healer" : "watcher";
        return h(
          "li",
          {},
          t("hint.next-if", {
            chance: percent(item.probability),
            revealed: jointName(item.revealed, "card", about, true),
            next: jointName(item.next, decision, about),
          }),
        );
      }),
    ),
  );
}

/** Return the names of the moves of several seats. */
export function jointName(moves, decision, about, withSeats = Object.keys(moves).length > 1) {
  return Object.entries(moves)
    .map(([seat, each]) => {
      const name = moveName(each, decision, about.cards);
      return withSeats ? t("list.entry", { name: seatName(seat), text: name }) : name;
    })
    .join(t("list.between"));
}

function move(item, place, { hint, about, game, objective, worth, across, take }) {
  const seats = Object.entries(item.move);
  const drawn = place === hint.pick_index;
  const name = jointName(item.move, hint.decision, about);
  const survivals = Object.entries(item.survival);
  return h(
    "li",
    { class: drawn ? "move drawn" : "move", "data-move": JSON.stringify(item.move) },
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
      bar(t("hint.probability"), item.probability, percent(item.probability), "mixture"),
      bar(objective === "win" ? t("hint.value") : t("hint.spaces"), across(item.value), worth(item.value), "value"),
      survivals.map(([seat, chance]) =>
        bar(
          survivals.length > 1 ? t("hint.survival-of", { seat: seatName(seat) }) : t("hint.survival"),
          chance,
          percent(chance),
          "survival",
        ),
      ),
    ),
    item.reasons?.length
      ? h("ul", { class: "reasons" }, item.reasons.filter((reason) => reason.text).map((reason) => h("li", {}, replaceSeatNames(reason.text, game))))
      : null,
    button(t("hint.take"), () => take(item.move), {
      class: "quiet",
      "data-key": `take-${place}`,
      "aria-label": `${t("hint.take")}: ${name}`,
    }),
  );
}

/** Return a sentence of the service with translated seat ids; it has the display names already. */
function replaceSeatNames(text, game) {
  const ids = game.state.seats.map(({ seat }) => seat).filter((seat) => !displayName(seat));
  return ids.reduce(
    (sentence, id) => sentence.replace(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, "g"), () => translatedId(id)),
    text,
  );
}

function faces(seat, seatMove, decision, game, several) {
  const place = game.state.seats.findIndex((each) => each.seat === seat);
  const shown = newest(seatMove, decision);
  return [
    several ? badge(seat, place) : null,
    (shown.length ? shown : ["–"]).map((card) => h("span", { class: "chip" }, face(card))),
  ];
}

/** Return the index of the first seat of each player. */
function placesOf(game) {
  return new Map(game.state.seats.map((seat, place) => [seat.player ?? seat.seat, place]).reverse());
}

function winShares(hint, game) {
  const places = placesOf(game);
  return h(
    "div",
    { class: "win-shares" },
    h("h3", {}, t("hint.win-shares")),
    h(
      "dl",
      { class: "bars" },
      Object.entries(hint.win_shares).map(([player, share]) =>
        bar([badge(player, places.get(player) ?? 0), " ", seatName(player)], share, percent(share), "value"),
      ),
    ),
  );
}

function searchSummary({ search }, worth) {
  const parts = [t("hint.searched", { count: search.depth, effort: t(`effort.${search.effort}`) })];
  if (search.exact) parts.push(t("hint.exact"));
  if (search.epsilon !== undefined) parts.push(t("hint.epsilon", { epsilon: worth(search.epsilon) }));
  return parts.join(" ");
}
