// The page of Snow Time.

import { announce, button, h, replace, select } from "../dom.js";
import { problemBox } from "../problems.js";
import { reviewPanel } from "../review.js";
import { listed, t } from "../text.js";
import { Editor } from "./editor.js";
import { cardsOf } from "./frames.js";
import { ERRORS, Game } from "./game.js";
import { DEFAULTS, asking, hintPanel, jointName, question } from "./hint.js";
import { now } from "./now.js";
import { seatName } from "./seats.js";
import { sentence } from "./sentences.js";
import { seatList } from "./table.js";
import { track } from "./track.js";
import { tree } from "./tree.js";

const STEP_MS = 1600;

export class SnowTime {
  /**
   * @param {HTMLElement} place where the page is drawn.
   * @param {object} about what the service tells of the game.
   * @param {() => void} share called when somebody wants a link to the position.
   */
  constructor(place, about, share) {
    this.place = place;
    this.about = about;
    this.share = share;
    this.asked = { ...DEFAULTS };
    this.visible = "all";
    this.setup = { players: 4, mine: 0 };
    this.game = new Game(() => this.draw());
    this.editor = null;
    this.log = [];
  }

  async open(shared) {
    const opened = await this.game.run(() =>
      shared ? this.game.lay(shared) : this.game.start(Game.seating(4), ["red"]),
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

  /** What a link has to say of the position. */
  shared() {
    const { state, grown, mine } = this.game;
    return { state, grown, mine };
  }

  /** Drops what was told in the language before. */
  forget() {
    this.game.hint = null;
  }

  draw() {
    const { game } = this;
    if (!game.state) {
      replace(this.place, problemBox(game.problem));
      return;
    }
    replace(
      this.place,
      this.toolbar(),
      this.editor ? this.editor.form() : null,
      problemBox(game.problem),
      h(
        "div",
        { class: "board" },
        h("div", { class: "scene" }, this.tree()),
        h("div", { class: "side" }, now(this), this.asking(), seatList(this)),
        this.track(),
      ),
      this.hint(),
      this.history(),
      this.reviewing(),
    );
  }

  toolbar() {
    const { setup, game } = this;
    const counts = [2, 3, 4, 5].map((count) => [count, t(`setup.players.${count}`)]);
    const players = [...new Set(Game.seating(setup.players).map(({ seat, player }) => player ?? seat))];
    const mine = [...players.map((name, place) => [place, seatName(name)]), [-1, t("setup.nobody")]];
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
          select(t("setup.strength"), game.strength, Object.keys(ERRORS).map((word) => [word, t(`strength.${word}`)]), (value) => {
            game.strength = value;
          }, { "data-key": "setup-strength" }),
          button(t("setup.start"), () => this.start(players), { class: "main", "data-key": "setup-start" }),
        ),
      ),
      select(t("visible"), this.visible, visible, (value) => {
        this.visible = value;
        this.draw();
      }, { "data-key": "visible" }),
      button(t("edit"), () => this.edit(), { "data-key": "edit", "aria-pressed": this.editor ? "true" : "false" }),
      button(t("share"), this.share, { "data-key": "share" }),
    );
  }

  async start(players) {
    this.pause();
    this.editor = null;
    this.log = [];
    this.visible = "all";
    const mine = this.setup.mine < 0 ? [] : [players[this.setup.mine]];
    const begun = await this.game.run(() => this.game.start(Game.seating(this.setup.players), mine));
    if (!begun) return;
    this.place.querySelector('[data-key="setup"]').open = false;
    announce(t("announce.new"));
    this.focusNext();
  }

  edit() {
    this.pause();
    this.editor = this.editor
      ? null
      : new Editor(this.game, this.about, (laid) => this.lay(laid), () => this.edit(), () => this.draw());
    this.draw();
    this.place.querySelector('[data-key="editor-title"]')?.focus();
  }

  async lay(shared) {
    const laid = await this.game.run(() => this.game.lay(shared));
    if (!laid) return;
    this.editor = null;
    this.log = [];
    this.draw();
    announce(t("announce.laid"));
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
    const held = Object.fromEntries(game.state.seats.map((seat) => [seat.seat, seat.score]));
    return h(
      "section",
      { class: "panel along" },
      h("h2", {}, t("track")),
      track({
        track: game.state.track ?? about.house_track,
        seats: game.state.seats,
        scores: frame?.scores ?? held,
        kinds: about.kinds,
        moved: (frame?.event.awards ?? []).map((award) => award.seat),
      }),
    );
  }

  asking() {
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
      asking(this.asked, this.about, (name, value) => {
        this.asked[name] = value;
      }),
    );
  }

  async ask(player) {
    const asked = question(this.asked, this.game.decision);
    this.objective = asked.objective;
    this.all = false;
    if (!(await this.game.run(() => this.game.suggest(player, asked)))) return;
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

  /** A review of the rounds that were played here from their growth on. */
  reviewing() {
    const { game, about } = this;
    if (!about.verbs.includes("review") || !game.played.rounds.length) return null;
    if (!game.review) {
      return h("div", { class: "row" }, button(t("review"), () => this.judge(), { "data-key": "review", disabled: game.busy }));
    }
    return reviewPanel({
      review: game.review,
      named: seatName,
      moved: ({ decision }, move) => jointName(move, decision, about),
      when: ({ round }) => t("review.when.round", { number: round + 1 }),
      again: () => this.judge(),
    });
  }

  async judge() {
    if (!(await this.game.run(() => this.game.judge()))) return;
    this.place.querySelector("#review-title")?.focus();
  }

  // What the buttons do --------------------------------------------------------------------------

  async roll() {
    if (!(await this.game.run(() => this.game.grow()))) return;
    const { dice } = this.game;
    announce(dice.length ? t("announce.dice", { dice: listed(dice.map(String)) }) : t("announce.no-dice"));
    this.focusNext();
  }

  async reveal() {
    const before = this.game.decision;
    if (!(await this.game.run(() => this.game.reveal()))) return;
    const { game } = this;
    if (game.phase === "playback") {
      this.log = [{ round: game.round, events: game.result.events }, ...this.log];
      this.draw();
      this.tell();
    } else if (game.decision !== before) announce(t(`now.${game.decision}`));
    this.focusNext();
  }

  step(by) {
    this.pause();
    this.game.show(this.game.at + by);
    this.tell();
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
      else this.tell();
    }, STEP_MS);
    this.draw();
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = null;
  }

  tell() {
    announce(sentence(this.game.frame().event, this.about));
  }

  async next() {
    this.pause();
    if (!(await this.game.run(() => this.game.next()))) return;
    if (this.game.phase === "over") announce(t("now.winners", { players: listed(this.game.winners.map(seatName)) }));
    this.focusNext();
  }

  focusNext() {
    this.place.querySelector("[data-next]:not(:disabled)")?.focus({ preventScroll: true });
  }
}
