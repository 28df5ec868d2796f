// The front door: what this page is, an example of a hint, and the ways in.

import { h } from "../dom.js";
import { openNumber } from "../records/record.js";
import { savedGames } from "../records/saved-games.js";
import { t } from "../text.js";
import { example } from "./example.js";
import { picture } from "./pictures.js";

/**
 * Return the front door.
 * @param {string[]} games the ids of the games; `title` returns the name of one.
 */
export function frontDoor(games, title) {
  const latest = savedGames().find(({ over }) => !over);
  return h(
    "div",
    { class: "front" },
    h(
      "section",
      { class: "hero" },
      h(
        "div",
        { class: "pitch" },
        h("h1", { tabindex: "-1" }, t("title")),
        h("p", { class: "lead" }, t("front.sentence")),
        h("p", { class: "row" }, h("a", { class: "door main", href: "#table", "data-key": "to-table" }, t("front.hint")), latest ? resume(latest.record, title) : null),
      ),
      example(),
    ),
    h("h2", {}, t("front.here")),
    doors(games, title, "play"),
    links("teach", t("front.teach")),
    links("rules", t("front.rules")),
    h("p", { class: "small" }, h("a", { href: "#practice", "data-key": "practice" }, t("practice"))),
  );

  function links(way, heading) {
    return h("p", { class: "small" }, t("list.entry", { name: heading, text: "" }), games.map((game, place) => [place ? " · " : "", h("a", { href: `#${game}/${way}`, "data-key": `${way}-${game}` }, title(game))]));
  }
}

/** Return the question which game lies on the table. */
export function tableDoor(games, title) {
  return h(
    "div",
    { class: "front" },
    h("h1", { tabindex: "-1" }, t("front.which")),
    doors(games, title, "table"),
    h("p", {}, h("a", { href: "#", "data-key": "home" }, t("front.home"))),
  );
}

/** Return an illustrated door to each game. */
function doors(games, title, way) {
  return h(
    "ul",
    { class: "doors" },
    games.map((game) =>
      h(
        "li",
        {},
        h("a", { class: "picture-door", href: `#${game}/${way}`, "data-key": `${way}-${game}` }, picture(game), h("strong", {}, title(game)), h("span", { class: "small" }, t(`front.door.${game}`))),
      ),
    ),
  );
}

function resume(record, title) {
  const unit = record.game === "snow-time" ? "round" : "turn";
  const number = openNumber(record);
  const where = `${title(record.game)} · ${t(`review.when.${unit}`, { number })}`;
  return h("a", { class: "door", href: `#${record.game}`, "data-key": "continue" }, t("list.entry", { name: t("front.continue"), text: where }));
}
