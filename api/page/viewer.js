// The photo with what was read drawn over it. Moving and zooming change one CSS transform and nothing else, so that
// they keep up with the fingers.

import { el, need, svg } from "./dom.js";
import { changes, find, places } from "./hand.js";
import { maybe, named, t } from "./i18n.js";
import { advice } from "./photo.js";
import { state } from "./store.js";
import { nameOf, shortName } from "./tiles.js";

const frame = need("viewer");
const stage = need("stage");

let scale = 1;
let left = 0;
let top = 0;
/** The scale at which the hand fills the frame. */
let resting = 1;
/** Size of the frame, kept so that moving the photo never asks the browser to lay out. */
let size = { wide: 0, high: 0, most: 0 };
let due = 0;
let settling = 0;
let line = 0;

function measure() {
  size = { wide: frame.clientWidth, high: frame.clientHeight, most: Math.floor(innerHeight * 0.46) };
}

function place() {
  due = 0;
  keepInside();
  stage.style.transform = `translate3d(${left}px, ${top}px, 0) scale(${scale})`;
}

/** @param {boolean} [slow] */
function show(slow = false) {
  if (!state.photo) return;
  stage.classList.toggle("gliding", slow);
  if (!due) due = requestAnimationFrame(place);
  clearTimeout(settling);
  if (!fingers.size) settling = window.setTimeout(settle, 160);
}

/** Once the fingers rest: lines get their width back, and the picture is drawn sharp again. */
function settle() {
  // What does not change is not set: it would have every mark styled and drawn again.
  if (line !== 1 / scale) stage.style.setProperty("--line", String((line = 1 / scale)));
  frame.classList.toggle("zoomed", scale > resting * 1.05);
  stage.classList.remove("moving");
}

/** The smallest scale: the whole photo fits. @param {{width: number, height: number}} photo */
const leastFor = (photo) => Math.min(size.wide / photo.width, size.high / photo.height);

function keepInside() {
  if (!state.photo) return;
  const { wide, high } = size;
  scale = Math.min(Math.max(scale, leastFor(state.photo)), 8);
  const [w, h] = [state.photo.width * scale, state.photo.height * scale];
  left = w <= wide ? (wide - w) / 2 : Math.min(0, Math.max(wide - w, left));
  top = h <= high ? (high - h) / 2 : Math.min(0, Math.max(high - h, top));
}

/** @param {number} factor @param {number} x @param {number} y point of the frame that stays where it is */
function zoom(factor, x, y) {
  const before = scale;
  if (!state.photo) return;
  scale = Math.min(Math.max(scale * factor, leastFor(state.photo)), 8);
  left = x - ((x - left) * scale) / before;
  top = y - ((y - top) * scale) / before;
}

/** The part of the photo where tiles of the hand lie, with some air around it. */
function handBox() {
  const reading = state.reading;
  if (!reading || !state.photo) return null;
  const inside = places(state.hand)
    .filter(([where]) => where !== "aside")
    .flatMap(([, tokens]) => tokens.flatMap((one) => (one.seen === null ? [] : [reading.tiles[one.seen].box])));
  if (!inside.length) return null;
  const [x0, y0] = [Math.min(...inside.map((box) => box[0])), Math.min(...inside.map((box) => box[1]))];
  const [x1, y1] = [Math.max(...inside.map((box) => box[2])), Math.max(...inside.map((box) => box[3]))];
  const air = Math.max((x1 - x0) * 0.04, (y1 - y0) * 0.2);
  return [x0 - air, y0 - air * 1.4, x1 + air, y1 + air];
}

/** Pixels at the bottom of the frame where its buttons lie: no tile of the hand is put under them. */
const TOOLS = 44;

/** @param {boolean} whole the whole photo, else the hand in it @param {boolean} [slow] */
export function fit(whole, slow = true) {
  const photo = state.photo;
  if (!photo) return;
  const box = whole ? null : handBox();
  const [x0, y0, x1, y1] = box ?? [0, 0, photo.width, photo.height];
  // A row of tiles gets a low frame, so that the drawn tiles below it are in sight.
  if (!size.wide) measure();
  const low = box && (size.wide * (y1 - y0)) / (x1 - x0) + TOOLS;
  if (low) {
    // Known without asking the browser, which has the whole hand and its score to lay out just then.
    size.high = Math.min(Math.round(Math.max(low, size.wide > 560 ? 220 : 132)), size.most);
    frame.style.height = `${size.high}px`;
  } else {
    frame.style.height = "";
    measure();
  }
  const high = size.high - (low ? TOOLS : 0);
  scale = Math.min(size.wide / (x1 - x0), high / (y1 - y0));
  left = (size.wide - (x0 + x1) * scale) / 2;
  top = (high - (y0 + y1) * scale) / 2;
  if (!whole) resting = scale;
  show(slow);
}

/** Bring the tile that is looked at into sight. */
export function reveal() {
  const found = state.focus === null ? null : find(state.hand, state.focus);
  const box = found && found.token.seen !== null ? state.reading?.tiles[found.token.seen].box : null;
  if (!box || !state.photo || scale <= resting * 1.05) return;
  left = size.wide / 2 - ((box[0] + box[2]) / 2) * scale;
  top = size.high / 2 - ((box[1] + box[3]) / 2) * scale;
  show(true);
}

// ------------------------------------------------------------------------------------------------ drawing

const ABOUT_PLACES = new Set(["claimed_set", "other_tiles", "winning_tile", "unsure_boundary"]);
const IMPOSSIBLE = new Set(["five_of_a_tile", "duplicate_bonus"]);

/** How each seen tile stands: sure, doubted, impossible, changed by hand, or left out. @returns {Map<number, string>} */
export function standingOf() {
  /** @type {Map<number, string>} */
  const found = new Map();
  const reading = state.reading;
  if (!reading) return found;
  for (const at of reading.tiles.keys()) found.set(at, "sure");
  for (const doubt of reading.doubts) {
    // What lies where is doubted there, not the faces: the bracket and the list say so.
    if (ABOUT_PLACES.has(doubt.code)) continue;
    for (const at of doubt.tiles) {
      if (found.get(at) !== "wrong") found.set(at, IMPOSSIBLE.has(doubt.code) ? "wrong" : "doubt");
    }
  }
  for (const change of changes(state.seen, state.hand)) {
    if (change.kind === "renamed" && change.token.seen !== null) found.set(change.token.seen, "changed");
  }
  for (const one of state.hand.aside) if (one.seen !== null) found.set(one.seen, "out");
  return found;
}

/**
 * Have a photo's pixels shown, the very ones that were decoded. They are drawn once, not lent to the canvas: what is lent
 * is scaled anew for every frame in which the photo moves.
 * @param {ImageBitmap} bitmap
 * @returns {HTMLCanvasElement}
 */
export function hold(bitmap) {
  const canvas = /** @type {HTMLCanvasElement} */ (need("photo"));
  stage.style.width = `${bitmap.width}px`;
  stage.style.height = `${bitmap.height}px`;
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext("2d", { alpha: false, willReadFrequently: true })?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas;
}

/** Draw what lies over the photo again. */
export function draw() {
  const { photo, reading } = state;
  need("photo-card").hidden = !photo;
  if (!photo) return;
  const overlay = need("overlay");
  overlay.setAttribute("viewBox", `0 0 ${photo.width} ${photo.height}`);
  overlay.replaceChildren(...(reading ? marks(reading) : []));
  drawAdvice();
}

/** @param {import("./types.d.ts").Reading} reading */
function marks(reading) {
  const drawn = [];
  const how = standingOf();
  for (const [at, meld] of state.hand.melds.entries()) {
    const boxes = meld.tokens.flatMap((one) => (one.seen === null ? [] : [reading.tiles[one.seen].box]));
    const doubted = meld.tokens.some((one) => one.seen !== null && reading.doubts.some((doubt) => doubt.code === "claimed_set" && doubt.tiles.includes(one.seen ?? -1)));
    if (boxes.length) drawn.push(bracket(boxes, `${meld.concealed ? "kong" : "claimed"} ${doubted ? "doubted" : ""}`, at));
  }
  for (const [place, tokens] of places(state.hand)) {
    for (const one of tokens) {
      if (one.seen === null) continue;
      const seen = reading.tiles[one.seen];
      const [x0, y0, x1, y1] = seen.box;
      const [wide, high] = [x1 - x0, y1 - y0];
      const size = Math.min(wide, high) * 0.36;
      const label = place === "aside" ? "" : shortName(one.code);
      const won = one.id === state.hand.winning;
      const kind = [`mark ${how.get(one.seen)}`, won && "won", one.id === state.focus && "looked-at"].filter(Boolean).join(" ");
      const shape = seen.corners?.length === 4
        ? svg("polygon", { points: seen.corners.map((corner) => corner.join()).join(" ") })
        : svg("rect", { x: x0, y: y0, width: wide, height: high, rx: size * 0.25 });
      const group = svg("g", { class: kind, "data-token": one.id }, shape);
      if (label) {
        const text = svg("text", { x: x0 + size * 0.25, "font-size": size });
        text.textContent = won ? `★${label}` : label;
        const above = y0 > size * 1.3 ? y0 - size * 1.25 : y0;
        text.setAttribute("y", String(above + size * 0.92));
        const length = Array.from(text.textContent ?? "").reduce((sum, sign) => sum + (sign > "\u2000" ? 1 : 0.62), 0);
        group.append(svg("rect", { class: "tag", x: x0, y: above, width: size * (length + 0.5), height: size * 1.2, rx: size * 0.25 }), text);
      }
      drawn.push(group);
    }
  }
  return drawn;
}

/** @param {import("./types.d.ts").Box[]} boxes @param {string} kind @param {number} at */
function bracket(boxes, kind, at) {
  const high = Math.max(...boxes.map((box) => box[3] - box[1]));
  const [x0, x1] = [Math.min(...boxes.map((box) => box[0])), Math.max(...boxes.map((box) => box[2]))];
  const [y0, y1] = [Math.min(...boxes.map((box) => box[1])), Math.max(...boxes.map((box) => box[3]))];
  const [gap, arm] = [high * 0.08, high * 0.16];
  // A set that was claimed lies along a line: the bracket stands under it, or beside it where the line is upright.
  const d = y1 - y0 <= x1 - x0
    ? `M${x0} ${y1 + gap - arm}V${y1 + gap}H${x1}V${y1 + gap - arm}`
    : `M${x1 + gap - arm} ${y0}H${x1 + gap}V${y1}H${x1 + gap - arm}`;
  return svg("path", { class: `bracket ${kind}`, d, "data-meld": at });
}

/** What a better photo would need, over the photo itself. */
function drawAdvice() {
  const holder = need("advice");
  const reading = state.reading;
  holder.replaceChildren();
  if (!reading) return;
  if (reading.quality) {
    for (const { code, box, advice: said } of reading.quality) {
      holder.append(el("li", { class: "hint" }, maybe(`advice.${code}`, named(said))));
      const [x0, y0, x1, y1] = box;
      need("overlay").append(svg("rect", { class: "flaw", x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
    }
    return;
  }
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const { code, tiles } of advice(reading, state.photo?.bitmap ?? null)) found.set(code, tiles);
  for (const doubt of reading.doubts) {
    if (maybe(`advice.${doubt.code}`, "")) found.set(doubt.code, doubt.tiles);
  }
  for (const [code, tiles] of found) {
    const where = tiles.map((at) => nameOf(reading.tiles[at]?.tile ?? "0x"));
    const text = maybe(`advice.${code}`, code) + (where.length && where.length < 4 ? ` (${where.join(", ")})` : "");
    holder.append(el("li", { class: "hint" }, text));
    for (const at of tiles) {
      const box = reading.tiles[at]?.box;
      if (box) {
        const high = box[3] - box[1];
        need("overlay").append(
          svg("circle", { class: "warn", cx: box[2], cy: box[1], r: high * 0.13 }),
        );
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------ fingers

/** @type {Map<number, PointerEvent>} */
const fingers = new Map();
let moved = 0;
/** Where the frame stood when the first finger came down. */
let corner = { left: 0, top: 0 };
let lastTap = 0;

frame.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
  if (!state.photo || event.button > 0 || /** @type {Element} */ (event.target).closest("button")) return;
  fingers.set(event.pointerId, event);
  if (fingers.size === 1) corner = frame.getBoundingClientRect();
  moved = 0;
  stage.classList.add("moving");
  stage.classList.remove("gliding");
});

frame.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const others = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  moved += Math.hypot(dx, dy);
  if (moved > 4 && !frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
  if (others.length) {
    const other = others[0];
    const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    const then = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
    zoom(now / Math.max(then, 1), (event.clientX + other.clientX) / 2 - corner.left, (event.clientY + other.clientY) / 2 - corner.top);
    left += dx / 2;
    top += dy / 2;
  } else if (moved > 4) {
    left += dx;
    top += dy;
  }
  fingers.set(event.pointerId, event);
  show();
});

/** @param {PointerEvent} event */
function lift(event) {
  const known = fingers.delete(event.pointerId);
  if (known && !fingers.size) settling = window.setTimeout(settle, 160);
  if (!known || event.type === "pointercancel" || moved > 8 || fingers.size) return;
  const token = /** @type {Element} */ (event.target).closest("[data-token]")?.getAttribute("data-token");
  if (token) {
    document.dispatchEvent(new CustomEvent("open-tile", { detail: Number(token) }));
  } else if (event.timeStamp - lastTap < 320) {
    const box = frame.getBoundingClientRect();
    if (scale > resting * 1.4) fit(false);
    else {
      zoom(2.2, event.clientX - box.left, event.clientY - box.top);
      show(true);
    }
  }
  lastTap = event.timeStamp;
}
frame.addEventListener("pointerup", lift);
frame.addEventListener("pointercancel", lift);

frame.addEventListener(
  "wheel",
  (/** @type {WheelEvent} */ event) => {
    // The page scrolls with the wheel; with Ctrl, and by a pinch on a touchpad, the photo zooms.
    if (!event.ctrlKey && !frame.classList.contains("zoomed")) return;
    event.preventDefault();
    const box = frame.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.clientX - box.left, event.clientY - box.top);
    show();
  },
  { passive: false },
);

frame.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const { wide, high } = size;
  const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  if (step) {
    left += step[0];
    top += step[1];
  } else if (event.key === "+" || event.key === "=") zoom(1.3, wide / 2, high / 2);
  else if (event.key === "-") zoom(1 / 1.3, wide / 2, high / 2);
  else if (event.key === "0") return fit(false);
  else return;
  event.preventDefault();
  show(true);
});

need("zoom-hand").addEventListener("click", () => fit(false));
need("zoom-whole").addEventListener("click", () => fit(true));
need("zoom-in").addEventListener("click", () => {
  zoom(1.5, size.wide / 2, size.high / 2);
  show(true);
});
need("marks").addEventListener("click", (/** @type {Event} */ event) => {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const hidden = frame.classList.toggle("bare");
  button.setAttribute("aria-pressed", String(!hidden));
});
let wide = 0;
new ResizeObserver(() => {
  measure();
  if (size.wide === wide || !state.photo) return;
  wide = size.wide;
  fit(false, false);
}).observe(frame);

/** The legend under the photo. */
export function legend() {
  const kinds = ["sure", "doubt", "wrong", "changed", "out"];
  const used = new Set(standingOf().values());
  const entries = kinds.filter((kind) => used.has(kind));
  if (state.hand.melds.some((meld) => !meld.concealed)) entries.push("claimed");
  if (state.hand.melds.some((meld) => meld.concealed)) entries.push("kong");
  if (state.hand.winning !== null) entries.push("won");
  need("legend").replaceChildren(...entries.map((kind) => el("li", { class: kind }, t(`legend.${kind}`))));
}
