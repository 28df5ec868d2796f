// What a card of Snowcrest's catalogue says, in short lines.

import { t } from "../text.js";

/** Cost, icons, actions; `kind` names resources, buildings and the like. */
export function abilities(card, kind) {
  const lines = [];
  const icons = Object.entries(card.icons ?? card.back ?? {}).map(([what, count]) => `${count} ${kind(what)}`);
  if (card.settles) icons.push(t("crest.settles"));
  if (card.cost !== undefined) lines.push(t("crest.costs", { cost: card.cost, icons: icons.join(", ") || "–" }));
  for (const action of card.actions ?? []) lines.push(actionName(action, kind));
  return lines;
}

function actionName({ pay, effects }, kind) {
  const done = effects.map((effect) => effectName(effect, kind)).join(", ");
  if (!pay) return done;
  const paid = Object.entries(pay).map(([what, count]) => `${count} ${kind(what)}`).join(", ");
  return `${paid} → ${done}`;
}

function effectName(effect, kind) {
  const sets = (effect.sets ?? []).map((set) => `${set.count ?? 1} ${kind(set.what)}`);
  return t(`crest.effect.${effect.type}`, {
    count: effect.count ?? 1,
    what: effect.what ? kind(effect.what) : "",
    building: effect.building ? kind(effect.building) : "",
    sets: sets.join(" ↔ "),
  });
}
