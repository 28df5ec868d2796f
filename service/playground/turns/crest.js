// What is Snowcrest's own: how its position looks, and what its atoms and events are called.

import { get } from "../api.js";
import { h, select } from "../dom.js";
import { has, listed, named, t } from "../text.js";
import { cellName, commonBoard, village } from "./village.js";

export const crest = {
  players: ["Anna", "Hugo", "Mila", "Paul"],
  load,
  setup,
  options: ({ players, option }) => (players === 1 ? { difficulty: option } : {}),
  position,
  aside,
  decision: (word) => t(`crest.decision.${word}`),
  atom: atomName,
  choice,
  cardName,
  event,
  outcome,
};

/** The house catalogue tells what cards do, which the page shows beside them. */
async function load(view) {
  view.catalogue = await get("/v1/games/snowcrest/catalogues/house");
}

function setup({ setup: chosen, about }) {
  const levels = Object.keys(about.difficulties).map((level) => [level, level]);
  if (chosen.players !== 1) return null;
  return select(t("crest.difficulty"), chosen.option, levels, (value) => {
    chosen.option = Number(value);
  }, { "data-key": "setup-difficulty" });
}

/** A card of the state's own catalogue, or of the house's. */
export function cardOf(id, { game, catalogue }) {
  const own = game.state.catalogue;
  for (const cards of Object.values(own ?? catalogue)) {
    const found = Array.isArray(cards) ? cards.find((card) => card.id === id) : null;
    if (found) return found;
  }
  return null;
}

function cardName(id, view) {
  if (id === "unknown") return t("unknown");
  return named(cardOf(id, view)?.names ?? view.about.cards[id], id);
}

export function kindName(kind, { about }) {
  return has(`crest.item.${kind}`) ? t(`crest.item.${kind}`) : named(about.kinds[kind], kind);
}

function position(view) {
  const { state } = view.game;
  const name = (id) => cardName(id, view);
  const describe = (id) => cardOf(id, view);
  const kind = (word) => kindName(word, view);
  const tools = { name, describe, kind };
  return [
    commonBoard(state, tools),
    state.seats.map((seat, place) => village(seat, place, state.turn === seat.player, tools)),
  ];
}

function aside(view) {
  const { legal } = view.game;
  const told = [];
  if (legal.cost) told.push(t("crest.cost", { cost: amounts(legal.cost, view) }));
  if (legal.items) told.push(t("crest.items", { items: listed(legal.items.map((item) => kindName(item, view))) }));
  if (legal.count !== undefined) told.push(t("crest.count", { count: legal.count }));
  for (const [player, bells] of Object.entries(legal.bids ?? {})) told.push(t("crest.bid", { player, bells }));
  return told.map((line) => h("p", { class: "small" }, line));
}

// Atoms --------------------------------------------------------------------------------------------

function choice(atom, view) {
  if (atom.type === "play" && !atom.payment) {
    return { group: t("crest.play", { card: cardName(atom.card, view) }), label: cellName(atom.cell) };
  }
  if (atom.type === "activate") {
    return { group: t("crest.activate"), label: residentName(view.game.decider(), atom.cell, view) };
  }
  return { group: "", label: atomName(atom, view) };
}

function atomName(atom, view) {
  const who = atom.player ?? view.game.decider() ?? view.game.state.turn;
  const cell = atom.cell === undefined ? "" : cellName(atom.cell);
  const parameters = {
    card: atom.card ? cardName(atom.card, view) : "",
    cell,
    resident: atom.cell === undefined ? "" : residentName(atom.owner ?? who, atom.cell, view),
    owner: atom.owner ?? "",
    payment: atom.payment ? paymentName(atom.payment, who, view) : "",
    resource: atom.resource ? kindName(atom.resource, view) : "",
    building: atom.building ? kindName(atom.building, view) : "",
    returned: atom.returned ? kindName(atom.returned.building, view) : "",
    give: atom.give ? kindName(atom.give, view) : "",
    get: atom.get ? kindName(atom.get, view) : "",
    item: atom.item ? kindName(atom.item, view) : "",
    cards: atom.cards?.length ? listed(atom.cards.map((card) => cardName(card, view))) : t("nothing"),
    given: given(atom, who, view),
  };
  return t(`crest.atom.${form(atom)}`, parameters);
}

function form(atom) {
  if (atom.type === "play") return atom.payment ? "play-paid" : "play";
  if (atom.type === "build" && atom.returned) return "build-returned";
  if (atom.type === "copy") return atom.card ? "copy-row" : "copy";
  return atom.type;
}

function given(atom, who, view) {
  const parts = [];
  if (atom.building) parts.push(kindName(atom.building, view));
  else if (atom.card) parts.push(cardName(atom.card, view));
  else if (atom.cell !== undefined) parts.push(residentName(who, atom.cell, view));
  else if (atom.resource) parts.push(kindName(atom.resource, view));
  return parts.join(" ");
}

function residentName(player, cell, view) {
  const seat = view.game.state.seats.find((each) => each.player === player);
  const resident = seat?.village?.find((each) => each.cell === cell);
  return resident ? `${cardName(resident.card, view)} (${cellName(cell)})` : cellName(cell);
}

function amounts(told, view) {
  return listed(Object.entries(told).map(([kind, count]) => `${count} ${kindName(kind, view)}`));
}

function paymentName(payment, player, view) {
  const parts = [];
  for (const from of ["tokens", "buildings"]) {
    for (const [kind, count] of Object.entries(payment[from] ?? {})) parts.push(`${count} ${kindName(kind, view)}`);
  }
  for (const card of payment.hand ?? []) parts.push(t("crest.from-hand", { card: cardName(card, view) }));
  for (const cell of payment.village ?? []) parts.push(residentName(player, cell, view));
  return parts.length ? listed(parts) : t("nothing");
}

// Events -------------------------------------------------------------------------------------------

function event(told, view) {
  const parameters = {
    ...told,
    card: told.card ? cardName(told.card, view) : "",
    challenge: told.challenge ? cardName(told.challenge, view) : "",
    cell: told.cell === undefined ? "" : cellName(told.cell),
    what: told.what ? kindName(told.what, view) : "",
    building: told.building ? kindName(told.building, view) : "",
    payment: told.payment ? paymentName(told.payment, told.player, view) : t("nothing"),
    items: told.items ? listed(told.items.map((item) => kindName(item, view))) : "",
  };
  if (told.type === "give" && !told.payment) parameters.payment = given(told, told.player, view) || t("nothing");
  if (told.type === "omen" && told.count) return t("crest.event.omen-tokens", parameters);
  if (told.type === "draw" && !told.card) parameters.card = t("unknown");
  return t(`crest.event.${told.type}`, parameters);
}

/** How the game ended: everybody's points, and the grade of whoever played alone. */
function outcome({ scores: told, solo }, about) {
  if (!told) return null;
  const grade = about.grades.find(({ code }) => code === solo?.grade);
  return [
    solo ? h("p", { class: "sentence" }, t(solo.won ? "crest.solo.won" : "crest.solo.lost"), " ", named(grade?.text, "")) : null,
    scores(told),
  ];
}

function scores(told) {
  const parts = ["points", "scrolls", "buildings", "omen", "omen_tokens"];
  return h(
    "div",
    { class: "scroller", tabindex: "0", role: "region", "aria-label": t("crest.scores") },
    h(
      "table",
      {},
      h("caption", {}, t("crest.scores")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("turn.player")), parts.map((part) => h("th", { scope: "col" }, t(`crest.score.${part}`))), h("th", { scope: "col" }, t("crest.score.majorities")))),
      h("tbody", {}, Object.entries(told).map(([player, score]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, player),
          parts.map((part) => h("td", {}, String(score[part]))),
          h("td", {}, String(Object.values(score.majorities).reduce((sum, each) => sum + each, 0))),
        ),
      )),
    ),
  );
}
