// A payment or a bid: the first legal one is proposed, every part of it can be changed, and each
// change leads to the nearest legal payment.

import { button, h } from "../dom.js";
import { t } from "../text.js";
import { itemIcon } from "./icons.js";

/** Return a seat after the payment that is chosen in the panel, or as it is. */
export function afterPayment(seat, game, shown) {
  const { payment } = paymentsOf(game)[shown?.chosen] ?? {};
  if (!payment || shown.key !== JSON.stringify(paymentsOf(game))) return seat;
  const tokens = { ...seat.tokens };
  for (const [kind, count] of Object.entries(payment.tokens ?? {})) tokens[kind] -= count;
  const buildings = structuredClone(seat.buildings ?? {});
  for (const [kind, count] of Object.entries(payment.buildings ?? {})) buildings[kind].up -= count;
  return { ...seat, tokens, buildings };
}

function paymentsOf(game) {
  return game.choices().filter(({ type, payment }) => payment && type !== "play");
}

/** Return the panel, or null if there is nothing to pay. */
export function paymentPanel(view) {
  const { game, own } = view;
  const options = paymentsOf(game);
  if (!options.length) return null;
  const others = game.choices().filter((each) => !options.includes(each));
  const key = JSON.stringify(options);
  if (view.payment?.key !== key) view.payment = { key, chosen: 0 };
  const chosen = options[view.payment.chosen];
  const set = (option) => {
    view.payment.chosen = options.indexOf(option);
    view.draw();
  };
  const parts = partsOf(options);
  return h(
    "div",
    { class: "choices payment" },
    button(own.action(chosen, view), () => view.choose(chosen), { class: "main", "data-key": "choice-0", "data-next": true, disabled: game.busy }),
    chosen.type === "bid" ? total(view, options, chosen, set) : null,
    parts.length && options.length > 1 ? h("ul", { class: "payment-parts", "aria-label": t("snowcrest.payment") }, parts.map((part) => h("li", {}, stepper(label(part, view), options, chosen, part.count, set)))) : null,
    others.map((each, place) => button(own.action(each, view), () => view.choose(each), { "data-key": `choice-${place + 1}`, disabled: game.busy })),
  );
}

/** Return the stepper of a whole bid: its number of bells. */
function total(view, options, chosen, set) {
  return stepper({ text: t("snowcrest.bells"), icon: itemIcon("bell"), name: "bells" }, options, chosen, (option) => bells(option, view), set);
}

function bells({ payment }, view) {
  const icons = (id) => {
    const { bell = 0, gold = 0, any = 0 } = view.own.card(id, view)?.icons ?? {};
    return bell + gold + any;
  };
  const seat = view.game.position().seats.find(({ player }) => player === view.game.decider());
  const resident = (cell) => seat.village.find((each) => each.cell === cell)?.card;
  const counted = Object.values({ ...payment.tokens, ...payment.buildings }).reduce((sum, count) => sum + count, 0);
  const cards = [...(payment.hand ?? []), ...(payment.village ?? []).map(resident)];
  return counted + cards.reduce((sum, id) => sum + icons(id), 0);
}

/** Return a number that can be made smaller or larger, as far as a legal payment has it. */
function stepper({ text, icon, name }, options, chosen, count, set) {
  const now = count(chosen);
  const nearest = (next) => {
    const possible = options.filter((each) => next(count(each)));
    possible.sort((one, other) => Math.abs(count(one) - now) - Math.abs(count(other) - now) || distance(one, chosen) - distance(other, chosen));
    return possible[0];
  };
  const step = (sign, next) => {
    const option = nearest(next);
    return button(sign, () => set(option), { "data-key": `pay-${name}-${sign === "+" ? "more" : "less"}`, "aria-label": t(sign === "+" ? "edit.more" : "edit.less", { what: text }), disabled: !option });
  };
  return h("div", { class: "stepper" }, h("span", { class: "stepper-label" }, icon, " ", text), step("−", (value) => value < now), h("output", {}, String(now)), step("+", (value) => value > now));
}

function distance(one, other) {
  return partsOf([one, other]).reduce((sum, { count }) => sum + Math.abs(count(one) - count(other)), 0);
}

/** Return what the payments contain: tokens and buildings by kind, cards in the hand, residents. */
function partsOf(options) {
  const parts = new Map();
  for (const { payment } of options) {
    for (const from of ["tokens", "buildings"]) {
      for (const kind of Object.keys(payment[from] ?? {})) {
        parts.set(`${from}-${kind}`, { name: `${from}-${kind}`, kind, count: (option) => option.payment[from]?.[kind] ?? 0 });
      }
    }
    for (const from of ["hand", "village"]) {
      for (const item of payment[from] ?? []) {
        const count = (option) => (option.payment[from] ?? []).filter((each) => each === item).length;
        parts.set(`${from}-${item}`, { name: `${from}-${item}`, from, item, count });
      }
    }
  }
  return [...parts.values()];
}

function label({ name, kind, from, item }, view) {
  if (kind) return { name, text: view.own.kind(kind, view), icon: itemIcon(kind) };
  const text = from === "hand" ? t("snowcrest.from-hand", { card: view.own.cardName(item, view) }) : view.own.resident(view.game.decider(), item, view);
  return { name, text, icon: itemIcon("villager") };
}
