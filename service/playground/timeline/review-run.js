// A review of a game: one request that reports its progress. The user can stop it; the service
// remembers what is finished, so a later request continues there.

import { stream } from "../api.js";

export class ReviewRun {
  /**
   * @param {string} address of the review.
   * @param {object} body of the request.
   * @param {() => void} changed called after each change.
   */
  constructor(address, body, changed) {
    Object.assign(this, { address, body, changed, review: null, progress: null, problem: null, stopper: null });
  }

  running() {
    return this.stopper !== null;
  }

  async start() {
    if (this.running() || this.review) return;
    const stopper = new AbortController();
    Object.assign(this, { stopper, problem: null });
    this.changed();
    try {
      const review = await stream(this.address, this.body, stopper.signal, (line) => this.report(line));
      if (this.stopper === stopper) this.review = review;
    } catch (problem) {
      if (!problem.document) throw problem;
      if (this.stopper === stopper) this.problem = problem.document;
    }
    if (this.stopper !== stopper) return;
    this.stopper = null;
    this.changed();
  }

  /** Take over the progress; the panel on the page has set `onprogress`. */
  report({ progress }) {
    this.progress = progress;
    this.onprogress?.(progress);
  }

  stop() {
    this.stopper?.abort();
    this.stopper = null;
  }
}
