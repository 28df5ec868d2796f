// The numbers of a hint: probability, value and survival of each move as bars.

import { bar, scale } from "../bars.js";
import { button, h } from "../dom.js";
import { displayName } from "../names.js";
import { choicesOf, face, moveName } from "../snow-time/cards.js";
import { badge, seatName, translatedId } from "../snow-time/seats.js";
import { styles } from "../snow-time/styles.js";
import { number, percent, sentences, t } from "../text.js";

const MAX_MOVES = 10;

/**
 * Return the foldable numbers of a hint.
 * @param {object} view has `game`, `about`, `objective`, and `all` if all moves are to be shown;
 *     `take`, if there is one, chooses a move.
 */
export function numbers(view, hint, options) {
  const { game, about, objective, all, take } = view;
  const worth = (value) => (objective === "win" ? percent(value) : number(value, 2));
  const across = scale(hint.moves.map((each) => each.value));
  const row = (each, place) => move(each, place, { hint, about, game, objective, worth, across, take });
  const shown = all ? hint.moves : hint.moves.slice(0, MAX_MOVES);
  return h(
    "details",
    { class: "panel numbers", "data-key": "numbers" },
    h("summary", {}, t("coach.more")),
    h("p", { class: "small" }, t(`hint.${objective}`)),
    h("ol", { class: "moves" }, shown.map(row)),
    shown.length < hint.moves.length
      ? button(t("hint.all", { count: hint.moves.length }), () => view.showAll(), { class: "quiet", "data-key": "hint-all" })
      : null,
    following(hint, about),
    winShares(hint, game),
    styles(hint, placesOf(game)),
    h("p", { class: "small search" }, searchSummary(hint, worth)),
    options,
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
        const decision = Object.values(item.next).some((each) => choicesOf(each).healer) ? "healer" : "watcher";
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
  const drawn = place === hint.pick_index;
  const name = jointName(item.move, hint.decision, about);
  const survivals = Object.entries(item.survival);
  return h(
    "li",
    { class: drawn ? "move drawn" : "move", "data-move": JSON.stringify(item.move) },
    h(
      "h3",
      {},
      h("span", { class: "faces", "aria-hidden": "true" }, faces(item.move, hint.decision, game)),
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
    item.reasons?.length ? h("ul", { class: "reasons" }, reasonsOf(item, game).map((text) => h("li", {}, text))) : null,
    take
      ? button(t("hint.take"), () => take(item.move), {
          class: "quiet",
          "data-key": `take-${place}`,
          "aria-label": t("list.entry", { name: t("hint.take"), text: name }),
        })
      : null,
  );
}

/** Return the reasons of a move as sentences. */
export function reasonsOf({ reasons = [] }, game) {
  return reasons.filter(({ text }) => text).map(({ text }) => replaceSeatNames(text, game));
}

/** Return a sentence of the service with translated seat ids; it has the display names already. */
export function replaceSeatNames(text, game) {
  const ids = game.state.seats.map(({ seat }) => seat).filter((seat) => !displayName(seat));
  return ids.reduce(
    (sentence, id) => sentence.replace(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, "g"), () => translatedId(id)),
    text,
  );
}

/** Return the cards of a move, with the seats if there are several. */
export function faces(moves, decision, game) {
  const seats = Object.entries(moves);
  return seats.map(([seat, each]) => {
    const place = game.state.seats.findIndex(({ seat: name }) => name === seat);
    const shown = choicesOf(each)[decision];
    return [
      seats.length > 1 ? badge(seat, place) : null,
      (shown.length ? shown : ["–"]).map((card) => h("span", { class: "chip" }, face(card))),
    ];
  });
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
  return sentences(parts);
}
