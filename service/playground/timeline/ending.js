// The end of a game: standings, the decisive moments, an image to share, and a link.

import { announce, button, h } from "../dom.js";
import { percent, t } from "../text.js";
import { reviewButton, signed } from "./panel.js";
import { decisiveMoments } from "./series.js";
import { saveImage } from "./share-image.js";

const MOMENTS = 3;

/**
 * Return what follows the sentence about the winners.
 * @param {object} view has `timeline`, `page`, and `ranking()`, the players in order as {player, text}.
 * @param {object[]} scores what the standings consist of, or null.
 */
export function ending(view, scores = null) {
  const { game, page, timeline } = view;
  const { kind } = timeline;
  const image = async () => {
    await saveImage(view);
    announce(t("announce.image"));
  };
  return [
    h("ol", { class: "standings" }, view.ranking().map(({ player, text }) => h("li", {}, h("strong", {}, kind.name(player)), " ", text))),
    scores,
    moments(timeline),
    h(
      "div",
      { class: "row" },
      reviewButton(timeline, "main"),
      button(t("end.image"), image, { "data-key": "end-image" }),
      button(t("end.link"), () => page.share(game.record), { "data-key": "end-link" }),
      button(t("end.again"), () => view.again(), { "data-key": "end-again", disabled: game.busy }),
    ),
  ];
}

/** Return the decisive moments of a complete review. */
function moments(timeline) {
  if (!timeline.shown() || !timeline.series()) return null;
  const chosen = decisiveMoments(timeline.series(), MOMENTS);
  if (!chosen.length) return null;
  return [
    h("h3", {}, t("end.moments")),
    h(
      "ol",
      { class: "moments" },
      chosen.map((moment, place) => {
        const go = () => (moment.decision ? timeline.show(moment.decision) : timeline.jump(moment.column));
        const label = [h("strong", {}, timeline.nameOf(moment.column)), " · ", momentText(timeline, moment)];
        return h("li", {}, button(label, go, { class: "quiet", "data-key": `moment-${place}` }));
      }),
    ),
  ];
}

function momentText(timeline, { player, source, share, decision }) {
  const { kind, view, reviewed } = timeline;
  const name = kind.name(player);
  if (source !== "mistake") return t(`moment.${source}`, { player: name, share: signed(share) });
  const turns = reviewed.turns.slice(reviewed.first);
  const [move, best] = [decision.move, decision.best].map((each) => kind.move(view, decision, each, turns));
  return t("moment.mistake", { player: name, share: `−${percent(decision.loss)}`, move, best });
}
