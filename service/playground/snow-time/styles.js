// How the other players play, as far as their earlier rounds tell.

import { h } from "../dom.js";
import { number, t } from "../text.js";
import { badge, seatName } from "./seats.js";

const MIN_ROUNDS = 3;
const MAX_STYLES = 2;
const UNPREDICTABLE = "hard-to-predict";

/** Return the styles of the opponents in a hint, or null without evidence. */
export function styles(hint, places) {
  const seen = Object.entries(hint.opponents ?? {}).filter(([, { evidence }]) => evidence.rounds);
  if (!seen.length) return null;
  return h(
    "div",
    { class: "styles" },
    h("h3", {}, t("styles")),
    h("ul", {}, seen.map(([player, profile]) => style(player, profile, places.get(player) ?? 0))),
  );
}

function style(player, profile, place) {
  const { rounds, nats } = profile.evidence;
  const early = rounds < MIN_ROUNDS;
  // Nothing else is reliable about a player who is hard to predict.
  const unpredictable = profile.styles.filter(({ code }) => code === UNPREDICTABLE);
  const likeliest = unpredictable.length ? unpredictable : profile.styles.slice(0, MAX_STYLES);
  const texts = likeliest.map(({ text }) => text);
  const evidence = [t("styles.rounds", { count: rounds })];
  if (!early) evidence.push(t("styles.prediction", { times: number(Math.exp(nats / rounds), 1) }));
  return h(
    "li",
    {},
    badge(player, place),
    h(
      "div",
      {},
      h("strong", {}, seatName(player)),
      h("p", {}, early ? t("styles.early") : texts.join(" ") || t("styles.none")),
      h("p", { class: "small" }, evidence.join(" ")),
    ),
  );
}
