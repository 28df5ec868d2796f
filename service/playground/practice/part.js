// The page with puzzles from reviewed games and the own figures. All of it stays in the browser.

import { button, h } from "../dom.js";
import { lineOf } from "../records/line.js";
import { newRecord, openNumber } from "../records/record.js";
import { saveGame, savedGame, savedGames } from "../records/saved-games.js";
import { recallDocument, remember, storedNames } from "../storage.js";
import { percent, t } from "../text.js";

const PREFIX = "practice:";
const DAY_MS = 86_400_000;
/** The puzzles of a first visit, as JSON on one line each, which a test reads, too. In each position one choice is clearly best. */
const FIRST = [
  {"id":"00000000000000000000000000000001","game":"snow-time","start":{"seats":[{"seat":"red","player":"red","score":21,"hand":["1","2","6","7","healer"]},{"seat":"blue","player":"blue","score":21,"hand":["1","5","7","healer"]},{"seat":"green","player":"green","score":18,"hand":["1","7","healer","blizzard"]}],"fruit":[3,1,3,0,0,1]},"grown":true,"mine":["red"]},
  {"id":"00000000000000000000000000000002","game":"slopecrashers","start":{"seats":[{"player":"Anna","lap":1,"row":23,"lane":2,"gifts":["chili"],"misses_turn":false,"stung":false},{"player":"Hugo","lap":1,"row":25,"lane":1,"gifts":["magnet"],"misses_turn":false,"stung":false}],"turn":"Anna","course":["cedar","larch","alder","birch","fir","pine"],"discards":[],"snowmen":[]},"mine":["Anna"]},
];

/**
 * Return the page.
 * @param {string[]} games the ids of the games; `title` returns the name of one, `solve` opens the first of some puzzles.
 */
export function practice(games, title, solve) {
  const stored = storedNames(PREFIX).map(recallDocument).filter(Boolean);
  const known = stored.filter(({ errors }) => errors);
  const first = (known.length ? [] : FIRST).filter(({ id }) => !stored.some((each) => each.id === id)).map(firstPuzzle);
  const puzzles = [...stored, ...first].flatMap(({ id, game, begin, puzzles: all }) => (begin || savedGame(id) ? all.map((each) => ({ ...each, id, game, begin, mark: (word) => mark(id, each, word) })) : []));
  const solved = puzzles.filter(isSolved);
  const open = puzzles.filter((each) => !each.unclear && !isSolved(each));
  const offer = (list, label, key) => {
    const first = today() % list.length;
    return list.length ? button(label, () => solve([...list.slice(first), ...list.slice(0, first)]), { class: key === "day" ? "main" : null, "data-key": `puzzle-${key}` }) : null;
  };
  return h(
    "article",
    { class: "panel rules practice" },
    h("h1", { tabindex: "-1" }, t("practice")),
    h("p", {}, t("practice.more")),
    open.length
      ? h("div", { class: "row" }, offer(open, t("practice.day"), "day"), games.map((game) => offer(open.filter((each) => each.game === game), t("practice.find", { game: title(game) }), game)))
      : h("p", { class: "sentence" }, t(solved.length ? "practice.all-solved" : "practice.none")),
    solved.length ? h("ul", { class: "solved", "aria-label": t("practice.solved") }, solved.map((each) => h("li", {}, "✓ ", h("s", {}, nameOf(each, title)), h("span", { class: "hidden" }, ` ${t("practice.solved")}`)))) : null,
    known.length ? [h("h2", {}, t("practice.figures")), figures(games.filter((game) => known.some((each) => each.game === game)), known, title)] : null,
    known.length ? h("div", { class: "row" }, button(t("practice.export"), () => save(known), { "data-key": "practice-export" })) : null,
    h("p", {}, h("a", { href: "#", "data-key": "home" }, t("front.home"))),
  );
}

const today = () => Math.floor(Date.now() / DAY_MS);
const isSolved = ({ solved }) => solved === today();

/** Return a puzzle of a first visit as stored; to `begin` stores it and its game. */
function firstPuzzle(record) {
  const document = { id: record.id, game: record.game, puzzles: [{ player: record.mine[0], step: 0 }] };
  const begin = () => {
    saveGame(newRecord(record));
    remember(PREFIX + record.id, JSON.stringify(document));
  };
  return { ...document, begin };
}

/** Store the day on which a puzzle was `solved`, or seen to be `unclear`. */
function mark(id, { player, step }, word) {
  const stored = recallDocument(PREFIX + id);
  if (!stored) return;
  const puzzles = stored.puzzles.map((each) => (each.player === player && each.step === step ? { ...each, [word]: today() } : each));
  remember(PREFIX + id, JSON.stringify({ ...stored, puzzles }));
}

/** Return what a puzzle is called: the game, and the round or turn. */
function nameOf({ id, game, step }, title) {
  const { record } = savedGame(id);
  const number = openNumber({ ...record, steps: lineOf(record), at: step });
  return t("list.entry", { name: title(game), text: t(`review.when.${game === "snow-time" ? "round" : "turn"}`, { number }) });
}

/** Return the figures with a column for each game. */
function figures(games, known, title) {
  const mean = (of) => (all) => {
    const values = all.map(of).filter((value) => value !== null);
    return values.length ? percent(values.reduce((sum, value) => sum + value, 0) / values.length) : "–";
  };
  const rows = [
    ["practice.games", (all) => String(all.length)],
    ["practice.won", mean(({ won }) => won)],
    ["practice.chance", mean(({ chance }) => chance)],
    ["review.loss", mean(({ loss }) => -loss)],
    ["review.luck", mean(({ luck }) => luck)],
    ["practice.typical", typical],
  ];
  const of = (game) => known.filter((each) => each.game === game);
  return h(
    "div",
    { class: "scroller", tabindex: "0", role: "region", "aria-label": t("practice.figures") },
    h(
      "table",
      { class: "accounts" },
      h("thead", {}, h("tr", {}, h("td", {}), games.map((game) => h("th", { scope: "col" }, title(game))))),
      h("tbody", {}, rows.map(([key, cell]) => h("tr", {}, h("th", { scope: "row" }, t(key)), games.map((game) => h("td", {}, cell(of(game))))))),
    ),
  );
}

/** Return an example of the most frequent kind of error. */
function typical(all) {
  const errors = all.flatMap((each) => each.errors);
  const count = (code) => errors.filter((each) => each.code === code).length;
  return errors.sort((one, other) => count(other.code) - count(one.code))[0]?.text ?? "–";
}

/** Save the figures and the games as a file. */
function save(known) {
  const content = JSON.stringify({ reviews: known, games: savedGames().map(({ record }) => record) });
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: address, download: "winter-games.json" }).click();
  URL.revokeObjectURL(address);
}
