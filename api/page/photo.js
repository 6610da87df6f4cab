// From a file to what is sent: upright, no larger than the reader can use.

import { scriptAddress } from "./dom.js";

/**
 * About the longer side, in pixels, of what is sent, and how hard it is packed: measured by
 * `tests/load/bench_sent_size.py`, where larger ones are read no better. It is half of what phones of 12 megapixels take,
 * which decodes fastest.
 */
export const LONGEST = 2016;
const QUALITY = 0.85;

/**
 * @typedef {object} Prepared
 * @property {ImageBitmap | null} bitmap what is shown; null where this browser cannot show the file
 * @property {Promise<Blob>} blob what is sent
 */

/** @type {Worker | null} */
let worker = null;
let asked = 0;

/** Start the worker before it is needed: a photo that is chosen does not wait for it. */
export function warmUp() {
  if (!worker) {
    const made = (worker = new Worker(scriptAddress("/page/shrink.js")));
    // One that could not be loaded answers nothing, ever: the next photo starts another.
    made.addEventListener("error", () => worker === made && (worker = null));
  }
  return worker;
}

/**
 * Turn a photo upright and scale it down. A file that this browser cannot decode (HEIC outside of Safari) is sent
 * as it is: the service knows more types, and says so where it does not.
 * @param {Blob} file
 * @returns {Promise<Prepared>}
 */
export function prepare(file) {
  const id = (asked += 1);
  return new Promise((done) => {
    /** @type {(blob: Blob) => void} */
    let packed = () => {};
    const blob = new Promise((/** @type {(blob: Blob) => void} */ ready) => (packed = ready));
    const asIs = () => {
      done({ bitmap: null, blob });
      packed(file);
    };
    try {
      const small = warmUp();
      small.addEventListener("message", function heard({ data }) {
        if (data.id !== id) return;
        if (data.bitmap) return done({ bitmap: data.bitmap, blob });
        small.removeEventListener("message", heard);
        if (data.blob) packed(data.blob);
        else asIs();
      });
      small.addEventListener("error", asIs, { once: true });
      small.postMessage({ id, file, most: LONGEST, quality: QUALITY });
    } catch {
      asIs();
    }
  });
}

/** Share of a tile whose pixels are burnt out from which glare is spoken of. */
const BURNT = 0.4;
/** Shorter side of a tile, in pixels of what was sent, under which faces are hard to tell. */
const SMALL = 26;

/**
 * What a better photo would need, found from the boxes and the pixels here. What the service itself says about the
 * photo comes with its doubts.
 * @param {import("./types.d.ts").Reading} reading
 * @param {HTMLCanvasElement | null} canvas
 * @returns {{code: "too_far" | "cut_off" | "glare", tiles: number[]}[]}
 */
export function advice(reading, canvas) {
  /** @type {ReturnType<typeof advice>} */
  const found = [];
  const sides = reading.tiles.map(({ box }) => Math.min(box[2] - box[0], box[3] - box[1])).sort((a, b) => a - b);
  const scale = canvas ? canvas.width / reading.width : 1;
  if (sides.length && sides[sides.length >> 1] * scale < SMALL) found.push({ code: "too_far", tiles: [] });
  const cut = [...reading.tiles.keys()].filter((at) => {
    const [x0, y0, x1, y1] = reading.tiles[at].box;
    return x0 <= 1 || y0 <= 1 || x1 >= reading.width - 1 || y1 >= reading.height - 1;
  });
  if (cut.length) found.push({ code: "cut_off", tiles: cut });
  const burnt = canvas ? [...reading.tiles.keys()].filter((at) => glare(canvas, reading.tiles[at].box, scale)) : [];
  if (burnt.length) found.push({ code: "glare", tiles: burnt });
  return found;
}

/** @param {HTMLCanvasElement} canvas @param {import("./types.d.ts").Box} box @param {number} scale */
function glare(canvas, box, scale) {
  const [x, y] = [box[0] * scale, box[1] * scale];
  const [wide, high] = [(box[2] - box[0]) * scale, (box[3] - box[1]) * scale];
  if (wide < 4 || high < 4) return false;
  const small = document.createElement("canvas");
  small.width = small.height = 24;
  const pen = small.getContext("2d", { willReadFrequently: true });
  if (!pen) return false;
  pen.drawImage(canvas, x, y, wide, high, 0, 0, 24, 24);
  const { data } = pen.getImageData(0, 0, 24, 24);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (Math.min(data[at], data[at + 1], data[at + 2]) >= 252) count += 1;
  return count / (24 * 24) > BURNT;
}
