// Search, copy buttons and a remembered language of code. Everything else works without scripts.

"use strict";

const MAX_RESULTS = 8;
const AROUND = 60;

// Copy buttons ---------------------------------------------------------------------------------

for (const box of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(box.textContent.trim());
      button.textContent = "Copied";
    } catch {
      // Without a secure connection there is no clipboard: the text is selected instead.
      window.getSelection().selectAllChildren(box);
      button.textContent = "Selected";
    }
    window.setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  const frame = document.createElement("div");
  frame.className = "copyable";
  box.before(frame);
  frame.append(box, button);
}

// Tabs -----------------------------------------------------------------------------------------

const LANGUAGE = "docs-language";

/** Show the code of all examples in one language, where they have it. */
function show(language) {
  for (const tab of document.querySelectorAll(`.tabs > input[value="${language}"]`)) tab.checked = true;
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs > input")) return;
  const before = target.getBoundingClientRect().top;
  show(target.value);
  window.scrollBy(0, target.getBoundingClientRect().top - before);
  try {
    localStorage.setItem(LANGUAGE, target.value);
  } catch {
    // Without storage, the choice lasts for this page.
  }
});
try {
  show(localStorage.getItem(LANGUAGE) ?? "sh");
} catch {
  // The first tab is shown.
}

// Search ---------------------------------------------------------------------------------------

const field = document.getElementById("search");
const results = document.getElementById("results");
let sections = null;

field.closest("search").hidden = false;
field.addEventListener("focus", () => load());
field.addEventListener("input", () => search());
field.closest("search").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  field.value = "";
  field.focus();
  search();
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});

/** Load the sections of all pages: address, title of the page, heading and text. */
async function load() {
  sections ??= fetch(field.dataset.index).then((response) => response.json());
  try {
    return await sections;
  } catch {
    sections = null;
    return [];
  }
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return results.replaceChildren();
  const asked = field.value;
  const all = await load();
  if (field.value !== asked) return;
  const found = all
    .map((section) => [score(section, words), section])
    .filter(([points]) => points > 0)
    .sort(([one], [other]) => other - one)
    .slice(0, MAX_RESULTS);
  const list = document.createElement("ul");
  list.append(...found.map(([, section]) => item(section, words)));
  results.replaceChildren(found.length ? list : field.dataset.none);
}

/** Return how well a section matches: every word must occur; headings count most. */
function score([, title, heading, text], words) {
  let sum = 0;
  for (const word of words) {
    const points = (count(heading, word) ? 8 : 0) + (count(title, word) ? 4 : 0) + Math.min(3, count(text, word));
    if (!points) return 0;
    sum += points;
  }
  return sum;
}

function count(text, word) {
  return text.toLowerCase().split(word).length - 1;
}

function item([address, title, heading, text], words) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = heading === title ? title : `${title}: ${heading}`;
  const line = document.createElement("p");
  line.textContent = around(text, words);
  const entry = document.createElement("li");
  entry.append(link, line);
  return entry;
}

/** Return the text around the first word that occurs in it. */
function around(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - AROUND);
  const word = places.length ? text.lastIndexOf(" ", start) + 1 : 0;
  const part = text.slice(word).slice(0, 2 * AROUND);
  return `${word > 0 ? "…" : ""}${part}${part.length < 2 * AROUND ? "" : "…"}`;
}
