// The challenges of a game in the editor: a tap lays one out, further taps say who has met it.

import { h } from "../dom.js";
import { playerName } from "../names.js";
import { badge } from "../snow-time/seats.js";
import { t } from "../text.js";

/** Return the challenges as buttons; `editor` is a VillageEditor. */
export function challengeButtons(editor) {
  const { state, catalogue, name } = editor;
  if (state.starter_variant) return null;
  const stages = [null, undefined, ...state.seats.map(({ player }) => player)];
  const one = ({ id }) => {
    const posed = state.challenges.find(({ challenge }) => challenge === id);
    const at = posed ? stages.indexOf(posed.by) : 0;
    const place = state.seats.findIndex(({ player }) => player === posed?.by);
    const others = state.challenges.filter((each) => each !== posed);
    const press = () =>
      editor.change(() => {
        const next = stages[(at + 1) % stages.length];
        state.challenges = next === null ? others : [...others, next ? { challenge: id, by: next } : { challenge: id }];
      });
    const met = place < 0 ? null : playerName(posed.by);
    return h(
      "button",
      { type: "button", "aria-pressed": String(Boolean(posed)), "aria-label": met ? t("list.entry", { name: name(id), text: t("snowcrest.met", { player: met }) }) : null, "data-key": `challenge-${id}`, onclick: press },
      met ? [badge(posed.by, place), " "] : null,
      name(id),
    );
  };
  return h("fieldset", {}, h("legend", {}, t("snowcrest.challenges")), h("p", { class: "small" }, t("snowcrest.challenges.more")), h("div", { class: "palette" }, catalogue.challenges.map(one)));
}
