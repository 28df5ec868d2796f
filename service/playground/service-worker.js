// Service worker: stores the page, so that it opens without a connection. The service adds VERSION
// and SHELL, the addresses of the page's files, at the beginning. Every address contains the version,
// so a stored file is never older than the page that asks for it. Answers of the API are not stored.

"use strict";

const CACHE = `page-${VERSION}`;
const PREFIX = "/playground/";
const MESSAGES = `${PREFIX}messages/`;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => store([data].filter(isOwn)));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && pathname === "/") event.respondWith(page(request));
  else if (isOwn(request.url)) event.respondWith(file(request));
});

async function install() {
  await store([...SHELL, ...(await usedMessages())]);
  await self.skipWaiting();
}

async function activate() {
  const others = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Return the addresses of this version for the languages that earlier versions have stored. */
async function usedMessages() {
  const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = (await Promise.all(stores.map((each) => each.keys()))).flat();
  const paths = requests.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith(MESSAGES));
  return [...new Set(paths)].map((path) => `${path}?v=${VERSION}`);
}

async function store(addresses) {
  const cache = await caches.open(CACHE);
  await Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address);
      // During an upgrade, a server of another version can answer.
      if (!isFinal(response)) throw new TypeError(`${address} is of another version`);
      await cache.put(address, response);
    }),
  );
}

/** Return the page of the service, or the stored one if the service cannot be reached. */
async function page(request) {
  try {
    const response = await fetch(request);
    if (response.status < 500) return response;
  } catch {
    // No connection.
  }
  return (await stored(SHELL[0])) ?? Response.error();
}

/** Return a file of this version: the stored one, or that of the service, which is then stored. */
async function file(request) {
  const known = await stored(request.url);
  if (known) return known;
  const response = await fetch(request);
  if (isFinal(response)) await (await caches.open(CACHE)).put(request.url, response.clone());
  return response;
}

async function stored(address) {
  return (await caches.open(CACHE)).match(address, { ignoreVary: true });
}

function isOwn(address) {
  const { origin, pathname, search } = new URL(address, self.location);
  return origin === self.location.origin && pathname.startsWith(PREFIX) && search === `?v=${VERSION}`;
}

/** Return whether a response is the file of exactly the version in its address. */
function isFinal(response) {
  return response.ok && (response.headers.get("Cache-Control") ?? "").includes("immutable");
}
