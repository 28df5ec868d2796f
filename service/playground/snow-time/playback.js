// Playback of a round: event by event, or by itself.

import { announce } from "../dom.js";
import { formatList, t } from "../text.js";
import { seatName } from "./seats.js";
import { sentence } from "./sentences.js";

const STEP_MS = 1600;

export class Playback {
  /** @param {object} view of the game. */
  constructor(view) {
    Object.assign(this, { view, timer: null });
  }

  /** Show the next event, or the one before. */
  step(by) {
    this.pause();
    const { game } = this.view;
    game.showFrame(game.at + by);
    this.announce();
  }

  /** Show one event after the other, or stop. */
  play() {
    if (this.timer) this.pause();
    else this.timer = window.setInterval(() => this.tick(), STEP_MS);
    this.view.draw();
  }

  tick() {
    const { game } = this.view;
    if (game.at + 1 >= game.frames.length) {
      this.pause();
      this.view.draw();
      return;
    }
    game.showFrame(game.at + 1);
    this.announce();
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = null;
  }

  announce() {
    const { game, about } = this.view;
    announce(sentence(game.frame().event, about));
  }

  /** Go on to the next round, or to the end of the game. */
  next() {
    this.pause();
    const { view } = this;
    view.game.next();
    if (view.game.phase === "over") {
      const { winners } = view.game;
      announce(t("now.winners", { count: winners.length, players: formatList(winners.map(seatName)) }));
    }
    view.focusNext();
  }
}
