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

export function remember(name, value, kind = "localStorage") {
  if (value === null || value === "") storage(kind)?.removeItem(name);
  else storage(kind)?.setItem(name, value);
}
