// The track of the board at the table: its length, and its bonuses, painted onto the spaces. The
// browser remembers it for the next game.

import { button, h } from "../dom.js";
import { kindIcon } from "../snow-time/cards.js";
import { recall, remember } from "../storage.js";
import { localName, t } from "../text.js";

const KEY = "table-track";
const [MIN_LENGTH, MAX_LENGTH] = [5, 200];
const KINDS = ["fight", "fruit", "mana"];
const ADVANCES = [1, 2, 3];
const OPTIONS = ["optional_watcher", "spared_champion"]; // Of the German rule sheet.

/** Return the remembered track, or null if the board has the default one. */
export function rememberedTrack() {
  try {
    const { length, bonuses, ...more } = JSON.parse(recall(KEY));
    const options = Object.fromEntries(OPTIONS.filter((name) => more[name] === true).map((name) => [name, true]));
    const legal = ({ space, kind, advance }) => isBetween(space, 1, length - 1) && KINDS.includes(kind) && ADVANCES.includes(advance);
    const spaces = new Set(bonuses.map(({ space }) => space));
    return isBetween(length, MIN_LENGTH, MAX_LENGTH) && bonuses.every(legal) && spaces.size === bonuses.length ? { length, bonuses, ...options } : null;
  } catch {
    return null;
  }
}

export function rememberTrack(track) {
  remember(KEY, track ? JSON.stringify(track) : null);
}

/**
 * Return the foldable fields of the track.
 * @param {object} setup has `board` (the track, or null for the default one), `brush` (the bonus to
 *     paint, or null to erase), `about`, and `set`, which changes them.
 */
export function boardTrack(setup) {
  const { board, about, brush } = setup;
  const track = board ?? about.default_track;
  const brushes = [null, ...KINDS.flatMap((kind) => ADVANCES.map((advance) => ({ kind, advance })))];
  return h(
    "details",
    { class: "fold", "data-key": "table-board" },
    h("summary", {}, t("table.board")),
    h("p", { class: "small" }, t("table.board.more")),
    h("label", { class: "field" }, h("span", { class: "label" }, t("edit.length")), length(setup, track)),
    h("div", { class: "row brushes", role: "group", "aria-label": t("table.brush") }, brushes.map((each) => paint(setup, each, sameBonus(each, brush)))),
    h("div", { class: "spaces", role: "group", "aria-label": t("track") }, Array.from({ length: track.length - 1 }, (_, place) => space(setup, track, place + 1))),
    OPTIONS.map((name) => option(setup, track, name)),
  );
}

function length(setup, track) {
  const change = ({ target }) => {
    const wanted = Math.round(Number(target.value)) || track.length;
    const value = Math.max(MIN_LENGTH, Math.min(MAX_LENGTH, wanted));
    setup.setBoard({ ...track, length: value, bonuses: track.bonuses.filter((bonus) => bonus.space < value) });
  };
  return h("input", { type: "number", min: MIN_LENGTH, max: MAX_LENGTH, value: String(track.length), "data-key": "table-length", onchange: change });
}

function paint(setup, bonus, pressed) {
  const name = bonus ? bonusName(setup, bonus) : t("table.no-bonus");
  const id = bonus ? bonus.kind + bonus.advance : "none";
  return button(bonus ? sign(bonus) : "–", () => setup.set({ brush: bonus }), { "aria-pressed": String(pressed), "aria-label": name, "data-key": `brush-${id}` });
}

function space(setup, track, at) {
  const here = track.bonuses.find((bonus) => bonus.space === at);
  const others = track.bonuses.filter((bonus) => bonus.space !== at);
  const { brush } = setup;
  const bonuses = brush && !sameBonus(brush, here) ? [...others, { space: at, ...brush }] : others;
  const set = () => setup.setBoard({ ...track, bonuses: bonuses.sort((one, other) => one.space - other.space) });
  const label = here ? t("list.entry", { name: at, text: bonusName(setup, here) }) : String(at);
  return button(here ? sign(here) : String(at), set, { class: here ? "space-button bonus" : "space-button", "aria-label": label, "data-key": `board-${at}` });
}

function option(setup, track, name) {
  const change = ({ target }) => setup.setBoard({ ...track, [name]: target.checked });
  const box = h("input", { type: "checkbox", checked: track[name] === true, "data-key": `table-${name}`, onchange: change });
  return h("label", { class: "tick" }, box, " ", t(`table.${name.replace("_", "-")}`));
}

function sign({ kind, advance }) {
  return [kindIcon(kind), `+${advance}`];
}

function bonusName({ about }, { kind, advance }) {
  return t("track.bonus", { kind: localName(about.kinds[kind], kind), count: advance });
}

function sameBonus(one, other) {
  return one?.kind === other?.kind && one?.advance === other?.advance;
}

function isBetween(value, low, high) {
  return Number.isInteger(value) && value >= low && value <= high;
}
