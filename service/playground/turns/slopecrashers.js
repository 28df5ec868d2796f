// Slopecrashers: view of the position, and names of actions and events.

import { h } from "../dom.js";
import { cardText } from "../front/card-texts.js";
import { playerName } from "../names.js";
import { localName, t } from "../text.js";
import { course, spaceName } from "./course.js";
import { badge } from "../snow-time/seats.js";

export const slopecrashers = {
  players: ["Anna", "Hugo", "Mila", "Paul", "Rosa", "Till"],
  position,
  aside: ({ game }) =>
    game.legal.movements === undefined
      ? null
      : h("p", { class: "small" }, t("slopecrashers.movements", { count: game.legal.movements })),
  decision: (word) => t(`slopecrashers.decision.${word}`),
  action: actionName,
  choice: (action, view) => ({ group: "", label: actionName(action, view) }),
  cardName,
  event,
  outcome: () => null,
  ranking,
};

function position(view) {
  const state = view.game.position();
  return [course(state, view.about), h("ul", { class: "racers" }, state.seats.map((seat, place) => racer(seat, place, state, view)))];
}

function racer(seat, place, state, view) {
  const flags = ["misses_turn", "stung"].filter((flag) => seat[flag]);
  const where =
    seat.lap === undefined
      ? t("slopecrashers.beside")
      : t("slopecrashers.where", { lap: seat.lap, space: spaceName(seat.row, seat.lane) });
  return h(
    "li",
    { class: "panel racer" },
    h(
      "div",
      { class: "seat-head" },
      badge(seat.player, place),
      h("strong", {}, playerName(seat.player)),
      view.game.state.turn === seat.player ? h("span", { class: "tag strong" }, t("slopecrashers.turn")) : null,
      flags.map((flag) => h("span", { class: "tag" }, t(`slopecrashers.${flag}`))),
    ),
    h("p", { class: "small" }, state.winner === seat.player ? t("slopecrashers.won") : where),
    (seat.gifts ?? []).length
      ? h("ol", { class: "stack", "aria-label": t("slopecrashers.stack") }, seat.gifts.map((card) => h("li", {}, gift(card, view))))
      : h("p", { class: "small" }, t("slopecrashers.no-gifts")),
  );
}

/** Return a gift, which says on tap what it does. */
function gift(card, view) {
  const text = cardText(card);
  const name = cardName(card, view);
  return text ? h("details", { class: "tag gift" }, h("summary", {}, name), h("p", {}, text)) : h("span", { class: "tag" }, name);
}

function cardName(card, { about }) {
  return card === "unknown" ? t("unknown") : localName(about.cards[card], card);
}

function actionName(action, view) {
  const parameters = {
    card: cardName(action.card ?? "unknown", view),
    gift: localName(view.about.cards[action.gift], action.gift),
    direction: action.direction ? t(`slopecrashers.direction.${action.direction}`) : "",
    lane: action.lane === undefined ? "" : spaceName("", action.lane),
    space: action.row === undefined ? "" : spaceName(action.row, action.lane),
  };
  return t(`slopecrashers.action.${form(action)}`, parameters);
}

/** Return the message key of an action; it depends on the type and on the fields. */
function form(action) {
  if (action.type === "answer") return action.magnet ? "answer-magnet" : "answer";
  if (action.type === "step") return action.lane === undefined ? "step" : "step-lane";
  if (action.type !== "play") return action.type;
  if (action.direction) return action.lane === undefined ? "play-direction" : "play-lane";
  return action.row === undefined ? "play" : "play-space";
}

function event(item, view) {
  const { type, player, start, end, space, card, gift, movements, targets } = item;
  const parameters = {
    player: playerName(player),
    start: start ? spaceName(start.row, start.lane) : "",
    end: end ? spaceName(end.row, end.lane) : "",
    space: space ? spaceName(space.row, space.lane) : "",
    card: card ? cardName(card, view) : "",
    gift: gift ? localName(view.about.cards[gift], gift) : "",
    count: movements,
    targets: (targets ?? []).map(playerName).join(", "),
  };
  let key = type;
  if ((type === "step" || type === "jump") && !end) key = `${type}-line`;
  if (type === "play" && targets?.length) key = "play-at";
  if (type === "answer" && !card) key = "answer-none";
  return t(`slopecrashers.event.${key}`, parameters);
}

/** Return the players as {player, text}: the winner, then who has come how far. */
function ranking({ winners, state }) {
  const progress = ({ player, lap = 0, row = 0 }) => [winners.includes(player) ? 1 : 0, lap, row];
  const further = (one, other) => {
    const [mine, theirs] = [progress(one), progress(other)];
    const place = mine.findIndex((number, index) => number !== theirs[index]);
    return place < 0 ? 0 : theirs[place] - mine[place];
  };
  return [...state.seats].sort(further).map((seat) => {
    const { player, lap } = seat;
    if (winners.includes(player)) return { player, text: t("slopecrashers.won") };
    if (lap === undefined) return { player, text: t("slopecrashers.beside") };
    return { player, text: t("slopecrashers.where", { lap, space: spaceName(seat.row, seat.lane) }) };
  });
}
