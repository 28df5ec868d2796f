// The page without a connection to the service: stored games to read, and a button that tries again.

import { button, h } from "../dom.js";
import { useNames } from "../names.js";
import { chapters } from "../records/record.js";
import { gameLabel } from "../records/saved-list.js";
import { cachedPositions, savedGames } from "../records/saved-games.js";
import { gap, localName, t } from "../text.js";
import { storedDescription } from "./descriptions.js";

/**
 * Return the page.
 * @param {Map<string, object>} parts the part.js of each game that could be loaded.
 * @param {() => void} retry called by the button.
 */
export function unreachable(parts, retry) {
  const games = savedGames().map((saved) => [saved, storedDescription(`/v1/games/${saved.record.game}`)]);
  return h(
    "div",
    { class: "front" },
    h("h1", { tabindex: "-1" }, t("title")),
    h(
      "div",
      { class: "problem", role: "alert" },
      h("p", {}, h("strong", {}, t("problem.unreachable")), gap(), t("offline.text")),
      button(t("problem.again"), retry, { "data-key": "retry", "data-next": true }),
    ),
    h("h2", {}, t("saved")),
    games.length ? games.map(([saved, about], place) => reading(saved, about, parts.get(saved.record.game), place === 0)) : h("p", {}, t("saved.none")),
  );
}

/** Return what happened in a stored game, foldable. */
function reading(saved, about, part, open) {
  const { record } = saved;
  const title = (id) => localName(about?.title, id);
  return h(
    "details",
    { class: "panel log", open, "data-key": `read-${record.id}` },
    h("summary", {}, gameLabel(saved, title)),
    about && part ? story(record, about, part) : h("p", {}, t("offline.no-description")),
  );
}

function story(record, about, { unit, lines }) {
  useNames(record.start.seats ?? []);
  const { done, open } = chapters(record);
  const known = cachedPositions(record, about.rules_version);
  const chapter = [...done, open].filter((steps) => steps.length);
  return chapter.map((steps, place) => [
    h("h3", {}, t(`review.when.${unit}`, { number: place + 1 })),
    h("ol", {}, lines(steps, known[place], about, record).map((line) => h("li", {}, line))),
  ]);
}
