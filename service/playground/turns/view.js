// View of a turn-based game. Each game supplies its position view and its names of actions and events.

import { announce, button, focusOn, h, replace, select, showTogether } from "../dom.js";
import { jsonField } from "../json-field.js";
import { Lesson } from "../front/lesson.js";
import { gameBar } from "../records/game-bar.js";
import { gameProblem } from "../problems.js";
import { nameFields, playerName, useNames, withName } from "../names.js";
import { formatList, percent, t } from "../text.js";
import { badge } from "../snow-time/seats.js";
import { Turns } from "./game.js";
import { eventTexts, history } from "./history.js";
import { coach } from "./coach.js";

const EFFORTS = ["quick", "standard", "deep"];

export class TurnGame {
  /**
   * @param {HTMLElement} place container of the view.
   * @param {object} about description of the game from the service.
   * @param {object} page functions of the page: `share`, `open`, `quiet`, `title`.
   * @param {object} own the part for this game, for example slopecrashers.js.
   */
  constructor(place, about, page, own) {
    Object.assign(this, { place, about, page, own });
    this.effort = "standard";
    this.setup = { players: 2, mine: 0, option: 1 };
    this.names = {};
    this.entered = {};
    this.lesson = null;
    this.game = new Turns(about, () => this.draw());
    this.game.onresolved = (turn) => this.announceTurn(turn);
  }

  /** Open the record of a link, or the latest stored game; a refused position stays as text. */
  async open(linked, way) {
    if (this.own.load) await this.own.load(this);
    const { game } = this;
    if (way === "play" || way === "teach") return this.begin(way);
    const seats = this.players().map((player) => ({ player }));
    const refused = await game.resume(linked, () => game.start(seats, this.options(), [], { automatic: true }));
    if (refused) {
      this.entered.json = JSON.stringify(refused.start, null, 1);
      this.draw();
    } else if (game.state && !game.canRedo()) await game.run(() => game.advance());
  }

  /** Begin a game against the service, with a lesson or without. */
  async begin(way) {
    const close = () => {
      this.lesson = null;
      this.draw();
      this.focusNext();
    };
    if (way === "teach") this.lesson = new Lesson(this.about.game, () => this.draw(), close);
    this.setup.mine = 0;
    await this.startGame();
    this.focusNext();
  }

  close() {}

  players() {
    return this.own.players.slice(0, this.setup.players);
  }

  options() {
    return this.own.options?.(this.setup) ?? {};
  }

  placeOf(player) {
    return this.game.state.seats.findIndex((seat) => seat.player === player);
  }

  /** Discard the hint, because its texts are in the previous language. */
  discardHint() {
    this.game.hint = null;
  }

  draw() {
    const { game } = this;
    this.page.quiet();
    if (!game.state) {
      replace(this.place, gameProblem(game));
      return;
    }
    useNames(game.state.seats);
    replace(
      this.place,
      this.lesson?.panel(game),
      this.toolbar(),
      gameProblem(game),
      h(
        "div",
        { class: `arena ${this.about.game}` },
        h("div", { class: "position" }, this.own.position(this)),
        h("div", { class: "side" }, this.coach(), this.now()),
      ),
      history(this),
    );
  }

  toolbar() {
    const { setup, about } = this;
    const { min, max } = about.players;
    const counts = Array.from({ length: max - min + 1 }, (_, place) => [min + place, String(min + place)]);
    const mine = [[-1, t("setup.nobody")], ...this.players().map((name, place) => [place, name])];
    return h(
      "div",
      { class: "toolbar" },
      h(
        "details",
        { class: "fold", "data-key": "setup" },
        h("summary", {}, t("setup")),
        h(
          "div",
          { class: "fields" },
          select(t("setup.players"), setup.players, counts, (value) => {
            setup.players = Number(value);
            setup.mine = Math.min(setup.mine, setup.players - 1);
            this.draw();
          }, { "data-key": "setup-players" }),
          this.own.setup?.(this),
          select(t("setup.mine"), setup.mine, mine, (value) => {
            setup.mine = Number(value);
          }, { "data-key": "setup-mine" }),
          nameFields(this.players(), this.names, (player) => player),
          button(t("setup.start"), () => this.start(), { class: "main", "data-key": "setup-start" }),
        ),
      ),
      gameBar(this),
      this.fromText(),
    );
  }

  /** Return a field to edit the position as JSON. */
  fromText() {
    return jsonField({
      heading: t("edit"),
      rows: 10,
      state: this.game.state,
      entered: this.entered,
      onApply: (state) =>
        this.act(async () => {
          await this.game.begin(state, { mine: this.game.mine });
          this.entered = {};
        }, t("announce.position")),
    });
  }

  async start() {
    this.place.querySelector('[data-key="setup"]').open = false;
    await this.startGame();
  }

  async startGame() {
    const players = this.players();
    const mine = this.setup.mine < 0 ? [] : [players[this.setup.mine]];
    await this.act(async () => {
      const seats = players.map((player) => withName({ player }, this.names));
      await this.game.start(seats, this.options(), mine);
      await this.game.advance();
    }, t("announce.new"));
  }

  // The current decision ---------------------------------------------------------------------------

  now() {
    const { game } = this;
    return h(
      "section",
      { class: "panel now", "aria-busy": game.busy ? "true" : "false", "aria-labelledby": "now-title" },
      this.heading(),
      this.own.aside?.(this),
      this.soFar(),
      game.over() ? null : this.acting(),
    );
  }

  heading() {
    const { game } = this;
    const { legal, state } = game;
    const decider = game.decider();
    const who = decider ?? state.turn;
    let title = t(`turn.${legal.decision}`);
    const over = game.over();
    if (over) title = t("now.over");
    else if (decider) title = t("turn.decides", { player: playerName(decider), what: this.own.decision(legal.decision) });
    return [
      over ? null : h("p", { class: "eyebrow" }, t("turn.of", { player: playerName(state.turn) })),
      h("h2", { id: "now-title" }, over ? null : badge(who, this.placeOf(who)), " ", title),
      over && game.last?.winners.length
        ? h("p", { class: "sentence" }, t("now.winners", { count: game.last.winners.length, players: formatList(game.last.winners.map(playerName)) }))
        : null,
    ];
  }

  soFar() {
    const { game } = this;
    if (!game.soFar.length) return null;
    const lines = game.soFar.map((action) => h("li", {}, this.own.action(action, this)));
    return [h("h3", {}, t("turn.so-far")), h("ol", { class: "so-far" }, lines)];
  }

  acting() {
    const { game } = this;
    const { decision } = game.legal;
    const drawing = decision === "draw" ? this.drawing() : null;
    return [
      drawing ?? this.choosing(),
      h(
        "div",
        { class: "row" },
        game.complete()
          ? button(t("turn.play"), () => this.act(async () => {
              await game.resolve();
              await game.advance();
            }), { class: "main", "data-key": "play-turn", "data-next": true, disabled: game.busy })
          : null,
        game.complete()
          ? null
          : button(t("turn.finish"), () => this.act(async () => {
              await game.finish();
              await game.advance();
            }), { "data-key": "finish", disabled: game.busy }),
      ),
    ];
  }

  /** Return buttons for all legal choices, in groups. */
  choosing() {
    const groups = new Map();
    for (const action of this.game.choices()) {
      const { group, label } = this.own.choice(action, this);
      groups.set(group, [...(groups.get(group) ?? []), [action, label]]);
    }
    let order = 0;
    return h(
      "div",
      { class: "choices" },
      [...groups].map(([group, actions]) =>
        h(
          "div",
          { class: "choice-group", role: "group", "aria-label": group || t("turn.choices") },
          group ? h("h3", {}, group) : null,
          h("div", { class: "row" }, actions.map(([action, label]) => this.choice(action, label, group, order++))),
        ),
      ),
    );
  }

  choice(action, label, group, order) {
    return button(label, () => this.act(async () => {
      await this.game.choose(action);
      await this.game.advance();
    }), {
      "data-key": `choice-${order}`,
      "data-next": order === 0,
      "aria-label": group ? `${group}: ${label}` : null,
      disabled: this.game.busy,
    });
  }

  drawing() {
    const { game } = this;
    const pairs = game.legal.draw.map(({ card, probability }) => [
      card,
      `${this.own.cardName(card, this)} (${percent(probability)})`,
    ]);
    let card = pairs[0]?.[0];
    return [
      game.legal.pile ? h("p", {}, t(`snowcrest.pile.${game.legal.pile}`)) : null,
      h(
        "div",
        { class: "row" },
        button(t("turn.draw-random"), () => this.act(async () => {
          await game.draw();
          await game.advance();
        }), { class: "main", "data-key": "draw-random", "data-next": true, disabled: game.busy }),
        select(t("turn.card"), card, pairs, (value) => {
          card = value;
        }, { "data-key": "draw-card" }),
        button(t("turn.draw-this"), () => this.act(async () => {
          await game.choose({ type: "draw", card });
          await game.advance();
        }), { "data-key": "draw-this", disabled: game.busy }),
      ),
    ];
  }

  async act(work, message) {
    const done = await this.game.run(work);
    if (!done) return;
    const { game } = this;
    const decider = game.decider();
    const next = decider
      ? t("turn.decides", { player: playerName(decider), what: this.own.decision(game.legal.decision) })
      : t(game.over() ? "now.over" : `turn.${game.legal.decision}`);
    announce([message, next].filter(Boolean).join(" "));
    if (!this.place.contains(document.activeElement)) this.focusNext();
  }

  focusNext() {
    focusOn(this.place, "[data-next]:not(:disabled)");
  }

  /** Return the coach for the player who decides, or null. */
  coach() {
    if (!this.game.decider()) return null;
    const take = (action) => this.act(async () => {
      await this.game.choose(action);
      await this.game.advance();
    }, t("announce.chosen", { move: this.own.action(action, this) }));
    const effort = select(t("ask.effort"), this.effort, EFFORTS.map((word) => [word, t(`effort.${word}`)]), (value) => {
      this.effort = value;
    }, { "data-key": "effort" });
    return coach(this, take, effort);
  }

  /** Show a hint: the `shortlist`, or the answer (`card`). */
  ask = async (stage) => {
    const { game } = this;
    this.stage = stage;
    if (game.hint) this.draw();
    else if (!(await game.run(() => game.suggest(this.effort)))) return;
    announce(t("announce.hint"));
    this.place.querySelector("#hint-title")?.focus({ preventScroll: true });
    showTogether(...[".pieces, .common", ".coach"].map((part) => this.place.querySelector(part)));
  };

  announceTurn(turn) {
    announce(eventTexts(this, turn).join(" "));
  }

  async requestReview() {
    if (!(await this.game.run(() => this.game.requestReview()))) return;
    this.place.querySelector("#review-title")?.focus();
  }
}
