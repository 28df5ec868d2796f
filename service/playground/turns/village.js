// Snowcrest's table: villages of three by three, tokens, buildings, hands, and what lies between.

import { h } from "../dom.js";
import { t } from "../text.js";
import { badge } from "../snow-time/seats.js";
import { abilities } from "./abilities.js";

const SIDE = 3;

/** A cell as people call it: columns are letters, rows are numbers. */
export function cellName(cell) {
  return `${"ABC"[cell % SIDE]}${Math.floor(cell / SIDE) + 1}`;
}

/** What lies in the middle: supply, forest, the row of common villagers, challenges. */
export function commonBoard(state, tools) {
  const facts = [
    [t("crest.supply"), state.supply],
    [t("crest.juniper"), state.juniper],
    [t("crest.phase"), t(`crest.phase.${state.phase ?? "turns"}`)],
  ];
  if (state.difficulty) facts.push([t("crest.difficulty"), state.difficulty]);
  if (state.rests !== undefined) facts.push([t("crest.rests"), state.rests]);
  return h(
    "section",
    { class: "panel common", "aria-labelledby": "common-title" },
    h("h2", { id: "common-title" }, t("crest.board")),
    h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))))),
    h("h3", {}, t("crest.row")),
    h("ul", { class: "folk" }, state.row.map((id) => h("li", {}, card(id, tools)))),
    state.challenges?.length
      ? [h("h3", {}, t("crest.challenges")), h("ul", { class: "folk" }, state.challenges.map((posed) => h("li", {}, challenge(posed, tools))))]
      : null,
  );
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
      h("h2", { id: title }, seat.player),
      turn ? h("span", { class: "tag strong" }, t("slopes.turn")) : null,
    ),
    h("ul", { class: "tokens" }, tokens(seat, tools).map((each) => h("li", { class: "tag" }, each))),
    h("ol", { class: "cells", "aria-label": t("crest.village") }, cells.map((cell) => space(cell, at.get(cell), tools))),
    list(t("crest.hand"), seat.hand, tools),
    list(t("crest.discards"), seat.discards, tools),
  );
}

function tokens(seat, { kind }) {
  const told = Object.entries(seat.tokens ?? {}).map(([resource, count]) => `${count} ${kind(resource)}`);
  told.push(`${seat.scrolls ?? 0} ${kind("scroll")}`, t("crest.omen", { omen: seat.omen ?? 0 }));
  if (seat.omen_tokens) told.push(t("crest.omen-tokens", { count: seat.omen_tokens }));
  for (const [building, { up = 0, spent = 0 }] of Object.entries(seat.buildings ?? {})) {
    if (up) told.push(`${up} ${kind(building)}`);
    if (spent) told.push(t("crest.spent", { count: spent, building: kind(building) }));
  }
  return told;
}

function space(cell, resident, tools) {
  const label = h("span", { class: "at" }, cellName(cell));
  if (!resident) return h("li", { class: "cell" }, label, h("span", { class: "hidden" }, t("crest.free")));
  return h(
    "li",
    { class: resident.exhausted ? "cell resident exhausted" : "cell resident" },
    label,
    card(resident.card, tools),
    resident.exhausted ? h("span", { class: "small" }, t("crest.exhausted")) : null,
  );
}

function list(label, cards, tools) {
  if (!cards?.length) return null;
  return [h("h3", {}, label), h("ul", { class: "folk" }, cards.map((id) => h("li", {}, card(id, tools))))];
}

/** A card's name, what it costs, what it pays and what it does. */
function card(id, tools) {
  const told = tools.describe(id);
  const lines = told ? abilities(told, tools.kind) : [];
  return h(
    "div",
    { class: "person" },
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
      const parameters = { least: condition.at_least ?? "", what: what ? tools.kind(what) : "" };
      return h("span", { class: "small" }, t(`crest.condition.${condition.type}`, parameters));
    }),
    posed.by ? h("span", { class: "tag" }, t("crest.met", { player: posed.by })) : null,
  );
}
