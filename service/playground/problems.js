// Error messages and rulings.

import { button, h } from "./dom.js";
import { faultWithPlace } from "./faults.js";
import { current, gap, has, t } from "./text.js";

/**
 * Return the box of a game's problem, with a button that tries the failed request again.
 * @param {object[]} shown the violations to list; a form shows the others at its fields.
 */
export function gameProblem(game, shown = game.problem?.errors ?? []) {
  const again = game.failed && !game.problem?.errors;
  return problemBox(game.problem, {
    seats: game.state?.seats ?? [],
    shown,
    action: again ? button(t("problem.again"), () => game.failed(), { "data-key": "again", "data-next": true }) : null,
  });
}

/** Return the box if what the user entered is invalid; it belongs to the top, near the input. */
export function inputProblem(game, shown) {
  return game.problem?.errors ? gameProblem(game, shown) : null;
}

/** Return the box if a request failed for another reason; it belongs to the buttons that request. */
export function requestProblem(game) {
  return game.problem?.errors ? null : gameProblem(game);
}

/** Return a box with the problem document and its violations, or null. */
export function problemBox(problem, { seats = [], shown = problem?.errors ?? [], action = null } = {}) {
  if (!problem) return null;
  const texts = [...new Set(shown.map((fault) => faultWithPlace(fault, seats)))];
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("p", {}, h("strong", {}, t("problem")), gap(), sentence(problem, shown)),
    texts.length ? h("ul", {}, texts.map((text) => h("li", {}, text))) : null,
    action,
    problem.errors?.length || problem.request_id ? details(problem) : null,
  );
}

function sentence({ code, errors }, shown) {
  if (errors?.length && !shown.length) return t("problem.at-fields");
  return has(`problem.${code}`) ? t(`problem.${code}`) : t("problem.other");
}

/** Return what developers need: the violations as the service states them, and the request. */
function details({ errors = [], request_id: id }) {
  return h(
    "details",
    { "data-key": "problem-details" },
    h("summary", { class: "small" }, t("problem.details")),
    h("ul", { lang: "en" }, errors.map(({ path, detail, code }) => h("li", {}, h("code", {}, path || "/"), " ", detail ?? code))),
    id ? h("p", { class: "small" }, t("problem.request", { id })) : null,
  );
}

/** Return the address of the complete rules, in the language of the page or in English. */
export function rulesPage(about) {
  return about.rules_pages?.[current()] ?? `/docs/rules/${about.game}`;
}

/** Return a foldable ruling: its number and its text, with a link to the reason. */
export function ruling(rule, about) {
  if (!rule) return null;
  return h(
    "details",
    { class: "ruling-fold", "data-key": `ruling-${rule}` },
    h("summary", {}, h("span", { class: "hidden" }, t("ruling")), " ", rule),
    h("p", { lang: "en" }, h("a", { href: `${rulesPage(about)}#${rule.toLowerCase()}` }, about.rulings[rule] ?? "")),
  );
}
