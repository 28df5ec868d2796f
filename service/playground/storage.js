// What the browser keeps for the page; a browser may refuse to, and the page works all the same.

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

export function remember(name, value, kind = "localStorage") {
  if (value === null || value === "") storage(kind)?.removeItem(name);
  else storage(kind)?.setItem(name, value);
}
