// Abilities of Snowcrest cards, with icons for costs and effects.

import { t } from "../text.js";
import { amountIcons } from "./icons.js";

/** Return lines for cost, icons and actions; `kind` returns the name of a resource or building. */
export function abilities(card, kind) {
  const lines = [];
  const icons = [card.icons, card.back].flatMap((each) => Object.entries(each ?? {})).map(([what, count]) => amountIcons(what, count));
  if (card.settles) icons.push(t("snowcrest.settles"));
  if (card.cost !== undefined) lines.push(filled(t("snowcrest.costs"), { cost: String(card.cost), icons: icons.length ? joined(icons, ", ") : "–" }));
  for (const action of card.actions ?? []) lines.push(actionLine(action, kind));
  return lines;
}

function actionLine({ pay, effects }, kind) {
  const gains = joined(effects.map((effect) => effectPart(effect, kind)), ", ");
  if (!pay) return gains;
  const paid = Object.entries(pay).map(([what, count]) => amountIcons(what, count));
  return [joined(paid, ", "), " → ", gains];
}

function effectPart(effect, kind) {
  const sets = (effect.sets ?? []).map((set) => amountIcons(set.what, set.count ?? 1));
  const any = effect.building === "any";
  return filled(t(`snowcrest.effect.${effect.type === "build" && any ? "build-any" : effect.type}`), {
    amount: effect.what ? amountIcons(effect.what, effect.count ?? 1) : "",
    building: effect.building ? kind(any ? "building" : effect.building) : "",
    sets: joined(sets, " ↔ "),
  });
}

/** Return a message with elements in place of its {parameters}. */
function filled(message, elements) {
  return message.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? elements[part] : part));
}

function joined(parts, separator) {
  return parts.flatMap((part, place) => (place ? [separator, part] : [part]));
}
