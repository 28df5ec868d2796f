// Snowcrest: view of the position, and names of actions, events and scores.

import { h, select } from "../dom.js";
import { playerName } from "../names.js";
import { description } from "../offline/descriptions.js";
import { formatList, gap, has, localName, t, withMinus } from "../text.js";
import { abilities } from "./abilities.js";
import { arrows, waysOf } from "./arrows.js";
import { amount } from "./icons.js";
import { lacking } from "./challenges.js";
import { VillageEditor } from "./editor.js";
import { afterPayment, paymentPanel } from "./payment.js";
import { drawn, playPanel, table } from "./table.js";
import { portrait } from "./portraits.js";
import { touches } from "./touch.js";
import { cellName, commonBoard, village, villageSketch } from "./village.js";

export const snowcrest = {
  players: ["Anna", "Hugo", "Mila", "Paul"],
  load,
  setup,
  options: ({ players, option }) => (players === 1 ? { difficulty: option } : {}),
  position,
  aside,
  decision: (word) => t(`snowcrest.decision.${word}`),
  action: actionName,
  choice,
  theme: ({ type }) => ({ activate: "villager", play: "hand", found: "hand", pay: "price" })[type],
  cardName,
  card: cardOf,
  kind: kindName,
  resident: residentName,
  panel: (view) => paymentPanel(view) ?? playPanel(view),
  drawn,
  sketch,
  editor: (...setting) => new VillageEditor(...setting),
  lacking,
  table,
  event,
  outcome,
  ranking,
  tieBreak,
};

const UNKNOWN = "unknown";
let catalogue = null;

/** Request the default catalogue, once; the page shows the abilities of its cards. */
export async function prepare() {
  catalogue ??= description("/v1/games/snowcrest/catalogues/default");
  try {
    return await catalogue;
  } catch (problem) {
    catalogue = null;
    throw problem;
  }
}

async function load(view) {
  view.catalogue = await prepare();
}

function setup({ setup: chosen, about }) {
  const levels = Object.keys(about.difficulties).map((level) => [level, level]);
  if (chosen.players !== 1) return null;
  return select(t("snowcrest.difficulty"), chosen.option, levels, (value) => (chosen.option = Number(value)), { "data-key": "setup-difficulty" });
}

/** Return a card of the state's catalogue, or of the default one. */
function cardOf(id, { game, catalogue }) {
  const own = game.state.catalogue;
  for (const cards of Object.values(own ?? catalogue)) {
    const match = Array.isArray(cards) ? cards.find((card) => card.id === id) : null;
    if (match) return match;
  }
  return null;
}

function cardName(id, view) {
  if (id === UNKNOWN) return t("unknown");
  return localName(cardOf(id, view)?.names ?? view.about.cards[id], id);
}

function kindName(kind, { about }) {
  return has(`snowcrest.item.${kind}`) ? t(`snowcrest.item.${kind}`) : localName(about.kinds[kind], kind);
}

function position(view) {
  const state = view.game.position();
  const name = (id) => cardName(id, view);
  const describe = (id) => cardOf(id, view);
  const kind = (word) => kindName(word, view);
  const { player, ...touch } = touches(view);
  // The coach has this button, too.
  const correct = (who) => (view.advises() && who === player ? null : view.correcting(who));
  const tools = { name, describe, kind, correct, about: view.about };
  const toolsOf = (seat) => (seat.player === player ? { ...tools, touch } : tools);
  const plan = view.stage === "card" ? view.game.hint?.plan : null;
  const next = planned(view, plan)?.seats.find((seat) => seat.player === player);
  const later = (seat) => (seat.player === player ? (next ?? afterPayment(seat, view.game, view.payment)) : seat);
  return [
    commonBoard(state, { ...tools, touch }),
    firstOwn(view, state.seats.map((seat) => seen(seat, view))).map(([seat, place]) => village(seat, place, view.game.isTurnOf(seat.player), toolsOf(seat), later(seat))),
    plan ? arrows(waysOf(plan, player)) : null,
  ];
}

/** Return the position after a plan, once the service has answered, or null. */
function planned(view, plan) {
  if (!plan) return null;
  const { game } = view;
  const key = JSON.stringify([game.state, game.soFar, plan]);
  if (view.planned?.key !== key) {
    const answer = { key, position: null };
    view.planned = answer;
    const show = ({ position: after }) => {
      answer.position = after;
      if (view.planned === answer) view.draw();
    };
    // Without the position the board only lacks what is left afterwards.
    game.legalMoves(game.state, [...game.soFar, ...plan]).then(show, () => {});
  }
  return view.planned.position;
}

/** Return a small picture of the village of a player, with the cells and cards of some actions. */
function sketch({ before, actions, player }, view) {
  const seat = before.seats.find((each) => each.player === player);
  const used = new Map(actions.filter(({ cell, owner = player }) => cell !== undefined && owner === player).map(({ cell, card }) => [cell, card]));
  const cards = [...new Set(actions.filter(({ card, cell, type }) => card && cell === undefined && type !== "draw").map(({ card }) => card))];
  return villageSketch(seat, used, cards, (id) => cardOf(id, view));
}

/** Return a seat without the cards that the user does not see. */
function seen(seat, { game }) {
  return game.hides(seat.player) ? { ...seat, hand: (seat.hand ?? []).map(() => UNKNOWN) } : seat;
}

/** Return the seats with their places: first that of the user, or of the player who decides at a table. */
function firstOwn({ game }, seats) {
  const own = game.atTable() ? (game.decider() ?? game.state.turn) : (game.mine[0] ?? game.decider());
  const placed = seats.map((seat, place) => [seat, place]);
  return placed.sort(([one], [other]) => (other.player === own) - (one.player === own));
}

function aside(view) {
  const { game } = view;
  const { legal } = game;
  const lines = [];
  if (game.choices().some(({ type, payment }) => type === "play" && !payment)) lines.push(t("snowcrest.tap"));
  if (legal.cost) lines.push(t("snowcrest.cost", { cost: amounts(legal.cost) }));
  if (legal.items) lines.push(t("snowcrest.items", { items: formatList(legal.items.map((item) => kindName(item, view))) }));
  if (legal.count !== undefined) lines.push(t("snowcrest.count", { count: legal.count }));
  for (const [player, bells] of Object.entries(legal.bids ?? {})) lines.push(t("snowcrest.bid", { player: playerName(player), count: bells }));
  const picked = game.choices().some(({ type, card, payment }) => type === "play" && card === view.picked && !payment) ? view.picked : null;
  return [lines.map((line) => h("p", { class: "small" }, line)), picked ? h("p", { class: "picked-card" }, portrait(picked, cardOf(picked, view)), h("strong", {}, cardName(picked, view)), doing(picked, view)) : null];
}

// Actions ------------------------------------------------------------------------------------------

function choice(action, view) {
  if (action.type === "play" && !action.payment) {
    return { group: t("snowcrest.play", { card: cardName(action.card, view) }), label: cellName(action.cell) };
  }
  if (action.type === "activate") {
    const resident = view.game.state.seats.find(({ player }) => player === view.game.decider())?.village.find(({ cell }) => cell === action.cell);
    return { group: t("snowcrest.activate"), label: [residentName(view.game.decider(), action.cell, view), doing(resident?.card, view)] };
  }
  return { group: "", label: action.type === "found" ? [actionName(action, view), doing(action.card, view)] : actionName(action, view) };
}

/** Return what a card costs and does, for a button or a sentence. */
function doing(id, view) {
  const definition = cardOf(id, view);
  const lines = definition ? abilities(definition, (word) => kindName(word, view)) : [];
  return h("span", { class: "doing small" }, lines.map((line) => h("span", {}, line)));
}

function actionName(action, view) {
  const who = action.player ?? view.game.decider() ?? view.game.state.turn;
  const cell = action.cell === undefined ? "" : cellName(action.cell);
  const parameters = {
    card: action.card ? cardName(action.card, view) : "",
    cell,
    resident: action.cell === undefined ? "" : residentName(action.owner ?? who, action.cell, view),
    owner: action.owner ? playerName(action.owner) : "",
    payment: action.payment ? paymentName(action.payment, who, view) : "",
    resource: action.resource ? kindName(action.resource, view) : "",
    building: action.building ? kindName(action.building, view) : "",
    returned: action.returned ? kindName(action.returned.building, view) : "",
    give: action.give ? kindName(action.give, view) : "",
    get: action.get ? kindName(action.get, view) : "",
    item: action.item ? kindName(action.item, view) : "",
    settles: action.settles ? kindName(action.settles, view) : "",
    cards: action.cards?.length ? formatList(action.cards.map((card) => cardName(card, view))) : t("nothing"),
    given: givenText(action, who, view),
  };
  return t(`snowcrest.action.${form(action)}`, parameters);
}

function form(action) {
  if (action.type === "play") return action.payment ? "play-paid" : "play";
  if (action.type === "build" && action.returned) return "build-returned";
  if (action.type === "copy") return action.card ? "copy-row" : "copy";
  if (action.settles) return "settle-both";
  return action.type;
}

function givenText(action, who, view) {
  const parts = [];
  if (action.building) parts.push(kindName(action.building, view));
  else if (action.card) parts.push(cardName(action.card, view));
  else if (action.cell !== undefined) parts.push(residentName(who, action.cell, view));
  else if (action.resource) parts.push(kindName(action.resource, view));
  return parts.join(" ");
}

function residentName(player, cell, view) {
  const seat = view.game.state.seats.find((each) => each.player === player);
  const resident = seat?.village?.find((each) => each.cell === cell);
  if (!resident) return cellName(cell);
  return t("snowcrest.resident", { card: cardName(resident.card, view), cell: cellName(cell) });
}

function amounts(counts) {
  return formatList(Object.entries(counts).map(([kind, count]) => amount(kind, count)));
}

function paymentName(payment, player, view) {
  const parts = [];
  for (const from of ["tokens", "buildings"]) {
    for (const [kind, count] of Object.entries(payment[from] ?? {})) parts.push(amount(kind, count));
  }
  for (const card of payment.hand ?? []) parts.push(t("snowcrest.from-hand", { card: cardName(card, view) }));
  for (const cell of payment.village ?? []) parts.push(residentName(player, cell, view));
  return parts.length ? formatList(parts) : t("nothing");
}

// Events -------------------------------------------------------------------------------------------

function event(item, view) {
  const parameters = {
    ...item,
    player: playerName(item.player),
    card: item.card ? cardName(item.card, view) : "",
    challenge: item.challenge ? cardName(item.challenge, view) : "",
    cell: item.cell === undefined ? "" : cellName(item.cell),
    amount: item.what ? amount(item.what, item.count ?? 1) : "",
    building: item.building ? kindName(item.building, view) : "",
    payment: item.payment ? paymentName(item.payment, item.player, view) : t("nothing"),
    items: item.items ? formatList(item.items.map((kind) => kindName(kind, view))) : "",
  };
  if (item.type === "give" && !item.payment) parameters.payment = givenText(item, item.player, view) || t("nothing");
  if (item.type === "omen" && item.count) return t("snowcrest.event.omen-tokens", parameters);
  if (item.type === "draw" && (item.card ?? UNKNOWN) === UNKNOWN) return t("snowcrest.event.draw-hidden", parameters);
  return t(`snowcrest.event.${item.type}`, parameters);
}

/** Return the scores of all players and, in a solo game, the result and its grade. */
function outcome(result, about) {
  const { scores, solo } = result;
  if (!scores) return null;
  const grade = about.grades.find(({ code }) => code === solo?.grade);
  return [
    solo ? h("p", { class: "sentence" }, t(solo.won ? "snowcrest.solo.won" : "snowcrest.solo.lost"), gap(), localName(grade?.text, "")) : null,
    scoreTable(scores, ranking(result).map(({ player }) => player)),
  ];
}

/** Return what decided between players with as many points as the winner, or null. */
function tieBreak({ winners: [first, ...others], scores }) {
  const tied = Object.keys(scores ?? {}).filter((player) => first && scores[player].points === scores[first].points);
  if (tied.length < 2) return null;
  return t(others.length ? "snowcrest.tie.shared" : "snowcrest.tie", { count: resources(scores[first]) });
}

function resources({ resources: counts }) {
  return Object.values(counts).reduce((total, each) => total + each, 0);
}

/** Return the players as {player, text}, the winners first, then by points and resources. */
function ranking({ winners, scores, state }) {
  const points = ({ player }) => (scores ? scores[player].points : 0);
  const won = ({ player }) => (winners.includes(player) ? 1 : 0);
  const left = ({ player }) => (scores ? resources(scores[player]) : 0);
  const seats = [...state.seats].sort((one, other) => won(other) - won(one) || points(other) - points(one) || left(other) - left(one));
  return seats.map((seat) => ({ player: seat.player, text: scores ? t("snowcrest.points", { count: points(seat) }) : "" }));
}

/** Return the scores with a column for each player, which fits a phone. */
function scoreTable(scores, players) {
  const parts = ["points", "scrolls", "buildings", "omen", "omen_tokens", "majorities"];
  const sum = (values) => Object.values(values).reduce((total, each) => total + each, 0);
  const cell = (value) => h("td", {}, withMinus(String(typeof value === "object" ? sum(value) : value)));
  return h(
    "div",
    { class: "scroller", tabindex: "0", role: "region", "aria-label": t("snowcrest.scores") },
    h(
      "table",
      { class: "scores" },
      h("caption", {}, t("snowcrest.scores")),
      h("thead", {}, h("tr", {}, h("td", {}), players.map((player) => h("th", { scope: "col" }, playerName(player))))),
      h("tbody", {}, parts.map((part) => h("tr", {}, h("th", { scope: "row" }, t(`snowcrest.score.${part}`)), players.map((player) => cell(scores[player][part]))))),
    ),
  );
}
