// Options of a hint: goal, model of the others, effort and depth.

import { h, select } from "../dom.js";
import { t } from "../text.js";

export const DEFAULTS = { objective: "win", model: "learned", effort: "standard", depth: "1" };

/** Return the options in effect: without evidence, nothing can be learned about the others. */
export function effective(options, evidence) {
  return options.model === "learned" && !evidence.some() ? { ...options, model: "equilibrium" } : options;
}

/** Return the fields for the options of a hint. */
export function optionFields(chosen, about, evidence, onchange) {
  const { objectives, models, efforts } = about.suggest;
  const options = effective(chosen, evidence);
  const choosable = models.filter((word) => word !== "learned" || evidence.some());
  const field = (name, words, label) =>
    select(t(`ask.${name}`), options[name], words.map((word) => [word, label(word)]), (value) => onchange(name, value), {
      "data-key": `ask-${name}`,
    });
  return h(
    "details",
    { class: "fold", "data-key": "asking" },
    h("summary", {}, t("ask.more")),
    h(
      "div",
      { class: "fields" },
      field("objective", objectives, (word) => t(`objective.${word}`)),
      field("model", choosable, (word) => t(`model.${word}`)),
      field("effort", efforts, (word) => t(`effort.${word}`)),
      field("depth", ["1", "2", "3"], String),
    ),
  );
}

/** Return the fields of a suggest request from the chosen options. */
export function suggestFields({ objective, model, effort, depth }, decision, level) {
  const next = level === "card" && decision === "card" && depth === "1";
  return {
    objective,
    opponents: { model },
    effort,
    depth: Number(depth),
    hint_level: level,
    ...(next ? { include: ["next"] } : {}),
  };
}
