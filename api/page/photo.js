// From a file to what is sent: upright, no larger than the reader can use.

/** Longer side, in pixels, of what is sent: a row of fourteen tiles then still has over 150 pixels a tile. */
export const LONGEST = 2400;

/**
 * @typedef {object} Prepared
 * @property {Blob} blob what is sent
 * @property {string | null} url what is shown; null where this browser cannot show the file
 * @property {HTMLCanvasElement | null} canvas the same pixels, to cut tiles from
 */

/**
 * Turn a photo upright and scale it down. A file that this browser cannot decode (HEIC outside of Safari) is sent
 * as it is: the service knows more types, and says so where it does not.
 * @param {Blob} file
 * @returns {Promise<Prepared>}
 */
export async function prepare(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return { blob: file, url: null, canvas: null };
  }
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) return { blob: file, url: null, canvas: null };
  pen.imageSmoothingQuality = "high";
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
  if (!blob) return { blob: file, url: null, canvas: null };
  return { blob, url: URL.createObjectURL(blob), canvas };
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
