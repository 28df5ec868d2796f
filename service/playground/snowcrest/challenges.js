// The challenges of a game in the editor, and what of a position nobody has entered yet.

import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { byName, t } from "../text.js";
import { nameOf } from "./village.js";

const ROW = 5;

/** Return a place with the number of its cards and of all that belong there. */
export function entered(what, count, all) {
  return t("snowcrest.entered", { what, count, all });
}

/** Return what a hint has to do without, as {place, text}; with the `entries` of a table, the sides of the others, too. */
export function lacking({ row, challenges = [], seats, turn, starter_variant: simple }, entries = null) {
  const places = [["row", row.length, ROW], ["challenges", challenges.length, simple ? 0 : seats.length + 1]];
  const open = places.filter(([, count, all]) => count < all).map(([place, count, all]) => ({ place, text: entered(t(`snowcrest.${place}`), count, all) }));
  const unseen = entries && seats.some(({ player }) => player !== turn && ![...entries].some((name) => name.startsWith(`${player} `)));
  return unseen ? [...open, { text: t("snowcrest.others") }] : open;
}

/** Return the challenges as buttons, and who has met those that lie on the table; `editor` is a VillageEditor. */
export function challengeButtons(editor) {
  const { state, catalogue, name } = editor;
  if (state.starter_variant) return null;
  const { challenges, seats } = state;
  const all = seats.length + 1;
  const lies = (id) => challenges.some(({ challenge }) => challenge === id);
  const toggle = (id) => () => {
    if (!lies(id)) return editor.enter(() => (state.challenges = [...challenges, { challenge: id }]));
    state.challenges = challenges.filter(({ challenge }) => challenge !== id);
    editor.set({ removed: true });
  };
  const one = (id) => button(nameOf(name(id)), toggle(id), { "aria-pressed": String(lies(id)), "data-key": `challenge-${id}`, "data-next": true });
  const met = (posed) =>
    seats.map(({ player }, place) => {
      const own = posed.by === player;
      const label = t("list.entry", { name: name(posed.challenge), text: t("snowcrest.met", { player: playerName(player) }) });
      return button(badge(player, place), () => editor.enter(() => (posed.by = own ? undefined : player), posed.by !== undefined), { "aria-pressed": String(own), "aria-label": label, "data-key": `met-${posed.challenge}-${player}` });
    });
  const choosing = challenges.length < all;
  const setUp = state.phase === "set-up";
  const ids = byName(catalogue.challenges.map(({ id }) => id), name);
  return h(
    "fieldset",
    { class: editor.at?.place === "challenges" ? "open" : null },
    h("legend", {}, entered(t("snowcrest.challenges"), challenges.length, all)),
    h("p", { class: "small" }, t("snowcrest.challenges.more")),
    h("div", { class: "palette" }, (choosing ? ids : setUp ? ids.filter(lies) : []).map(one)),
    setUp ? null : challenges.map((posed) => h("div", { class: "met-by" }, choosing ? h("span", {}, name(posed.challenge)) : one(posed.challenge), met(posed))),
  );
}
