// The front door: what this page is, and the ways in.

import { h } from "../dom.js";
import { chapters } from "../records/record.js";
import { savedGames } from "../records/saved-games.js";
import { t } from "../text.js";

/**
 * Return the front door.
 * @param {string[]} games the ids of the games; `title` returns the name of one.
 */
export function frontDoor(games, title) {
  const [latest] = savedGames();
  const ways = { table: games, play: games, teach: games };
  const [table, play, teach] = Object.keys(ways);
  return h(
    "div",
    { class: "front" },
    h("h1", { tabindex: "-1" }, t("title")),
    h("p", { class: "lead" }, t("front.sentence")),
    latest ? resume(latest.record, title) : null,
    h(
      "div",
      { class: "ways" },
      way(table, t("front.table"), t("front.table.more")),
      way(play, t("front.play"), t("front.play.more")),
      way(teach, t("front.teach"), t("front.teach.more")),
    ),
    h("p", {}, t("front.rules"), ": ", games.map((game) => [h("a", { href: `#${game}/rules` }, title(game)), " "])),
  );

  function way(name, heading, text) {
    return h(
      "section",
      { class: "panel way" },
      h("h2", {}, heading),
      h("p", {}, text),
      h("div", { class: "row" }, ways[name].map((game) => h("a", { class: "door", href: `#${game}/${name}`, "data-key": `${name}-${game}` }, title(game)))),
    );
  }
}

function resume(record, title) {
  const unit = record.game === "snow-time" ? "round" : "turn";
  const number = chapters(record).done.length + 1;
  const where = `${title(record.game)} · ${t(`review.when.${unit}`, { number })}`;
  return h("p", {}, h("a", { class: "door", href: `#${record.game}`, "data-key": "continue" }, `${t("front.continue")}: ${where}`));
}
