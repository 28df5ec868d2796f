// Service worker: stores the page, so that it opens without a connection. The service writes three
// constants before this line: VERSION; SHELL, the addresses of the files that the page always needs;
// OPTIONAL, the paths of those that are stored once they are used, the scripts of games and the texts
// of languages. Every address contains the version, so a stored file is never older than the page that
// asks for it. Answers of the API are not stored.

"use strict";

const CACHE = `page-${VERSION}`;
const PREFIX = "/playground/";

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => store(data.filter(isOwn)));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && pathname === "/") event.respondWith(page(request));
  else if (isOwn(request.url)) event.respondWith(file(request));
});

async function install() {
  await storeOpenPage();
  await store([...SHELL, ...(await usedFiles())]);
  await self.skipWaiting();
}

/** Store the page that the browser has just loaded, if it is of this version: it costs no request. */
async function storeOpenPage() {
  const response = await fetch("/", { cache: "force-cache" }).catch(Response.error);
  const text = await response.clone().text();
  if (response.ok && text.includes(`?v=${VERSION}"`)) await (await caches.open(CACHE)).put(SHELL[0], response);
}

async function activate() {
  const others = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Return the addresses of this version for the optional files that earlier versions have stored. */
async function usedFiles() {
  const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = (await Promise.all(stores.map((each) => each.keys()))).flat();
  const paths = requests.map(({ url }) => new URL(url).pathname).filter((path) => OPTIONAL.includes(path));
  return [...new Set(paths)].map((path) => `${path}?v=${VERSION}`);
}

async function store(addresses) {
  const cache = await caches.open(CACHE);
  await Promise.all(
    addresses.map(async (address) => {
      if (await cache.match(address)) return;
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
