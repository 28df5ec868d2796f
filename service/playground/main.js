// Entry point of the page: game tabs, language, theme and API key.

import { get, rememberKey, rememberedKey } from "./api.js";
import { announce, button, h, replace, select } from "./dom.js";
import { fragmentOf, parseFragment } from "./link.js";
import { problemBox } from "./problems.js";
import { LANGUAGES, LANGUAGE_NAMES, current, localName, preferred, setLanguage, t } from "./text.js";
import { SnowTime } from "./snow-time/view.js";
import { recall, remember } from "./storage.js";
import { TurnGame } from "./turns/view.js";
import { slopecrashers } from "./turns/slopecrashers.js";
import { snowcrest } from "./turns/snowcrest.js";

const VIEWS = {
  "snow-time": (place, about, share) => new SnowTime(place, about, share),
  slopecrashers: (place, about, share) => new TurnGame(place, about, share, slopecrashers),
  snowcrest: (place, about, share) => new TurnGame(place, about, share, snowcrest),
};
const THEMES = ["auto", "light", "dark"];
const [header, main, footer] = ["header", "main", "footer"].map((id) => document.getElementById(id));

let games = [];
let game = "snow-time";
let view = null;
let needsKey = false;

async function start() {
  await setLanguage(preferred());
  window.addEventListener("hashchange", () => route());
  await load();
}

/** Load the list of games. Show the field for the API key if the service requires one. */
async function load() {
  try {
    games = (await get("/v1/games")).games.filter((each) => VIEWS[each.game]);
  } catch (problem) {
    needsKey = needsKey || problem.document?.status === 401;
    frame();
    replace(main, h("div", { class: "panel" }, h("h1", {}, t("title")), problemBox(problem.document)));
    return;
  }
  await route();
}

/** Show the game and the position of the address. */
async function route() {
  if (!games.length) return;
  const address = parseFragment(window.location.hash, games.map((each) => each.game));
  game = address.game;
  await show(address.shared);
  if (address.broken) notice(t("link.broken"));
}

async function show(shared) {
  view?.close();
  frame();
  const place = h("div", { class: `game ${game}` });
  const summary = games.find((each) => each.game === game);
  const notices = h("p", { id: "notice", class: "notice", role: "status" });
  replace(main, h("h1", { class: "hidden" }, localName(summary.title, game)), notices, place);
  try {
    const about = await get(`/v1/games/${game}`);
    view = VIEWS[game](place, about, share);
    await view.open(shared);
  } catch (problem) {
    replace(place, problemBox(problem.document ?? { code: "page", detail: String(problem) }));
    if (!problem.document) throw problem;
  }
}

/** Put the position into the address, and copy the address to the clipboard. */
async function share() {
  const link = new URL(window.location.href);
  link.hash = fragmentOf(game, view.shared());
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

// Header and footer --------------------------------------------------------------------------------

function frame() {
  document.title = t("title");
  document.getElementById("skip").textContent = t("skip");
  replace(
    header,
    h("a", { class: "brand", href: "/", "data-key": "brand" }, t("title")),
    h("nav", { "aria-label": t("games") }, games.map(tab)),
    h("div", { class: "settings" }, language(), theme(), needsKey ? key() : null),
  );
  replace(
    footer,
    h("p", {}, t("footer"), " ", h("a", { href: "/docs/" }, t("footer.docs"))),
    h("p", { class: "small" }, t("footer.ours")),
  );
}

function tab(each) {
  const here = each.game === game ? "page" : null;
  return h("a", { href: fragmentOf(each.game), "aria-current": here, "data-key": `tab-${each.game}` }, localName(each.title, each.game));
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
      load();
    }, { "data-key": "key-use" }),
  );
}

await start();
