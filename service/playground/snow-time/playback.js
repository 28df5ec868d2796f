// Playback of a round: event by event, or by itself.

import { announce } from "../dom.js";
import { chooseSpeed, duration } from "../motion.js";
import { winnerText } from "../timeline/ending.js";
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
    else this.timer = window.setInterval(() => this.tick(), duration(STEP_MS));
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

  /** Go to the last event. */
  skip() {
    const { game } = this.view;
    this.step(game.frames.length - 1 - game.at);
    this.view.focusNext();
  }

  setSpeed(chosen) {
    const { timer } = this;
    this.pause();
    chooseSpeed(chosen);
    if (timer) this.play();
    else this.view.draw();
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
    if (view.game.phase === "over") announce(winnerText(view));
    else view.focusNext();
  }
}
