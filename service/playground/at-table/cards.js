// All cards of all seats in one grid, one row for each seat: made for fingers.

import { h } from "../dom.js";
import { localName } from "../text.js";
import { face } from "../snow-time/cards.js";
import { badge, seatName } from "../snow-time/seats.js";

/**
 * Return the grid.
 * @param {object} options `seats` and `cards` (ids to names), and `cell`, which returns for a seat
 *     and a card the class `state`, whether it is `pressed`, and `press`; without `press` it cannot
 *     be pressed.
 */
export function cardGrid({ label, seats, cards, cell }) {
  const ids = Object.keys(cards);
  return h(
    "div",
    { class: "card-grid", role: "group", "aria-label": label },
    seats.map((seat) =>
      h(
        "div",
        { class: "card-row", role: "group", "aria-label": seatName(seat.seat), "data-seat": seat.seat },
        badge(seat.seat),
        ids.map((card) => button(seat, card, cell(seat, card), localName(cards[card], card))),
      ),
    ),
  );
}

function button(seat, card, { state = "", pressed, press, note }, name) {
  return h(
    "button",
    {
      type: "button",
      class: `cell-card ${state}`,
      title: name,
      "aria-label": note ? `${name} (${note})` : name,
      "aria-pressed": pressed === undefined ? null : String(pressed),
      "data-key": `cell-${seat.seat}-${card}`,
      disabled: !press,
      onclick: press,
    },
    face(card),
  );
}
