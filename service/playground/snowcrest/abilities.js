// Abilities of Snowcrest cards as short lines.

import { t } from "../text.js";

/** Return a number of resources, tokens, buildings or cards of a kind. */
export function amount(kind, count) {
  return t(`snowcrest.amount.${kind}`, { count });
}

/** Return lines for cost, icons and actions; `kind` returns the name of a resource or building. */
export function abilities(card, kind) {
  const lines = [];
  const icons = Object.entries(card.icons ?? card.back ?? {}).map(([what, count]) => amount(what, count));
  if (card.settles) icons.push(t("snowcrest.settles"));
  if (card.cost !== undefined) lines.push(t("snowcrest.costs", { cost: card.cost, icons: icons.join(", ") || "–" }));
  for (const action of card.actions ?? []) lines.push(actionName(action, kind));
  return lines;
}

function actionName({ pay, effects }, kind) {
  const gains = effects.map((effect) => effectName(effect, kind)).join(", ");
  if (!pay) return gains;
  const paid = Object.entries(pay).map(([what, count]) => amount(what, count)).join(", ");
  return `${paid} → ${gains}`;
}

function effectName(effect, kind) {
  const sets = (effect.sets ?? []).map((set) => amount(set.what, set.count ?? 1));
  return t(`snowcrest.effect.${effect.type}`, {
    amount: effect.what ? amount(effect.what, effect.count ?? 1) : "",
    building: effect.building ? kind(effect.building) : "",
    sets: sets.join(" ↔ "),
  });
}
