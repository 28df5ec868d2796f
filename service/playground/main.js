// Entry point of the page: game tabs, language, theme and API key.

import { get, loaded, nonce, rememberKey, rememberedKey } from "./api.js";
import { announce, button, h, replace, select } from "./dom.js";
import { listenToKeys, shortcuts } from "./keys.js";
import { fragmentOf, parseFragment } from "./records/link.js";
import { description } from "./offline/descriptions.js";
import { unreachable } from "./offline/unreachable.js";
import { registerWorker } from "./offline/worker.js";
import { problemBox } from "./problems.js";
import { LANGUAGES, LANGUAGE_NAMES, current, gap, localName, setLanguage, t } from "./text.js";
import { selectGame } from "./records/saved-games.js";
import { recall, remember } from "./storage.js";

/** The script of each game, loaded when the game is opened. */
const PARTS = {
  "snow-time": () => import("./snow-time/part.js"),
  slopecrashers: () => import("./slopecrashers/part.js"),
  snowcrest: () => import("./snowcrest/part.js"),
};
const FRONT = () => import("./front/part.js");
const PICTURE = () => import("./timeline/part.js");
const THEMES = ["auto", "light", "dark"];
const [header, main, footer] = ["header", "main", "footer"].map((id) => document.getElementById(id));

let games = [];
let game = null;
let view = null;
let retry = null;
let needsKey = false;
/** The puzzles for the game that is opened next: the first one that is clear is shown. */
let puzzles = [];
/** What the first game needs, requested before the list of games has arrived. */
let early = null;

async function start() {
  // On a slow connection, one request after the other takes too long.
  const [, wanted, way] = /^#([a-z-]+)(?:\/(\w+))?/.exec(window.location.hash) ?? [];
  if (PARTS[wanted] && way !== "rules") early = { game: wanted, work: load(wanted).catch(() => null) };
  else FRONT().catch(() => {});
  const [listed] = await Promise.allSettled([get("/v1/games"), setLanguage(current())]);
  window.addEventListener("hashchange", () => route());
  listenToKeys();
  // Another tab of the browser plays the same game.
  window.addEventListener("storage", ({ key }) => {
    if (key === `game:${view?.game.record?.id}`) view.game.reread();
  });
  window.addEventListener("online", () => retry?.());
  await begin(listed);
  await registerWorker();
}

/** Request the list of games. */
async function reload() {
  const [listed] = await Promise.allSettled([get("/v1/games")]);
  await begin(listed);
}

/** Take over the list of games. Show the field for the API key if the service requires one. */
async function begin({ value, reason }) {
  if (value) {
    games = value.games.filter((each) => PARTS[each.game]);
    await route();
    return;
  }
  needsKey = needsKey || reason.document?.status === 401;
  frame();
  if (isUnreachable(reason)) await showUnreachable(reload);
  else replace(main, h("div", { class: "panel" }, h("h1", {}, t("title")), problemBox(reason.document)));
}

function isUnreachable(problem) {
  return problem.document?.code === "unreachable";
}

/** Return the description of a game and its part.js. */
async function load(id) {
  const part = partOf(id);
  part.then(({ prepare }) => prepare?.()).catch(() => {});
  return Promise.all([description(`/v1/games/${id}`), part]);
}

/** Return the part.js of a game. */
async function partOf(id) {
  return (await loaded(PARTS[id]())).part;
}

/** Show what the page has without the service; `again` tries to reach it. */
async function showUnreachable(again) {
  const read = await Promise.all(Object.keys(PARTS).map(async (id) => [id, await partOf(id).catch(() => null)]));
  // One attempt at a time: a failed one must not replace what a later one has shown.
  retry = () => {
    retry = null;
    again();
  };
  page(() => unreachable(new Map(read), () => retry?.()));
}

/** Show what the address names: the front door, the rules, or a game. */
async function route() {
  if (!games.length) return;
  if (window.location.hash === "#practice") return showPractice();
  const address = await parseFragment(window.location.hash, games.map((each) => each.game), nonce());
  game = address.game ?? null;
  retry = null;
  view?.close();
  frame();
  if (!game) return showFront(address.way);
  if (address.way === "rules") return showRules();
  // From here on the record is in the storage; a reload is to show its latest state.
  if (address.record || address.way) window.history.replaceState(null, "", `#${game}`);
  await show(address.record, address.way);
  if (address.broken) notice(t("link.broken"));
}

/** Show a page without a game. */
function page(content) {
  view = { game: {}, close() {}, discardHint() {}, draw: () => replace(main, content()) };
  view.draw();
  main.querySelector("h1").focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
}

/** Show the front door, or its question which game lies on the table. */
async function showFront(way) {
  const { hash } = window.location;
  try {
    const { front } = await loaded(FRONT());
    // Meanwhile the address can have changed.
    if (window.location.hash !== hash) return;
    page(() => (way ? front.tableDoor : front.frontDoor)(games.map((each) => each.game), title));
  } catch (problem) {
    if (!isUnreachable(problem)) throw problem;
    await showUnreachable(() => window.location.reload());
  }
}

async function showPractice() {
  game = null;
  view?.close();
  frame();
  const part = await import("./practice/part.js").catch(() => null);
  if (!part) return showUnreachable(() => window.location.reload());
  page(() => part.practice(games.map((each) => each.game), title, solve));
}

/** Open the game of the first puzzle, or the practice page if there is none. */
function solve(all) {
  puzzles = all;
  const [puzzle] = all;
  const address = puzzle ? `#${puzzle.game}` : "#practice";
  puzzle?.begin?.();
  if (puzzle) selectGame(puzzle);
  if (window.location.hash === address) route();
  else window.location.hash = address;
}

async function showRules() {
  try {
    const [about, { front }] = await Promise.all([description(`/v1/games/${game}`), loaded(FRONT())]);
    page(() => front.rules(about, title));
  } catch (problem) {
    if (isUnreachable(problem)) return showUnreachable(route);
    replace(main, problemBox(problem.document));
    if (!problem.document) throw problem;
  }
}

/** Show a game: the record of a link, the latest stored one, or a new one by a way of the front door. */
async function show(linked, way) {
  const place = h("div", { class: `game ${game}` });
  const notices = h("div", { id: "notice", class: "notice", role: "status" });
  replace(main, h("h1", { class: "hidden" }, title(game)), notices, place);
  try {
    const known = early?.game === game ? await early.work : null;
    early = null;
    const [about, part] = known ?? (await load(game));
    view = part.view(place, about, { share, open, quiet, title, picture });
    await view.open(linked, way);
    const [puzzle, ...others] = puzzles;
    puzzles = [];
    if (puzzle && !(await view.timeline.practise(puzzle))) solve(others);
  } catch (problem) {
    if (isUnreachable(problem)) return showUnreachable(problem.document.script ? () => window.location.reload() : route);
    replace(place, problemBox(problem.document ?? { code: "page", detail: String(problem) }));
    if (!problem.document) throw problem;
  }
}

/** Open a stored game. */
function open(record) {
  selectGame(record);
  if (record.game === game) route();
  else window.location.hash = `#${record.game}`;
}

/** Copy a link to the game with all its moves, and show it. */
async function share(record) {
  const link = new URL(window.location.href);
  link.hash = await fragmentOf(record);
  const field = h("input", { type: "text", readonly: true, value: link.href, "aria-label": t("link.label"), "data-key": "link" });
  let text = t("link.copied");
  try {
    await navigator.clipboard.writeText(link.href);
  } catch {
    text = t("link.copy");
  }
  notice(text, field);
  field.select();
}

/** Share a picture of a finished game; return whether the device could. */
async function picture(...parts) {
  const { reviewing } = await loaded(PICTURE());
  return reviewing.sharePicture(...parts);
}

function title(id) {
  return localName(games.find((each) => each.game === id)?.title, id);
}

function notice(...content) {
  const place = document.getElementById("notice");
  if (place) replace(place, h("p", {}, content[0]), content.slice(1));
}

function quiet() {
  document.getElementById("notice")?.replaceChildren();
}

// Header and footer --------------------------------------------------------------------------------

function frame() {
  document.title = t("title");
  document.getElementById("skip").textContent = t("skip");
  replace(
    header,
    h("a", { class: "brand", href: "#", "data-key": "brand" }, t("title")),
    game ? h("nav", { "aria-label": t("games") }, games.map(tab)) : null,
    h("div", { class: "settings" }, language(), theme(), needsKey ? key() : null),
  );
  replace(
    footer,
    h("p", { class: "small" }, t("footer.ours"), gap(), h("a", { href: "/docs/" }, t("footer.docs"))),
    shortcuts(),
  );
}

function tab(each) {
  const here = each.game === game ? "page" : null;
  return h("a", { href: `#${each.game}`, "aria-current": here, "data-key": `tab-${each.game}` }, localName(each.title, each.game));
}

function language() {
  const pairs = LANGUAGES.map((each) => [each, LANGUAGE_NAMES[each]]);
  return select(t("language"), current(), pairs, async (wanted) => {
    remember("language", wanted);
    await setLanguage(wanted);
    // The texts of a hint are in the language of its request.
    view?.discardHint();
    frame();
    view?.draw();
    announce(t("announce.language"));
  }, { "data-key": "language" });
}

function theme() {
  const chosen = recall("theme") ?? "auto";
  return select(t("theme"), chosen, THEMES.map((each) => [each, t(`theme.${each}`)]), (wanted) => {
    remember("theme", wanted === "auto" ? null : wanted);
    if (wanted === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = wanted;
  }, { "data-key": "theme" });
}

function key() {
  const input = h("input", { type: "password", value: rememberedKey(), autocomplete: "off", "data-key": "key" });
  return h(
    "div",
    { class: "key" },
    h("label", { class: "field" }, h("span", { class: "label" }, t("key")), input),
    button(t("key.use"), () => {
      rememberKey(input.value.trim());
      reload();
    }, { "data-key": "key-use" }),
  );
}

start();
