// View of a turn-based game. Each game supplies its position view and its names of actions and events.

import { loaded } from "../api.js";
import { announce, button, focusOn, h, replace, select, showProblem, showTogether } from "../dom.js";
import { jsonField } from "../json-field.js";
import { glide, positions } from "../motion.js";
import { sharing, steps, tools } from "../records/game-bar.js";
import { gameProblem, inputProblem, requestProblem } from "../problems.js";
import { nameFields, playerName, useNames, withName } from "../names.js";
import { roundNumber } from "../records/record.js";
import { t } from "../text.js";
import { showEnding, winnerText } from "../timeline/ending.js";
import { reviewButton, timelinePanel } from "../timeline/panel.js";
import { Timeline } from "../timeline/timeline.js";
import { Turns } from "./game.js";
import { eventTexts, history } from "./history.js";
import { coach } from "./coach.js";
import { now } from "./now.js";
import { openTable, tableBoard } from "./table.js";
import { turns } from "./timeline.js";

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
    this.editor = null;
    this.table = null;
    this.followed = null;
    this.game = new Turns(about, () => this.draw());
    this.game.onproblem = () => showProblem(this.place);
    this.game.onresolved = (turn) => this.announceTurn(turn);
    this.timeline = new Timeline(this, turns);
  }

  /** Open the record of a link, or the latest stored game; a refused position stays as text. */
  async open(linked, way) {
    if (this.own.load) await this.own.load(this);
    const { game } = this;
    if (way === "play" || way === "teach") return this.begin(way);
    if (way === "table") return this.openTable();
    const seats = this.players().map((player) => ({ player }));
    const refused = await game.resume(linked, () => game.start(seats, this.options(), [], { automatic: true }));
    if (refused) {
      this.entered.json = JSON.stringify(refused.start, null, 1);
      this.draw();
    } else if (game.state && !game.canRedo()) await game.run(() => game.advance());
  }

  /** Begin a game against the service, with a lesson or without. */
  async begin(way) {
    this.setup.mine = 0;
    if (way === "teach") {
      const { Lesson } = await loaded(import("../lessons/part.js"));
      this.lesson = new Lesson(this.about.game, this);
      const { start, mine, steps } = this.lesson.document;
      await this.playOn(() => this.game.teach(start, mine, steps), t("announce.new"));
    } else await this.startGame();
    this.focusNext();
  }

  close() {
    this.timeline.stop();
  }

  players() {
    return this.own.players.slice(0, this.setup.players);
  }

  options() {
    return this.own.options?.(this.setup) ?? {};
  }

  placeOf = (player) => this.game.state.seats.findIndex((seat) => seat.player === player);

  /** Discard the hint, because its texts are in the previous language. */
  discardHint() {
    this.game.hint = null;
  }

  draw() {
    const { game } = this;
    this.page.quiet();
    const seats = this.table?.seats() ?? game.state?.seats;
    if (!seats) {
      replace(this.place, gameProblem(game));
      return;
    }
    useNames(seats);
    const form = this.editor?.form() ?? this.table?.form();
    const atTable = Boolean(this.table) || game.atTable();
    this.place.classList.toggle("table-mode", atTable);
    if (form && atTable) {
      replace(this.place, gameProblem(game), form);
      return;
    }
    const before = positions(this.place);
    replace(this.place, atTable ? tableBoard(this) : [this.lesson?.panel(game), this.toolbar(), form ? gameProblem(game) : inputProblem(game), form ?? this.board()]);
    // What a hint, or what it plans, makes room for has not moved in the game.
    if (this.drawn !== game.position()) glide(this.place, before);
    this.drawn = game.position();
    if (!game.busy) this.lesson?.look();
    showEnding(this, game.over());
  }

  board() {
    const { game } = this;
    return [
      timelinePanel(this.timeline),
      h(
        "div",
        { class: `arena ${this.about.game}${game.hint ? " hinted" : ""}` },
        h("div", { class: "position" }, this.own.position(this)),
        h("div", { class: "side" }, requestProblem(game), this.timeline.retry?.panel() ?? [this.coach(), now(this)]),
      ),
      history(this),
      game.over() ? null : reviewButton(this.timeline),
    ];
  }

  toolbar() {
    const { setup, about, entered } = this;
    const { state } = this.game;
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
          select(t("setup.mine"), setup.mine, mine, (value) => (setup.mine = Number(value)), { "data-key": "setup-mine" }),
          nameFields(this.players(), this.names, (player) => player),
          button(t("setup.start"), () => this.start(), { class: "main", "data-key": "setup-start" }),
        ),
      ),
      this.game.atTable() ? null : steps(this),
      button(t("table"), () => this.openTable(), { "data-key": "table" }),
      sharing(this),
      tools(button(t("edit"), () => this.edit(), { "data-key": "edit", "aria-pressed": String(Boolean(this.editor)) }), jsonField({ heading: t("edit.json"), rows: 10, state, entered, onApply: (edited) => this.setUp(edited) })),
    );
  }

  /** Open the setup of a game at a real table. */
  openTable() {
    openTable(this);
  }

  /** Open the editor, or close it. At a table, it can correct the side of a `player`. */
  edit(player = null) {
    const { game } = this;
    const calls = { apply: (...entered) => this.setUp(...entered), close: () => this.edit(), redraw: () => this.draw(), round: roundNumber(game.record) ?? 1, correcting: player !== null };
    this.editor = this.editor ? null : this.own.editor(this, calls, game.state, player && game.mine[0], player);
    game.problem = null;
    this.draw();
    if (this.editor) focusOn(this.place, "#editor-title");
    else this.focusNext();
  }

  /** Return the button at a table that corrects what was entered. */
  correcting(player, attributes = {}) {
    const { game } = this;
    return game.atTable() && !game.over() ? button(t("table.amend"), () => this.edit(player), { class: "quiet", "data-key": `correct-${player}`, disabled: game.busy, ...attributes }) : null;
  }

  /** Begin a record at an edited position; the entries of the open turn stay, and a hint follows at a table. */
  async setUp(state, round = roundNumber(this.game.record)) {
    const { game } = this;
    const { mine, record } = game;
    const steps = game.soFar.map((action) => ({ action }));
    const work = async () => {
      await game.begin(state, { mine, mode: record.mode, ...(round > 1 ? { round } : {}) });
      if (game.atTable()) await game.goOn(steps);
      this.entered = {};
      this.editor = null;
    };
    await this.playOn(work, t("announce.position"), () => game.atTable() && this.advises() && this.ask("card"));
  }

  async start() {
    this.place.querySelector('[data-key="setup"]').open = false;
    await this.startGame();
  }

  async startGame() {
    this.editor = this.lesson = null;
    const players = this.players();
    const mine = this.setup.mine < 0 ? [] : [players[this.setup.mine]];
    const seats = players.map((player) => withName({ player }, this.names));
    await this.playOn(() => this.game.start(seats, this.options(), mine), t("announce.new"));
  }

  /** Make a choice, or a draw, and let the service act until the user is to act. */
  async choose(action, message) {
    // At a table, the hints for the other choices of a turn follow the first one.
    await this.playOn(() => this.game.choose(action), message, () => this.game.atTable() && this.askOn());
  }

  /** Do all that a hint advises; after a draw, the hint for the rest of the turn follows. */
  follow = async (plan) => {
    const move = plan.map((action) => this.own.action(action, this)).join(t("list.between"));
    await this.playOn(() => this.game.carryOut(plan), t("announce.chosen", { move }), () => this.askOn());
  };

  /** Ask for the next hint of a turn in which there was one. */
  async askOn() {
    if (this.followed === this.game.turns.length && this.advises()) await this.ask("card");
  }

  /** Return whether the coach speaks to the player who decides; at a table, that is the user. */
  advises() {
    const { game } = this;
    const decider = game.decider();
    return Boolean(decider) && (!game.atTable() || game.isMine(decider));
  }

  /** Do something in the turn, and let the service act until the user is to act. */
  async playOn(work, message, done = null) {
    const all = async () => {
      await work();
      await this.game.advance();
    };
    await this.game.run(all, async () => {
      this.acted(message);
      await done?.();
    });
  }

  /** Say what has been done and what comes next. */
  acted(message) {
    this.picked = null;
    const { game } = this;
    const decider = game.decider();
    const next = decider
      ? t("turn.decides", { player: playerName(decider), what: this.own.decision(game.legal.decision) })
      : game.over() ? winnerText(this) : t(`turn.${game.legal.decision}`);
    announce([message, next].filter(Boolean).join(" "));
    if (!this.place.contains(document.activeElement)) this.focusNext();
  }

  focusNext() {
    focusOn(this.place, "[data-next]:not(:disabled)");
    this.lesson?.look();
  }

  /** Return the coach for the player who decides, or null. */
  coach() {
    if (!this.advises()) return null;
    const take = (action) => this.choose(action, t("announce.chosen", { move: this.own.action(action, this) }));
    const effort = select(t("ask.effort"), this.effort, EFFORTS.map((word) => [word, t(`effort.${word}`)]), (value) => (this.effort = value), { "data-key": "effort" });
    return coach(this, take, effort);
  }

  /** Show a hint: the `shortlist`, or the answer (`card`). */
  ask = async (stage) => {
    const { game } = this;
    this.stage = stage;
    const show = () => {
      if (stage === "card") this.followed = game.turns.length;
      announce(t("announce.hint"));
      this.place.querySelector("#hint-title")?.focus({ preventScroll: true });
      this.showHint();
    };
    if (game.hint) {
      this.draw();
      return show();
    }
    const asked = game.run(() => game.suggest(this.effort), show);
    this.showHint();
    await asked;
  };

  /** Bring the coach into view, with the board if there is room. */
  showHint() {
    showTogether(...this.place.querySelectorAll(".pieces, .common, .common + .village, .coach"));
  }

  /** Request the value of every choice, unless it is there already. */
  askAll = async () => {
    const { game } = this;
    if (game.hint?.detail === "brief" && !game.busy) await game.run(() => game.suggest(this.effort, "full"));
  };

  announceTurn(turn) {
    announce(eventTexts(this, turn).join(" "));
  }

  winners = () => this.game.last?.winners ?? [];

  /** Return what decided between players with the same result, or null. */
  tieBreak() {
    return this.game.last ? (this.own.tieBreak?.(this.game.last) ?? null) : null;
  }

  /** Return the players in the order of the result, with what they reached. */
  ranking() {
    const { game } = this;
    return this.own.ranking(game.last ?? { winners: [], state: game.state }, this);
  }

  /** Start another game with the same players. */
  async again() {
    if (this.game.atTable()) return this.openTable();
    const { start, mine } = this.game.record;
    const seats = start.seats.map(({ player, name }) => (name ? { player, name } : { player }));
    const options = { ...this.options(), ...(start.difficulty ? { difficulty: start.difficulty } : {}) };
    await this.playOn(() => this.game.start(seats, options, mine), t("announce.new"));
  }
}
