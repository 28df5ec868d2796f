// Games in the fragment of the address. Browsers do not send the fragment to the server.

import { readRecord, sharedPart } from "./record.js";

const MAX_LENGTH = 60000;
const MAX_BYTES = 2_000_000;
const COMPRESSED = "~";
const METHOD = "deflate-raw";
const WAYS = ["table", "play", "teach", "rules"];

/**
 * Parse the fragment of the address: the game and, optionally, a record of one or a way into it;
 * an empty fragment is the front door, and `table` its question which game lies on the table.
 * @param {string} id the id of a record that has none.
 */
export async function parseFragment(fragment, games, id) {
  const [game, packed] = fragment.replace(/^#/, "").split("/", 2);
  if (!game) return {};
  if (game === "table") return { way: game };
  if (!games.includes(game)) return { game: games[0], broken: true };
  if (!packed) return { game };
  if (WAYS.includes(packed)) return { game, way: packed };
  try {
    return { game, record: readRecord(await unpack(packed), game, id) };
  } catch {
    return { game, broken: true };
  }
}

/** Return the fragment that contains a record. */
export async function fragmentOf(record) {
  const text = new TextEncoder().encode(JSON.stringify(sharedPart(record)));
  const compressed = await bytesOf(new Blob([text]).stream().pipeThrough(new CompressionStream(METHOD)));
  const binary = Array.from(compressed, (byte) => String.fromCharCode(byte)).join("");
  const base64 = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#${record.game}/${COMPRESSED}${base64}`;
}

/** Return the document in a link; links of earlier versions are not compressed. */
async function unpack(packed) {
  if (packed.length > MAX_LENGTH) throw new RangeError("too long");
  const compressed = packed.startsWith(COMPRESSED);
  const base64 = (compressed ? packed.slice(COMPRESSED.length) : packed).replaceAll("-", "+").replaceAll("_", "/");
  let bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  if (compressed) bytes = await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(METHOD)));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** Read a stream to its end; a short link can contain very many bytes. */
async function bytesOf(stream) {
  const parts = [];
  let length = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) throw new RangeError("too long");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
