// The sheet that a tap on a tile opens: its candidates first, then every tile by suit, then its place in the hand.

import { smallTile, smallTiles } from "./board.js";
import { el, need, sign } from "./dom.js";
import { add, countOf, declare, find, move, places, remove, rename, setsWith, win } from "./hand.js";
import { t } from "./i18n.js";
import { edit, state } from "./store.js";
import { BACK, BY_SUIT, face, nameOf, orderOf } from "./tiles.js";
import { reveal, standingOf } from "./viewer.js";

const dialog = need("sheet");
const content = need("sheet-content");

/** @param {string} code @param {boolean} current @param {() => void} chosen @param {string} [note] */
function choice(code, current, chosen, note = "") {
  return el(
    "button",
    {
      type: "button",
      class: `tile ${current ? "current" : ""}`,
      "aria-label": nameOf(code) + (note ? ` ${note}` : ""),
      "aria-pressed": String(current),
      "data-code": code,
      title: nameOf(code),
      onclick: chosen,
    },
    face(code),
  );
}

/** Every face, suit by suit. @param {(code: string) => void} chosen @param {string} [current] */
function picker(chosen, current = "") {
  return el(
    "div",
    { class: "picker" },
    ...Object.entries(BY_SUIT).map(([suit, codes]) =>
      el("div", { class: `suit ${suit}`, role: "group", "aria-label": t(`suit.${suit}`) }, ...codes.map((code) => choice(code, code === current, () => chosen(code)))),
    ),
  );
}

/** @param {string} title */
function head(title) {
  return el(
    "header",
    {},
    el("h2", { id: "sheet-title" }, title),
    el("button", { type: "button", class: "icon", "aria-label": t("close"), title: t("close"), onclick: () => dialog.close() }, sign("close")),
  );
}

/** The tile cut out of the photo, to compare with. @param {import("./types.d.ts").SeenTile} seen */
function crop(seen) {
  const { photo, reading } = state;
  if (!photo || !reading) return null;
  const [x0, y0, x1, y1] = seen.box;
  const air = Math.max(x1 - x0, y1 - y0) * 0.12;
  const scale = photo.bitmap.width / reading.width;
  const [wide, high] = [x1 - x0 + 2 * air, y1 - y0 + 2 * air];
  const canvas = el("canvas", { class: "crop", role: "img", "aria-label": t("sheet.crop") });
  canvas.height = 168;
  canvas.width = Math.round((168 * wide) / high);
  canvas.getContext("2d")?.drawImage(photo.bitmap, (x0 - air) * scale, (y0 - air) * scale, wide * scale, high * scale, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** @param {import("./types.d.ts").SeenTile} seen @param {number} at */
function candidatesOf(seen, at) {
  const doubt = state.reading?.doubts.find((one) => one.code === "unsure_tile" && one.tiles.length === 1 && one.tiles[0] === at);
  const weighed = (doubt?.candidates ?? []).filter((one) => /^[0-9][mpszfa]$/.test(one.value));
  const every = [
    { tile: seen.tile, probability: seen.confidence },
    ...weighed.map(({ value, probability }) => ({ tile: value, probability })),
    ...seen.alternatives,
  ];
  return every.filter((one, place) => every.findIndex((other) => other.tile === one.tile) === place);
}

/** Open the sheet of a tile. @param {number} id */
export function openTile(id) {
  const found = find(state.hand, id);
  if (!found) return;
  const { token, place } = found;
  state.focus = id;
  document.dispatchEvent(new CustomEvent("focus-tile"));
  reveal();
  const seen = token.seen === null ? null : (state.reading?.tiles[token.seen] ?? null);
  /** @param {import("./types.d.ts").PageHand} hand */
  const done = (hand) => {
    dialog.close();
    edit(hand);
  };
  /** @param {string} code */
  const choose = (code) => (code === token.code ? dialog.close() : done(rename(state.hand, id, code)));
  const parts = [head(nameOf(token.code))];
  if (seen) {
    const candidates = candidatesOf(seen, token.seen ?? 0);
    const doubted = ["doubt", "wrong"].includes(standingOf().get(token.seen ?? -1) ?? "");
    parts.push(
      el(
        "div",
        { class: "seen" },
        crop(seen),
        el(
          "div",
          {},
          el("p", {}, t(doubted ? "sheet.doubted" : "sheet.seen", { tile: nameOf(seen.tile), percent: Math.round(seen.confidence * 100) })),
          el(
            "div",
            { class: "candidates", role: "group", "aria-label": t("sheet.candidates") },
            ...candidates.map(({ tile, probability }) => {
              const note = `${Math.max(1, Math.round(probability * 100))} %`;
              return el("div", {}, choice(tile, tile === token.code, () => choose(tile), note), el("small", { "aria-hidden": "true" }, note));
            }),
          ),
        ),
      ),
    );
  }
  parts.push(actions(id, place, done));
  parts.push(el("h3", {}, t("sheet.instead")), picker(choose, token.code));
  fill(parts);
}

/** What can be done with a tile, other than naming it. @param {number} id @param {string} place @param {(hand: import("./types.d.ts").PageHand) => void} done */
function actions(id, place, done) {
  const buttons = [];
  /** @param {string} text @param {string} icon @param {() => void} onclick @param {boolean} [pressed] */
  const button = (text, icon, onclick, pressed) =>
    el("button", { type: "button", class: "chip", onclick, "aria-pressed": pressed === undefined ? null : String(pressed) }, sign(icon), text);
  if (place === "standing") {
    buttons.push(button(t("act.win"), "star", () => done(win(state.hand, id)), state.hand.winning === id));
  }
  for (const [other] of places(state.hand)) {
    if (other === place || other.startsWith("meld:") || other === "bonus") continue;
    if (other === "aside") continue;
    buttons.push(button(t(`act.to.${other}`), "hand", () => done(move(state.hand, id, other))));
  }
  for (const [at, meld] of state.hand.melds.entries()) {
    if (place === `meld:${at}` || meld.tokens.length > 3) continue;
    const codes = meld.tokens.map((one) => one.code);
    buttons.push(el("button", { type: "button", class: "chip", onclick: () => done(move(state.hand, id, `meld:${at}`)) }, t("act.to.meld"), smallTiles(codes)));
  }
  if (place !== "aside") buttons.push(button(t("act.remove"), "minus", () => done(remove(state.hand, id))));
  const sets = place === "standing" ? setsWith(state.hand, id) : [];
  const claims = sets.map((set) => {
    const codes = set.tokens.map((one) => one.code).sort((a, b) => orderOf(a) - orderOf(b));
    const shown = set.concealed ? [BACK, codes[1], codes[2], BACK] : codes;
    return el(
      "button",
      { type: "button", class: "chip set", onclick: () => done(declare(state.hand, set)) },
      smallTiles(shown),
      t(set.concealed ? "act.kong" : "act.claim"),
    );
  });
  return el("div", { class: "actions" }, ...buttons, ...claims);
}

/** Open the sheet that adds tiles; it stays open until it is closed. */
export function openAdd() {
  /** @param {string} code */
  const choose = (code) => {
    edit(add(state.hand, code));
    refresh();
  };
  const held = el("div", { class: "held-tiles", "aria-live": "polite" });
  const refresh = () => {
    const { held: have, wanted } = countOf(state.hand);
    const full = have >= wanted;
    held.replaceChildren(
      el("span", { class: "run" }, ...[...state.hand.standing, ...state.hand.bonus].map((one) => smallTile(one.code))),
      el("span", { class: full ? "good" : "" }, `${have} / ${wanted}`),
    );
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (content.querySelectorAll(".picker .tile"))) {
      const code = button.dataset.code ?? "";
      const used = places(state.hand).filter(([place]) => place !== "aside").flatMap(([, tokens]) => tokens).filter((one) => one.code === code).length;
      button.disabled = used >= ("fa".includes(code[1]) ? 1 : 4);
    }
  };
  state.focus = null;
  fill([
    head(t("add.title")),
    held,
    picker(choose),
    el("p", { class: "note" }, t("add.note")),
    el("button", { type: "button", class: "main", onclick: () => dialog.close() }, t("done")),
  ]);
  refresh();
}

/** @param {Node[]} parts */
function fill(parts) {
  content.replaceChildren(...parts);
  if (!dialog.open) dialog.showModal();
  content.scrollTop = 0;
}

dialog.addEventListener("close", () => {
  const id = state.focus;
  state.focus = null;
  document.dispatchEvent(new CustomEvent("focus-tile"));
  if (id !== null) /** @type {HTMLElement | null} */ (document.querySelector(`#board [data-token="${id}"]`))?.focus({ preventScroll: true });
});
document.addEventListener("open-tile", (event) => openTile(/** @type {CustomEvent} */ (event).detail));
document.addEventListener("open-add", openAdd);
document.addEventListener("remove-tile", (event) => edit(remove(state.hand, /** @type {CustomEvent} */ (event).detail)));
document.addEventListener("win-tile", (event) => {
  const id = /** @type {CustomEvent} */ (event).detail;
  if (state.hand.standing.some((one) => one.id === id)) edit(win(state.hand, id));
});
