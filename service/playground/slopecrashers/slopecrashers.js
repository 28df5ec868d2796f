// Slopecrashers: view of the position, and names of actions and events.

import { h } from "../dom.js";
import { playerName } from "../names.js";
import { ownBox } from "../own-box.js";
import { badge } from "../snow-time/seats.js";
import { choiceGroups } from "../turns/now.js";
import { localName, percent, t } from "../text.js";
import { course, courseLength, excerpt, spaceName } from "./course.js";
import { pieceButtons } from "./course-grid.js";
import { CourseEditor } from "./editor.js";
import { giftButton, giftCard, giftIcons, giftName, UNKNOWN } from "./gifts.js";
import { courseRows, layoutFields, layoutOf } from "./layout.js";
import { rememberCourse, rememberedCourse, rememberedLayout, rememberedPieces, rememberLayout, rememberPieces } from "./pieces.js";
import { routeOf } from "./route.js";
import { targets } from "./targets.js";

export const slopecrashers = {
  players: ["Anna", "Hugo", "Mila", "Paul", "Rosa", "Till"],
  options: ownPieces,
  position,
  aside,
  decision: (word) => t(`slopecrashers.decision.${word}`),
  action: actionName,
  choice: (action, view) => ({ group: "", label: [action.gift || action.card ? giftIcons(action.gift ?? action.card) : null, actionName(action, view)] }),
  theme: ({ type }) => ({ step: "step", place: "step", play: "gift", discard: "gift", end: "end" })[type],
  cardName: (card, { about }) => giftName(card, about),
  panel,
  drawn,
  sketch,
  editor: (...setting) => new CourseEditor(...setting),
  table: { board: ownCourse, fields: ordering, options, box },
  event,
  outcome: () => null,
  ranking,
};

function ownCourse({ about }) {
  return rememberedCourse(rememberedPieces() ?? about.default_pieces);
}

/** Return what a table adds to a request for a new game. */
function options({ board, layout }) {
  return { course: board, ...layoutOf(board, layout ?? rememberedLayout()), ...ownPieces(), ...ownDeck() };
}

/** Return what a file of the own box can have: pieces and a deck. */
function box(setup) {
  return {
    parts: ["pieces", "deck"],
    body: () => ({ seats: [{ player: "a" }, { player: "b" }], seed: 1 }),
    use: ({ pieces }) => {
      rememberPieces(pieces ?? null);
      rememberLayout({});
      setup.layout = undefined;
      setup.board = Object.keys(pieces ?? setup.about.default_pieces);
    },
  };
}

/** Return the option with the deck of the own box, if it has another one. */
function ownDeck() {
  const { deck } = ownBox("slopecrashers");
  return deck ? { deck } : {};
}

/** Return the option with the pieces of the own board, if it has others. */
function ownPieces() {
  const pieces = rememberedPieces();
  return pieces ? { pieces } : {};
}

/** Return the order of the pieces on the own board, by taps, and how they lie. */
function ordering(setup) {
  const pieces = rememberedPieces() ?? setup.about.default_pieces;
  const set = (board) => {
    rememberCourse(board);
    setup.set({ board });
  };
  const layout = setup.layout ?? rememberedLayout();
  const lying = { course: setup.board, pieces, ...layout };
  const change = (work) => {
    work(lying);
    rememberLayout(lying);
    setup.set({ layout: { reversed: lying.reversed, offsets: lying.offsets } });
  };
  return [pieceButtons(Object.keys(pieces), setup.board, set), layoutFields(lying, change)];
}

function position(view) {
  const state = view.game.position();
  view.seen ??= {};
  const options = { touch: lit(view, state), ...routes(view, state), seen: view.seen };
  return [course(state, view.about, options), h("ul", { class: "racers" }, state.seats.map((seat, place) => racer(seat, place, state, view)))];
}

/** Return the tracks of this turn and the way that the coach advises, and the row to look at. */
function routes({ game, about, stage }, state) {
  const seatOf = ({ seats }, player) => seats.find((each) => each.player === player) ?? {};
  const rows = courseRows(state, about);
  const player = game.decider() ?? game.state.turn;
  const seat = seatOf(state, player);
  const tracks = routeOf(game.soFar, seatOf(game.state, game.state.turn), rows, "tracks");
  const plan = stage === "card" && game.hint?.plan ? routeOf(game.hint.plan, seat, rows, "plan") : null;
  return { routes: [tracks, plan].filter(Boolean), focus: seat.row ?? 0 };
}

/** Return a small picture of a turn: what was done before, and the actions from there on. */
function sketch({ before, soFar, actions, player }, { about }) {
  const rows = courseRows(before, about);
  const tracks = routeOf(soFar, before.seats.find((seat) => seat.player === before.turn) ?? {}, rows, "tracks");
  const own = before.seats.find((seat) => seat.player === player);
  const here = player === before.turn ? (tracks.stops.at(-1) ?? {}) : own;
  return excerpt(before, about, [tracks, routeOf(actions, here, rows, "plan")]);
}

/** Return what a tap on a space does: it is a choice of the player who decides. */
function lit(view, state) {
  const { game, about } = view;
  const seat = state.seats.find(({ player }) => player === game.decider());
  if (!seat || game.busy || view.timeline.retry) return undefined;
  const cards = unknownTop(game);
  const spaces = targets(game.choices().filter(({ card }) => !cards.includes(card)), seat, courseLength(state, about));
  const advised = view.stage === "card" ? JSON.stringify(game.hint?.moves[0].move) : null;
  return (row, lane) => {
    const target = spaces.find((each) => each.row === row && each.lane === lane);
    const pick = target && JSON.stringify(target.action) === advised ? " advised" : "";
    return target ? { kind: `lit ${target.kind}${pick}`, press: () => view.choose(target.action) } : null;
  };
}

function aside({ game, about }) {
  const { movements } = game.legal;
  const seat = game.position().seats.find(({ player }) => player === game.decider());
  const tappable = seat && targets(game.choices(), seat, courseLength(game.position(), about)).length > 0;
  return [
    movements === undefined ? null : h("p", { class: "small" }, t("slopecrashers.movements", { count: movements })),
    tappable ? h("p", { class: "small" }, t("slopecrashers.tap")) : null,
  ];
}

/** Return the cards that the top gift can be if it is unknown, otherwise none. */
function unknownTop(game) {
  const cards = new Set(game.choices().filter(({ type }) => type === "play" || type === "discard").map(({ card }) => card));
  return cards.size > 1 ? [...cards] : [];
}

/** Return the choices if the top gift is unknown: which card it is comes before its uses; otherwise null. */
function panel(view) {
  const { game, about } = view;
  const cards = unknownTop(game);
  if (!cards.length) return null;
  const picked = cards.includes(view.picked) ? view.picked : null;
  const pick = (card) => () => {
    view.picked = card;
    view.draw();
  };
  const choices = (all, order) => h("div", { class: "choices" }, choiceGroups(view, all, order));
  return [
    choices(game.choices().filter(({ card }) => !cards.includes(card))),
    h("h3", {}, t("slopecrashers.which-gift")),
    h("div", { class: "gift-cards", role: "group", "aria-label": t("slopecrashers.which-gift") }, cards.map((card) => giftButton(card, about, pick(card), { "data-key": `which-${card}`, "aria-pressed": String(card === picked), disabled: game.busy }))),
    picked ? choices(game.choices().filter(({ card }) => card === picked), cards.length) : null,
  ];
}

/** Return the cards that can be drawn now as buttons; a hidden card is unknown. */
function drawn(view) {
  const { game, about } = view;
  const attributes = (card) => ({ "data-key": `draw-${card}`, disabled: game.busy });
  const draw = (card) => () => view.choose({ type: "draw", card });
  const hidden = giftButton(UNKNOWN, about, draw(UNKNOWN), { ...attributes(UNKNOWN), "data-next": true });
  const known = game.legal.draw.filter(({ card }) => card !== UNKNOWN).map(({ card, probability }) => giftButton(card, about, draw(card), attributes(card), percent(probability, 0)));
  // The user at a table sees the own cards only.
  const order = game.atTable() && !game.isMine(game.state.turn) ? [hidden, known] : [known, hidden];
  return h("div", { class: "gift-cards", role: "group", "aria-label": t("slopecrashers.drawn") }, order);
}

function racer(seat, place, state, view) {
  const gifts = (seat.gifts ?? []).map((card) => (view.game.hides(seat.player) ? UNKNOWN : card));
  const flags = ["misses_turn", "stung"].filter((flag) => seat[flag]);
  const where =
    seat.lap === undefined
      ? t("slopecrashers.beside")
      : t("slopecrashers.where", { lap: seat.lap, space: spaceName(seat.row, seat.lane) });
  return h(
    "li",
    { class: "panel racer" },
    h(
      "div",
      { class: "seat-head" },
      badge(seat.player, place),
      h("strong", {}, playerName(seat.player)),
      view.game.isTurnOf(seat.player) ? h("span", { class: "tag strong" }, t("slopecrashers.turn")) : null,
      flags.map((flag) => h("span", { class: "tag" }, t(`slopecrashers.${flag}`))),
    ),
    h("p", { class: "small" }, state.winner === seat.player ? t("slopecrashers.won") : where),
    gifts.length
      ? h("ol", { class: "stack", "aria-label": t("slopecrashers.stack") }, gifts.map((card) => h("li", {}, giftCard(card, view.about))))
      : h("p", { class: "small" }, t("slopecrashers.no-gifts")),
  );
}

function actionName(action, view) {
  const parameters = {
    card: giftName(action.card ?? UNKNOWN, view.about),
    gift: localName(view.about.cards[action.gift], action.gift),
    direction: action.direction ? t(`slopecrashers.direction.${action.direction}`) : "",
    lane: action.lane === undefined ? "" : spaceName("", action.lane),
    space: action.row === undefined ? "" : spaceName(action.row, action.lane),
  };
  return t(`slopecrashers.action.${form(action)}`, parameters);
}

/** Return the message key of an action; it depends on the type and on the fields. */
function form(action) {
  if (action.type === "answer") return action.magnet ? "answer-magnet" : "answer";
  if (action.type === "step") return action.lane === undefined ? "step" : "step-lane";
  if (action.type !== "play") return action.type;
  if (action.direction) return action.lane === undefined ? "play-direction" : "play-lane";
  return action.row === undefined ? "play" : "play-space";
}

function event(item, view) {
  const { type, player, start, end, space, card, gift, movements, targets } = item;
  const parameters = {
    player: playerName(player),
    start: start ? spaceName(start.row, start.lane) : "",
    end: end ? spaceName(end.row, end.lane) : "",
    space: space ? spaceName(space.row, space.lane) : "",
    card: card ? giftName(card, view.about) : "",
    gift: gift ? localName(view.about.cards[gift], gift) : "",
    count: movements,
    targets: (targets ?? []).map(playerName).join(t("list.between")),
  };
  let key = type;
  if ((type === "step" || type === "jump") && !end) key = `${type}-line`;
  if (type === "play" && targets?.length) key = "play-at";
  if (type === "answer" && !card) key = "answer-none";
  if (type === "draw" && (card ?? UNKNOWN) === UNKNOWN) key = "draw-hidden";
  return t(`slopecrashers.event.${key}`, parameters);
}

/** Return the players as {player, text}: the winner, then who has come how far. */
function ranking({ winners, state }) {
  const progress = ({ player, lap = 0, row = 0 }) => [winners.includes(player) ? 1 : 0, lap, row];
  const further = (one, other) => {
    const [mine, theirs] = [progress(one), progress(other)];
    const place = mine.findIndex((number, index) => number !== theirs[index]);
    return place < 0 ? 0 : theirs[place] - mine[place];
  };
  return [...state.seats].sort(further).map((seat) => {
    const { player, lap } = seat;
    if (winners.includes(player)) return { player, text: t("slopecrashers.won") };
    if (lap === undefined) return { player, text: t("slopecrashers.beside") };
    return { player, text: t("slopecrashers.where", { lap, space: spaceName(seat.row, seat.lane) }) };
  });
}
