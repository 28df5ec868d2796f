// View of Snow Time.

import { loaded } from "../api.js";
import { openTable, tableBoard } from "../at-table/mode.js";
import { enterMoves, levelTap } from "../at-table/round.js";
import { coach } from "../coach/coach.js";
import { jointName } from "../coach/moves.js";
import { DEFAULTS, effective, suggestFields } from "../coach/options.js";
import { dangers, landings, likelyCards } from "../coach/predictions.js";
import { announce, focusOn, h, replace, showProblem, showTogether } from "../dom.js";
import { FieldFaults } from "../faults.js";
import { glide, positions, speed } from "../motion.js";
import { useNames, withName } from "../names.js";
import { gameProblem, inputProblem, requestProblem } from "../problems.js";
import { formatList, localName, t } from "../text.js";
import { showEnding } from "../timeline/ending.js";
import { reviewButton, timelinePanel } from "../timeline/panel.js";
import { rounds } from "../timeline/rounds.js";
import { Timeline } from "../timeline/timeline.js";
import { Editor } from "./editor.js";
import { cardsOf } from "./frames.js";
import { Game } from "./game.js";
import { history } from "./history.js";
import { now } from "./now.js";
import { Playback } from "./playback.js";
import { seatName } from "./seats.js";
import { seatList } from "./table.js";
import { toolbar } from "./toolbar.js";
import { track } from "./track.js";
import { tree } from "./tree.js";

export class SnowTime {
  /**
   * @param {HTMLElement} place container of the view.
   * @param {object} about description of the game from the service.
   * @param {object} page functions of the page: `share`, `open`, `quiet`, `title`.
   */
  constructor(place, about, page) {
    Object.assign(this, { place, about, page });
    this.hintOptions = { ...DEFAULTS };
    this.visible = "all";
    this.setup = { players: 4, mine: 0 };
    this.names = {};
    this.game = new Game(about, () => this.draw());
    this.game.onproblem = () => showProblem(this.place);
    this.editor = null;
    this.table = null;
    this.lesson = null;
    this.playback = new Playback(this);
    this.timeline = new Timeline(this, rounds);
  }

  get effort() {
    return this.hintOptions.effort;
  }

  /** Open the record of a link, or the latest stored game; a refused position goes to the editor. */
  async open(linked, way) {
    if (way === "play" || way === "teach") return this.begin(way);
    const fresh = () => this.game.start(Game.seating(4), ["red"], { automatic: true });
    const refused = await this.game.resume(linked, fresh);
    if (way === "table" && this.game.state) this.openTable();
    if (!refused) return;
    this.editor = this.newEditor();
    this.editor.entered.json = JSON.stringify(refused.start, null, 1);
    this.draw();
  }

  /** Begin a game against the service, with a lesson or without. */
  async begin(way) {
    const { game } = this;
    let begin = () => game.start(Game.seating(4), ["red"]);
    if (way === "teach") {
      const { Lesson } = await loaded(import("../lessons/part.js"));
      this.lesson = new Lesson("snow-time", this);
      const { start, mine, steps } = this.lesson.document;
      begin = () => game.teach(start, mine, steps);
    }
    await game.run(begin, () => this.focusNext());
  }

  close() {
    this.pause();
    this.timeline.stop();
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
    useNames(this.table?.seats() ?? game.state.seats);
    this.place.dataset.speed = speed();
    this.place.classList.toggle("table-mode", game.atTable() || Boolean(this.table));
    if (this.table) replace(this.place, gameProblem(game), this.table.form());
    else {
      const before = positions(this.place);
      replace(this.place, game.atTable() ? tableBoard(this) : this.board());
      glide(this.place, before);
      if (!game.busy && game.phase !== "playback") this.lesson?.look();
    }
    showEnding(this, game.phase === "over");
  }

  /** Return the view of a game that is played on this page. */
  board() {
    const { game } = this;
    const editor = this.editor?.form();
    return [
      this.lesson?.panel(game),
      toolbar(this),
      editor,
      inputProblem(game, this.editor?.faults.errors.length ? this.editor.faults.unplaced() : undefined),
      timelinePanel(this.timeline),
      h(
        "div",
        { class: "board" },
        h("div", { class: "scene" }, this.tree()),
        h("div", { class: "side" }, requestProblem(game), this.timeline.retry?.panel() ?? [this.coach(), now(this)], seatList(this)),
        this.track(),
      ),
      history(this),
      game.phase === "over" ? null : reviewButton(this.timeline),
    ];
  }

  winners = () => this.game.winners;

  /** Return why several players win, or null. */
  tieBreak() {
    return this.game.winners.length > 1 ? t("end.together") : null;
  }

  /** Return the players in the order of the result, with their scores. */
  ranking() {
    const { game } = this;
    const scores = (player) => game.state.seats.filter((seat) => (seat.player ?? seat.seat) === player).map(({ score }) => score);
    const rank = (player) => [game.winners.includes(player) ? 1 : 0, Math.max(...scores(player))];
    const further = (one, other) => rank(other)[0] - rank(one)[0] || rank(other)[1] - rank(one)[1];
    return game.players().sort(further).map((player) => ({ player, text: scores(player).join(" + ") }));
  }

  /** Start another game with the same players. */
  async again() {
    const { game } = this;
    const { mine, mode } = game.record;
    const seats = game.record.start.seats.map(({ seat, player, name }) => ({ seat, ...(player ? { player } : {}), ...(name ? { name } : {}) }));
    const { track: board } = game.record.start;
    await game.run(() => game.start(seats, mine, { mode }, board ? { track: board } : {}), () => this.focusNext());
  }

  async start(players) {
    this.pause();
    this.editor = this.lesson = null;
    this.visible = "all";
    const mine = this.setup.mine < 0 ? [] : [players[this.setup.mine]];
    const seats = Game.seating(this.setup.players).map((seat) => withName(seat, this.names));
    await this.game.run(() => this.game.start(seats, mine), () => {
      this.place.querySelector('[data-key="setup"]').open = false;
      announce(t("announce.new"));
      this.focusNext();
    });
  }

  openTable() {
    openTable(this);
  }

  edit() {
    this.pause();
    this.game.problem = null;
    this.editor = this.editor ? null : this.newEditor();
    this.draw();
    this.place.querySelector('[data-key="editor-title"]')?.focus();
  }

  newEditor() {
    return new Editor(this.game, this.about, {
      onApply: (position, hasFields) => this.load(position, hasFields),
      close: () => this.edit(),
      redraw: () => this.draw(),
      mended: () => {
        this.game.problem = null;
        this.place.querySelector(".problem")?.remove();
      },
    });
  }

  /** Load the position of the editor; the faults of its fields are shown there. */
  async load(position, hasFields) {
    this.editor.faults = new FieldFaults();
    const { round } = this.game;
    const loads = await this.game.run(() => this.game.load({ ...position, ...(round > 1 ? { round } : {}) }), () => {
      this.editor = null;
      this.draw();
      announce(t("announce.position"));
      this.focusNext();
    });
    if (loads) return;
    this.editor.faults = new FieldFaults(hasFields ? this.game.problem.errors : []);
    this.draw();
    focusOn(this.place, "[aria-invalid], .fault");
  }

  tree() {
    const { game } = this;
    const frame = game.frame();
    return tree({
      seats: game.state.seats,
      fruit: frame?.fruit ?? game.state.fruit,
      cards: frame?.cards ?? cardsOf(game.revealed),
      fallen: frame?.fallen ?? [],
      level: frame?.event.level,
      event: frame?.event,
      chances: likelyCards(game.hint, game.state.seats),
      landed: landings({ ...game, isMine: (seat) => game.isMine(seat) }),
      cardName: (card) => localName(this.about.cards[card], card),
      dangers: dangers(game.hint),
      onLevel: levelTap(this),
    });
  }

  track() {
    const { game, about } = this;
    const frame = game.frame();
    const current = Object.fromEntries(game.state.seats.map((seat) => [seat.seat, seat.score]));
    return h(
      "section",
      { class: "panel along" },
      h("h2", {}, t("track")),
      track({
        track: game.state.track ?? about.default_track,
        seats: game.state.seats,
        scores: frame?.scores ?? current,
        kinds: about.kinds,
      }),
    );
  }

  /** Return the coach for those who decide now, or null. */
  coach() {
    const { game } = this;
    const seats = game.deciding().filter((seat) => game.isMine(seat));
    const players = [...new Set(seats.map((seat) => game.seat(seat).player ?? seat))];
    return players.length ? coach(this, players) : null;
  }

  /** Ask for a hint; its level is `nudge`, `shortlist` or `card`. */
  ask = async (player, level) => {
    const { game } = this;
    const fields = suggestFields(effective(this.hintOptions, game.evidence), game.decision, level);
    this.objective = fields.objective;
    this.all = false;
    await game.run(() => game.suggest(player, fields), () => {
      announce(t("announce.hint"));
      this.place.querySelector("#hint-title")?.focus({ preventScroll: true });
      showTogether(...[".scene", ".coach"].map((part) => this.place.querySelector(part)));
    });
  };

  showAll() {
    this.all = true;
    this.draw();
  }

  /** Choose a move of a hint for the seats of its player. */
  take = (move) => {
    const { game, about } = this;
    if (game.atTable()) return enterMoves(this, move);
    game.choose(move);
    announce(t("announce.chosen", { move: jointName(move, game.decision, about) }));
    this.focusNext();
  };

  // Actions of the buttons -----------------------------------------------------------------------

  async roll() {
    await this.game.run(() => this.game.grow(), () => {
      const { dice } = this.game;
      announce(dice.length ? t("announce.dice", { dice: formatList(dice.map(String)) }) : t("announce.no-dice"));
      this.focusNext();
    });
  }

  async reveal() {
    const before = this.game.decision;
    await this.game.run(() => this.game.reveal(), () => this.revealed(before));
  }

  revealed(before) {
    const { game } = this;
    if (game.phase === "playback") {
      if (this.lesson) this.playback.play();
      else this.draw();
      this.playback.announce();
      this.focusNext();
      const parts = this.lesson ? [".now", ".scene"] : [".scene", ".now"];
      showTogether(...parts.map((part) => this.place.querySelector(part)));
      return;
    }
    if (game.decision !== before) announce(t(`now.${game.decision}`));
    this.focusNext();
  }

  pause() {
    this.playback.pause();
  }

  focusNext() {
    focusOn(this.place, "[data-next]:not(:disabled)");
    this.lesson?.look();
    // At a table, the last entry of a step can be far below the next step.
    const next = this.place.querySelector(".coach") ?? this.place.querySelector(".now");
    if (this.game.atTable() && next) showTogether(this.place.querySelector(".scene"), next);
  }
}
