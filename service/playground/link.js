// Positions in the fragment of the address. Browsers do not send the fragment to the server.

const MAX_LENGTH = 60000;

/** Parse the fragment of the address: the game and, optionally, a position. */
export function parseFragment(fragment, games) {
  const [game, packed] = fragment.replace(/^#/, "").split("/", 2);
  if (!games.includes(game)) return { game: games[0], broken: fragment.length > 1 };
  if (!packed) return { game };
  try {
    return { game, shared: unpack(packed) };
  } catch {
    return { game, broken: true };
  }
}

/** Return the fragment for a game and an optional position. */
export function fragmentOf(game, shared) {
  return shared ? `#${game}/${pack(shared)}` : `#${game}`;
}

function pack(shared) {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function unpack(packed) {
  if (packed.length > MAX_LENGTH) throw new RangeError("too long");
  const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const shared = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  // The service validates the position.
  if (shared === null || typeof shared !== "object" || typeof shared.state !== "object") {
    throw new TypeError("no position");
  }
  return shared;
}
