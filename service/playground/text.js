// The language of the page: messages, numbers, and the names that the service tells.

import { recall } from "./storage.js";

export const LANGUAGES = ["en", "de", "zh"];
export const LANGUAGE_NAMES = { en: "English", de: "Deutsch", zh: "中文" };
const TAGS = { en: "en", de: "de", zh: "zh-Hant" };

let language = "en";
let messages = {};

/** Loads the messages of a language and speaks it from now on. */
export async function speak(wanted) {
  const response = await fetch(`/playground/messages/${wanted}.json`);
  messages = await response.json();
  language = wanted;
  document.documentElement.lang = TAGS[wanted];
}

/** The one that was chosen before, or else the first of the browser's that there is. */
export function preferred() {
  const wanted = [recall("language"), ...navigator.languages];
  const found = wanted.map((tag) => (tag ?? "").slice(0, 2).toLowerCase());
  return found.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

export function current() {
  return language;
}

/** A message with its {parameters} put in. */
export function t(key, parameters = {}) {
  const message = messages[key] ?? key;
  return message.replace(/\{(\w+)\}/g, (hole, name) => String(parameters[name] ?? hole));
}

/** Whether there is such a message. */
export function has(key) {
  return Object.hasOwn(messages, key);
}

/** One of the names in several languages that the service tells of cards, kinds and games. */
export function named(names, fallback) {
  return names?.[language] ?? names?.en ?? String(fallback ?? "");
}

export function number(value, digits = 2) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(TAGS[language], options).format(value);
}

export function percent(value) {
  const options = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(TAGS[language], options).format(value);
}

/** A list as the language writes one. */
export function listed(items) {
  return new Intl.ListFormat(TAGS[language], { type: "conjunction" }).format(items);
}
