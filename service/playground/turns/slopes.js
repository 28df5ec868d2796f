// What is Slopecrashers' own: how its position looks, and what its atoms and events are called.

import { h } from "../dom.js";
import { named, t } from "../text.js";
import { course, spaceName } from "./course.js";
import { badge } from "../snow-time/seats.js";

export const slopes = {
  players: ["Anna", "Hugo", "Mila", "Paul", "Rosa", "Till"],
  position,
  aside: ({ game }) =>
    game.legal.movements === undefined
      ? null
      : h("p", { class: "small" }, t("slopes.movements", { count: game.legal.movements })),
  decision: (word) => t(`slopes.decision.${word}`),
  atom: atomName,
  choice: (atom, view) => ({ group: "", label: atomName(atom, view) }),
  cardName,
  event,
};

function position(view) {
  const state = view.game.preview ?? view.game.state;
  return [course(state, view.about), h("ul", { class: "racers" }, state.seats.map((seat, place) => racer(seat, place, state, view)))];
}

function racer(seat, place, state, view) {
  const flags = ["misses_turn", "stung"].filter((flag) => seat[flag]);
  const where =
    seat.lap === undefined
      ? t("slopes.beside")
      : t("slopes.where", { lap: seat.lap, space: spaceName(seat.row, seat.lane) });
  return h(
    "li",
    { class: "panel racer" },
    h(
      "div",
      { class: "seat-head" },
      badge(seat.player, place),
      h("strong", {}, seat.player),
      view.game.state.turn === seat.player ? h("span", { class: "tag strong" }, t("slopes.turn")) : null,
      flags.map((flag) => h("span", { class: "tag" }, t(`slopes.${flag}`))),
    ),
    h("p", { class: "small" }, state.winner === seat.player ? t("slopes.won") : where),
    (seat.gifts ?? []).length
      ? h("ol", { class: "stack", "aria-label": t("slopes.stack") }, seat.gifts.map((card) => h("li", { class: "tag" }, cardName(card, view))))
      : h("p", { class: "small" }, t("slopes.no-gifts")),
  );
}

function cardName(card, { about }) {
  return card === "unknown" ? t("unknown") : named(about.cards[card], card);
}

function atomName(atom, view) {
  const parameters = {
    card: cardName(atom.card ?? "unknown", view),
    gift: named(view.about.cards[atom.gift], atom.gift),
    direction: atom.direction ? t(`slopes.direction.${atom.direction}`) : "",
    lane: atom.lane === undefined ? "" : spaceName("", atom.lane),
    space: atom.row === undefined ? "" : spaceName(atom.row, atom.lane),
  };
  return t(`slopes.atom.${form(atom)}`, parameters);
}

/** Atoms of one type that are told by different members have messages of their own. */
function form(atom) {
  if (atom.type === "answer") return atom.magnet ? "answer-magnet" : "answer";
  if (atom.type === "step") return atom.lane === undefined ? "step" : "step-lane";
  if (atom.type !== "play") return atom.type;
  if (atom.direction) return atom.lane === undefined ? "play-direction" : "play-lane";
  return atom.row === undefined ? "play" : "play-space";
}

function event(told, view) {
  const { type, player, start, end, space, card, gift, movements, targets } = told;
  const parameters = {
    player,
    start: start ? spaceName(start.row, start.lane) : "",
    end: end ? spaceName(end.row, end.lane) : "",
    space: space ? spaceName(space.row, space.lane) : "",
    card: card ? cardName(card, view) : "",
    gift: gift ? named(view.about.cards[gift], gift) : "",
    movements,
    targets: (targets ?? []).join(", "),
  };
  let key = type;
  if ((type === "step" || type === "jump") && !end) key = `${type}-line`;
  if (type === "play" && targets?.length) key = "play-at";
  if (type === "answer" && !card) key = "answer-none";
  return t(`slopes.event.${key}`, parameters);
}
