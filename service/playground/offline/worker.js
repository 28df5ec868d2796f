// Registration of the service worker, which lets the page open without a connection.

import { messagesAddress } from "../text.js";

const ADDRESS = "/playground/service-worker.js";

/** Register the service worker. Without one the page works, too, but needs a connection to open. */
export async function registerWorker() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    await serviceWorker.register(trustedAddress(), { scope: "/" });
  } catch {
    // Some browsers forbid it, for example in private windows.
    return;
  }
  const { active } = await serviceWorker.ready;
  // The page loaded its texts before the worker could see it.
  active.postMessage(messagesAddress());
}

/** The security policy of the page allows this address and no other one. */
function trustedAddress() {
  if (!window.trustedTypes) return ADDRESS;
  return window.trustedTypes.createPolicy("service-worker", { createScriptURL: () => ADDRESS }).createScriptURL("");
}
