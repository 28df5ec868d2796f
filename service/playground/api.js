// Client of the REST API.

import { countDown } from "./waiting.js";
import { recall, remember } from "./storage.js";
import { current } from "./text.js";

const KEY = "api-key";
const BUSY = [429, 503];
const [MAX_TRIES, MAX_WAIT_S] = [5, 60];
/** The service answers within 30 s; a connection can break without a sign. */
const LONGEST_MS = 60_000;

/** An error response of the service (RFC 9457), or a failed request. */
export class Problem extends Error {
  /** @param {object} document the problem document; `errors` lists every violation of the body. */
  constructor(document) {
    super(document.detail ?? document.title ?? document.code);
    this.document = document;
  }
}

/** Return a script that is being loaded; without the service it cannot be reached. */
export async function loaded(script) {
  try {
    return await script;
  } catch (fault) {
    // A browser may remember that a script could not be loaded until the page is loaded again.
    if (fault instanceof TypeError) throw new Problem({ code: "unreachable", script: true });
    throw fault;
  }
}

export function rememberKey(key) {
  remember(KEY, key, "sessionStorage");
}

export function rememberedKey() {
  return recall(KEY, "sessionStorage") ?? "";
}

export async function get(path) {
  return request(path, { method: "GET" });
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", body: JSON.stringify(body), headers });
}

/**
 * Send a request that is answered line by line, and return its result; `signal` can stop it.
 * @param {(line: object) => void} online called for each line before the last one.
 */
export async function stream(path, body, signal, online) {
  const headers = { "Content-Type": "application/json", Accept: "application/x-ndjson" };
  const response = await send(path, { method: "POST", body: JSON.stringify(body), headers, signal });
  if (!response.ok) throw new Problem(await documentOf(response));
  try {
    for await (const line of linesOf(response.body)) {
      if (line.type === "result") return line.result;
      if (line.type === "problem") throw new Problem(line.problem);
      online(line);
    }
  } catch (problem) {
    throw problem instanceof Problem ? problem : new Problem({ code: "unreachable" });
  }
  throw new Problem({ code: "unreachable" });
}

/** Yield the documents of a stream, one for each line. */
async function* linesOf(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

async function request(path, options) {
  const response = await send(path, options);
  const body = await documentOf(response);
  if (!response.ok) throw new Problem(body);
  return body;
}

/** Send a request, and again after the time that a busy service names, while the page counts down. */
async function send(path, options) {
  for (let tries = 1; ; tries += 1) {
    const response = await sent(path, options);
    const seconds = Number(response.headers.get("Retry-After"));
    const again = BUSY.includes(response.status) && seconds > 0 && seconds <= MAX_WAIT_S && tries < MAX_TRIES;
    if (!again) return response;
    await countDown(seconds, options.signal);
  }
}

async function sent(path, options) {
  const headers = { ...options.headers, "Accept-Language": current() };
  const signal = options.signal ?? AbortSignal.timeout(LONGEST_MS);
  const key = rememberedKey();
  if (key) headers.Authorization = `Bearer ${key}`;
  try {
    // A new version of the page needs the documents of its own version.
    return await fetch(path, { cache: "no-cache", ...options, headers, signal });
  } catch {
    throw new Problem({ code: "unreachable" });
  }
}

async function documentOf(response) {
  try {
    return await response.json();
  } catch {
    throw new Problem({ code: "unreachable", status: response.status });
  }
}

/** Return a random nonce of 128 bits in hexadecimal. */
export function nonce() {
  return [...window.crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Return a random unsigned 32-bit integer. */
export function seed() {
  return window.crypto.getRandomValues(new Uint32Array(1))[0];
}

/** Draw one item with a probability proportional to its weight. */
export function drawWeighted(items, weight) {
  const total = items.reduce((sum, item) => sum + weight(item), 0);
  let remaining = (seed() / 2 ** 32) * total;
  for (const item of items) {
    remaining -= weight(item);
    if (remaining < 0) return item;
  }
  return items.at(-1);
}
