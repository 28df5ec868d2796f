// What a review adds to the end of a game: the best and the costliest decision, luck and skill.

import { button, h } from "../dom.js";
import { percent, t } from "../text.js";
import { signed } from "./course.js";
import { highlights } from "./series.js";

/** Return what the user did best and worst, and what luck and skill made of it; null while it is reviewed. */
export function story(timeline) {
  const series = timeline.series();
  if (!series) return null;
  const { kind, view, reviewed, run } = timeline;
  const player = timeline.shownPlayer();
  const { best, costliest, good, count } = highlights(series, player);
  const { luck, loss } = run.review.players[player];
  const name = (each, move) => kind.move(view, each, move, reviewed.turns.slice(reviewed.first));
  const moment = (each, key, parameters) =>
    each && h("li", {}, button(t(key, { when: timeline.nameOf(each.column), move: name(each, each.move), ...parameters }), () => timeline.show(each), { class: "quiet", "data-key": key.replace(".", "-") }));
  return [
    h("h3", {}, t("end.story", { player: kind.name(player) })),
    h(
      "ul",
      { class: "moments" },
      moment(best, "end.best", { share: percent(best?.rise ?? 0) }),
      moment(costliest, "end.costliest", { best: costliest && name(costliest, costliest.best), share: signed(-(costliest?.loss ?? 0)) }),
      h("li", {}, t("end.luck", { share: signed(luck.draws + luck.others) })),
      h("li", {}, t("end.skill", { count, good, share: percent(loss) })),
    ),
  ];
}
