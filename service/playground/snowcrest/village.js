// Snowcrest: the common board and the villages (3 × 3 cells) with tokens, buildings and hands.

import { h } from "../dom.js";
import { cardTexts } from "../front/card-texts.js";
import { playerName } from "../names.js";
import { t } from "../text.js";
import { badge } from "../snow-time/seats.js";
import { abilities } from "./abilities.js";
import { amount, amountIcons, itemIcon } from "./icons.js";

const SIDE = 3;
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
    h("ul", { class: "folk" }, state.row.map((id) => h("li", {}, handed(id, tools)))),
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

export function village(seat, place, turn, tools) {
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
    ),
    h("ul", { class: "tokens" }, tokens(seat).map((each) => h("li", { class: "tag" }, each))),
    h("ol", { class: "cells", "aria-label": t("snowcrest.village") }, cells.map((cell) => space(cell, at.get(cell), tools))),
    list(t("snowcrest.hand"), seat.hand, tools),
    list(t("snowcrest.discards"), seat.discards, tools, "folk discarded"),
  );
}

function tokens(seat) {
  const lines = Object.entries(seat.tokens ?? {}).map(([resource, count]) => amountIcons(resource, count));
  lines.push(amountIcons("scroll", seat.scrolls ?? 0), t("snowcrest.omen", { omen: seat.omen ?? 0 }));
  if (seat.omen_tokens) lines.push(t("snowcrest.omen-tokens", { count: seat.omen_tokens }));
  for (const [building, { up = 0, spent = 0 }] of Object.entries(seat.buildings ?? {})) {
    if (up) lines.push(amountIcons(building, up));
    if (spent) lines.push(t("snowcrest.spent", { amount: amount(building, spent) }));
  }
  return lines;
}

function space(cell, resident, tools) {
  const touch = tools.touch?.cell(cell);
  const label = h("span", { class: "at" }, cellName(cell));
  const content = resident
    ? [label, card(resident.card, tools), resident.exhausted ? h("span", { class: "small" }, t("snowcrest.exhausted")) : null]
    : [label, h("span", { class: "hidden" }, t("snowcrest.free"))];
  const advised = tools.touch?.isAdvised({ cell }) ? " advised" : "";
  const state = advised + (resident ? (resident.exhausted ? " cell resident exhausted" : " cell resident") : " cell");
  return touch ? h("li", {}, tappable(`${state} lit`, `cell-${cell}`, touch, content)) : h("li", { class: state }, content);
}

/** Return a card or a cell as a button. */
function tappable(state, key, { press, pressed }, content) {
  return h("button", { type: "button", class: state, onclick: press, "aria-pressed": pressed === undefined ? null : String(pressed), "data-key": key }, content);
}

function list(label, cards, tools, style = "folk") {
  if (!cards?.length) return null;
  return [h("h3", {}, label), h("ul", { class: style }, cards.map((id) => h("li", {}, handed(id, tools))))];
}

/** Return a card of a hand or a row, which may take a tap. */
function handed(id, tools) {
  const touch = tools.touch?.card(id);
  const lit = tools.touch?.isAdvised({ card: id }) ? "lit advised" : "lit";
  return touch ? tappable(lit, `card-${id}`, touch, card(id, tools)) : card(id, tools);
}

/** Return a card with its name, cost, icons and actions. */
function card(id, tools) {
  const definition = tools.describe(id);
  const lines = definition ? abilities(definition, tools.kind) : [];
  return h(
    "span",
    { class: "person", "data-glide": definition ? id : null },
    h("strong", {}, tools.name(id)),
    lines.map((line) => h("span", { class: "small" }, line)),
  );
}

function challenge(posed, tools) {
  return h(
    "div",
    { class: posed.by ? "person met" : "person" },
    h("strong", {}, tools.name(posed.challenge)),
    (tools.describe(posed.challenge)?.conditions ?? []).map((condition) => {
      const what = condition.building ?? condition.resource ?? condition.kind;
      const count = condition.at_most ?? condition.at_least;
      const sign = condition.at_most === undefined ? "" : condition.at_least === count ? "= " : "≤ ";
      return h("span", { class: "small" }, sign, what ? amountIcons(what, count) : t(`snowcrest.condition.${condition.type}`, { count }));
    }),
    posed.by ? h("span", { class: "tag" }, t("snowcrest.met", { player: playerName(posed.by) })) : null,
  );
}
