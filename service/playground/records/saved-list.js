// The list of stored games, with the buttons that open and delete them.

import { announce, button, h } from "../dom.js";
import { openNumber } from "./record.js";
import { forgetGame, forgetGames, savedGames } from "./saved-games.js";
import { current, formatList, has, t } from "../text.js";

const PAGE = 20;
/** How many games the open list shows; 0 if it is closed. */
let listed = 0;

/**
 * Return the foldable list.
 * @param {object} options `shown` is the record on the page, `open` opens another one, `title`
 *     returns the name of a game, `changed` is called after a deletion.
 */
export function savedList({ shown, open, title, changed }) {
  const forgetAll = () => {
    if (!window.confirm(t("saved.confirm-all"))) return;
    forgetGames();
    announce(t("announce.games-forgotten"));
    changed();
  };
  const content = h("div", {});
  const fill = () => {
    const games = savedGames();
    const more = () => {
      listed += PAGE;
      fill();
      content.querySelectorAll("li")[listed - PAGE].querySelector("button").focus();
    };
    content.replaceChildren(
      games.length ? h("ul", {}, games.slice(0, listed).map((each) => item(each, { shown, open, title, changed }))) : h("p", {}, t("saved.none")),
      games.length > listed ? button(t("saved.more", { count: games.length - listed }), more, { "data-key": "saved-more" }) : "",
      games.length ? button(t("saved.forget-all"), forgetAll, { class: "quiet", "data-key": "saved-forget-all" }) : "",
    );
  };
  if (listed) fill();
  // Very many games would slow down every change of the page.
  const toggled = ({ target }) => {
    listed = target.open ? Math.max(listed, PAGE) : 0;
    if (listed && !content.children.length) fill();
  };
  return h("details", { class: "fold saved", "data-key": "saved", ontoggle: toggled }, h("summary", {}, t("saved")), h("p", { class: "small" }, t("saved.note")), content);
}

/** Return what a stored game is called: the game, the players, the round and the date. */
export function gameLabel({ record, saved }, title) {
  const players = [...new Set((record.start.seats ?? []).map(nameOf))];
  const unit = record.game === "snow-time" ? "round" : "turn";
  const rounds = t(`review.when.${unit}`, { number: openNumber(record) });
  return [title(record.game), formatList(players), rounds, dateOf(saved)].join(" · ");
}

function item(stored, { shown, open, title, changed }) {
  const { record } = stored;
  const label = gameLabel(stored, title);
  const here = record.id === shown.id;
  const forget = () => {
    if (!window.confirm(t("saved.confirm", { game: label }))) return;
    forgetGame(record);
    changed();
  };
  return h(
    "li",
    {},
    button(label, () => open(record), { "data-key": `saved-${record.id}`, "aria-current": here ? "true" : null }),
    button(t("saved.forget"), forget, { class: "quiet", "data-key": `saved-forget-${record.id}`, "aria-label": t("list.entry", { name: t("saved.forget"), text: label }) }),
  );
}

function nameOf(seat) {
  const id = seat?.player ?? seat?.seat ?? "?";
  return seat?.name ?? (has(`seat.${id}`) ? t(`seat.${id}`) : id);
}

function dateOf(time) {
  return new Intl.DateTimeFormat(current(), { dateStyle: "medium", timeStyle: "short" }).format(time);
}
