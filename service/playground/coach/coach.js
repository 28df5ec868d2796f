// The coach beside the board: a nudge, then a shortlist, then the answer; numbers behind "more".

import { button, h } from "../dom.js";
import { sentences, t } from "../text.js";
import { seatName } from "../snow-time/seats.js";
import { faces, jointName, numbers, reasonsOf, replaceSeatNames } from "./moves.js";
import { optionFields } from "./options.js";

const LEVELS = ["nudge", "shortlist", "card"];
const MAX_REASONS = 2;

/**
 * Return the coach for those who decide now.
 * @param {object} view has `game`, `about`, `hintOptions` and `ask(player, level)`.
 */
export function coach(view, players) {
  const { game, about } = view;
  const { hint } = game;
  const [player] = hint ? [hint.player] : players;
  const options = optionFields(view.hintOptions, about, game.evidence, (name, value) => (view.hintOptions[name] = value));
  const answered = hint?.hint_level === "card";
  const heading = hint || players.length === 1 ? t("hint.title", { player: seatName(player) }) : t("coach.title");
  return h(
    "div",
    { class: hint ? "hint" : "asking" },
    h(
      "section",
      { class: "panel coach", "aria-labelledby": "hint-title" },
      h("h2", { id: "hint-title", tabindex: "-1", "data-key": "hint-title" }, heading),
      hint ? content(view, hint) : null,
      h("div", { class: "row" }, players.length > 1 ? byPlayer(view, players) : null, hint || players.length === 1 ? presses(view, player, hint) : null),
      answered ? null : options,
    ),
    answered ? numbers(view, hint, options) : null,
  );
}

/** Return the buttons for the answers to several players. */
function byPlayer({ game, ask }, players) {
  return players.map((player) =>
    button(t("ask.for", { player: seatName(player) }), () => ask(player, "card"), { "data-key": `ask-${player}`, disabled: game.busy }),
  );
}

/** Return the buttons for the next levels: one step further, or the answer at once. */
function presses({ game, ask }, player, hint) {
  const next = LEVELS.slice(LEVELS.indexOf(hint?.hint_level) + 1);
  const levels = next.length > 1 ? [next[0], next.at(-1)] : next;
  return levels.map((level, place) =>
    button(t(`coach.${level}`), () => ask(player, level), {
      class: place ? null : "main",
      "data-key": level === "card" && !hint ? `ask-${player}` : `coach-${level}`,
      disabled: game.busy,
    }),
  );
}

function content(view, hint) {
  if (hint.hint_level === "card") return answer(view, hint);
  return [
    h("ul", { class: "nudges" }, hint.nudges.map((nudge) => h("li", {}, nudge.text))),
    hint.shortlist
      ? [
          h("h3", {}, t("hint.shortlist")),
          h("ul", { class: "shortlist" }, hint.shortlist.map((each) => h("li", {}, jointName(each, hint.decision, view.about)))),
        ]
      : null,
  ];
}

/** Return the headline, the drawn move, and why, in at most two sentences. */
function answer(view, hint) {
  const { game, about } = view;
  const drawn = hint.moves[hint.pick_index];
  const reasons = reasonsOf(drawn, game).slice(0, MAX_REASONS);
  return [
    h(
      "div",
      { class: "answer" },
      h("span", { class: "faces", "aria-hidden": "true" }, faces(hint.pick, hint.decision, game)),
      h("strong", {}, jointName(hint.pick, hint.decision, about)),
      view.take ? button(t("hint.take"), () => view.take(hint.pick), { class: "main", "data-key": "take-pick" }) : null,
    ),
    hint.advice ? h("p", { class: "advice" }, replaceSeatNames(hint.advice.text, game)) : null,
    reasons.length ? h("p", { class: "why" }, sentences(reasons)) : null,
  ];
}
