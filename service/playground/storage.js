// Browser storage. The page also works if the browser blocks it.

function storage(kind) {
  try {
    return window[kind];
  } catch {
    return null;
  }
}

export function recall(name, kind = "localStorage") {
  return storage(kind)?.getItem(name) ?? null;
}

/** Return a stored JSON document, or null if there is none that can be read. */
export function recallDocument(name) {
  try {
    return JSON.parse(recall(name));
  } catch {
    return null;
  }
}

/** Store a text, or remove it if it is empty; return whether the browser has room for it. */
export function remember(name, value, kind = "localStorage") {
  try {
    if (value === null || value === "") storage(kind)?.removeItem(name);
    else storage(kind)?.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Return the names of all stored texts that begin with a prefix. */
export function storedNames(prefix, kind = "localStorage") {
  return Object.keys(storage(kind) ?? {}).filter((name) => name.startsWith(prefix));
}
