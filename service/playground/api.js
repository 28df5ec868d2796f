// Client of the REST API.

import { recall, remember } from "./storage.js";
import { current } from "./text.js";

const KEY = "api-key";

/** An error response of the service (RFC 9457), or a failed request. */
export class Problem extends Error {
  /** @param {object} document the problem document; `errors` lists every violation of the body. */
  constructor(document) {
    super(document.detail ?? document.title ?? document.code);
    this.document = document;
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

async function request(path, options) {
  const headers = { ...options.headers, "Accept-Language": current() };
  const key = rememberedKey();
  if (key) headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch {
    throw new Problem({ code: "unreachable" });
  }
  let body;
  try {
    body = await response.json();
  } catch {
    throw new Problem({ code: "unreachable", status: response.status });
  }
  if (!response.ok) throw new Problem(body);
  return body;
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
