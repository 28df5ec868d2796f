// The coach of turn-based games: a nudge, a shortlist, then the answer; the value of every choice
// behind "more".

import { bar, scale } from "../bars.js";
import { button, h } from "../dom.js";
import { playerName } from "../names.js";
import { formatList, percent, sentences, t } from "../text.js";
import { badge } from "../snow-time/seats.js";

const MAX_MOVES = 12;
const MAX_REASONS = 2;
const MAX_SHORTLIST = 3;
const STAGES = ["nudge", "shortlist", "card"];
/** From how much of the win on the best choice is clear, and below how much others are as good. */
const [CLEAR, CLOSE] = [0.05, 0.01];

/**
 * Return the coach for the player who decides.
 * @param {object} view has the hint in `game`, `stage` (how much of it is shown: one of STAGES), `ask(stage)`, and `askAll()` for the value of every choice; `effort` returns the field for the effort.
 */
export function coach(view, take, effort) {
  const { game } = view;
  const { hint } = game;
  const answered = hint && view.stage === "card";
  const next = STAGES.slice(hint ? STAGES.indexOf(view.stage) + 1 : 0);
  const stages = next.length > 1 ? [next[0], next.at(-1)] : next;
  const press = (stage, place) =>
    button(t(`coach.${stage}`), () => view.ask(stage), {
      class: place ? null : "main",
      "data-key": stage === "card" ? "ask" : `coach-${stage}`,
      disabled: game.busy,
    });
  return h(
    "div",
    { class: hint ? "hint" : "asking" },
    h(
      "section",
      { class: "panel coach", "aria-labelledby": "hint-title" },
      h("h2", { id: "hint-title", tabindex: "-1", "data-key": "hint-title" }, t("hint.title", { player: playerName(game.decider()) })),
      hint ? { nudge: nudges, shortlist, card: answer }[view.stage](view, hint, take) : null,
      hint && game.atTable() ? without(view.own.lacking?.(game.state, view.entries) ?? []) : null,
      h("div", { class: "row" }, stages.map(press), hint ? null : effort, view.correcting(game.decider(), { "data-key": "correct" })),
    ),
    answered ? numbers(view, hint, take) : null,
  );
}

/** Return what has not been entered yet. */
function without(places) {
  return places.length ? h("p", { class: "small" }, t("hint.without", { what: formatList(places.map(({ text }) => text)) })) : null;
}

/** Return how clear the case is, and what the best choice is about. */
function nudges(view, { moves }) {
  const [best, second] = moves;
  const margin = second ? best.value - second.value : 1;
  const clarity = margin >= CLEAR ? "clear" : margin >= CLOSE ? "close" : "equal";
  const theme = view.own.theme(best.move);
  const texts = [t(`coach.case.${clarity}`), theme ? t(`coach.theme.${theme}`) : null];
  return h("ul", { class: "nudges" }, texts.filter(Boolean).map((text) => h("li", {}, text)));
}

/** Return the best moves in the order of the legal choices, which tells nothing. */
function shortlist(view, { moves }) {
  const texts = view.game.choices().map((each) => JSON.stringify(each));
  const place = ({ move }) => texts.indexOf(JSON.stringify(move));
  const best = moves.slice(0, MAX_SHORTLIST).sort((one, other) => place(one) - place(other));
  return [
    h("h3", {}, t("hint.shortlist")),
    h("ul", { class: "shortlist" }, best.map(({ move }) => h("li", {}, view.own.action(move, view)))),
  ];
}

/** Return the plan of the turn, why in at most two sentences, and the button that does it. */
function answer(view, hint, take) {
  const [best] = hint.moves;
  const reasons = textsOf(best).slice(0, MAX_REASONS);
  const { plan, advice } = hint;
  const several = plan.length > 1;
  return [
    // The sentence has the plan of the turn, unless there is nothing to choose.
    advice.code === "forced" ? h("strong", {}, view.own.action(best.move, view)) : null,
    h("p", { class: "advice" }, advice.text),
    reasons.length ? h("p", { class: "why" }, sentences(reasons)) : null,
    h(
      "div",
      { class: "answer" },
      button(t(several ? "hint.take-all" : "hint.take"), () => view.follow(plan), { class: "main", "data-key": "take-pick", disabled: view.game.busy }),
      several ? button(t("hint.take-first"), () => take(best.move), { class: "quiet", "data-key": "take-first", disabled: view.game.busy }) : null,
    ),
  ];
}

function numbers(view, hint, take) {
  const across = scale(hint.moves.map((each) => each.value));
  const shown = hint.moves.slice(0, MAX_MOVES);
  return h(
    "details",
    { class: "panel numbers", "data-key": "numbers", ontoggle: ({ target }) => target.open && view.askAll() },
    h("summary", {}, t("coach.more")),
    h("ol", { class: "moves single" }, shown.map((each, place) => move(each, place, across, view, take))),
    shown.length < hint.moves.length
      ? h("p", { class: "small" }, t("hint.more", { count: hint.moves.length - shown.length }))
      : null,
    h("h3", {}, t("hint.win-shares")),
    h(
      "dl",
      { class: "bars win-shares" },
      Object.entries(hint.win_shares).map(([player, share]) =>
        bar([badge(player, view.placeOf(player)), " ", playerName(player)], share, percent(share), "value"),
      ),
    ),
    h("p", { class: "small search" }, t("hint.searched-turn", { count: hint.search.determinizations, effort: t(`effort.${hint.search.effort}`) })),
  );
}

function textsOf({ reasons = [] }) {
  return reasons.filter(({ text }) => text).map(({ text }) => text);
}

function move(item, place, across, view, take) {
  const name = view.own.action(item.move, view);
  return h(
    "li",
    { class: place ? "move" : "move drawn", "data-move": JSON.stringify(item.move) },
    h("h3", {}, h("span", {}, name), place ? null : h("span", { class: "tag strong" }, t("hint.best"))),
    h(
      "dl",
      { class: "bars" },
      bar(t("hint.value"), across(item.value), percent(item.value), "value"),
    ),
    item.error ? h("p", { class: "small" }, t("hint.error", { error: percent(item.error) })) : null,
    item.reasons?.length ? h("ul", { class: "reasons" }, textsOf(item).map((text) => h("li", {}, text))) : null,
    button(t("hint.take"), () => take(item.move), {
      class: "quiet",
      "data-key": `take-${place}`,
      "aria-label": t("list.entry", { name: t("hint.take"), text: name }),
    }),
  );
}
