// The list of stored games, with the buttons that open and delete them.

import { announce, button, h } from "../dom.js";
import { openNumber } from "./record.js";
import { forgetGame, forgetGames, savedGames } from "./saved-games.js";
import { current, formatList, has, t } from "../text.js";

/**
 * Return the foldable list.
 * @param {object} options `shown` is the record on the page, `open` opens another one, `title`
 *     returns the name of a game, `changed` is called after a deletion.
 */
export function savedList({ shown, open, title, changed }) {
  const games = savedGames();
  const forgetAll = () => {
    if (!window.confirm(t("saved.confirm-all"))) return;
    forgetGames();
    announce(t("announce.games-forgotten"));
    changed();
  };
  return h(
    "details",
    { class: "fold saved", "data-key": "saved" },
    h("summary", {}, t("saved")),
    h("p", { class: "small" }, t("saved.note")),
    games.length ? h("ul", {}, games.map((each) => item(each, { shown, open, title, changed }))) : h("p", {}, t("saved.none")),
    games.length ? button(t("saved.forget-all"), forgetAll, { class: "quiet", "data-key": "saved-forget-all" }) : null,
  );
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
    button(t("saved.forget"), forget, { class: "quiet", "data-key": `saved-forget-${record.id}`, "aria-label": `${t("saved.forget")}: ${label}` }),
  );
}

function nameOf(seat) {
  const id = seat?.player ?? seat?.seat ?? "?";
  return seat?.name ?? (has(`seat.${id}`) ? t(`seat.${id}`) : id);
}

function dateOf(time) {
  return new Intl.DateTimeFormat(current(), { dateStyle: "medium", timeStyle: "short" }).format(time);
}
