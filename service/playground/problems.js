// Error messages and rulings.

import { button, h } from "./dom.js";
import { has, t } from "./text.js";

/** Return the box of a game's problem, with a button that tries the failed request again. */
export function gameProblem(game) {
  const again = game.failed && !game.problem?.errors;
  const retry = () => game.run(game.failed);
  return problemBox(game.problem, again ? button(t("problem.again"), retry, { "data-key": "again" }) : null);
}

/** Return a box with the problem document and its violations, or null. */
export function problemBox(problem, action = null) {
  if (!problem) return null;
  const key = `problem.${problem.code}`;
  const text = has(key) ? t(key) : (problem.detail ?? problem.title ?? problem.code);
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("p", {}, h("strong", {}, t("problem")), " ", text),
    problem.errors?.length ? h("ul", {}, problem.errors.map(violation)) : null,
    action,
    problem.request_id ? h("p", { class: "small" }, t("problem.request", { id: problem.request_id })) : null,
  );
}

function violation({ path, detail, code, rule }) {
  return h(
    "li",
    {},
    h("code", {}, path || "/"),
    " ",
    detail ?? code,
    rule ? h("span", { class: "ruling" }, rule) : null,
  );
}

/** Return a foldable ruling: its number and its text. */
export function ruling(rule, about) {
  if (!rule) return null;
  return h(
    "details",
    { class: "ruling-fold", "data-key": `ruling-${rule}` },
    h("summary", {}, h("span", { class: "hidden" }, t("ruling")), " ", rule),
    h("p", { lang: "en" }, about.rulings[rule] ?? ""),
  );
}
