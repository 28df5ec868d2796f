// View of Snow Time.

import { announce, button, focusOn, h, replace, select } from "../dom.js";
import { FieldFaults } from "../faults.js";
import { gameBar } from "../records/game-bar.js";
import { gameProblem } from "../problems.js";
import { reviewPanel } from "../review.js";
import { nameFields, useNames, withName } from "../names.js";
import { formatList, t } from "../text.js";
import { Editor } from "./editor.js";
import { hasProfiles } from "./evidence.js";
import { cardsOf } from "./frames.js";
import { Game, TEMPERATURES } from "./game.js";
import { DEFAULTS, effective, hintPanel, jointName, optionFields, suggestFields } from "./hint.js";
import { now } from "./now.js";
import { seatName, translatedId } from "./seats.js";
import { sentence } from "./sentences.js";
import { seatList } from "./table.js";
import { track } from "./track.js";
import { tree } from "./tree.js";

const STEP_MS = 1600;

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
    this.editor = null;
  }

  /** Open the record of a link, or the latest stored game; a refused position goes to the editor. */
  async open(linked) {
    const fresh = () => this.game.start(Game.seating(4), ["red"], { automatic: true });
    const refused = await this.game.resume(linked, fresh);
    if (!refused) return;
    this.editor = this.newEditor();
    this.editor.entered.json = JSON.stringify(refused.start, null, 1);
    this.draw();
  }

  close() {
    this.pause();
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
    const editor = this.editor?.form();
    replace(
      this.place,
      this.toolbar(),
      editor,
      gameProblem(game, this.editor?.faults.unplaced()),
      h(
        "div",
        { class: "board" },
        h("div", { class: "scene" }, this.tree()),
        h("div", { class: "side" }, now(this), this.hintRequest(), seatList(this)),
        this.track(),
      ),
      this.hint(),
      this.history(),
      this.reviewSection(),
    );
  }

  toolbar() {
    const { setup, game } = this;
    const counts = [2, 3, 4, 5].map((count) => [count, t(`setup.players.${count}`)]);
    const players = [...new Set(Game.seating(setup.players).map(({ seat, player }) => player ?? seat))];
    const mine = [...players.map((name, place) => [place, translatedId(name)]), [-1, t("setup.nobody")]];
    const visible = [["all", t("visible.all")], ...game.players().map((name) => [name, seatName(name)])];
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
            this.setup = { players: Number(value), mine: 0 };
            this.draw();
          }, { "data-key": "setup-players" }),
          select(t("setup.mine"), setup.mine, mine, (value) => {
            this.setup.mine = Number(value);
          }, { "data-key": "setup-mine" }),
          nameFields(players, this.names, translatedId),
          select(t("setup.strength"), game.strength, Object.keys(TEMPERATURES).map((word) => [word, t(`strength.${word}`)]), (value) => {
            game.strength = value;
          }, { "data-key": "setup-strength" }),
          button(t("setup.start"), () => this.start(players), { class: "main", "data-key": "setup-start" }),
        ),
        this.remembered(),
      ),
      select(t("visible"), this.visible, visible, (value) => {
        this.visible = value;
        this.draw();
      }, { "data-key": "visible" }),
      button(t("edit"), () => this.edit(), { "data-key": "edit", "aria-pressed": this.editor ? "true" : "false" }),
      gameBar(this),
    );
  }

  /** Return the note about stored profiles, with the button that removes them. */
  remembered() {
    const forget = () => {
      this.game.forgetProfiles();
      this.draw();
      announce(t("announce.forgotten"));
    };
    return h(
      "div",
      { class: "row remembered" },
      h("p", { class: "small" }, t("profiles.note")),
      hasProfiles() ? button(t("profiles.forget"), forget, { class: "quiet", "data-key": "forget" }) : null,
    );
  }

  async start(players) {
    this.pause();
    this.editor = null;
    this.visible = "all";
    const mine = this.setup.mine < 0 ? [] : [players[this.setup.mine]];
    const seats = Game.seating(this.setup.players).map((seat) => withName(seat, this.names));
    const started = await this.game.run(() => this.game.start(seats, mine));
    if (!started) return;
    this.place.querySelector('[data-key="setup"]').open = false;
    announce(t("announce.new"));
    this.focusNext();
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
      onApply: (position) => this.load(position),
      close: () => this.edit(),
      redraw: () => this.draw(),
      mended: () => {
        this.game.problem = null;
        this.place.querySelector(".problem")?.remove();
      },
    });
  }

  async load(position) {
    this.editor.faults = new FieldFaults();
    if (!(await this.game.run(() => this.game.load(position)))) {
      this.editor.faults = new FieldFaults(this.game.problem.errors);
      this.draw();
      focusOn(this.place, "[aria-invalid], .fault");
      return;
    }
    this.editor = null;
    this.draw();
    announce(t("announce.position"));
    this.focusNext();
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
      shaken: frame?.event.fallen,
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
        moved: (frame?.event.awards ?? []).map((award) => award.seat),
      }),
    );
  }

  hintRequest() {
    const { game } = this;
    const players = [...new Set(game.deciding().map((seat) => game.seat(seat).player ?? seat))];
    if (!players.length) return null;
    return h(
      "div",
      { class: "asking" },
      h(
        "div",
        { class: "row" },
        players.map((player) =>
          button(
            players.length > 1 ? t("ask.for", { player: seatName(player) }) : t("ask"),
            () => this.ask(player),
            { "data-key": `ask-${player}`, disabled: game.busy },
          ),
        ),
      ),
      optionFields(this.hintOptions, this.about, game.evidence, (name, value) => {
        this.hintOptions[name] = value;
      }),
    );
  }

  async ask(player) {
    const fields = suggestFields(effective(this.hintOptions, this.game.evidence), this.game.decision);
    this.objective = fields.objective;
    this.all = false;
    if (!(await this.game.run(() => this.game.suggest(player, fields)))) return;
    announce(t("announce.hint"));
    this.place.querySelector("#hint-title")?.focus();
  }

  hint() {
    const { game, about } = this;
    if (!game.hint) return null;
    return hintPanel({
      hint: game.hint,
      objective: this.objective,
      game,
      about,
      all: this.all,
      showAll: () => {
        this.all = true;
        this.draw();
      },
      take: (move) => {
        game.choose(move);
        announce(t("announce.chosen", { move: jointName(move, game.decision, about) }));
        this.focusNext();
      },
    });
  }

  history() {
    const rounds = this.game.turns.map(({ result }, place) => ({ round: place + 1, events: result.events }));
    if (!rounds.length) return null;
    return h(
      "details",
      { class: "panel log", "data-key": "log" },
      h("summary", {}, h("h2", {}, t("log"))),
      rounds.reverse().map(({ round, events }) =>
        h(
          "section",
          {},
          h("h3", {}, t("round", { round })),
          h("ol", {}, events.map((event) => h("li", {}, sentence(event, this.about)))),
        ),
      ),
    );
  }

  /** Return the review of the rounds played here, or the button that requests it. */
  reviewSection() {
    const { game, about } = this;
    if (!about.operations.includes("review") || !game.played().rounds.length) return null;
    if (!game.review) {
      return h("div", { class: "row" }, button(t("review"), () => this.requestReview(), { "data-key": "review", disabled: game.busy }));
    }
    return reviewPanel({
      review: game.review,
      playerName: seatName,
      moveName: ({ decision }, move) => jointName(move, decision, about),
      when: ({ round }) => t("review.when.round", { number: round + 1 }),
      resume: () => this.requestReview(),
    });
  }

  async requestReview() {
    if (!(await this.game.run(() => this.game.requestReview()))) return;
    this.place.querySelector("#review-title")?.focus();
  }

  // Actions of the buttons -----------------------------------------------------------------------

  async roll() {
    if (!(await this.game.run(() => this.game.grow()))) return;
    const { dice } = this.game;
    announce(dice.length ? t("announce.dice", { dice: formatList(dice.map(String)) }) : t("announce.no-dice"));
    this.focusNext();
  }

  async reveal() {
    const before = this.game.decision;
    if (!(await this.game.run(() => this.game.reveal()))) return;
    const { game } = this;
    if (game.phase === "playback") {
      this.draw();
      this.announceEvent();
    } else if (game.decision !== before) announce(t(`now.${game.decision}`));
    this.focusNext();
  }

  step(by) {
    this.pause();
    this.game.showFrame(this.game.at + by);
    this.announceEvent();
  }

  play() {
    if (this.timer) {
      this.pause();
      this.draw();
      return;
    }
    this.timer = window.setInterval(() => {
      if (this.game.at + 1 >= this.game.frames.length) this.pause();
      else this.game.showFrame(this.game.at + 1);
      if (!this.timer) this.draw();
      else this.announceEvent();
    }, STEP_MS);
    this.draw();
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = null;
  }

  announceEvent() {
    announce(sentence(this.game.frame().event, this.about));
  }

  next() {
    this.pause();
    this.game.next();
    if (this.game.phase === "over") {
      const { winners } = this.game;
      announce(t("now.winners", { count: winners.length, players: formatList(winners.map(seatName)) }));
    }
    this.focusNext();
  }

  focusNext() {
    focusOn(this.place, "[data-next]:not(:disabled)");
  }
}
