// Tiles: their order, names and drawn faces.

import { el, svg } from "./dom.js";
import { language, plain } from "./i18n.js";

export const SUITS = /** @type {const} */ (["m", "p", "s", "z", "f", "a"]);
export const WINDS = ["1z", "2z", "3z", "4z"];
export const BACK = "0x";

/** @type {Record<string, number>} */
const COUNTS = { m: 9, p: 9, s: 9, z: 7, f: 8, a: 4 };

/** Every face but the back, suit by suit. @type {Record<string, string[]>} */
export const BY_SUIT = Object.fromEntries(
  SUITS.map((suit) => [suit, Array.from({ length: COUNTS[suit] }, (_, rank) => `${rank + 1}${suit}`)]),
);

const RANKS_EN = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
const RANKS_ZH = "一二三四五六七八九";
/** @type {Record<string, [string[], string[]]>} */
const NAMED = {
  z: [
    ["East", "South", "West", "North", "White Dragon", "Green Dragon", "Red Dragon"],
    ["東", "南", "西", "北", "白", "發", "中"],
  ],
  f: [
    ["Plum", "Orchid", "Chrysanthemum", "Bamboo Flower", "Spring", "Summer", "Autumn", "Winter"],
    ["梅", "蘭", "菊", "竹", "春", "夏", "秋", "冬"],
  ],
  a: [
    ["Cat", "Mouse", "Rooster", "Centipede"],
    ["貓", "鼠", "雞", "蜈蚣"],
  ],
};
/** @type {Record<string, [string, string]>} */
const SUIT_NAMES = { m: ["Characters", "萬"], p: ["Dots", "筒"], s: ["Bamboo", "索"] };

/** @param {string} code */
export const rankOf = (code) => Number(code[0]);
/** @param {string} code */
export const suitOf = (code) => code[1];
/** @param {string} code */
export const isBonus = (code) => suitOf(code) === "f" || suitOf(code) === "a";

/** Place of a tile in the order of all tiles. @param {string} code */
export function orderOf(code) {
  return (code === BACK ? 99 : SUITS.indexOf(/** @type {any} */ (suitOf(code))) * 10) + rankOf(code);
}

/** @param {string} code the tile's name in the page's language */
export function nameOf(code) {
  if (code === BACK) return language() === "en" ? "Face down" : plain("蓋牌");
  const [rank, suit] = [rankOf(code) - 1, suitOf(code)];
  const chinese = language() !== "en";
  const named = NAMED[suit];
  if (named) return chinese ? plain(named[1][rank]) : named[0][rank];
  return chinese ? plain(RANKS_ZH[rank] + SUIT_NAMES[suit][1]) : `${RANKS_EN[rank]} of ${SUIT_NAMES[suit][0]}`;
}

/** The shortest name that fits on a tile in the photo. @param {string} code */
export function shortName(code) {
  if (code === BACK) return "▮";
  if (language() === "en") return indexOf(code) || code;
  const name = nameOf(code);
  return "mps".includes(suitOf(code)) ? `${rankOf(code)}${name[1]}` : name;
}

/** What a player who reads no Chinese wants in the corner of a tile; nothing where the face says it. @param {string} code */
export function indexOf(code) {
  const suit = suitOf(code);
  if (suit === "z") return ["E", "S", "W", "N", "Wh", "Gr", "Rd"][rankOf(code) - 1];
  if ("mps".includes(suit)) return `${rankOf(code)}${suit}`;
  return "";
}

/** The drawn face of a tile; its body is the element that holds it. @param {string} code */
export function face(code) {
  // The frame of the white dragon leaves no corner, and needs no letter.
  const mark = code !== "5z" && "mz".includes(suitOf(code)) ? indexOf(code).replace("m", "") : null;
  bring(`t-${code}`);
  const drawn = svg("svg", { viewBox: "0 0 300 400" }, svg("use", { href: `#t-${code}` }));
  return el("span", { class: "face", "data-index": mark, "aria-hidden": "true" }, drawn);
}

/** The drawings, once a tile was asked for, and the part of them that the page holds by now. @type {Element | null} */
let drawings = null;
let fetching = false;
const held = svg("defs");

/**
 * Bring one drawing into the page, and what it is put together from. All of them at once are thousands of strokes, which
 * the browser would style before it shows anything.
 * @param {string} id
 */
function bring(id) {
  if (!drawings) return fetchFaces();
  if (held.querySelector(`:scope > #${id}`)) return;
  const found = drawings.querySelector(`:scope > #${id}`);
  if (!found) return;
  for (const used of found.querySelectorAll("use")) bring(used.getAttribute("href")?.slice(1) ?? "");
  held.append(document.importNode(found, true));
}

/** Fetches the drawings when the first tile is drawn, and brings those that the page shows by then. */
function fetchFaces() {
  if (fetching) return;
  fetching = true;
  const request = new XMLHttpRequest();
  request.open("GET", "/page/tiles.svg");
  request.responseType = "document";
  request.overrideMimeType("image/svg+xml");
  request.onload = () => {
    drawings = request.responseXML?.querySelector("defs") ?? null;
    if (!drawings) return; // the next tile asks again
    for (const used of document.querySelectorAll("use[href^='#t-']")) bring(used.getAttribute("href")?.slice(1) ?? "");
    document.body.prepend(svg("svg", { class: "faces", "aria-hidden": "true", width: 0, height: 0 }, held));
  };
  request.onloadend = () => (fetching = false);
  request.send();
}
