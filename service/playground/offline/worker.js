// Registration of the service worker, which lets the page open without a connection.

import { VERSION } from "../text.js";

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
  // The page loaded its first files before the worker could see it.
  active.postMessage(performance.getEntriesByType("resource").map(({ name }) => name).filter(isOfVersion));
}

function isOfVersion(address) {
  return VERSION !== "" && new URL(address).search === VERSION;
}

/** The security policy of the page allows this address and no other one. */
function trustedAddress() {
  if (!window.trustedTypes) return ADDRESS;
  return window.trustedTypes.createPolicy("service-worker", { createScriptURL: () => ADDRESS }).createScriptURL("");
}
