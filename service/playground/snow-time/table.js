// Seats at the table: scores, hands, discards and played cards.

import { h } from "../dom.js";
import { cardTexts } from "../front/card-texts.js";
import { t } from "../text.js";
import { chip } from "./cards.js";
import { cardsOf } from "./frames.js";
import { badge, seatName } from "./seats.js";

export function seatList(view) {
  const { game } = view;
  return h(
    "section",
    { class: "panel seats", "aria-labelledby": "seats-title" },
    h("h2", { id: "seats-title" }, t("seats")),
    h("ul", {}, game.state.seats.map((seat, place) => row(view, seat, place))),
    h("details", { class: "fold", "data-key": "card-texts" }, h("summary", {}, t("front.cards")), cardTexts(view.about)),
  );
}

function row(view, seat, place) {
  const { game, about, visible } = view;
  const player = seat.player ?? seat.seat;
  const frame = game.frame();
  const played = (frame?.cards ?? cardsOf(game.revealed))[seat.seat] ?? [];
  const turned = frame?.event.cards?.[seat.seat] ?? [];
  const score = frame?.scores[seat.seat] ?? seat.score;
  const owner = game.mine.length === 0 ? null : game.mine.includes(player) ? t("seats.you") : t("seats.service");
  return h(
    "li",
    { class: "seat-row" },
    h(
      "div",
      { class: "seat-head" },
      badge(seat.seat, place),
      h("strong", {}, seatName(seat.seat)),
      player === seat.seat ? null : h("span", { class: "small" }, t("seats.of", { player: seatName(player) })),
      owner ? h("span", { class: "tag" }, owner) : null,
      h("span", { class: "score" }, h("span", { class: "hidden" }, t("seats.score")), " ", String(score)),
    ),
    visible === "all" || visible === player ? openHand(seat, played, about, turned) : hiddenHand(seat, played, about, turned),
  );
}

/** Return all ten cards of a seat: in hand, discarded or on the table. */
function openHand(seat, played, about, turned) {
  const state = (card) => (turned.includes(card) ? "played turns" : "played");
  return h(
    "div",
    { class: "chips" },
    Object.keys(about.cards).map((card) => {
      if (played.includes(card)) return labelledChip(card, about, state(card), t("seats.played"));
      if (seat.hand.includes(card)) return chip(card, about.cards, "in-hand");
      return labelledChip(card, about, "gone", t("seats.gone"));
    }),
  );
}

function labelledChip(card, about, state, label) {
  const shown = chip(card, about.cards, state);
  shown.append(h("span", { class: "hidden" }, ` (${label})`));
  return shown;
}

function hiddenHand(seat, played, about, turned) {
  const count = seat.hand.filter((card) => !played.includes(card)).length;
  return h(
    "div",
    { class: "chips" },
    played.map((card) => labelledChip(card, about, turned.includes(card) ? "played turns" : "played", t("seats.played"))),
    h("span", { class: "small" }, t("seats.cards", { count })),
  );
}
