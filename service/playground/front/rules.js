// The rules of a game on one screen, in the language of the page.

import { h } from "../dom.js";
import { rulesPage } from "../problems.js";
import { t } from "../text.js";
import { cardTexts } from "./card-texts.js";

const PARAGRAPHS = [1, 2, 3, 4, 5];

/** Return the rules from the description of a game. */
export function rules(about, title) {
  const { game } = about;
  return h(
    "article",
    { class: "panel rules" },
    h("h1", { tabindex: "-1" }, t("front.rules.title", { game: title(game) })),
    PARAGRAPHS.map((number) => h("p", {}, t(`rules.${game}.${number}`))),
    h("h2", {}, t("front.cards")),
    cardTexts(about),
    h(
      "p",
      { class: "row" },
      h("a", { class: "door", href: `#${game}`, "data-key": "to-game" }, t("front.back")),
      h("a", { class: "door", href: `#${game}/teach`, "data-key": "to-lesson" }, t("front.teach")),
      h("a", { href: rulesPage(about) }, t("front.rules.more")),
    ),
  );
}
