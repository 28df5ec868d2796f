// The message that counts down the seconds until a request is sent again.

import { announce, h } from "./dom.js";
import { t } from "./text.js";

/** Wait some seconds, visibly; `signal` ends it. */
export async function countDown(seconds, signal) {
  const text = (count) => t("problem.waiting", { count });
  const message = h("p", { class: "waiting", role: "timer" }, text(seconds));
  document.body.append(message);
  announce(text(seconds));
  for (let left = seconds; left > 0 && !signal?.aborted; left -= 1) {
    message.textContent = text(left);
    await new Promise((done) => {
      window.setTimeout(done, 1000);
    });
  }
  message.remove();
}
