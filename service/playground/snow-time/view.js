// View of Snow Time.

import { announce, button, h, replace, select } from "../dom.js";
import { problemBox } from "../problems.js";
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
   * @param {() => void} share called to create a link to the position.
   */
  constructor(place, about, share) {
    this.place = place;
    this.about = about;
    this.share = share;
    this.hintOptions = { ...DEFAULTS };
    this.visible = "all";
    this.setup = { players: 4, mine: 0 };
    this.names = {};
    this.game = new Game(() => this.draw());
    this.editor = null;
    this.log = [];
  }

  async open(shared) {
    const opened = await this.game.run(() =>
      shared ? this.game.load(shared) : this.game.start(Game.seating(4), ["red"]),
    );
    if (!opened && shared) {
      const { problem } = this.game;
      await this.game.run(() => this.game.start(Game.seating(4), ["red"]));
      this.game.problem = problem;
      this.draw();
    }
  }

  close() {
    this.pause();
  }

  /** Return the content of a link to the position. */
  shared() {
    const { state, grown, mine } = this.game;
    return { state, grown, mine };
  }

  /** Discard the hint, because its texts are in the previous language. */
  discardHint() {
    this.game.hint = null;
  }

  draw() {
    const { game } = this;
    if (!game.state) {
      replace(this.place, problemBox(game.problem));
      return;
    }
    useNames(game.state.seats);
    replace(
      this.place,
      this.toolbar(),
      this.editor ? this.editor.form() : null,
      problemBox(game.problem),
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
      button(t("share"), this.share, { "data-key": "share" }),
    );
  }

  /** Return the note about stored profiles, with the button that removes them. */
  remembered() {
    const forget = () => {
      this.game.evidence.forget();
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
    this.log = [];
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
    this.editor = this.editor
      ? null
      : new Editor(this.game, this.about, (position) => this.load(position), () => this.edit(), () => this.draw());
    this.draw();
    this.place.querySelector('[data-key="editor-title"]')?.focus();
  }

  async load(shared) {
    const loaded = await this.game.run(() => this.game.load(shared));
    if (!loaded) return;
    this.editor = null;
    this.log = [];
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
        game.chosen = { ...game.chosen, ...move };
        this.draw();
        this.focusNext();
      },
    });
  }

  history() {
    if (!this.log.length) return null;
    return h(
      "details",
      { class: "panel log", "data-key": "log" },
      h("summary", {}, h("h2", {}, t("log"))),
      this.log.map(({ round, events }) =>
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
    if (!about.operations.includes("review") || !game.played.rounds.length) return null;
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
      this.log = [{ round: game.round, events: game.result.events }, ...this.log];
      this.draw();
      this.announceEvent();
    } else if (game.decision !== before) announce(t(`now.${game.decision}`));
    this.focusNext();
  }

  step(by) {
    this.pause();
    this.game.show(this.game.at + by);
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
      else this.game.show(this.game.at + 1);
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

  async next() {
    this.pause();
    if (!(await this.game.run(() => this.game.next()))) return;
    if (this.game.phase === "over") {
      const { winners } = this.game;
      announce(t("now.winners", { count: winners.length, players: formatList(winners.map(seatName)) }));
    }
    this.focusNext();
  }

  focusNext() {
    this.place.querySelector("[data-next]:not(:disabled)")?.focus({ preventScroll: true });
  }
}
