// What an owner's box contains and no rule sheet states: a track, pieces, a deck or a catalogue, from
// a file. The service checks it, and the browser remembers it for further games.

import { post } from "./api.js";
import { button, h } from "./dom.js";
import { recallDocument, remember } from "./storage.js";
import { formatList, gap, t } from "./text.js";

const KEY = "own-box:";
const MAX_FAULTS = 10;

/** Return the parts of the remembered box; without one, none. */
export function ownBox(game) {
  return recallDocument(KEY + game)?.box ?? {};
}

/**
 * Return the foldable field for the file.
 * @param {object} setup of a table; has `boxFaults`, and `redraw` shows it again.
 * @param {object} box has the `game`, the names of its `parts`, `body(box)` with the rest of a request
 *     for a new game, and `use(box)`, called with what the browser remembers from now on.
 */
export function boxField(setup, { game, parts, body, use }) {
  const name = recallDocument(KEY + game)?.name;
  const keep = (kept) => {
    remember(KEY + game, kept && JSON.stringify(kept));
    setup.boxFaults = [];
    use(kept?.box ?? {});
    setup.redraw();
  };
  const read = async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    const { box, faults } = await checked(await file.text(), game, parts, body);
    if (!faults.length) return keep({ name: file.name, box });
    setup.boxFaults = faults;
    setup.redraw();
  };
  const faults = setup.boxFaults ?? [];
  return h(
    "details",
    { class: "fold", "data-key": "table-box", open: faults.length > 0 },
    h("summary", {}, t("box.title")),
    h("p", { class: "small" }, t("box.more"), gap(), h("a", { href: `/docs/examples/${game}-box.json`, download: `${game}-box.json` }, t("box.template"))),
    h("label", { class: "field" }, h("span", { class: "label" }, t("box.file")), h("input", { type: "file", accept: ".json,application/json", "data-key": "box-file", onchange: read })),
    faults.length ? h("div", { class: "problem", role: "alert" }, h("ul", {}, faults.slice(0, MAX_FAULTS).map(sentence))) : null,
    faults.length > MAX_FAULTS ? h("p", { class: "small" }, t("box.further", { count: faults.length - MAX_FAULTS })) : null,
    name ? h("p", { class: "small", role: "status" }, t("box.in-use", { file: name }), " ", button(t("box.remove"), () => keep(null), { "data-key": "box-remove" })) : null,
  );
}

/** Return the parts of a file, and what to mend: texts of the page, and violations of the service. */
async function checked(text, game, parts, body) {
  let file;
  try {
    file = JSON.parse(text);
  } catch (fault) {
    return { faults: [{ text: t("edit.json.broken", { fault: fault.message }) }] };
  }
  const box = Object.fromEntries(parts.filter((part) => file?.[part] !== undefined).map((part) => [part, file[part]]));
  if (!Object.keys(box).length) return { faults: [{ text: t("box.nothing", { parts: formatList(parts) }) }] };
  try {
    await post(`/v1/games/${game}/new`, { ...body(box), ...box });
    return { box, faults: [] };
  } catch ({ document }) {
    return { faults: document.errors ?? [{ text: t("problem.other") }] };
  }
}

function sentence({ path, detail, text }) {
  return text ? h("li", {}, text) : h("li", { lang: "en" }, h("code", {}, path), " ", detail);
}
