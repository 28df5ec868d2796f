// Panel of the current phase, with its buttons.

import { button, h, oneTabStop, select } from "../dom.js";
import { cardText } from "../front/card-texts.js";
import { SPEEDS, speed } from "../motion.js";
import { ruling } from "../problems.js";
import { formatList, t } from "../text.js";
import { ending } from "../timeline/ending.js";
import { choice, choicesOf } from "./cards.js";
import { badge, seatName } from "./seats.js";
import { sentence } from "./sentences.js";

/** Return the panel of the current phase. */
export function now(view) {
  const { game } = view;
  const panel = { growth, choice: choosing, playback, over }[game.phase];
  return h(
    "section",
    { class: "panel now", "aria-busy": game.busy ? "true" : "false", "aria-labelledby": "now-title" },
    panel(view),
  );
}

function heading(game, text) {
  return [
    h("p", { class: "eyebrow" }, t("round", { round: game.round })),
    h("h2", { id: "now-title", tabindex: "-1" }, text),
  ];
}

function growth(view) {
  return [
    heading(view.game, t("now.growth")),
    h("p", {}, t("now.growth.more")),
    h(
      "div",
      { class: "row" },
      button(t("now.roll"), () => view.roll(), {
        class: "main",
        "data-key": "roll",
        "data-next": true,
        disabled: view.game.busy,
      }),
    ),
  ];
}

function choosing(view) {
  const { game, about } = view;
  const seats = game.deciding();
  const groups = seats.map((name) => hand(view, name));
  return [
    heading(game, seats.length ? t(`now.${game.decision}`) : t("now.others")),
    game.decision === "card" && game.dice?.length
      ? h("p", { class: "small" }, t("now.grown", { dice: formatList(game.dice.map(String)) }))
      : null,
    groups,
    h(
      "div",
      { class: "row" },
      button(t(`now.reveal.${game.decision}`), () => view.reveal(), {
        class: "main",
        "data-key": "reveal",
        "data-next": game.ready(),
        disabled: game.busy || !game.ready(),
      }),
    ),
  ];

  function hand(_, name) {
    const place = game.state.seats.findIndex((seat) => seat.seat === name);
    const moves = game.options[name];
    const chosen = game.chosen[name];
    const title = `hand-${name}`;
    return h(
      "div",
      { class: "hand", role: "group", "aria-labelledby": title },
      h("h3", { id: title }, badge(name, place), " ", seatName(name)),
      oneTabStop(h(
        "div",
        { class: "cards" },
        moves.map((move, order) => {
          const selected = chosen && JSON.stringify(chosen) === JSON.stringify(move);
          return choice(move, game.decision, about.cards, {
            "aria-pressed": selected ? "true" : "false",
            "data-key": `choose-${name}-${order}`,
            "data-next": order === 0 && !chosen,
            disabled: game.busy,
            onclick: () => game.choose({ [name]: move }),
          });
        }),
      )),
      chosen ? choicesOf(chosen)[game.decision].map((card) => h("p", { class: "small" }, cardText(card))) : null,
    );
  }
}

function playback(view) {
  const { game, about } = view;
  const { event } = game.frame();
  const last = game.at + 1 === game.frames.length;
  const count = { step: game.at + 1, steps: game.frames.length };
  return [
    heading(game, t(`event.title.${event.type}`)),
    h("p", { class: "sentence" }, sentence(event, about)),
    ruling(event.rule, about),
    h("progress", { value: String(game.at + 1), max: String(game.frames.length), "aria-label": t("play.progress", count) }),
    h(
      "div",
      { class: "row" },
      button(t("play.back"), () => view.playback.step(-1), { "data-key": "back", disabled: game.at === 0 }),
      button(t("play.step"), () => view.playback.step(1), {
        class: last ? null : "main",
        "data-key": "step",
        "data-next": !last,
        disabled: last,
      }),
      button(t("play.skip"), () => view.playback.skip(), { "data-key": "skip-round", disabled: last }),
      button(view.playback.timer ? t("play.pause") : t("play.run"), () => view.playback.play(), { "data-key": "run", disabled: last }),
      button(t("play.next"), () => view.playback.next(), {
        class: last ? "main" : null,
        "data-key": "next-round",
        "data-next": last,
        disabled: game.busy,
      }),
      select(t("play.speed"), speed(), Object.keys(SPEEDS).map((word) => [word, t(`speed.${word}`)]), (chosen) => view.playback.setSpeed(chosen), { "data-key": "speed" }),
    ),
  ];
}

function over(view) {
  return [heading(view.game, t("now.over")), ending(view)];
}
