// Snowcrest: the common board and the villages (3 × 3 cells) with tokens, buildings and hands.

import { h } from "../dom.js";
import { cardTexts } from "../front/card-texts.js";
import { playerName } from "../names.js";
import { t } from "../text.js";
import { badge } from "../snow-time/seats.js";
import { abilities } from "./abilities.js";
import { amount, amountIcons, itemIcon } from "./icons.js";
import { plot, portrait } from "./portraits.js";

const SIDE = 3;
/** A hyphen may stand after these parts of long words; wider words, in em, are not made smaller for one line. */
const FIRST_PARTS = /\b(?:Bau|Berg|Dornen|Einsied|Eis|Enlight|Erleuch|Fluss|Geschich|Glocken|Gold|Haus|Holz|Kräuter|Plough|Räucher|Schnee|Tempel|Wacholder|Wolken|Wood|Zimmer)\B/;
const LONG = 8.2;
let pen = null;

const ITEMS = ["barley", "juniper", "bell", "bowl", "gold", "any", "scroll", "omen", "farm", "forge", "temple", "card", "villager"];

/** Return the name of a cell: the column as a letter and the row as a number. */
export function cellName(cell) {
  return `${"ABC"[cell % SIDE]}${Math.floor(cell / SIDE) + 1}`;
}

/** Return the common board: supply, forest, the row of common villagers and challenges. */
export function commonBoard(state, tools) {
  const facts = [
    [t("snowcrest.supply"), state.supply],
    [t("snowcrest.juniper"), state.juniper],
    [t("snowcrest.phase"), t(`snowcrest.phase.${state.phase ?? "turns"}`)],
  ];
  if (state.difficulty) facts.push([t("snowcrest.difficulty"), state.difficulty]);
  if (state.rests !== undefined) facts.push([t("snowcrest.rests"), state.rests]);
  return h(
    "section",
    { class: "panel common", "aria-labelledby": "common-title" },
    h("h2", { id: "common-title" }, t("snowcrest.board")),
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))))),
    h("h3", {}, t("snowcrest.row")),
    h("ul", { class: "folk" }, state.row.map((id) => h("li", { "data-at": `card-${id}` }, handed(id, tools)))),
    state.challenges?.length
      ? [h("h3", {}, t("snowcrest.challenges")), h("ul", { class: "folk" }, state.challenges.map((posed) => h("li", {}, challenge(posed, tools))))]
      : null,
    h("details", { class: "fold", "data-key": "card-texts" }, h("summary", {}, t("front.cards")), icons(tools), cardTexts(tools.about)),
  );
}

/** Return the icons with their names. */
function icons({ kind }) {
  return h("ul", { class: "legend" }, ITEMS.map((item) => h("li", {}, itemIcon(item), kind(item))));
}

/** Return the village of a seat; `next` is the seat after the planned turn or payment, if there is one. */
export function village(seat, place, turn, tools, next = seat) {
  const cells = Array.from({ length: SIDE * SIDE }, (_, cell) => cell);
  const at = new Map((seat.village ?? []).map((resident) => [resident.cell, resident]));
  const title = `village-${place}`;
  return h(
    "section",
    { class: "panel village", "aria-labelledby": title },
    h(
      "div",
      { class: "seat-head" },
      badge(seat.player, place),
      h("h2", { id: title }, playerName(seat.player)),
      turn ? h("span", { class: "tag strong" }, t("slopecrashers.turn")) : null,
      tools.correct(seat.player),
    ),
    h("ul", { class: "tokens" }, tokens(seat, next).map(({ item, text, then }) => h("li", { class: then ? "tag changes" : "tag", "data-at": item ? `item-${seat.player}-${item}` : null }, text, then ? [" → ", then] : null))),
    h("ol", { class: "cells", "aria-label": t("snowcrest.village") }, cells.map((cell) => space(cell, at.get(cell), tools, seat.player))),
    list(t("snowcrest.hand"), seat.hand, tools),
    list(t("snowcrest.discards"), seat.discards, tools, "folk discarded"),
  );
}

/** Return a village as a small picture: `used` has the cells of a turn, with the card that comes there, or none. */
export function villageSketch({ village: residents = [] }, used, cards, describe) {
  const cell = (number) => {
    const resident = residents.find((each) => each.cell === number);
    const id = used.get(number) ?? resident?.card;
    return h("span", { class: used.has(number) ? "used" : null }, id ? portrait(id, describe(id), { house: true, asleep: resident?.exhausted && !used.get(number) }) : plot());
  };
  const grid = h("div", { class: "village-sketch" }, Array.from({ length: SIDE * SIDE }, (_, number) => cell(number)));
  return h("div", { class: "sketch", "aria-hidden": "true" }, grid, cards.map((id) => portrait(id, describe(id))));
}

/** Return what a seat has, as {item, text, then}; `then` is how much of it is left, if that changes. */
function tokens(seat, next) {
  const counted = (item, count, later) => ({ item, text: amountIcons(item, count), then: count === later ? null : String(later) });
  const kinds = Object.keys({ ...seat.tokens, ...next.tokens });
  const lines = kinds.map((kind) => counted(kind, seat.tokens?.[kind] ?? 0, next.tokens?.[kind] ?? 0));
  const omen = ({ omen: value = 0 }) => t("snowcrest.omen", { omen: value });
  lines.push(counted("scroll", seat.scrolls ?? 0, next.scrolls ?? 0), { text: omen(seat), then: omen(seat) === omen(next) ? null : String(next.omen ?? 0) });
  if (seat.omen_tokens) lines.push({ text: t("snowcrest.omen-tokens", { count: seat.omen_tokens }) });
  for (const building of Object.keys({ ...seat.buildings, ...next.buildings })) {
    const [{ up = 0, spent = 0 }, then] = [seat, next].map(({ buildings }) => buildings?.[building] ?? {});
    if (up || then.up) lines.push(counted(building, up, then.up ?? 0));
    if (spent) lines.push({ text: t("snowcrest.spent", { amount: amount(building, spent) }) });
  }
  return lines;
}

function space(cell, resident, tools, player) {
  const touch = tools.touch?.cell(cell);
  const label = h("span", { class: "at" }, cellName(cell));
  const content = resident
    ? [label, card(resident.card, tools, { house: true, asleep: resident.exhausted }), resident.exhausted ? h("span", { class: "small" }, t("snowcrest.exhausted")) : null]
    : [label, plot(), h("span", { class: "hidden" }, t("snowcrest.free"))];
  const advised = tools.touch?.isAdvised({ cell }) ? " advised" : "";
  const state = advised + (resident ? (resident.exhausted ? " cell resident exhausted" : " cell resident") : " cell");
  const place = { "data-at": `cell-${player}-${cell}` };
  return touch ? h("li", place, tappable(`${state} lit`, `cell-${cell}`, touch, content)) : h("li", { class: state, ...place }, content);
}

/** Return a card or a cell as a button. */
function tappable(state, key, { press, pressed }, content) {
  return h("button", { type: "button", class: state, onclick: press, "aria-pressed": pressed === undefined ? null : String(pressed), "data-key": key }, content);
}

function list(label, cards, tools, style = "folk") {
  if (!cards?.length) return null;
  return [h("h3", {}, label), h("ul", { class: style }, cards.map((id) => h("li", { "data-at": `card-${id}` }, handed(id, tools))))];
}

/** Return a card of a hand or a row, which may take a tap. */
function handed(id, tools) {
  const touch = tools.touch?.card(id);
  const lit = tools.touch?.isAdvised({ card: id }) ? "lit advised" : "lit";
  return touch ? tappable(lit, `card-${id}`, touch, card(id, tools)) : card(id, tools);
}

/** Return the name of a card in a size in which its longest word fits the card, or else the parts of that word. */
export function nameOf(name) {
  const shown = name.replace(FIRST_PARTS, "$&\u00ad");
  const words = name.split(/[ -]/).map((word) => Math.min(widthOf(word), LONG));
  const parts = shown.replace("\u00ad", "-\u00ad").split(/[ \u00ad]/).map(widthOf);
  return h("strong", { style: { "--width": Math.max(...words, ...parts).toFixed(2) } }, shown);
}

/** Return the width of a text in the font of names, in em. */
function widthOf(text) {
  pen ??= Object.assign(document.createElement("canvas").getContext("2d"), { font: `650 100px ${getComputedStyle(document.body).fontFamily}` });
  return pen.measureText(text).width / 100;
}

/** Return a card with its portrait, name, cost, icons and actions. */
function card(id, tools, look = {}) {
  const definition = tools.describe(id);
  const lines = definition ? abilities(definition, tools.kind) : [];
  return h(
    "span",
    { class: "person", "data-glide": definition ? id : null },
    definition ? portrait(id, definition, look) : null,
    nameOf(tools.name(id)),
    lines.map((line) => h("span", { class: "small" }, line)),
  );
}

function challenge(posed, tools) {
  return h(
    "div",
    { class: posed.by ? "person met" : "person" },
    nameOf(tools.name(posed.challenge)),
    (tools.describe(posed.challenge)?.conditions ?? []).map((condition) => {
      const what = condition.building ?? condition.resource ?? condition.kind;
      const count = condition.at_most ?? condition.at_least;
      const sign = condition.at_most === undefined ? "" : condition.at_least === count ? "= " : "≤ ";
      return h("span", { class: "small" }, sign, what ? amountIcons(what, count) : t(`snowcrest.condition.${condition.type}`, { count }));
    }),
    posed.by ? h("span", { class: "tag" }, t("snowcrest.met", { player: playerName(posed.by) })) : null,
  );
}
