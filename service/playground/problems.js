// What the service has against a request, shown with the places it names.

import { h } from "./dom.js";
import { has, t } from "./text.js";

export function problemBox(told) {
  if (!told) return null;
  const ours = `problem.${told.code}`;
  const said = has(ours) ? t(ours) : (told.detail ?? told.title ?? told.code);
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("p", {}, h("strong", {}, t("problem")), " ", said),
    told.errors?.length ? h("ul", {}, told.errors.map(fault)) : null,
    told.request_id ? h("p", { class: "small" }, t("problem.request", { id: told.request_id })) : null,
  );
}

function fault({ path, detail, code, rule }) {
  return h(
    "li",
    {},
    h("code", {}, path || "/"),
    " ",
    detail ?? code,
    rule ? h("span", { class: "ruling" }, rule) : null,
  );
}

/** A ruling's number, which tells the ruling. */
export function ruling(rule, about) {
  if (!rule) return null;
  return h(
    "details",
    { class: "ruling-fold", "data-key": `ruling-${rule}` },
    h("summary", {}, h("span", { class: "hidden" }, t("ruling")), " ", rule),
    h("p", { lang: "en" }, about.rulings[rule] ?? ""),
  );
}
