// The service, as any other client knows it.

import { recall, remember } from "./storage.js";
import { current } from "./text.js";

const KEY = "api-key";

/** What the service has against a request (RFC 9457). */
export class Problem extends Error {
  /** @param {object} told the problem document; `errors` name every fault of a body. */
  constructor(told) {
    super(told.detail ?? told.title ?? told.code);
    this.told = told;
  }
}

export function rememberKey(key) {
  remember(KEY, key, "sessionStorage");
}

export function rememberedKey() {
  return recall(KEY, "sessionStorage") ?? "";
}

export async function get(path) {
  return ask(path, { method: "GET" });
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", body: JSON.stringify(body), headers });
}

async function ask(path, options) {
  const headers = { ...options.headers, "Accept-Language": current() };
  const key = rememberedKey();
  if (key) headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch {
    throw new Problem({ code: "unreachable" });
  }
  let told;
  try {
    told = await response.json();
  } catch {
    throw new Problem({ code: "unreachable", status: response.status });
  }
  if (!response.ok) throw new Problem(told);
  return told;
}

/** Something nobody can guess: a nonce. */
export function nonce() {
  return [...window.crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export function seed() {
  return window.crypto.getRandomValues(new Uint32Array(1))[0];
}

/** One of the items by their weights. */
export function drawn(items, weight) {
  const total = items.reduce((sum, item) => sum + weight(item), 0);
  let left = (seed() / 2 ** 32) * total;
  for (const item of items) {
    left -= weight(item);
    if (left < 0) return item;
  }
  return items.at(-1);
}
