// The page: which game, which language, which theme, whose key.

import { get, rememberKey, rememberedKey } from "./api.js";
import { announce, button, h, replace, select } from "./dom.js";
import { read, write } from "./link.js";
import { problemBox } from "./problems.js";
import { LANGUAGES, LANGUAGE_NAMES, current, named, preferred, speak, t } from "./text.js";
import { SnowTime } from "./snow-time/view.js";
import { recall, remember } from "./storage.js";
import { TurnGame } from "./turns/view.js";
import { crest } from "./turns/crest.js";
import { slopes } from "./turns/slopes.js";

const VIEWS = {
  "snow-time": (place, about, share) => new SnowTime(place, about, share),
  slopecrashers: (place, about, share) => new TurnGame(place, about, share, slopes),
  snowcrest: (place, about, share) => new TurnGame(place, about, share, crest),
};
const THEMES = ["auto", "light", "dark"];
const [header, main, footer] = ["header", "main", "footer"].map((id) => document.getElementById(id));

let games = [];
let game = "snow-time";
let view = null;
let wantsKey = false;

async function begin() {
  await speak(preferred());
  window.addEventListener("hashchange", () => route());
  await load();
}

/** Asks for the games; where the service wants a key, so does the page. */
async function load() {
  try {
    games = (await get("/v1/games")).games.filter((each) => VIEWS[each.game]);
  } catch (problem) {
    wantsKey = wantsKey || problem.told?.status === 401;
    frame();
    replace(main, h("div", { class: "panel" }, h("h1", {}, t("title")), problemBox(problem.told)));
    return;
  }
  await route();
}

/** Shows what the address says. */
async function route() {
  if (!games.length) return;
  const found = read(window.location.hash, games.map((each) => each.game));
  game = found.game;
  await show(found.shared);
  if (found.broken) notice(t("link.broken"));
}

async function show(shared) {
  view?.close();
  frame();
  const place = h("div", { class: `game ${game}` });
  const told = games.find((each) => each.game === game);
  const says = h("p", { id: "notice", class: "notice", role: "status" });
  replace(main, h("h1", { class: "hidden" }, named(told.title, game)), says, place);
  try {
    const about = await get(`/v1/games/${game}`);
    view = VIEWS[game](place, about, share);
    await view.open(shared);
  } catch (problem) {
    replace(place, problemBox(problem.told ?? { code: "page", detail: String(problem) }));
    if (!problem.told) throw problem;
  }
}

/** Puts the position into the address, and the address where it can be pasted from. */
async function share() {
  const link = new URL(window.location.href);
  link.hash = write(game, view.shared());
  window.history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    notice(t("link.copied"));
  } catch {
    notice(t("link.in-address"));
  }
}

function notice(text) {
  const place = document.getElementById("notice");
  if (place) place.textContent = text;
}

// Around the games ---------------------------------------------------------------------------------

function frame() {
  document.title = t("title");
  document.getElementById("skip").textContent = t("skip");
  replace(
    header,
    h("a", { class: "brand", href: "/", "data-key": "brand" }, t("title")),
    h("nav", { "aria-label": t("games") }, games.map(tab)),
    h("div", { class: "settings" }, language(), theme(), wantsKey ? key() : null),
  );
  replace(
    footer,
    h("p", {}, t("footer"), " ", h("a", { href: "/docs/" }, t("footer.docs"))),
    h("p", { class: "small" }, t("footer.ours")),
  );
}

function tab(each) {
  const here = each.game === game ? "page" : null;
  return h("a", { href: write(each.game), "aria-current": here, "data-key": `tab-${each.game}` }, named(each.title, each.game));
}

function language() {
  const pairs = LANGUAGES.map((each) => [each, LANGUAGE_NAMES[each]]);
  return select(t("language"), current(), pairs, async (wanted) => {
    remember("language", wanted);
    await speak(wanted);
    // Its sentences are in the language that it was asked in.
    view?.forget();
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
      load();
    }, { "data-key": "key-use" }),
  );
}

await begin();
