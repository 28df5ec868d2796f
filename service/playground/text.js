// Language of the page: messages, numbers, and localized names from the service.

import { recall } from "./storage.js";

export const LANGUAGES = ["en", "de", "zh"];
export const LANGUAGE_NAMES = { en: "English", de: "Deutsch", zh: "中文" };
const TAGS = { en: "en", de: "de", zh: "zh-Hant" };

let language = "en";
let messages = {};

/** Load the messages of a language and use it. */
export async function setLanguage(wanted) {
  const response = await fetch(`/playground/messages/${wanted}.json`);
  messages = await response.json();
  language = wanted;
  document.documentElement.lang = TAGS[wanted];
}

/** Return the stored language, or the first supported language of the browser. */
export function preferred() {
  const wanted = [recall("language"), ...navigator.languages];
  const codes = wanted.map((tag) => (tag ?? "").slice(0, 2).toLowerCase());
  return codes.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

export function current() {
  return language;
}

/** Return a message with its {parameters} filled in. */
export function t(key, parameters = {}) {
  const message = messages[key] ?? key;
  return message.replace(/\{(\w+)\}/g, (placeholder, name) => String(parameters[name] ?? placeholder));
}

/** Return whether a message exists. */
export function has(key) {
  return Object.hasOwn(messages, key);
}

/** Return the name in the current language from names in several languages. */
export function localName(names, fallback) {
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

/** Join items to a list in the current language. */
export function formatList(items) {
  return new Intl.ListFormat(TAGS[language], { type: "conjunction" }).format(items);
}
