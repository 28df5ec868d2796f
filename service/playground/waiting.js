// What the page says while the user waits: that it works, or the seconds until a request is sent again.

import { announce, h } from "./dom.js";
import { t } from "./text.js";

const PATIENCE_MS = 1000;

/** Do some work, and say so if it takes longer than a moment. */
export async function visibly(work) {
  const message = h("p", { class: "waiting", role: "status" });
  const timer = window.setTimeout(() => {
    document.body.append(message);
    message.textContent = t("waiting");
  }, PATIENCE_MS);
  try {
    return await work();
  } finally {
    window.clearTimeout(timer);
    message.remove();
  }
}

/** Wait some seconds, visibly; `signal` ends it. */
export async function countDown(seconds, signal) {
  const text = (count) => t("problem.waiting", { count });
  const message = h("p", { class: "waiting", role: "timer" }, text(seconds));
  document.body.append(message);
  announce(text(seconds));
  for (let left = seconds; left > 0 && !signal?.aborted; left -= 1) {
    message.textContent = text(left);
    await new Promise((done) => window.setTimeout(done, 1000));
  }
  message.remove();
}
