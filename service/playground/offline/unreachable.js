// The page without a connection to the service: stored games to read, and a button that tries again.

import { button, h } from "../dom.js";
import { useNames } from "../names.js";
import { chapters } from "../records/record.js";
import { gameLabel } from "../records/saved-list.js";
import { cachedPositions, savedGames } from "../records/saved-games.js";
import { cardsOf } from "../snow-time/frames.js";
import { cardsBySeat, sentence } from "../snow-time/sentences.js";
import { localName, t } from "../text.js";
import { slopecrashers } from "../slopecrashers/slopecrashers.js";
import { snowcrest } from "../snowcrest/snowcrest.js";
import { storedDescription } from "./descriptions.js";

const TURN_GAMES = { slopecrashers, snowcrest };

/**
 * Return the page.
 * @param {() => void} retry called by the button.
 */
export function unreachable(retry) {
  const games = savedGames().map((saved) => [saved, storedDescription(`/v1/games/${saved.record.game}`)]);
  return h(
    "div",
    { class: "front" },
    h("h1", { tabindex: "-1" }, t("title")),
    h(
      "div",
      { class: "problem", role: "alert" },
      h("p", {}, h("strong", {}, t("problem.unreachable")), " ", t("offline.text")),
      button(t("problem.again"), retry, { "data-key": "retry", "data-next": true }),
    ),
    h("h2", {}, t("saved")),
    games.length ? games.map(([saved, about], place) => reading(saved, about, place === 0)) : h("p", {}, t("saved.none")),
  );
}

/** Return what happened in a stored game, foldable. */
function reading(saved, about, open) {
  const { record } = saved;
  const title = (id) => localName(about?.title, id);
  return h(
    "details",
    { class: "panel log", open, "data-key": `read-${record.id}` },
    h("summary", {}, gameLabel(saved, title)),
    about ? story(record, about) : h("p", {}, t("offline.no-description")),
  );
}

function story(record, about) {
  useNames(record.start.seats ?? []);
  const { done, open } = chapters(record);
  const known = cachedPositions(record, about.rules_version);
  const lines = TURN_GAMES[record.game] ? turnLines : roundLines;
  const unit = TURN_GAMES[record.game] ? "turn" : "round";
  const parts = [...done, open].filter((steps) => steps.length);
  return parts.map((steps, place) => [
    h("h3", {}, t(`review.when.${unit}`, { number: place + 1 })),
    h("ol", {}, lines(steps, known[place], about, record).map((line) => h("li", {}, line))),
  ]);
}

/** Return a round as sentences: its events, or the dice and the cards if the events are not stored. */
function roundLines(steps, known, about) {
  const texts = steps.filter((step) => step.dice).map(({ dice }) => t("announce.dice", { dice: dice.join(" · ") }));
  if (known) return [...texts, ...known.result.events.map((event) => sentence(event, about))];
  const moves = Object.assign({}, ...steps.map((step) => step.moves ?? step.revealed ?? {}));
  return Object.keys(moves).length ? [...texts, cardsBySeat(cardsOf(moves), about)] : texts;
}

/** Return a turn as sentences: its events, or its actions if the events are not stored. */
function turnLines(steps, known, about, { game, start }) {
  const own = TURN_GAMES[game];
  const catalogue = storedDescription("/v1/games/snowcrest/catalogues/default") ?? {};
  const view = (state, player) => ({ about, catalogue, game: { state, decider: () => player } });
  if (known) return known.result.events.map((event) => own.event(event, view(known.before, known.player)));
  // Without the position, a villager is called by its place.
  const state = { catalogue: start.catalogue, seats: [] };
  return steps.filter(({ action }) => action).map(({ action }) => own.action(action, view(state, null)));
}
