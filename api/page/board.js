// The hand as drawn tiles, in groups. A tap opens a tile; tiles can be dragged from group to group.

import { brief } from "./answer.js";
import { el, need } from "./dom.js";
import { changes, countOf, find, handOf, isSet, move, places, turnKong, undeclare } from "./hand.js";
import { maybe, t } from "./i18n.js";
import { edit, redo, state, undo } from "./store.js";
import { BACK, face, nameOf } from "./tiles.js";
import { standingOf } from "./viewer.js";

/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").Place} Place */

const board = need("board");

/** A drawn tile that nothing can be done with. @param {string} code @param {string} [kind] */
export function smallTile(code, kind = "") {
  return el("span", { class: `tile small ${code === BACK ? "back" : ""} ${kind}`, role: "img", "aria-label": nameOf(code) }, face(code));
}

/** @param {string[]} codes @param {string} [kind] */
export function smallTiles(codes, kind = "") {
  return el("span", { class: `run ${kind}` }, ...codes.map((code) => smallTile(code)));
}

/** @param {Token} one @param {Map<number, string>} how */
function tile(one, how) {
  const kind = one.seen === null ? (state.reading ? "added" : "sure") : (how.get(one.seen) ?? "sure");
  const won = one.id === state.hand.winning;
  const seen = one.seen === null ? null : state.reading?.tiles[one.seen];
  const label = [nameOf(one.code)];
  if (kind === "doubt" || kind === "wrong") {
    label.push(t("label.doubt", { percent: Math.round((seen?.confidence ?? 0) * 100) }));
  } else if (kind !== "sure") label.push(t(`legend.${kind}`));
  if (won) label.push(t("legend.won"));
  return el(
    "button",
    {
      class: `tile ${kind} ${won ? "won" : ""} ${one.code === BACK ? "back" : ""} ${one.id === state.focus ? "looked-at" : ""}`,
      type: "button",
      "aria-label": label.join(", "),
      "aria-haspopup": "dialog",
      "data-token": one.id,
      onclick: () => document.dispatchEvent(new CustomEvent("open-tile", { detail: one.id })),
    },
    face(one.code),
    won && el("span", { class: "star", "aria-hidden": "true" }, "★"),
    (kind === "doubt" || kind === "wrong") && el("span", { class: "why", "aria-hidden": "true" }, kind === "wrong" ? "!" : "?"),
  );
}

/** @param {Place} place @param {Token[]} tokens @param {Map<number, string>} how */
function group(place, tokens, how) {
  const meld = place.startsWith("meld:") ? state.hand.melds[Number(place.slice(5))] : null;
  const name = meld ? t(meld.concealed ? "group.kong" : "group.claimed") : t(`group.${place}`);
  const head = el("h3", {}, name);
  /** @type {(Node | false)[]} */
  const tools = [];
  if (meld) {
    const at = Number(place.slice(5));
    if (!isSet(meld)) head.append(el("em", { class: "bad" }, t("group.unfinished")));
    if (meld.tokens.length === 4) {
      const other = meld.concealed ? "group.make_claimed" : "group.make_kong";
      tools.push(el("button", { type: "button", class: "quiet", onclick: () => edit(turnKong(state.hand, at)) }, t(other)));
    }
    tools.push(el("button", { type: "button", class: "quiet", onclick: () => edit(undeclare(state.hand, at)) }, t("group.undeclare")));
  }
  return el(
    "section",
    { class: `group ${meld ? "meld" : place}`, "data-place": place, "aria-label": name },
    el("header", { class: place === "standing" && !state.hand.melds.length && !state.hand.bonus.length ? "away" : null }, head, ...tools),
    el("div", { class: "tiles" }, ...tokens.map((one) => tile(one, how))),
  );
}

/** Draw the hand again, keeping the place of the keyboard. */
export function draw() {
  const focused = document.activeElement?.closest("#board [data-token]")?.getAttribute("data-token");
  const how = standingOf();
  const shown = places(state.hand).filter(([place, tokens]) => tokens.length || place === "standing");
  board.replaceChildren(...shown.map(([place, tokens]) => group(place, tokens, how)), el("div", { class: "group drop-new", "data-place": "meld:new" }, t("group.new")));
  if (focused) /** @type {HTMLElement | null} */ (board.querySelector(`[data-token="${focused}"]`))?.focus();
  const { held, wanted } = countOf(state.hand);
  const count = need("count");
  count.textContent = held === wanted ? t("count.right") : t(held < wanted ? "count.few" : "count.many", { held, wanted });
  count.className = held === wanted ? "good" : "bad";
  need("undo").disabled = !state.past.length;
  need("redo").disabled = !state.future.length;
  drawDoubts();
  drawChanges();
}

/** Every reason to look again, each opening its tile. */
function drawDoubts() {
  const doubts = state.reading?.doubts ?? [];
  const holder = need("doubts");
  const how = standingOf();
  const laid = new Set(state.hand.melds.flatMap((meld) => meld.tokens.map((one) => one.seen)));
  const open = doubts.filter((doubt) => {
    if (doubt.code === "claimed_set") return doubt.tiles.every((at) => laid.has(at));
    return !doubt.tiles.length || !doubt.tiles.every((at) => ["changed", "out"].includes(how.get(at) ?? ""));
  });
  holder.hidden = !open.length;
  need("doubts-count").textContent = String(open.length);
  need("doubts-list").replaceChildren(
    ...open.map((doubt) => {
      const text = maybe(`doubt.${doubt.code}`, doubt.detail);
      const first = [...tokensOf(doubt.tiles)][0];
      const shown = doubt.tiles.slice(0, 5).map((at) => smallTile(state.reading?.tiles[at].tile ?? BACK));
      const weight = doubt.matters === false ? t("doubt.no_matter") : doubt.matters ? t("doubt.matters") : "";
      return el("li", {}, el(
        first ? "button" : "span",
        first ? { type: "button", class: "row", onclick: () => document.dispatchEvent(new CustomEvent("open-tile", { detail: first.id })) } : { class: "row" },
        el("span", { class: "run" }, ...shown),
        el("span", {}, text, weight && el("small", {}, ` ${weight}`)),
      ), choices(doubt));
    }),
  );
}

/** What a boundary or a set may be instead, each a tap away. @param {import("./types.d.ts").Doubt} doubt */
function choices(doubt) {
  const { reading } = state;
  const others = (doubt.candidates ?? []).filter((one) => !/^[0-9][mpszfax]$/.test(one.value) && one.hand !== reading?.hand);
  if (!reading || !others.length) return null;
  return el("div", { class: "choices" }, ...others.map((one) =>
    el("button", { type: "button", class: "chip", onclick: () => edit(handOf(reading, one.hand)) },
      maybe(`role.${one.value}`, one.value.replaceAll("_", " ") || t("none")), one.score && el("small", { class: "worth" }, brief(one.score)))));
}

/** @param {number[]} seen */
function* tokensOf(seen) {
  for (const [, tokens] of places(state.hand)) for (const one of tokens) if (one.seen !== null && seen.includes(one.seen)) yield one;
}

/** What was changed by hand, beside what was seen. */
function drawChanges() {
  const made = changes(state.seen, state.hand);
  need("changes").hidden = !made.length;
  need("changes-count").textContent = String(made.length);
  need("changes-list").replaceChildren(
    ...made.map(({ kind, was, to, token }) => {
      if (kind === "renamed") {
        return el("li", {}, smallTile(was, "gone"), "→", smallTile(to), el("span", {}, t("change.renamed", { was: nameOf(was), to: nameOf(to) })));
      }
      return el("li", {}, smallTile(token.code), el("span", {}, t(`change.${kind}`, { to: kind === "moved" ? t(`group.${to}`) : "" })));
    }),
  );
}

need("add").addEventListener("click", () => document.dispatchEvent(new CustomEvent("open-add")));
need("undo").addEventListener("click", undo);
need("redo").addEventListener("click", redo);

// ------------------------------------------------------------------------------------------------ keyboard

board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const tiles = /** @type {HTMLElement[]} */ ([...board.querySelectorAll(".tile")]);
  const at = tiles.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) return;
  const id = Number(tiles[at].dataset.token);
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    tiles[Math.min(Math.max(at + (event.key === "ArrowRight" ? 1 : -1), 0), tiles.length - 1)].focus();
  } else if ((event.key === "Delete" || event.key === "Backspace") && id) {
    document.dispatchEvent(new CustomEvent("remove-tile", { detail: id }));
    /** @type {HTMLElement[]} */ ([...board.querySelectorAll(".tile")])[at]?.focus();
  } else if (event.key.toLowerCase() === "w" && id) document.dispatchEvent(new CustomEvent("win-tile", { detail: id }));
  else return;
  event.preventDefault();
});

// ------------------------------------------------------------------------------------------------ dragging

/** @type {{id: number, ghost: HTMLElement, over: HTMLElement | null, before: number | null} | null} */
let drag = null;
let waiting = 0;

/** @param {HTMLElement} held @param {number} x @param {number} y */
function begin(held, x, y) {
  const ghost = /** @type {HTMLElement} */ (held.cloneNode(true));
  ghost.classList.add("ghost");
  ghost.removeAttribute("data-token");
  const box = held.getBoundingClientRect();
  ghost.style.width = `${box.width}px`;
  ghost.style.height = `${box.height}px`;
  document.body.append(ghost);
  drag = { id: Number(held.dataset.token), ghost, over: null, before: null };
  held.classList.add("held");
  board.classList.add("dragging");
  navigator.vibrate?.(12);
  carry(x, y);
}

/** @param {number} x @param {number} y */
function carry(x, y) {
  if (!drag) return;
  drag.ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -60%) rotate(-3deg)`;
  const under = document.elementFromPoint(x, y);
  const over = /** @type {HTMLElement | null} */ (under?.closest("#board [data-place]") ?? null);
  const near = under?.closest("#board [data-token]")?.getAttribute("data-token");
  drag.before = near && Number(near) !== drag.id ? Number(near) : null;
  if (over !== drag.over) {
    drag.over?.classList.remove("over");
    over?.classList.add("over");
    drag.over = over;
  }
}

/** @param {boolean} keep */
function drop(keep) {
  window.clearTimeout(waiting);
  if (!drag) return;
  const { id, ghost, over, before } = drag;
  drag = null;
  ghost.remove();
  board.classList.remove("dragging");
  const place = /** @type {Place | "meld:new" | undefined} */ (over?.dataset.place);
  const from = find(state.hand, id);
  if (keep && place && from && (place !== from.place || before !== null)) edit(move(state.hand, id, place, before));
  else draw();
}

board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
  const held = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-token]"));
  if (!held || event.button > 0) return;
  const { clientX, clientY } = event;
  window.clearTimeout(waiting);
  if (event.pointerType !== "mouse") {
    // A finger that moves at once scrolls the page; one that rests takes the tile up.
    waiting = window.setTimeout(() => begin(held, clientX, clientY), 260);
  }
  const start = { x: clientX, y: clientY };
  /** @param {PointerEvent} moving */
  const onMove = (moving) => {
    const far = Math.hypot(moving.clientX - start.x, moving.clientY - start.y);
    if (drag) {
      moving.preventDefault();
      carry(moving.clientX, moving.clientY);
    } else if (event.pointerType === "mouse" && far > 6) begin(held, moving.clientX, moving.clientY);
    else if (event.pointerType !== "mouse" && far > 8) window.clearTimeout(waiting);
  };
  /** @param {PointerEvent} ended */
  const onEnd = (ended) => {
    const dragged = drag !== null;
    document.removeEventListener("pointermove", onMove);
    document.removeEventListener("pointerup", onEnd);
    document.removeEventListener("pointercancel", onEnd);
    drop(ended.type === "pointerup");
    if (dragged) {
      // The click that follows a drag opens nothing.
      const swallow = (/** @type {Event} */ click) => click.stopPropagation();
      document.addEventListener("click", swallow, { capture: true, once: true });
      window.setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 0);
    }
  };
  document.addEventListener("pointermove", onMove, { passive: false });
  document.addEventListener("pointerup", onEnd);
  document.addEventListener("pointercancel", onEnd);
});
board.addEventListener("touchmove", (/** @type {TouchEvent} */ event) => drag && event.preventDefault(), { passive: false });
board.addEventListener("contextmenu", (/** @type {Event} */ event) => drag && event.preventDefault());
document.addEventListener("keydown", (event) => event.key === "Escape" && drop(false));
