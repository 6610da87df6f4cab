// Languages: English, and Chinese written once in traditional characters; simplified ones follow from a table.

import { HANS } from "./hans.js";
import { WORDS } from "./words.js";

/** @typedef {"en" | "zh-Hant" | "zh-Hans"} Language */

export const LANGUAGES = /** @type {const} */ ([
  ["en", "English"],
  ["zh-Hant", "繁體"],
  ["zh-Hans", "简体"],
]);
const KEPT = "mahjong-reader.language";

/** @type {Map<string, string>} */
const simple = new Map();
/** @type {Map<string, string>} */
const full = new Map();
for (let at = 0; at < HANS.length; at += 2) {
  simple.set(HANS[at], HANS[at + 1]);
  if (!full.has(HANS[at + 1])) full.set(HANS[at + 1], HANS[at]);
}

/** @type {Language} */
let chosen = firstLanguage();

/** @returns {Language} */
function firstLanguage() {
  const kept = localStorage.getItem(KEPT);
  const known = LANGUAGES.find(([id]) => id === kept);
  if (known) return known[0];
  for (const wish of navigator.languages ?? []) {
    if (/^zh\b.*(hant|tw|hk|mo)/i.test(wish)) return "zh-Hant";
    if (/^zh\b/i.test(wish)) return "zh-Hans";
    if (/^en\b/i.test(wish)) return "en";
  }
  return "en";
}

export const language = () => chosen;

/** @param {Language} wish */
export function setLanguage(wish) {
  chosen = wish;
  localStorage.setItem(KEPT, wish);
  dressPage();
  document.dispatchEvent(new CustomEvent("language"));
}

/** Chinese in the characters that the page is in. @param {string} text */
export function plain(text) {
  const table = chosen === "zh-Hans" ? simple : full;
  return Array.from(text, (sign) => table.get(sign) ?? sign).join("");
}

/**
 * A text of the page. `{name}` in it is filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [given]
 */
export function t(key, given = {}) {
  const found = WORDS[key];
  if (!found) throw new Error(`no words for ${key}`);
  const text = chosen === "en" ? found[0] : chosen === "zh-Hans" ? plain(found[1]) : found[1];
  return text.replace(/\{(\w+)\}/g, (_, name) => String(given[name] ?? ""));
}

/** A text that may be missing, such as one for a code of the API. @param {string} key @param {string} otherwise */
export function maybe(key, otherwise) {
  return WORDS[key] ? t(key) : otherwise;
}

/** @param {import("./types.d.ts").Names} name */
export const named = (name) => (chosen === "en" ? name.en : plain(name.zh));

/** The name in the other language, set beside the first. @param {import("./types.d.ts").Names} name */
export const alsoNamed = (name) => (chosen === "en" ? name.zh : name.en);

/** What a point is called in a rule set. @param {string} rules @param {number | string} count */
export function points(rules, count) {
  const key = WORDS[`unit.${rules}`] ? `unit.${rules}` : "unit.hk";
  const one = `${key}.one`;
  return String(count) === "1" && WORDS[one] ? t(one, { n: count }) : t(key, { n: count });
}

/**
 * More words and signs, of a part of the page that is loaded when it is opened.
 * @param {Record<string, [string, string]>} words
 * @param {string[]} signs traditional and simplified characters, in pairs
 */
export function learn(words, signs) {
  Object.assign(WORDS, words);
  for (let at = 0; at < signs.length; at += 2) {
    simple.set(signs[at], signs[at + 1]);
    if (!full.has(signs[at + 1])) full.set(signs[at + 1], signs[at]);
  }
}

/** Fills in every text of the page's own markup. */
export function dressPage() {
  // What says so already is not set, laid out and painted again: the markup is in English.
  if (document.documentElement.lang !== chosen) document.documentElement.lang = chosen;
  for (const holder of document.querySelectorAll("[data-t]")) {
    const text = t(/** @type {HTMLElement} */ (holder).dataset.t ?? "");
    if (holder.textContent !== text) holder.textContent = text;
  }
  for (const holder of document.querySelectorAll("[data-hint]")) {
    holder.setAttribute("placeholder", t(/** @type {HTMLElement} */ (holder).dataset.hint ?? ""));
  }
  for (const holder of document.querySelectorAll("[data-label]")) {
    const text = t(/** @type {HTMLElement} */ (holder).dataset.label ?? "");
    for (const name of ["aria-label", "title"]) if (holder.getAttribute(name) !== text) holder.setAttribute(name, text);
  }
}
