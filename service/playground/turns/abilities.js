// Abilities of Snowcrest cards as short lines.

import { t } from "../text.js";

/** Return lines for cost, icons and actions; `kind` returns the name of a resource or building. */
export function abilities(card, kind) {
  const lines = [];
  const icons = Object.entries(card.icons ?? card.back ?? {}).map(([what, count]) => `${count} ${kind(what)}`);
  if (card.settles) icons.push(t("snowcrest.settles"));
  if (card.cost !== undefined) lines.push(t("snowcrest.costs", { cost: card.cost, icons: icons.join(", ") || "–" }));
  for (const action of card.actions ?? []) lines.push(actionName(action, kind));
  return lines;
}

function actionName({ pay, effects }, kind) {
  const gains = effects.map((effect) => effectName(effect, kind)).join(", ");
  if (!pay) return gains;
  const paid = Object.entries(pay).map(([what, count]) => `${count} ${kind(what)}`).join(", ");
  return `${paid} → ${gains}`;
}

function effectName(effect, kind) {
  const sets = (effect.sets ?? []).map((set) => `${set.count ?? 1} ${kind(set.what)}`);
  return t(`snowcrest.effect.${effect.type}`, {
    count: effect.count ?? 1,
    what: effect.what ? kind(effect.what) : "",
    building: effect.building ? kind(effect.building) : "",
    sets: sets.join(" ↔ "),
  });
}
