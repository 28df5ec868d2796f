// A position in the fragment of the address, which no browser sends to a server.

const LONGEST = 60000;

/** What the page's address says: which game, and perhaps a position. */
export function read(fragment, games) {
  const [game, packed] = fragment.replace(/^#/, "").split("/", 2);
  if (!games.includes(game)) return { game: games[0], broken: fragment.length > 1 };
  if (!packed) return { game };
  try {
    return { game, shared: unpack(packed) };
  } catch {
    return { game, broken: true };
  }
}

/** The fragment of a game, with a position where one is given. */
export function write(game, shared) {
  return shared ? `#${game}/${pack(shared)}` : `#${game}`;
}

function pack(shared) {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function unpack(packed) {
  if (packed.length > LONGEST) throw new RangeError("too long");
  const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const told = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  // What the position itself is, the service judges.
  if (told === null || typeof told !== "object" || typeof told.state !== "object") {
    throw new TypeError("no position");
  }
  return told;
}
