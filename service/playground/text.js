// Language of the page: messages, numbers, and localized names from the service.

import { recall } from "./storage.js";

export const LANGUAGE_NAMES = { en: "English", de: "Deutsch", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" };
export const LANGUAGES = Object.keys(LANGUAGE_NAMES);

/** The version of the page's files, as the query of their addresses. */
export const VERSION = new URL(import.meta.url).search;

let language = preferred();
let messages = {};

/** Load the messages of a language and use it. */
export async function setLanguage(wanted) {
  const response = await fetch(`/playground/messages/${wanted}.json${VERSION}`);
  messages = await response.json();
  language = wanted;
  document.documentElement.lang = wanted;
}

/** Return the stored language, or the first supported language of the browser. */
function preferred() {
  const wanted = [recall("language"), ...navigator.languages.map(supported)];
  return wanted.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

/** Return the language for a tag of the browser, as a tag of the page; the region of Chinese implies its script. */
function supported(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return language === "zh" ? `zh-${script}` : language;
  } catch {
    // Some Linux browsers report POSIX locales like "en-US@posix".
    return null;
  }
}

export function current() {
  return language;
}

/** Return a message with its {parameters} filled in; the number `count` selects the plural form. */
export function t(key, parameters = {}) {
  const forms = messages[key] ?? key;
  const message = typeof forms === "string" ? forms : (forms[pluralCategory(parameters.count)] ?? forms.other);
  const filled = message.replace(/\{(\w+)\}/g, (placeholder, name) => withMinus(String(parameters[name] ?? placeholder)));
  return withChineseSpaces(filled);
}

const SPACE_IN_CHINESE = /(?<=[\u2e80-\u9fff\uff00-\uffef]) (?=[\u2e80-\u9fff\uff00-\uffef])/g;
const LATIN_IN_CHINESE =
  /(?<=[\u3400-\u9fff])(?=[0-9A-Za-z\u00c0-\u024f])|(?<=[0-9A-Za-z\u00c0-\u024f%])(?=[\u3400-\u9fff])/g;

/** Return a Chinese sentence with spaces around numbers and Latin names only, as service/texts/formatting.py. */
function withChineseSpaces(sentence) {
  if (!language.startsWith("zh")) return sentence;
  return sentence.replace(SPACE_IN_CHINESE, "").replace(LATIN_IN_CHINESE, " ");
}

/** Return what stands between two sentences; in Chinese there is no space. */
export function gap() {
  return language.startsWith("zh") ? "" : " ";
}

/** Return sentences one after the other. */
export function sentences(...texts) {
  return texts.flat().filter(Boolean).join(gap());
}

/** Return a number with a minus sign (U+2212) in place of a hyphen. */
export function withMinus(digits) {
  return digits.replace(/^-(?=\d)/, "−");
}

function pluralCategory(count) {
  return new Intl.PluralRules(language).select(count);
}

/** Return whether a message exists. */
export function has(key) {
  return Object.hasOwn(messages, key);
}

/** Return the name in the current language from names in several languages. */
export function localName(names, fallback) {
  return names?.[language] ?? names?.en ?? Object.values(names ?? {})[0] ?? String(fallback ?? "");
}

export function number(value, digits = 2) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "negative" };
  return withMinus(new Intl.NumberFormat(language, options).format(value));
}

export function percent(value, digits = 1) {
  const options = { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "negative" };
  return withMinus(new Intl.NumberFormat(language, options).format(value));
}

/** Join items to a list in the current language. */
export function formatList(items) {
  return withChineseSpaces(new Intl.ListFormat(language, { type: "conjunction" }).format(items));
}

/** Return ids in the order of their names in the current language. */
export function byName(ids, name) {
  return [...ids].sort((one, other) => name(one).localeCompare(name(other), language));
}
